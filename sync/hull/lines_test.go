package hull

import (
	"cmp"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLines: the distance of the extreme lines is that of the lines of their slopes which lie on the upper points, no message
// after the last one changes them, and the first one that a series keeps is none before the first.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := links(t)
		var h Hull
		var s Series
		first := messages[0].p.X
		for _, m := range messages {
			h.Add(m.side, m.p)
			s.Add(m.side, m.p)
			first = min(first, m.p.X)
		}
		if x, ok := s.First(); !ok || x < first || !slices.ContainsFunc(messages, func(m message) bool { return m.p.X == x }) {
			t.Fatalf("the first point kept is at %d, %v; the first message at %d", x, ok, first)
		}
		last, ok := h.Last()
		if ok != (h.AlphaMin() != nil && h.AlphaMax() != nil) {
			t.Fatalf("both lines exist: %v, slopes [%v, %v]", ok, h.AlphaMin(), h.AlphaMax())
		}
		if !ok {
			return
		}
		at := func(alpha *big.Rat, x int64) (y *big.Rat) {
			for _, m := range messages {
				if b := m.p.intercept(alpha); m.side == Upper && (y == nil || b.Cmp(y) < 0) {
					y = b
				}
			}
			return new(big.Rat).Add(y, new(big.Rat).Mul(alpha, new(big.Rat).SetInt64(x)))
		}
		x := rapid.Int64().Draw(t, "x")
		if want := new(big.Rat).Sub(at(h.AlphaMax(), x), at(h.AlphaMin(), x)); h.Apart(x).Cmp(want) != 0 {
			t.Fatalf("at %d the lines are %v apart, want %v", x, h.Apart(x), want)
		}
		slices.SortStableFunc(messages, func(m, n message) int { return cmp.Compare(m.p.X, n.p.X) })
		var until Hull
		for _, m := range messages {
			if m.p.X <= last {
				until.Add(m.side, m.p)
			}
		}
		if !equal(until.AlphaMin(), h.AlphaMin()) || !equal(until.AlphaMax(), h.AlphaMax()) {
			t.Fatalf("up to %d slopes are in [%v, %v], but in the end in [%v, %v]", last, until.AlphaMin(), until.AlphaMax(), h.AlphaMin(), h.AlphaMax())
		}
	})
}

func TestFirstOfNothing(t *testing.T) {
	if _, ok := new(Series).First(); ok {
		t.Error("an empty series has a first point")
	}
}
