package writer

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"synchroscope/trace"
)

// run starts a program.
func (s *Stream) run(g stage, ops []op) {
	s.stage, s.prog, s.pc, s.loops, s.empty = g, ops, 0, s.loops[:0], false
	s.advance()
}

// advance runs up to the next op that waits for a value.
func (s *Stream) advance() {
	for {
		o := &s.prog[s.pc]
		switch o.code {
		case opInt, opFloat, opString:
			s.at = o
			return
		case opArray:
			s.pos = (s.pos + o.mask) &^ o.mask
			s.n, s.i = s.length(o), 0
			if s.empty = s.empty || s.n == 0 && !o.text; s.n > 0 || o.text {
				s.at = o
				if o.role&trace.TraceID == 0 || s.n != 16 {
					return
				}
				s.elements(s.w.uuid[:])
			}
		case opAuto:
			v := o.set
			if o.role != trace.NoRole {
				v = s.auto[place(o.role)]
			}
			if s.stage == stagePacket && o.role != trace.NoRole {
				s.marks = append(s.marks, mark{(s.pos + o.mask) &^ o.mask, o, v})
			}
			s.keep(o, v)
			if o.variable && s.stage == stagePacket {
				s.putVariable(o, v, maxVariable)
			} else {
				s.put(o, v)
			}
			if s.err != nil {
				return
			}
		case opAlign:
			s.pos = (s.pos + o.mask) &^ o.mask
		case opLoop:
			n := s.length(o)
			if n == 0 {
				s.pc = o.jump
				continue
			}
			s.loops = append(s.loops, loop{n, s.pos, s.given})
		case opNext:
			l := &s.loops[len(s.loops)-1]
			if l.left--; l.left > 0 && (s.pos > l.begin || s.given > l.given) { // an element of nothing stands for all
				l.begin, l.given = s.pos, s.given
				s.pc = o.jump
				continue
			}
			s.loops = s.loops[:len(s.loops)-1]
		case opVariant:
			v := s.value(o)
			jump := o.option(v)
			if jump == 0 {
				s.fail("variant %q has no option for %d", o.name, v)
				return
			}
			s.forget(o.clear)
			s.pc = jump
			continue
		case opJump:
			s.pc = o.jump
			continue
		default:
			if s.stage == stageHeader && s.body != nil {
				s.stage, s.prog, s.pc, s.body = stageBody, s.body, 0, nil
				continue
			}
			s.at = o
			return
		}
		s.pc++
	}
}

func (s *Stream) length(o *op) uint64 {
	if o.refs == nil {
		return o.count
	}
	return s.value(o)
}

// value is the length or the selector that o depends on.
func (s *Stream) value(o *op) uint64 {
	if s.there == nil {
		return s.vals[o.refs[0]]
	}
	for _, slot := range slices.Backward(o.refs) {
		if s.there[slot] {
			return s.vals[slot]
		}
	}
	s.fail("field %q: the field that its length or selector is read from is not there", o.name)
	return 0
}

// keep notes the value of an integer for what may depend on it.
func (s *Stream) keep(o *op, v uint64) {
	s.vals[o.slot] = v
	if s.there != nil {
		s.there[o.slot] = true
	}
}

// forget makes fields absent.
func (s *Stream) forget(slots [2]int32) {
	clear(s.vals[slots[0]:slots[1]])
	if s.there != nil {
		clear(s.there[slots[0]:slots[1]])
	}
}

// Next is the path of the field that waits for a value, "" if none does.
func (s *Stream) Next() string { return s.at.name }

// Int writes an integer, boolean or bit map field, or the next element of an array of integers.
func (s *Stream) Int(v int64) {
	o := s.at
	if o.code != opInt {
		if o.code != opArray || o.member.typ.Elem.Kind == trace.Float || o.text {
			s.mismatch("an integer")
			return
		}
	}
	if !o.fits(v) {
		s.fail("field %q: %d does not fit into %d bits", o.name, v, o.size)
		return
	}
	if o.code == opArray {
		s.element(o, uint64(v))
		return
	}
	s.keep(o, uint64(v))
	s.put(o, uint64(v))
	s.next()
}

// next goes on behind a value.
func (s *Stream) next() {
	if s.err == nil {
		s.pc++
		s.given++
		s.empty = false
		s.advance()
	}
}

// Uint is like Int, for values above the largest signed one.
func (s *Stream) Uint(v uint64) {
	if s.at.signed && int64(v) < 0 {
		s.fail("field %q: %d does not fit into %d bits with sign", s.at.name, v, s.at.size)
		return
	}
	if !s.at.signed && s.at.size < 64 && v>>s.at.size != 0 {
		s.fail("field %q: %d does not fit into %d bits", s.at.name, v, s.at.size)
		return
	}
	s.Int(int64(v))
}

// Float writes a floating point field, or the next element of an array of them.
func (s *Stream) Float(v float64) {
	o := s.at
	switch {
	case o.code == opFloat:
		s.put(o, floatBits(v, o.size))
		s.next()
	case o.code == opArray && o.member.typ.Elem.Kind == trace.Float:
		s.element(o, floatBits(v, o.size))
	default:
		s.mismatch("a floating point number")
	}
}

// String writes a string, or characters into an array of them, whose rest is zero.
func (s *Stream) String(v string) {
	if s.at.code != opString {
		if s.at.code != opArray || !s.at.text {
			s.mismatch("a string")
			return
		}
	}
	if s.at.chars != trace.UTF8 {
		s.encoded(v)
		return
	}
	text(s, v)
}

