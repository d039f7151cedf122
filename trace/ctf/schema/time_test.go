package schema

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The cycles of a time are the first ones at that time.
func TestCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Clock{
			Frequency: rapid.Uint64Range(1, 5e9).Draw(t, "freq"),
			Seconds:   rapid.Int64Range(-1e9, 2e9).Draw(t, "seconds"),
			Offset:    rapid.Int64().Draw(t, "offset") >> rapid.IntRange(0, 40).Draw(t, "shift"),
		}
		cycles := rapid.Uint64Range(0, 1<<40).Draw(t, "cycles")
		ns := c.Time(cycles)
		if ns == math.MaxInt64 {
			return
		}
		first, ok := c.Cycles(ns)
		if !ok || first > cycles || c.Time(first) != ns || first > 0 && c.Time(first-1) >= ns {
			t.Fatalf("%+v has %d ns at %d; the first of them is said to be %d, %v", c, ns, cycles, first, ok)
		}
	})
}

func TestTime(t *testing.T) {
	for _, test := range []struct {
		clock  Clock
		cycles uint64
		want   int64
	}{
		{Clock{Frequency: 1e9}, 5, 5},
		{Clock{Frequency: 1000, Seconds: -5, Offset: 500}, 1, -4_499_000_000},
		{Clock{Frequency: 3, Offset: -1}, 0, -333_333_334},
		{Clock{Frequency: 3_290_000_000}, 3, 0},
		{Clock{Frequency: 1, Seconds: math.MaxInt64}, 7, 7_000_000_000}, // an origin beyond int64
		{Clock{Frequency: 1}, math.MaxUint64, math.MaxInt64},
	} {
		if got := test.clock.Time(test.cycles); got != test.want {
			t.Errorf("%+v at %d: %d, want %d", test.clock, test.cycles, got, test.want)
		}
	}
	if _, ok := (&Clock{Frequency: 1e9, Seconds: 1}).Cycles(999_999_999); ok {
		t.Error("a time before the origin has cycles")
	}
}
