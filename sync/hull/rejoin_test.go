package hull

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Both clocks of a link are set back within some exchanges of each other, by much more than these are apart, so that all three stretches are among each other by either clock. Whatever is taken
// for one of them, the truth is within the band.
func TestBothSetBackWithinSomeExchanges(t *testing.T) {
	known, all := 0, 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 83))
		every := 250*ms + r.Int64N(1000*ms)
		sets := [2]int64{60_000*ms + r.Int64N(1000*ms), 0}
		sets[1] = sets[0] + every*5/2 + r.Int64N(every*4)
		back := [2]int64{4000*ms + r.Int64N(16_000*ms), 4000*ms + r.Int64N(16_000*ms)}
		if r.IntN(2) == 0 {
			sets[0], sets[1] = sets[1], sets[0]
		}
		show := func(clock int, at int64) int64 {
			shown := at + at/20_000*int64(clock)
			if at >= sets[clock] {
				shown -= back[clock]
			}
			return shown
		}
		var s Series
		for at := r.Int64N(every); at < 120_000*ms; at += every*8/10 + r.Int64N(every*4/10) {
			arrived := at + 100_000 + r.Int64N(200_000)
			again := arrived + 100_000
			s.Add(Upper, Point{show(0, at), show(1, arrived)})
			s.Add(Lower, Point{show(0, again+100_000+r.Int64N(200_000)), show(1, again)})
		}
		f := s.Fit()
		what := fmt.Sprintf("seed %d, every %d ms, set back at %d and %d ms by %d and %d", seed, every/ms, sets[0]/ms, sets[1]/ms, back[0]/ms, back[1]/ms)
		if !f.OK {
			continue
		}
		c := s.Corridor(f, f.Cap)
		for clock, view := range [2]*Corridor{c, c.Swap()} {
			for at := int64(0); at < 120_000*ms; at += 20 * ms {
				all++
				lo, hi, ok := view.Band(show(clock, at))
				if !ok {
					continue
				}
				known++
				if y := show(1-clock, at); y < lo-2 || y > hi+2 {
					t.Errorf("%s: after %d ms the other clock is in [%d, %d] of what it shows, by clock %d", what, at/ms, lo-y, hi-y, clock)
					break
				}
			}
		}
	}
	t.Logf("known at %d of %d times", known, all)
	if 3*known < all {
		t.Errorf("known at %d of %d times only", known, all)
	}
}
