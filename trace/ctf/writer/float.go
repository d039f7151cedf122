package writer

import "math"

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
