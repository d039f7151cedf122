package ctf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"synchroscope/trace"
	"synchroscope/trace/ctf/ctf2"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/tsdl"
)

// Formats of a trace, as Info names them.
const (
	FormatCTF18 = "ctf1.8"
	FormatCTF2  = "ctf2"
)

// maxMetadata bounds the metadata file; that of a kernel with all its events is about 2 MB.
const maxMetadata = 16 << 20

// jsonMark begins every fragment of a JSON text sequence, and so the metadata of CTF 2.
const jsonMark = 0x1e

// A language turns the bytes of a metadata file into the model that all of them share.
type language struct {
	format string
	parse  func(b []byte) (*schema.Trace, error)
}

// languageOf tells the languages apart by the first byte of the text, which both may have in packets.
func languageOf(b []byte) language {
	if text, err := tsdl.Unwrap(b); err == nil && text.Plain != "" && text.Plain[0] == jsonMark {
		return language{FormatCTF2, parseJSON}
	}
	return language{FormatCTF18, parseTSDL}
}

// parseTSDL reads the metadata of CTF 1.8, in packets or plain.
func parseTSDL(b []byte) (*schema.Trace, error) {
	text, err := tsdl.Unwrap(b)
	if err != nil {
		return nil, err
	}
	return tsdl.ParseText(text)
}

// parseJSON reads the metadata of CTF 2, in packets (CTF2-PMETA-1.0) or plain.
func parseJSON(b []byte) (*schema.Trace, error) {
	text, err := tsdl.Unwrap(b)
	if err != nil {
		return nil, err
	}
	return ctf2.Parse(text.Plain)
}

// A layoutError is what is wrong with a declaration that can be read, but not laid out.
type layoutError struct {
	schema.Place
	err error
}

func (e *layoutError) Error() string { return e.err.Error() }
func (e *layoutError) Unwrap() error { return e.err }

// placed puts before an error of laying out what is declared the place in the metadata: that of the
// reference, else of the innermost declaration.
func placed(path string, err error) error {
	var at schema.Place
	for e := err; e != nil; e = errors.Unwrap(e) {
		if l, ok := e.(*layoutError); ok {
			at = l.Place
		}
	}
	var ref *trace.RefError
	if errors.As(err, &ref) && ref.Ref.Line > 0 {
		at = schema.Place{Line: ref.Ref.Line, Column: ref.Ref.Column}
	}
	return fmt.Errorf("%s:%d:%d: %w", path, max(at.Line, 1), max(at.Column, 1), err)
}

// metadataOf is what the metadata file of a trace directory holds.
func metadataOf(dir string) (path string, b []byte, err error) {
	path = filepath.Join(dir, metadataName)
	f, err := os.Open(path)
	if err != nil {
		return path, nil, err
	}
	defer f.Close()
	b, err = io.ReadAll(io.LimitReader(f, maxMetadata+1))
	if err != nil {
		return path, nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(b) > maxMetadata {
		return path, nil, fmt.Errorf("%s: the metadata is larger than %d bytes", path, maxMetadata)
	}
	return path, b, nil
}

// readMetadata reads the metadata file of a trace directory.
func readMetadata(dir string) (*schema.Trace, string, error) {
	path, b, err := metadataOf(dir)
	if err != nil {
		return nil, "", err
	}
	return parseMetadata(path, b)
}

// parseMetadata reads what a metadata file holds.
func parseMetadata(path string, b []byte) (*schema.Trace, string, error) {
	l := languageOf(b)
	t, err := l.parse(b)
	if err == nil {
		return t, l.format, nil
	}
	var at *tsdl.Error
	var at2 *ctf2.Error
	if errors.As(err, &at) || errors.As(err, &at2) { // begins with line and column
		return nil, l.format, fmt.Errorf("%s:%w", path, err)
	}
	return nil, l.format, fmt.Errorf("%s: %w", path, err)
}

// declares is what the metadata file of a trace directory says, laid out.
func declares(dir string) (*declared, error) {
	path, b, err := metadataOf(dir)
	if err != nil {
		return nil, err
	}
	return opened.get(b, func() (*declared, error) {
		model, format, err := parseMetadata(path, b)
		if err != nil {
			return nil, err
		}
		if like := opened.like(model); like != nil {
			info := describe(model)
			info.Format, info.Classes = format, like.info.Classes
			return &declared{like.plan.of(model), info, like.model}, nil
		}
		p, err := newPlan(model)
		if err != nil {
			return nil, placed(path, err)
		}
		info := describe(model)
		info.Format = format
		return &declared{p, info, layoutOf(model)}, nil
	})
}
