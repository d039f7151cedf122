package clock

import (
	"math"
	"sort"
)

// A Cursor maps many times by one map, one after the other. It gives what the map gives, to the ns, and is some five times as
// fast where a time lies in the same piece as the one before: it has kept by how much that runs faster or slower than the time it is
// given, as a float, and divides 128 bits only where the sum is so near a half that it cannot tell how to round.
//
// It belongs to one goroutine.
type Cursor struct {
	knots []Knot
	back  bool // from reference to local

	low, high int64 // times of the piece at hand that are near enough, both included
	from, to  int64 // a time in it and what that maps to
	drift     float64
}

const (
	// A product of less than this times a drift, which is rounded three times, is off by less than a thousandth.
	mostDrift = 1 << 40
	unclear   = 0.001
	// Times that are no further than this from a knot are exact as floats.
	mostApart = 1 << 52
)

// References is a cursor that maps local to reference ns, as Reference does.
func (m *Map) References() Cursor { return Cursor{knots: m.knots, low: 1} }

// Locals is a cursor that maps reference to local ns, as Local does.
func (m *Map) Locals() Cursor { return Cursor{knots: m.knots, back: true, low: 1} }

// At maps a time, ns.
func (c *Cursor) At(t int64) int64 {
	if t < c.low || t > c.high {
		c.find(t)
	}
	if t >= c.low && t <= c.high {
		exact := float64(t-c.from) * c.drift
		near := math.Floor(exact + 0.5)
		if math.Abs(exact-near) < 0.5-unclear && math.Abs(exact) < mostDrift {
			return c.to + (t - c.from) + int64(near)
		}
	}
	a, b := c.piece(t)
	return interpolate(t, a.Local, b.Local, a.Reference, b.Reference)
}

// find goes to the piece that a time is in. None of its times are near enough where sums with them could be beyond the end of time.
func (c *Cursor) find(t int64) {
	a, b := c.piece(t)
	c.from, c.to, c.low, c.high = a.Local, a.Reference, 1, 0
	run, rise := uint64(b.Local)-uint64(a.Local), uint64(b.Reference)-uint64(a.Reference)
	const room = mostApart + mostDrift
	if run > math.MaxInt64 || rise > math.MaxInt64 || min(a.Local, a.Reference) < math.MinInt64+room || max(a.Local, a.Reference) > math.MaxInt64-room {
		return
	}
	c.drift = float64(int64(rise)-int64(run)) / float64(run)
	c.low, c.high = a.Local, min(b.Local-1, a.Local+mostApart)
	if t < a.Local { // in front of all knots
		c.low = a.Local - mostApart
	}
	if t >= b.Local { // behind them
		c.high = a.Local + mostApart
	}
}

// piece returns the knots around a time, the other way round if the cursor goes back.
func (c *Cursor) piece(t int64) (a, b Knot) {
	last := len(c.knots) - 2
	i := sort.Search(last, func(i int) bool { return c.knot(i+1).Local > t })
	return c.knot(i), c.knot(i + 1)
}

func (c *Cursor) knot(i int) Knot {
	if k := c.knots[i]; c.back {
		return Knot{k.Reference, k.Local}
	}
	return c.knots[i]
}
