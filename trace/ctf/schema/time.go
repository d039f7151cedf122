package schema

import (
	"math"
	"math/bits"
)

const second = 1_000_000_000

// Time is the local time in ns of a value of the clock, held within int64. A clock whose
// origin int64 cannot hold counts from 0.
func (c *Clock) Time(cycles uint64) int64 {
	origin, _ := c.Origin()
	return TimeAt(origin, cycles, c.Frequency)
}

// Cycles is the smallest value of the clock at which the time is ns, or the next one above
// where no value has that time. It is false where ns is before the clock's origin, or later than the clock can say.
func (c *Clock) Cycles(ns int64) (uint64, bool) {
	origin, _ := c.Origin()
	if ns < origin {
		return 0, false
	}
	elapsed := uint64(ns) - uint64(origin)
	// A time is at most 1 ns beside the exact one, so the value is near.
	low, high := lasting(elapsed-min(elapsed, 1), c.Frequency), lasting(elapsed+1, c.Frequency)
	for low < high {
		if middle := low + (high-low)/2; nanoseconds(middle, c.Frequency) < elapsed {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, nanoseconds(low, c.Frequency) >= elapsed
}

// Origin is the time of the clock's zero in ns. Where int64 does not hold it (the years before 1677 and after 2262) it
// is left out but for its part of a second, and the answer is false.
func (c *Clock) Origin() (int64, bool) {
	whole, rest := int64(uint64(c.Offset)/c.Frequency), uint64(c.Offset)%c.Frequency
	if c.Offset < 0 {
		n := -uint64(c.Offset)
		if whole, rest = -int64(n/c.Frequency), n%c.Frequency; rest > 0 {
			whole, rest = whole-1, c.Frequency-rest
		}
	}
	total := c.Seconds + whole
	overflow := whole > 0 && total < c.Seconds || whole < 0 && total > c.Seconds
	const limit = math.MaxInt64/second - 1
	if overflow || total > limit || total < -limit {
		return int64(nanoseconds(rest, c.Frequency)), false
	}
	return total*second + int64(nanoseconds(rest, c.Frequency)), true
}

// TimeAt is the time of a value of a clock of some frequency, Hz, whose zero is at origin; all are ns, held within int64.
func TimeAt(origin int64, cycles, frequency uint64) int64 {
	ns := nanoseconds(cycles, frequency)
	if ns > uint64(math.MaxInt64)-uint64(origin) {
		return math.MaxInt64
	}
	return int64(uint64(origin) + ns)
}

// nanoseconds is how many ns cycles last, as [Clock] says, held within uint64. It never falls as cycles grow: neither the
// exact number nor the double does, and of the number below, the double and the number above it is the one in the middle.
func nanoseconds(cycles, frequency uint64) uint64 {
	hi, lo := bits.Mul64(cycles, second)
	if hi >= frequency {
		return math.MaxUint64
	}
	exact, _ := bits.Div64(hi, lo, frequency)
	// The conversion keeps the product a number of 64 bits on all machines.
	double := float64(second*float64(cycles)) / float64(frequency)
	switch {
	case double < 1<<64 && uint64(double) == exact || second%frequency == 0:
		return exact
	case double < 1<<64 && uint64(double) < exact:
		return exact - 1
	case exact == math.MaxUint64:
		return exact
	}
	return exact + 1
}

// lasting is the smallest number of cycles that exactly last ns or longer, held within uint64.
func lasting(ns, frequency uint64) uint64 {
	hi, lo := bits.Mul64(ns, frequency)
	lo, carry := bits.Add64(lo, second-1, 0)
	if hi+carry >= second {
		return math.MaxUint64
	}
	cycles, _ := bits.Div64(hi+carry, lo, second)
	return cycles
}