// Bytes writes a string as String does, or all elements of an array of 8-bit integers. No bytes may be given
// for an array without elements, which waits for none.
func (s *Stream) Bytes(b []byte) {
	switch o := s.at; {
	case len(b) == 0 && s.empty && s.i == 0:
		s.empty = false
	case o.code == opString || o.code == opArray && o.text:
		if o.chars != trace.UTF8 {
			s.encoded(string(b))
			return
		}
		text(s, b)
	case o.code == opArray && o.size == 8 && s.i == 0 && o.member.typ.Elem.Kind == trace.Integer:
		if uint64(len(b)) != s.n {
			s.fail("field %q: %d bytes for %d elements", o.name, len(b), s.n)
			return
		}
		s.elements(b)
		s.next()
	default:
		s.mismatch("bytes")
	}
}

// text writes a string or an array of characters.
func text[T string | []byte](s *Stream, v T) {
	o := s.at
	if o.code == opString {
		for i := range len(v) {
			if v[i] == 0 {
				s.fail("field %q: the string has a zero byte in it", o.name)
				return
			}
		}
		at := (s.pos + o.mask) &^ o.mask
		end := at + uint64(len(v)+o.chars.Unit())*8
		if end>>3+slack > uint64(len(s.buf)) && !s.room(end) {
			return
		}
		s.pos = end
		copy(s.buf[at>>3:], v)
	} else {
		if uint64(len(v)) > s.n {
			s.fail("field %q: %d characters for %d elements", o.name, len(v), s.n)
			return
		}
		elements(s, v)
	}
	s.next()
}

// encoded writes a string in another encoding than UTF-8.
func (s *Stream) encoded(v string) {
	if strings.IndexByte(v, 0) >= 0 {
		s.fail("field %q: the string has a zero in it", s.at.name)
		return
	}
	s.spare = s.spare[:0]
	for _, r := range v {
		s.spare = appendRune(s.spare, s.at.chars, r)
	}
	o := s.at
	if o.code == opArray {
		text(s, s.spare)
		return
	}
	at := (s.pos + o.mask) &^ o.mask
	end := at + uint64(len(s.spare)+o.chars.Unit())*8
	if !s.room(end) {
		return
	}
	copy(s.buf[at>>3:], s.spare)
	s.pos = end
	s.next()
}

func appendRune(b []byte, c trace.Encoding, r rune) []byte {
	units := [2]rune{r}
	n := 1
	if c.Unit() == 2 && r >= 0x10000 {
		units[0], units[1] = utf16.EncodeRune(r)
		n = 2
	}
	for _, u := range units[:n] {
		switch c {
		case trace.UTF16LE:
			b = binary.LittleEndian.AppendUint16(b, uint16(u))
		case trace.UTF16BE:
			b = binary.BigEndian.AppendUint16(b, uint16(u))
		case trace.UTF32LE:
			b = binary.LittleEndian.AppendUint32(b, uint32(u))
		default:
			b = binary.BigEndian.AppendUint32(b, uint32(u))
		}
	}
	return b
}

func (s *Stream) elements(b []byte) { elements(s, b) }

// elements writes the elements of the array that waits, of 8 bits each; those that v lacks are zero.
func elements[T string | []byte](s *Stream, v T) {
	o := s.at
	if s.n == 0 {
		return
	}
	end := s.pos + (s.n-1)*o.stride + uint64(o.size)
	if s.n > maxPacket {
		s.fail("field %q: %d elements are too many", o.name, s.n)
		return
	}
	if end>>3+slack > uint64(len(s.buf)) && !s.room(end) {
		return
	}
	if o.whole && o.stride == 8 {
		copy(s.buf[s.pos>>3:], v)
	} else {
		for i := range len(v) {
			store(s.buf, s.pos+uint64(i)*o.stride, o, uint64(v[i]))
		}
	}
	s.pos = end
}

// element writes the next element of the array that waits.
func (s *Stream) element(o *op, v uint64) {
	at := s.pos
	end := at + uint64(o.size)
	if end>>3+slack > uint64(len(s.buf)) && !s.room(end) {
		return
	}
	s.pos = end
	store(s.buf, at, o, v)
	if s.i++; s.i < s.n {
		s.pos = at + o.stride
		return
	}
	s.next()
}

func (s *Stream) mismatch(what string) {
	switch {
	case s.err != nil:
	case s.at.code == opEnd:
		s.fail("%s is given and no field is left", what)
	default:
		s.fail("field %q is given %s and is none", s.at.name, what)
	}
}

// floatBits is v in the forms of IEEE 754.
func floatBits(v float64, size uint32) uint64 {
	switch size {
	case 64:
		return math.Float64bits(v)
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	return uint64(halfBits(v))
}

// halfBits is v in 16 bits, rounded to the nearest, ties to even.
func halfBits(v float64) uint16 {
	sign := uint16(math.Float64bits(v) >> 63 << 15)
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return sign | 0x7e00
	case a >= 65520:
		return sign | 0x7c00
	case a < 0x1p-14:
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	frac, exp := math.Frexp(a) // a = frac·2^exp, frac in [0.5, 1)
	return sign | uint16(uint32(exp+13)<<10+uint32(math.RoundToEven(frac*2048)))
}
