package trace

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends the payload as a JSON object, in the form of docs/guide/events.md.
func (e *Event) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	return append(e.scopeJSON(b, Payload), '}')
}

// AppendContextJSON appends the fields that the event's contexts add as one object: those of
// its stream, then those of its class.
func (e *Event) AppendContextJSON(b []byte) []byte {
	b = append(b, '{')
	n := len(b)
	b = e.scopeJSON(b, StreamContext)
	between := len(b)
	if between > n {
		b = append(b, ',')
	}
	fields := len(b)
	if b = e.scopeJSON(b, EventContext); len(b) == fields {
		b = b[:between]
	}
	return append(b, '}')
}

func (e *Event) scopeJSON(b []byte, s Scope) []byte {
	if e.Class == nil || e.Class.roots[s] == nil {
		return b
	}
	return e.membersJSON(b, e.Class.roots[s])
}

func (e *Event) membersJSON(b []byte, f *Field) []byte {
	for i, k := range f.kids {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendJSONString(b, k.name), ':')
		b = e.valueJSON(b, k)
	}
	return b
}

func (e *Event) valueJSON(b []byte, f *Field) []byte {
	if !e.Has(f) { // an optional
		return append(b, "null"...)
	}
	switch f.typ.Kind {
	case Integer, Boolean, BitMap:
		return f.typ.intJSON(b, e.Int(f))
	case Float:
		return floatJSON(b, e.Float(f))
	case String:
		return AppendJSONString(b, e.Bytes(f))
	case Struct:
		return append(e.membersJSON(append(b, '{'), f), '}')
	case Variant:
		b = append(b, '{')
		if i := e.slots[f.pick]; i < uint64(len(f.kids)) {
			b = append(AppendJSONString(b, f.kids[i].name), ':')
			b = e.valueJSON(b, f.kids[i])
		}
		return append(b, '}')
	}
	return e.arrayJSON(b, f)
}

func (e *Event) arrayJSON(b []byte, f *Field) []byte {
	elem := f.typ.Elem
	if elem.Kind == Integer && elem.Text && elem.Size == 8 {
		return AppendJSONString(b, e.Bytes(f))
	}
	b = append(b, '[')
	begin, pos := len(b), e.slots[f.slot]
	for i := range e.Len(f) {
		if i > 0 {
			b = append(b, ',')
		}
		if len(b)-begin > maxListText {
			return append(b, `"…"]`...)
		}
		switch {
		case f.loop != nil:
			pos, _ = e.walk(f.loop, pos, e.ends[f.area&1])
			b = e.valueJSON(b, f.kids[0])
		case elem.Kind == Float:
			b = floatJSON(b, f.float(e.At(f, i)))
		default:
			b = elem.intJSON(b, e.At(f, i))
		}
	}
	return append(b, ']')
}

// exact is up to where doubles hold every integer.
const exact = 1 << 53

// intJSON appends v: a number if a double holds it exactly, else its digits as a
// string; with what its labels say in an object, if it could have labels.
func (t *Type) intJSON(b []byte, v int64) []byte {
	if t.Kind == Boolean {
		return strconv.AppendBool(b, v != 0)
	}
	if t.Labels != nil {
		b = append(b, `{"value":`...)
	}
	switch {
	case t.Signed && (v > exact || v < -exact):
		b = append(strconv.AppendInt(append(b, '"'), v, 10), '"')
	case t.Signed:
		b = strconv.AppendInt(b, v, 10)
	case uint64(v) > exact:
		b = append(strconv.AppendUint(append(b, '"'), uint64(v), 10), '"')
	default:
		b = strconv.AppendUint(b, uint64(v), 10)
	}
	if t.Labels == nil {
		return b
	}
	b = append(b, `,"labels":[`...)
	n := len(b)
	for l := range t.labels(v) {
		if len(b) > n {
			b = append(b, ',')
		}
		b = AppendJSONString(b, l)
	}
	return append(b, "]}"...)
}

// floatJSON appends v with as many digits as tell it from all others. JSON has no
// number for what is none, or infinite.
func floatJSON(b []byte, v float64) []byte {
	if v != v || math.IsInf(v, 0) {
		return append(strconv.AppendFloat(append(b, '"'), v, 'g', -1, 64), '"')
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// AppendJSONString appends s as a JSON string. What is no UTF-8 in it becomes U+FFFD.
func AppendJSONString[T string | []byte](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))])); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		b = append(b, s[done:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			if c >= utf8.RuneSelf {
				b = append(b, "\uFFFD"...)
			} else {
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
		i += n
		done = i
	}
	return append(append(b, s[done:]...), '"')
}
