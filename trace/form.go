package trace

import "math/bits"

// A form is a way to write an integer. Nearly all are one run of bits, in one of the byte orders.
type form uint8

const (
	formLittle form = iota
	formBig
	formBoolean  // 1 for any value but 0
	formReversed // the bits in the other order
	formVariable // LEB128
)

// loadOdd reads an integer of a form above formBig.
func (f *Field) loadOdd(b []byte, at uint64) int64 {
	switch f.form {
	case formVariable:
		return leb128(b[at>>3:], f.signed)
	case formReversed:
		w := bits.Reverse64(uint64(f.raw.load(b, at)))
		if f.signed {
			return int64(w) >> (64 - f.size)
		}
		return int64(w >> (64 - f.size))
	}
	if f.raw.load(b, at) != 0 {
		return 1
	}
	return 0
}

// maxLEB128 is the number of bytes that 64 bits take in LEB128.
const maxLEB128 = 10

// leb128 reads an integer whose end has been found before (see endLEB128).
func leb128(b []byte, signed bool) int64 {
	var v uint64
	var shift uint
	for i := 0; i < len(b) && i < maxLEB128; i++ {
		v |= uint64(b[i]&0x7f) << shift
		shift += 7
		if b[i] < 0x80 {
			if signed && b[i]&0x40 != 0 && shift < 64 {
				v |= ^uint64(0) << shift
			}
			break
		}
	}
	return int64(v)
}

// endLEB128 returns how many bytes of b the integer at its beginning takes. It
// fails with ErrShort where b ends before it does, and with ErrWide where it has more than 64 bits.
func endLEB128(b []byte, signed bool) (int, error) {
	for i, c := range b {
		switch {
		case i < maxLEB128-1:
			if c < 0x80 {
				return i + 1, nil
			}
		case !signed && c <= 1, signed && (c == 0 || c == 0x7f): // bit 63, and copies of it
			return i + 1, nil
		default:
			return 0, ErrWide
		}
	}
	return 0, ErrShort
}
