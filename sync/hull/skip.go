package hull

import (
	"encoding/binary"
	"math/bits"
)

// SkipNumbers returns what follows n varints, without their values; ok is false where b ends before.
func SkipNumbers(b []byte, n uint64) (rest []byte, ok bool) {
	const last = 0x8080808080808080 // of each byte the bit that is zero in the last of a varint
	for len(b) >= 8 {
		ends := uint64(bits.OnesCount64(^binary.LittleEndian.Uint64(b) & last))
		if ends >= n {
			break
		}
		b, n = b[8:], n-ends
	}
	for i := 0; i < len(b) && n > 0; i++ {
		if b[i] < 0x80 {
			if n--; n == 0 {
				return b[i+1:], true
			}
		}
	}
	return b, n == 0
}

// Skip returns what follows a stored hull, so that several can be read at the same time. Whether it is one only Parse tells; ok is false
// where b has no place for it.
func Skip(b []byte) (rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, false
	}
	b, ok = SkipNumbers(b[1:], 3)
	for side := Upper; ok && side <= Lower; side++ {
		b, ok = skipPoints(b)
	}
	return b, ok
}

// SkipSeries is Skip for a stored series.
func SkipSeries(b []byte) (rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, false
	}
	if b, ok = SkipNumbers(b[1:], 2); !ok || len(b) == 0 {
		return nil, false
	}
	windows, size := binary.Uvarint(b[1:])
	if size <= 0 || windows > maxWindows {
		return nil, false
	}
	b = b[1+size:]
	for lists := 2*windows + 2; ok && lists > 0; lists-- { // the chains of the windows, and what is kept by the second clock
		b, ok = skipPoints(b)
	}
	return b, ok
}

// skipPoints returns what follows a list of points.
func skipPoints(b []byte) (rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)) {
		return nil, false
	}
	return SkipNumbers(b[size:], 2*n)
}
