package trace

import (
	"iter"
	"strconv"
)

// AppendText appends the payload in the text form of docs/format/text.md:
// name = value pairs, all fields, nested ones in braces.
func (e *Event) AppendText(b []byte) []byte {
	return e.appendScope(b, Payload)
}

// AppendContext appends the fields that the event's contexts add, in the same
// form: those of its stream, then those of its class.
func (e *Event) AppendContext(b []byte) []byte {
	n := len(b)
	b = e.appendScope(b, StreamContext)
	if len(b) > n && e.Class.roots[EventContext] != nil {
		b = append(b, ' ')
	}
	return e.appendScope(b, EventContext)
}

// AppendField appends one value in the text form.
func (e *Event) AppendField(b []byte, f *Field) []byte {
	if !e.Has(f) {
		return b
	}
	return e.appendValue(b, f)
}

// AppendTime appends a time in ns as seconds with nine decimals.
func AppendTime(b []byte, ns int64) []byte {
	u := uint64(ns)
	if ns < 0 {
		b, u = append(b, '-'), -u
	}
	b = strconv.AppendUint(b, u/1e9, 10)
	point := len(b)
	b = strconv.AppendUint(b, 1e9+u%1e9, 10)
	b[point] = '.' // where the 1 was that keeps the zeros
	return b
}

func (e *Event) appendScope(b []byte, s Scope) []byte {
	if e.Class == nil || e.Class.roots[s] == nil {
		return b
	}
	return e.appendMembers(b, e.Class.roots[s])
}

func (e *Event) appendMembers(b []byte, f *Field) []byte {
	n := len(b)
	for _, k := range f.kids {
		if !e.Has(k) { // an optional
			continue
		}
		if len(b) > n {
			b = append(b, ' ')
		}
		b = appendName(b, k.name)
		b = append(b, '=')
		b = e.appendValue(b, k)
	}
	return b
}

func (e *Event) appendValue(b []byte, f *Field) []byte {
	switch f.typ.Kind {
	case Integer, Boolean, BitMap:
		return f.typ.appendInt(b, e.Int(f))
	case Float:
		return appendFloat(b, e.Float(f))
	case String:
		return appendQuote(b, e.Bytes(f))
	case Struct:
		b = append(b, '{')
		return append(e.appendMembers(b, f), '}')
	case Variant:
		b = append(b, '{')
		if i := e.slots[f.pick]; i < uint64(len(f.kids)) && e.Has(f.kids[i]) {
			b = appendName(b, f.kids[i].name)
			b = append(b, '=')
			b = e.appendValue(b, f.kids[i])
		}
		return append(b, '}')
	}
	return e.appendArray(b, f)
}

// appendQuote appends a Go string literal; nearly all strings need no escapes.
func appendQuote(b, s []byte) []byte {
	for _, c := range s {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return strconv.AppendQuote(b, string(s))
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// maxListText is where lists are cut short, in bytes: elements that take no space may be 2⁶⁴.
const maxListText = 1 << 20

func (e *Event) appendArray(b []byte, f *Field) []byte {
	elem := f.typ.Elem
	if elem.Kind == Integer && elem.Text && elem.Size == 8 {
		return appendQuote(b, e.Bytes(f))
	}
	b = append(b, '[')
	pos := e.slots[f.slot]
	for i := range e.Len(f) {
		if i > 0 {
			b = append(b, ',')
		}
		if len(b) > maxListText {
			return append(b, "…]"...)
		}
		switch {
		case f.loop != nil:
			pos, _ = e.walk(f.loop, pos, e.ends[f.area&1])
			if !e.Has(f.kids[0]) {
				b = append(b, "{}"...)
				continue
			}
			b = e.appendValue(b, f.kids[0])
		case elem.Kind == Float:
			b = appendFloat(b, f.float(e.At(f, i)))
		default:
			b = elem.appendInt(b, e.At(f, i))
		}
	}
	return append(b, ']')
}

var prefixes = map[uint8]string{2: "0b", 8: "0o", 16: "0x"}

// appendInt appends v, and behind a colon what its labels say.
func (t *Type) appendInt(b []byte, v int64) []byte {
	switch {
	case t.Kind == Boolean:
		return strconv.AppendBool(b, v != 0)
	case t.Kind == BitMap:
		b = strconv.AppendUint(append(b, "0x"...), uint64(v), 16)
	case t.Base != 0 && t.Base != 10:
		b = append(b, prefixes[t.Base]...)
		b = strconv.AppendUint(b, uint64(v)<<(64-t.Size)>>(64-t.Size), int(t.Base))
	case t.Signed:
		b = strconv.AppendInt(b, v, 10)
	default:
		b = strconv.AppendUint(b, uint64(v), 10)
	}
	return AppendLabels(b, t, v)
}

// AppendLabels appends what the value v of an integer, or the bits of a bit map that are set,
// are called: a colon and a string for each.
func AppendLabels(b []byte, t *Type, v int64) []byte {
	if t.Labels == nil {
		return b
	}
	for l := range t.labels(v) {
		b = append(b, ':')
		b = strconv.AppendQuote(b, l)
	}
	return b
}

// labels yields what v is called.
func (t *Type) labels(v int64) iter.Seq[string] {
	return func(yield func(string) bool) {
		last := ""
		for i, m := range t.Labels {
			if t.Kind == BitMap {
				set := uint64(v)>>uint64(m.Low)&(2<<uint64(m.High-m.Low)-1) != 0
				if !set || i > 0 && m.Label == last { // a further range of the same flag
					continue
				}
				last = m.Label
			} else if !m.covers(v, t.Signed) {
				continue
			}
			if !yield(m.Label) {
				return
			}
		}
	}
}

// appendFloat appends v so that it cannot be taken for an integer.
func appendFloat(b []byte, v float64) []byte {
	n := len(b)
	b = strconv.AppendFloat(b, v, 'g', -1, 64)
	for _, c := range b[n:] {
		if c == '.' || c == 'e' || c == 'N' || c == 'I' {
			return b
		}
	}
	return append(b, ".0"...)
}
