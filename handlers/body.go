package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// bodyOf reads the JSON body of a request into out. like is what it must look like, for the error.
func bodyOf(w http.ResponseWriter, r *http.Request, like string, out any) error {
	return decodeBody(w, r, like, out, false)
}

// wholeBodyOf is bodyOf for a body of which nothing may be left out silently: keys that out has not are refused.
func wholeBodyOf(w http.ResponseWriter, r *http.Request, like string, out any) error {
	return decodeBody(w, r, like, out, true)
}

func decodeBody(w http.ResponseWriter, r *http.Request, like string, out any, whole bool) error {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return err
	case err != nil:
		return badRequest("The body broke off.")
	}
	if len(b) == 0 {
		return badRequest("The body must be %s.", like)
	}
	if !utf8.Valid(b) {
		return badRequest("The body is not JSON: it is not UTF-8.")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if whole {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(out); err != nil {
		return badRequest("%s; it must be %s.", plainJSON(b, err), like)
	}
	if rest := bytes.TrimLeft(b[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return badRequest("The body is not JSON: something follows its end at byte %d; it must be %s.", len(b)-len(rest)+1, like)
	}
	return nil
}

// unknownField is how encoding/json begins to complain about a key; it has no type for it.
const unknownField = "json: unknown field "

// plainJSON words an error of encoding/json: the place and what stands there, or the kind of value
// that is not the one wanted.
func plainJSON(b []byte, err error) string {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Sprintf("%q of the body is of the kind %s", wrong.Field, kindOf(wrong.Value))
	case errors.As(err, &wrong):
		return "The body is of the kind " + kindOf(wrong.Value)
	case errors.As(err, &syntax) && 0 < syntax.Offset && syntax.Offset <= int64(len(b)):
		c, _ := utf8.DecodeRune(b[syntax.Offset-1:])
		return fmt.Sprintf("The body is not JSON: %q cannot stand at byte %d", c, syntax.Offset)
	case strings.HasPrefix(err.Error(), unknownField):
		return "The body has " + strings.TrimPrefix(err.Error(), unknownField) + ", which means nothing here"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The body is not JSON: it ends too early"
	}
	return "The body is not JSON"
}

// kindOf names a kind of JSON value.
func kindOf(value string) string {
	kind, _, _ := strings.Cut(value, " ") // "number 5"
	if kind == "bool" {
		return "boolean"
	}
	return kind
}
