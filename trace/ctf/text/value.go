package text

import (
	"math"
	"strconv"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf/writer"
)

// A valueReader reads the fields of an event as their types say, and gives them to the writer.
type valueReader struct {
	*cursor
	s   *writer.Stream
	dot string // path of the field that is being read, of plain names
	raw bool   // names are what they are, not preceded by an underscore
}

// plain is the name that a field has in texts.
func (r *valueReader) plain(name string) string {
	if !r.raw && len(name) > 1 && name[0] == '_' {
		return name[1:]
	}
	return name
}

// check fails at a place if the writer has found a mistake.
func (r *valueReader) check(at int) {
	if err := r.s.Err(); err != nil {
		r.fail(at, "%v", err)
	}
}

// expecting fails if it is not the field at path that the writer waits for: the text has other fields than
// the lengths and selectors before it ask for.
func (r *valueReader) expecting(at int) {
	r.check(at)
	switch next := r.s.Next(); {
	case next == r.dot:
	case next == "":
		r.fail(at, "a value for %q, where no field is left", r.dot)
	default:
		r.fail(at, "a value for %q, where one for %q belongs", r.dot, next)
	}
}

func (r *valueReader) enter(name string) func() {
	before := r.dot
	if r.dot != "" {
		r.dot += "."
	}
	r.dot += name
	return func() { r.dot = before }
}

// members reads name=value pairs of a struct, in the order of its members.
func (r *valueReader) members(t *trace.Type) {
	for _, m := range t.Members {
		name := r.plain(m.Name)
		r.space()
		at := r.at
		if got, ok := r.field(); !ok || got != name {
			if r.at = at; m.Type.Kind == trace.Optional {
				continue // is not there
			}
			r.fail(at, "expected field %q, found %s", name, r.found())
		}
		leave := r.enter(name)
		r.value(m.Type)
		leave()
	}
}

// field reads a name and the = behind it.
func (r *valueReader) field() (string, bool) {
	at := r.at
	if r.peek() == '"' {
		if _, err := strconv.QuotedPrefix(r.text[r.at:]); err != nil {
			return "", false
		}
		name := r.quoted()
		return name, r.accept("=")
	}
	name := r.word(" =\"|^#{}[],.")
	return name, r.at > at && r.accept("=")
}

// value reads one value of type t.
func (r *valueReader) value(t *trace.Type) {
	at := r.at
	switch t.Kind {
	case trace.Struct:
		r.expect("{", "at the beginning of a struct")
		r.members(t)
		r.space()
		r.expect("}", "at the end of a struct")
		return
	case trace.Variant:
		r.option(t)
		return
	case trace.Optional:
		r.value(t.Elem)
		return
	case trace.Array:
		if e := t.Elem; e.Kind == trace.Integer && e.Text && e.Size == 8 {
			r.characters(t)
		} else {
			r.array(t)
		}
		return
	}
	r.expecting(at)
	switch t.Kind {
	case trace.String:
		r.s.String(r.literal())
	case trace.Float:
		w := r.word(",]}|^")
		v, err := strconv.ParseFloat(w, 64)
		if err != nil && !math.IsInf(v, 0) || err != nil || strings.ContainsAny(w, "_xX") {
			r.fail(at, "%q is no floating point number", w)
		}
		r.s.Float(v)
	case trace.Boolean:
		switch w := r.word(",]}|^"); w {
		case "true":
			r.s.Int(1)
		case "false":
			r.s.Int(0)
		default:
			r.fail(at, "%q is neither true nor false", w)
		}
	default:
		r.integer(t)
	}
	r.check(at)
}

func (r *valueReader) literal() string {
	if r.peek() != '"' {
		r.fail(r.at, "expected a string in double quotes, found %s", r.found())
	}
	return r.quoted()
}

// integer reads digits, and the labels behind them, which must be those that the value has.
func (r *valueReader) integer(t *trace.Type) {
	at := r.at
	w := r.word(",]}|^:")
	v, err := strconv.ParseInt(w, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(w, 0, 64)
		if err != nil || t.Signed && (t.Base == 0 || t.Base == 10) {
			r.fail(at, "%q is no integer that the field can have", w)
		}
		v = int64(u)
	}
	if t.Signed && t.Base != 0 && t.Base != 10 && t.Size < 64 && v > 0 && uint64(v)>>t.Size == 0 {
		v = v << (64 - t.Size) >> (64 - t.Size) // the bits are written without sign
	}
	labels := r.at
	for r.accept(":") {
		r.literal()
	}
	if got := r.text[labels:r.at]; got != "" {
		want := string(trace.AppendLabels(nil, t, v))
		if got != want {
			r.fail(labels, "the labels of %d are %s, not %s", v, want, got)
		}
	}
	if t.Signed || v < 0 && strings.HasPrefix(w, "-") {
		r.s.Int(v)
	} else {
		r.s.Uint(uint64(v))
	}
	r.check(at)
}

// characters reads a string that an array holds.
func (r *valueReader) characters(t *trace.Type) {
	at := r.at
	s := r.literal()
	r.expecting(at)
	r.s.String(s)
	r.check(at)
}

func (r *valueReader) array(t *trace.Type) {
	at := r.at
	r.expect("[", "at the beginning of a list")
	for i := 0; ; i++ {
		r.space()
		if r.accept("]") {
			break
		}
		if i > 0 {
			r.expect(",", "between elements")
			r.space()
		}
		if t.Elem.Kind == trace.Optional && r.accept("{}") {
			continue
		}
		r.value(t.Elem)
	}
	r.check(at)
}

// option reads {name=value}: the option that a variant has selected.
func (r *valueReader) option(t *trace.Type) {
	r.expect("{", "at the beginning of a variant")
	r.space()
	if r.accept("}") {
		return // an optional that is not there
	}
	at := r.at
	name, ok := r.field()
	if ok {
		for _, m := range t.Members {
			if r.plain(m.Name) != name {
				continue
			}
			leave := r.enter(name)
			r.value(m.Type)
			leave()
			r.space()
			r.expect("}", "at the end of a variant")
			return
		}
	}
	r.at = at
	r.fail(at, "expected an option, found %s", r.found())
}

// rest reads path=value for each field that the writer waits for.
func (r *valueReader) rest(t *trace.Type, until func() bool) {
	for !until() {
		at, path := r.at, ""
		for {
			name := r.ident("the name of a field", " =\"|^#{}[],.")
			if path != "" {
				path += "."
			}
			if path += name; !r.accept(".") {
				break
			}
		}
		r.expect("=", "behind the name")
		f := r.find(t, path)
		if f == nil {
			r.fail(at, "there is no field %q", path)
		}
		r.dot = path
		r.value(f)
		r.dot = ""
	}
}

// find returns the type of a field by its path of plain names.
func (r *valueReader) find(t *trace.Type, path string) *trace.Type {
	if t == nil {
		return nil
	}
	for t.Kind == trace.Optional {
		t = t.Elem
	}
	if path == "" {
		return t
	}
	for _, m := range t.Members {
		if name := r.plain(m.Name); name == path {
			return r.find(m.Type, "")
		} else if rest, ok := strings.CutPrefix(path, name+"."); ok {
			if f := r.find(m.Type, rest); f != nil {
				return f
			}
		}
	}
	return nil
}
