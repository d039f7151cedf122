package trace

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding is how characters are written. Whatever it is, they are read as UTF-8.
type Encoding uint8

const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
	UTF32LE
	UTF32BE
	Encodings // how many there are
)

var encodingNames = [Encodings]string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"}

func (c Encoding) String() string { return encodingNames[min(c, Encodings-1)] }

// Unit is the number of bytes of the smallest piece of a character.
func (c Encoding) Unit() int { return int([Encodings]uint8{1, 2, 2, 4, 4}[min(c, Encodings-1)]) }

// end returns the length of the text in b up to its first zero unit, or -1 if there is none.
func (c Encoding) end(b []byte) int {
	unit := c.Unit()
	if unit == 1 {
		return bytes.IndexByte(b, 0)
	}
	for i := 0; i+unit <= len(b); i += unit {
		if bytes.Count(b[i:i+unit], zero) == unit {
			return i
		}
	}
	return -1
}

var zero = []byte{0}

// append appends the text in b as UTF-8. What is no character becomes U+FFFD;
// bytes that do not fill a unit at the end are left out.
func (c Encoding) append(to, b []byte) []byte {
	for unit := c.Unit(); len(b) >= unit; {
		r := c.unit(b)
		b = b[unit:]
		if unit == 2 && utf16.IsSurrogate(r) {
			low := rune(0)
			if len(b) >= 2 {
				low = c.unit(b)
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				b = b[2:]
			}
		}
		to = utf8.AppendRune(to, r)
	}
	return to
}

func (c Encoding) unit(b []byte) rune {
	switch c {
	case UTF16LE:
		return rune(binary.LittleEndian.Uint16(b))
	case UTF16BE:
		return rune(binary.BigEndian.Uint16(b))
	case UTF32LE:
		return rune(binary.LittleEndian.Uint32(b))
	case UTF32BE:
		return rune(binary.BigEndian.Uint32(b))
	}
	return rune(b[0])
}

// maxSpare is how many bytes of texts that had to be written anew an event keeps in one piece.
const maxSpare = 64 << 10

// borrow returns room for about n bytes that no slice given out before overlaps, for [Event.Bytes].
func (e *Event) borrow(n int) []byte {
	if cap(e.spare)-len(e.spare) < n {
		e.spare = make([]byte, 0, max(maxSpare, n))
	}
	return e.spare[len(e.spare):len(e.spare):cap(e.spare)]
}

// lend notes that b, which lies in what borrow returned, is given out.
func (e *Event) lend(b []byte) []byte {
	if n := len(e.spare) + len(b); n <= cap(e.spare) {
		e.spare = e.spare[:n]
	}
	return b[:len(b):len(b)]
}
