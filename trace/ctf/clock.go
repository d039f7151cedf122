package ctf

import (
	"fmt"
	"math"
	"math/bits"

	"synchroscope/trace/ctf/schema"
)

// A clock turns cycles into local time.
type clock struct {
	name string
	freq uint64
	// The time of cycle 0 is base ns; cycles are counted from extra on.
	base  int64
	extra uint64
	// Up to near cycles of 1 ns the time is their number from zero on.
	zero int64
	near uint64
}

const second = 1_000_000_000

// nanoseconds is used where a trace declares no clock.
var nanoseconds = &clock{freq: second, near: math.MaxInt64}

// newClock prepares the conversion. An origin that 64 bits of nanoseconds cannot
// hold (the years before 1677 and after 2262) is left out, and the message
// says so: differences of times, which is what views show, stay right.
func newClock(c schema.Clock) (k *clock, message string) {
	k = &clock{name: c.Name, freq: c.Frequency}
	// Whole seconds of the offset go to the base, so that extra is less than a
	// second and the sum with the cycles seldom leaves 64 bits.
	seconds := int64(uint64(c.Offset) / c.Frequency)
	k.extra = uint64(c.Offset) % c.Frequency
	if c.Offset < 0 {
		n := -uint64(c.Offset)
		seconds, k.extra = -int64(n/c.Frequency), n%c.Frequency
		if k.extra > 0 {
			seconds, k.extra = seconds-1, c.Frequency-k.extra
		}
	}
	total := c.Seconds + seconds
	overflow := seconds > 0 && total < c.Seconds || seconds < 0 && total > c.Seconds
	const limit = math.MaxInt64/second - 1
	if overflow || total > limit || total < -limit {
		return k, fmt.Sprintf("the origin of clock %q, %d s, is beyond what 64 bits of nanoseconds hold; its times are counted from 0", c.Name, c.Seconds)
	}
	k.base = total * second
	k.shorten()
	return k, ""
}

// shorten prepares the short way for clocks of 1 GHz.
func (k *clock) shorten() {
	if k.freq != second {
		return
	}
	k.zero = k.base + int64(k.extra)
	k.near = uint64(math.MaxInt64 - max(k.zero, 0))
}

// time is the local time of a value of the clock, rounded down. Times beyond the
// ends of int64 are held there.
func (k *clock) time(cycles uint64) int64 {
	if cycles < k.near {
		return k.zero + int64(cycles)
	}
	return k.convert(cycles)
}

// convert is time for any clock.
func (k *clock) convert(cycles uint64) int64 {
	lo, carry := bits.Add64(cycles, k.extra, 0)
	if k.freq == second && carry == 0 {
		return saturate(k.base, 0, lo)
	}
	hi, lo2 := bits.Mul64(lo, second)
	hi += carry * second
	// (hi, lo2) / freq, in two steps because the quotient may exceed 64 bits.
	q1, r := hi/k.freq, hi%k.freq
	q0, _ := bits.Div64(r, lo2, k.freq)
	return saturate(k.base, q1, q0)
}

// saturate is base + (hi, lo) within the range of int64.
func saturate(base int64, hi, lo uint64) int64 {
	t := uint64(base) + lo
	// base + lo exceeds the range exactly if lo is more than what is left above base.
	if hi > 0 || lo > uint64(math.MaxInt64)-uint64(base) {
		return math.MaxInt64
	}
	return int64(t)
}

// extend completes a timestamp of which only the low n bits were recorded: the
// first value with these bits that is not before last.
func extend(last, low uint64, n uint32) uint64 {
	if n >= 64 {
		return low
	}
	mask := uint64(1)<<n - 1
	v := last&^mask | low
	if low < last&mask {
		v += mask + 1
	}
	return v
}
