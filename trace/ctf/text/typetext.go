package text

import (
	"strconv"

	"synchroscope/trace"
)

// A typeWriter writes types in the notation that a typeReader reads.
type typeWriter struct {
	big   bool       // the byte order of what does not say
	roles trace.Role // that are written; in CTF 1.8 they follow from the names
}

func (w *typeWriter) append(b []byte, t *trace.Type) []byte {
	switch t.Kind {
	case trace.Struct:
		least := uint32(1)
		for _, m := range t.Members {
			least = max(least, m.Type.Align)
		}
		return appendAlign(w.members(b, t), t.Align, least)
	case trace.Array:
		b = append(b, '[')
		if t.Ref != nil {
			b = appendRef(b, t.Ref)
		} else {
			b = strconv.AppendUint(b, t.Count, 10)
		}
		b = appendAlign(b, t.Align, t.Elem.Align)
		if t.Media != "" {
			b = append(b, ' ')
			b = strconv.AppendQuote(b, t.Media)
		}
		return w.append(append(b, ']'), t.Elem)
	case trace.Variant:
		b = appendRef(append(b, "variant<"...), t.Ref)
		return appendAlign(w.members(append(b, '>'), t), t.Align, 1)
	case trace.Optional:
		b = appendRef(append(b, "optional<"...), t.Ref)
		for _, m := range t.Select {
			b = appendRange(append(b, ' '), m, t.Negative)
		}
		return w.append(append(b, '>'), t.Elem)
	case trace.String:
		b = append(b, "string"...)
		if t.Encoding != trace.UTF8 {
			b = append(append(b, ':'), t.Encoding.String()...)
		}
		return appendAlign(b, t.Align, 8)
	}
	return w.number(b, t)
}

func (w *typeWriter) members(b []byte, t *trace.Type) []byte {
	b = append(b, '{')
	for i, m := range t.Members {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = appendIdent(b, m.Name)
		for j, r := range m.Select {
			b = append(b, "( "[min(j, 1)])
			b = appendRange(b, r, t.Negative)
		}
		if len(m.Select) > 0 {
			b = append(b, ')')
		}
		b = w.append(append(b, ' '), m.Type)
		before := " as "
		for _, n := range roleNames {
			if m.Role&w.roles&n.role != 0 {
				b = append(append(b, before...), n.name...)
				before = ","
			}
		}
	}
	return append(b, '}')
}

func (w *typeWriter) number(b []byte, t *trace.Type) []byte {
	switch {
	case t.Kind == trace.Boolean:
		b = append(b, "bool"...)
	case t.Kind == trace.BitMap:
		b = append(b, "bits"...)
	case t.Kind == trace.Float:
		b = append(b, 'f')
	case t.Signed:
		b = append(b, 'i')
	default:
		b = append(b, 'u')
	}
	if t.Variable {
		b = append(b, "var"...)
	} else {
		b = strconv.AppendUint(b, uint64(t.Size), 10)
		if t.BigEndian != w.big {
			b = append(b, map[bool]string{false: "le", true: "be"}[t.BigEndian]...)
		}
	}
	b = appendAlign(b, t.Align, usualAlign(t))
	for name, base := range bases {
		if t.Base == base && base != 10 && t.Kind == trace.Integer {
			b = append(append(b, ':'), name...)
		}
	}
	if t.Text {
		b = append(b, ":char"...)
		if t.Encoding != trace.UTF8 {
			b = append(append(append(b, '('), t.Encoding.String()...), ')')
		}
	}
	if t.Reversed {
		b = append(b, ":reversed"...)
	}
	if t.Clock != "" {
		b = append(appendIdent(append(b, ":clock("...), t.Clock), ')')
	}
	for i, m := range t.Labels {
		b = append(b, "{ "[min(i, 1)])
		b = appendIdent(b, m.Label)
		b = appendRange(append(b, '='), m, t.Signed)
	}
	if len(t.Labels) > 0 {
		b = append(b, '}')
	}
	return b
}

// appendAlign appends an alignment that is not the usual one.
func appendAlign(b []byte, align, usual uint32) []byte {
	if align = max(align, 1); align == max(usual, 1) {
		return b
	}
	return strconv.AppendUint(append(b, '@'), uint64(align), 10)
}

func appendRange(b []byte, m trace.Mapping, signed bool) []byte {
	value := func(b []byte, v int64) []byte {
		if signed {
			return strconv.AppendInt(b, v, 10)
		}
		return strconv.AppendUint(b, uint64(v), 10)
	}
	b = value(b, m.Low)
	if m.High != m.Low {
		b = value(append(b, ".."...), m.High)
	}
	return b
}

func appendRef(b []byte, r *trace.Ref) []byte {
	if r.Located {
		for range r.Up + 1 {
			b = append(b, '~')
		}
	}
	for name, s := range scopeNames {
		if s == r.Scope {
			b = append(append(b, name...), ':')
		}
	}
	for i, name := range r.Path {
		if i > 0 {
			b = append(b, '.')
		}
		b = appendIdent(b, name)
	}
	return b
}

// appendIdent appends a name, in quotes if it is not of letters, digits and underscores.
func appendIdent(b []byte, name string) []byte {
	for i, c := range []byte(name) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return strconv.AppendQuote(b, name)
		}
	}
	if name == "" {
		return append(b, `""`...)
	}
	return append(b, name...)
}
