package ctf

import (
	"fmt"
	"math"
	"strings"

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

// newClock prepares the conversion. Where an origin is beyond what 64 bits of nanoseconds hold, the message
// says so: differences of times, which is what views show, stay right.
func newClock(c schema.Clock) (k *clock, message string) {
	base, ok := c.Origin()
	if !ok {
		message = fmt.Sprintf("the origin of clock %q, %s, is beyond what 64 bits of nanoseconds hold; its times are counted from 0", c.Name, origin(c))
	}
	return clockAt(strings.Clone(c.Name), c.Frequency, base), message
}

func clockAt(name string, freq uint64, base int64) *clock {
	k := &clock{name: name, freq: freq, base: base}
	if freq == second {
		k.near = uint64(math.MaxInt64 - max(base, 0))
	}
	return k
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

// time is the local time of a value of the clock. Times beyond the ends of int64 are held there.
func (k *clock) time(cycles uint64) int64 {
	if cycles < k.near {
		return k.base + int64(cycles)
	}
	return schema.TimeAt(k.base, cycles, k.freq)
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
