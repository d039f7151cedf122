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
	base int64 // the time of cycle 0, ns
	// Up to near cycles of 1 ns the time is their number from base on.
	near uint64
}

const second = 1_000_000_000

// nanoseconds is used where a trace declares no clock.
var nanoseconds = &clock{freq: second, near: math.MaxInt64}

// newClock prepares the conversion. An origin that 64 bits of nanoseconds cannot
// hold (the years before 1677 and after 2262) is left out but for its part of a second, and the message
// says so: differences of times, which is what views show, stay right.
func newClock(c schema.Clock) (k *clock, message string) {
	k = &clock{name: c.Name, freq: c.Frequency}
	seconds := int64(uint64(c.Offset) / c.Frequency)
	rest := uint64(c.Offset) % c.Frequency
	if c.Offset < 0 {
		n := -uint64(c.Offset)
		seconds, rest = -int64(n/c.Frequency), n%c.Frequency
		if rest > 0 {
			seconds, rest = seconds-1, c.Frequency-rest
		}
	}
	_, ns := k.quotient(rest)
	total := c.Seconds + seconds
	overflow := seconds > 0 && total < c.Seconds || seconds < 0 && total > c.Seconds
	const limit = math.MaxInt64/second - 1
	if overflow || total > limit || total < -limit {
		total = 0
		message = fmt.Sprintf("the origin of clock %q, %s, is beyond what 64 bits of nanoseconds hold; its times are counted from 0", c.Name, origin(c))
	}
	k.base = total*second + int64(ns)
	if k.freq == second {
		k.near = uint64(math.MaxInt64 - max(k.base, 0))
	}
	return k, message
}

// origin says how the metadata gives the origin of a clock: either part of it may be the one that is out of range.
func origin(c schema.Clock) string {
	cycles := fmt.Sprintf("%d cycles of %d Hz", c.Offset, c.Frequency)
	switch {
	case c.Offset == 0:
		return fmt.Sprintf("%d s", c.Seconds)
	case c.Seconds == 0:
		return cycles
	}
	return fmt.Sprintf("%d s and %s", c.Seconds, cycles)
}

// time is the local time of a value of the clock: origin and cycles are rounded down each by itself, so that times are
// those that babeltrace prints. Times beyond the ends of int64 are held there.
func (k *clock) time(cycles uint64) int64 {
	if cycles < k.near {
		return k.base + int64(cycles)
	}
	hi, lo := k.quotient(cycles)
	return saturate(k.base, hi, lo)
}

// quotient is cycles in ns, rounded down, as 128 bits.
func (k *clock) quotient(cycles uint64) (hi, lo uint64) {
	n1, n0 := bits.Mul64(cycles, second)
	hi, r := n1/k.freq, n1%k.freq
	lo, _ = bits.Div64(r, n0, k.freq)
	return hi, lo
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
