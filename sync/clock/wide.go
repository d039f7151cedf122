package clock

import (
	"math"
	"math/bits"
)

// interpolate returns the height at x of the line through (x0, y0) and
// (x1, y1), x0 < x1 and y0 < y1, rounded to the nearest integer, halves up,
// and held within int64. All products have 128 bits.
func interpolate(x, x0, x1, y0, y1 int64) int64 {
	run, rise := uint64(x1)-uint64(x0), uint64(y1)-uint64(y0)
	if x >= x0 {
		step, ok := mulDiv(uint64(x)-uint64(x0), rise, run, run/2)
		if room := uint64(math.MaxInt64) - uint64(y0); !ok || step > room {
			return math.MaxInt64
		}
		return int64(uint64(y0) + step)
	}
	// Halves go up, so left of x0 the step is rounded down: one less than half is added.
	step, ok := mulDiv(uint64(x0)-uint64(x), rise, run, (run-1)/2)
	if room := uint64(y0) - 1<<63; !ok || step > room {
		return math.MinInt64
	}
	return int64(uint64(y0) - step)
}

// mulDiv returns (a·b+add)/c, rounded down; ok is false where that exceeds 64 bits.
func mulDiv(a, b, c, add uint64) (q uint64, ok bool) {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, add, 0)
	hi += carry
	if hi >= c {
		return 0, false
	}
	q, _ = bits.Div64(hi, lo, c)
	return q, true
}
