package hull

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// touchable reports whether a line of positive slope that fits all messages touches a point of one of them:
// the range of slopes from low to high that do not pass the other points of its side on the wrong side, by all pairs.
func (m naive) touchable(e message, low, high *big.Rat) bool {
	if low == nil {
		low = new(big.Rat)
	}
	above := func(s *big.Rat) { // slopes from s on
		if s.Cmp(low) > 0 {
			low = s
		}
	}
	below := func(s *big.Rat) {
		if high == nil || s.Cmp(high) < 0 {
			high = s
		}
	}
	for _, o := range m {
		if o.side != e.side || o.p == e.p {
			continue
		}
		outside := o.p.Y > e.p.Y // of two at the same X
		if e.side == Lower {
			outside = o.p.Y < e.p.Y
		}
		switch {
		case o.p.X == e.p.X && !outside:
			return false
		case o.p.X == e.p.X:
		case (o.p.X > e.p.X) == (e.side == Upper):
			below(slope(e.p, o.p))
		default:
			above(slope(e.p, o.p))
		}
	}
	return high == nil || high.Sign() > 0 && low.Cmp(high) <= 0
}

// While a line fits, a hull keeps what lines that fit touch, and but for points in the middle of an edge all of it.
func TestKeepsWhatLinesTouch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		for i, m := range messages {
			h.Add(m.side, m.p)
			seen := messages[:i+1]
			low, high, fits := seen.limits()
			if !fits {
				return
			}
			for _, e := range seen {
				kept := h.Points(e.side)
				is, want := slices.Contains(kept, e.p), seen.touchable(e, low, high)
				if is && !want {
					t.Fatalf("after %d messages %v is kept, and no line from %v to %v touches it", i+1, e, low, high)
				}
				if want && !is && !onEdge(kept, e.p) {
					t.Fatalf("after %d messages a line from %v to %v touches %v, which is not among %v", i+1, low, high, e, kept)
				}
			}
		}
	})
}

// onEdge reports whether p is between two neighbours of a side and in line with them.
func onEdge(side []Point, p Point) bool {
	for i := 1; i < len(side); i++ {
		if side[i-1].X < p.X && p.X < side[i].X {
			return orient(side[i-1], side[i], p) == 0
		}
	}
	return false
}

// What a hull knows when lines stop to fit is what all messages know, however it came to it.
func TestCompleteAfterAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		var s Series
		var sides [2][]Point
		for _, m := range messages {
			h.Add(m.side, m.p)
			s.Add(m.side, m.p)
			h.Complete(&s)
			sides[m.side] = append(sides[m.side], m.p)
			of := Of(sides[Upper], sides[Lower])
			if h.Class() != of.Class() || !slices.Equal(h.Points(Upper), of.Points(Upper)) || !slices.Equal(h.Points(Lower), of.Points(Lower)) {
				t.Fatalf("%v: %v, %v; at once %v: %v, %v", h.Class(), h.Points(Upper), h.Points(Lower), of.Class(), of.Points(Upper), of.Points(Lower))
			}
		}
	})
}
