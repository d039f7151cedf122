package writer

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"synchroscope/trace"
)

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
