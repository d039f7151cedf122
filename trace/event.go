// Package trace says what an event, a host and a trace set are. It knows no
// file format: trace/ctf fills these types, everything else reads them.
//
// An event is not taken apart when it is read. The metadata is compiled once
// into a [Layout]: whatever has a fixed distance from its neighbour forms one
// segment, and only what varies in size (a string, a sequence, a variant)
// begins a new one. Reading an event walks over its segments to find where it
// ends and notes where each began, in an array of the event that is used again
// and again. A [Field] is then a segment and a distance, and any field of any
// depth is read by a few loads, when and only when somebody asks for it:
// nothing is allocated and nothing is boxed.
package trace

import (
	"bytes"
	"encoding/binary"
	"math"
)

// An Event is one decoded event. It borrows its bytes from the reader: it is
// valid until the reader's next step and must not be kept.
type Event struct {
	// Time is local time: ns since the epoch by the host's own clock. Within
	// a host it never decreases: where a trace runs backwards, events keep the
	// order in which they were written and take the time of the one before.
	Time int64
	// Recorded is the time that stands in the trace. It differs from Time only where the trace runs backwards.
	Recorded int64

	CPU    int32  // the CPU that recorded it, -1 where the trace does not say
	Class  *Class // what kind of event it is
	Trace  int32  // index into the host's traces
	Stream int32  // index into the trace's streams

	buf   [2][]byte // window with the event; packet header and context
	ends  [2]uint64 // up to which bits they may be walked
	slots []uint64  // bit offsets of the segments into their buffer; selected options
	spare []byte    // characters that had to be written anew for Bytes
}

// Has reports whether the field is present in this event: its class has it,
// every variant on its path has the option selected, and every optional is there.
func (e *Event) Has(f *Field) bool {
	return f != nil && (f.cond == nil || e.meets(f))
}

// meets reports whether the condition of f holds or, if f is a choice, that of one of its fields.
func (e *Event) meets(f *Field) bool {
	return e.holds(f.cond) || f.alts != nil && e.alternative(f) != nil
}

// Int reads an integer, enumeration or boolean field or a bit map, sign-extended. An
// unsigned 64-bit value comes as its two's complement, a boolean as 0 or 1.
func (e *Event) Int(f *Field) int64 {
	if f == nil || f.cond != nil && !e.holds(f.cond) {
		return e.choose(f)
	}
	b, at := e.buf[f.area&1], e.slots[f.slot]+f.off
	if shift, size := at&7, uint64(f.size); f.form == formLittle && shift+size <= 64 {
		w := binary.LittleEndian.Uint64(b[at>>3:]) << ((64 - size - shift) & 63)
		if f.signed {
			return int64(w) >> ((64 - size) & 63)
		}
		return int64(w >> ((64 - size) & 63))
	}
	return f.load(b, at)
}

// Float reads a floating point field.
func (e *Event) Float(f *Field) float64 {
	return f.float(e.Int(f))
}

// Bytes reads a string, a character array or a BLOB, without its terminator. The
// slice aliases the reader's window or, where the text is not UTF-8 from whole bytes, memory that
// is not written again.
func (e *Event) Bytes(f *Field) []byte {
	if !e.Has(f) {
		return nil
	}
	b, at := e.buf[f.area&1], e.slots[f.slot]+f.off
	switch {
	case f.typ.Kind == String:
		b = b[at>>3:]
		if f.typ.Encoding != UTF8 {
			return e.recode(f.typ.Encoding, b[:max(f.typ.Encoding.end(b), 0)])
		}
		return b[:max(bytes.IndexByte(b, 0), 0)]
	case f.typ.Kind != Array || f.size != 8:
		return nil
	}
	n := uint64(e.Len(f))
	if at&7 == 0 && f.stride == 8 {
		b = b[at>>3 : at>>3+n]
	} else {
		text := e.borrow(int(n))
		for i := range n {
			text = append(text, byte(f.load(b, at+i*f.stride)))
		}
		b = e.lend(text)
	}
	if elem := f.typ.Elem; elem.Text {
		if i := elem.Encoding.end(b); i >= 0 {
			b = b[:i]
		}
		if elem.Encoding != UTF8 {
			return e.recode(elem.Encoding, b)
		}
	}
	return b
}

// recode returns the text in b as UTF-8.
func (e *Event) recode(c Encoding, b []byte) []byte {
	return e.lend(c.append(e.borrow(2*len(b)), b))
}

// Len is the number of elements of an array or sequence.
func (e *Event) Len(f *Field) int {
	if !e.Has(f) || f.typ.Kind != Array {
		return 0
	}
	if f.ref != nil {
		return int(e.Int(f.ref))
	}
	return int(f.typ.Count)
}

// At reads element i of an array or sequence of integers; 0 outside of it. Where
// the integers are of variable length it takes time in proportion to i.
func (e *Event) At(f *Field, i int) int64 {
	if i < 0 || i >= e.Len(f) {
		return 0
	}
	if f.loop != nil {
		return e.nth(f, i)
	}
	return f.load(e.buf[f.area&1], e.slots[f.slot]+f.off+uint64(i)*f.stride)
}

// nth reads element i of an array whose elements are not at equal distances.
func (e *Event) nth(f *Field, i int) int64 {
	if f.kids[0].typ.Kind != Integer {
		return 0
	}
	end := e.ends[f.area&1]
	for pos := e.slots[f.slot]; ; i-- {
		next, err := e.walk(f.loop, pos, end)
		if err != nil {
			return 0
		}
		if i == 0 || next == pos { // if one takes no space, all others are like it
			return e.Int(f.kids[0])
		}
		pos = next
	}
}

// holds reports whether all options on a path are selected.
func (e *Event) holds(c *cond) bool {
	for ; c != nil; c = c.outer {
		if e.slots[c.slot] != c.option {
			return false
		}
	}
	return true
}

// load reads the integer at bit offset at. The buffers of an event have eight
// bytes to spare at their end, so a whole word can always be loaded.
//
// Bits are counted from the least significant one of each byte in little-endian
// fields and from the most significant one in big-endian fields.
func (f *Field) load(b []byte, at uint64) int64 {
	from, shift := b[at>>3:], at&7
	var w uint64
	switch f.form {
	case formLittle:
		w = binary.LittleEndian.Uint64(from) >> shift
		if shift+uint64(f.size) > 64 {
			w |= uint64(from[8]) << (64 - shift)
		}
		w <<= 64 - f.size
	case formBig:
		w = binary.BigEndian.Uint64(from) << shift
		if shift+uint64(f.size) > 64 {
			w |= uint64(from[8]) >> (8 - shift)
		}
	default:
		return f.loadOdd(b, at)
	}
	if f.signed {
		return int64(w) >> (64 - f.size)
	}
	return int64(w >> (64 - f.size))
}

func (f *Field) float(bits int64) float64 {
	if f == nil {
		return 0
	}
	switch f.size {
	case 64:
		return math.Float64frombits(uint64(bits))
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return half(uint16(bits))
}

// half reads the 16-bit form of IEEE 754.
func half(h uint16) float64 {
	sign, exp, frac := h>>15, int(h>>10&31), float64(h&1023)
	v := math.Ldexp(1+frac/1024, exp-15)
	switch exp {
	case 0:
		v = math.Ldexp(frac, -24)
	case 31:
		if v = math.Inf(1); frac != 0 {
			v = math.NaN()
		}
	}
	if sign == 1 {
		v = -v
	}
	return v
}
