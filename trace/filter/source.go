package filter

import (
	"math"

	"synchroscope/trace"
)

// A source is what one side of a comparison is in the events of a class. An integer
// with labels is two things, a number and what they say; a side that is nothing
// at all makes every comparison false.
type source struct {
	number *numeric
	text   *textual
	labels *trace.Type // of number
}

func (s source) isConstantText() bool {
	return s.text != nil && s.text.field == nil && s.text.whole == nil
}

// source tells what an operand is.
func (c *compilation) source(o *operand) source {
	if !o.isPath() {
		if o.form == aString {
			return source{text: &textual{constant: []byte(o.text)}}
		}
		return source{number: &numeric{read: readConstant, constant: o.number}}
	}
	switch o.property() {
	case nameProperty:
		return source{text: &textual{constant: []byte(c.class.Name)}}
	case hostProperty:
		return source{text: &textual{constant: []byte(c.host)}}
	case cpuProperty:
		return source{number: &numeric{read: readCPU}}
	case timeProperty:
		return source{number: &numeric{read: readTime}}
	case localProperty:
		return source{number: &numeric{read: readLocal}}
	case threadProperty:
		if c.threads == nil {
			return source{}
		}
		return source{number: &numeric{read: readThread, threads: c.threads}}
	case fieldsProperty:
		return source{text: &textual{whole: new([]byte)}}
	}
	f := o.path.resolve(c.class)
	if f == nil {
		return source{}
	}
	return fieldSource(f, o.path.element)
}

func fieldSource(f *trace.Field, element int) source {
	t := f.Type()
	n := &numeric{read: readField, field: f, element: element}
	if t.Kind == trace.Array {
		if t.Elem.Text && t.Elem.Size == 8 && element < 0 {
			return source{text: &textual{field: f}}
		}
		n.read, t = readElement, t.Elem
		if element < 0 || t.Text {
			return source{}
		}
	} else if element >= 0 {
		return source{}
	}
	switch t.Kind {
	case trace.Integer, trace.Boolean, trace.BitMap:
		if !t.Signed {
			n.constant.form = unsigned
		}
		s := source{number: n}
		if t.Labels != nil {
			s.labels = t
		}
		return s
	case trace.Float:
		n.constant.form = float
		if n.read == readField {
			n.read = readFloat
		}
		if n.read == readElement && t.Size == 32 {
			n.read = readSingle
		}
		if n.read == readElement && t.Size != 64 {
			return source{} // halves in an array
		}
		return source{number: n}
	case trace.String:
		return source{text: &textual{field: f}}
	}
	return source{}
}

// A numeric is where a number comes from.
type numeric struct {
	read     reading
	field    *trace.Field
	element  int
	constant number // its form is that of what is read
	threads  Threads
}

type reading uint8

const (
	readConstant reading = iota
	readField
	readFloat
	readElement
	readSingle // an element that is a float of 32 bits
	readCPU
	readTime
	readLocal
	readThread
)

// value reads the number; ok is false where the event has none.
func (n *numeric) value(e *trace.Event, time int64) (v number, ok bool) {
	switch n.read {
	case readField:
		v, ok = number{n.constant.form, uint64(e.Int(n.field))}, e.Has(n.field)
	case readFloat:
		v, ok = double(e.Float(n.field)), e.Has(n.field)
	case readElement, readSingle:
		v, ok = number{n.constant.form, uint64(e.At(n.field, n.element))}, n.element < e.Len(n.field)
		if n.read == readSingle {
			v = double(float64(math.Float32frombits(uint32(v.bits))))
		}
	case readCPU:
		v, ok = integer(int64(e.CPU)), e.CPU >= 0
	case readTime:
		v, ok = integer(time), true
	case readLocal:
		v, ok = integer(e.Time), true
	case readThread:
		tid := n.threads.Thread(e)
		v, ok = integer(int64(tid)), tid >= 0
	default:
		v, ok = n.constant, true
	}
	return v, ok
}

// A textual is where a string comes from.
type textual struct {
	field    *trace.Field // nil for a constant, and for all fields
	constant []byte
	whole    *[]byte // all fields are written here, again and again; nil where they are not meant
}

func (t *textual) value(e *trace.Event) (text []byte, ok bool) {
	if t.whole != nil {
		*t.whole = e.AppendText((*t.whole)[:0])
		return *t.whole, true
	}
	if t.field == nil {
		return t.constant, true
	}
	return e.Bytes(t.field), e.Has(t.field)
}
