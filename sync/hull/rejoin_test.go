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
			all += 2 * 6000
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

// Where one of many stretches has no place, others that may stand in any order are not tried in each.
func TestNoOrderOfManyStretches(t *testing.T) {
	groups := make([]joined, maxParts)
	for i := range groups {
		at := int64(i)
		groups[i].sent, groups[i].received = [2]int64{at, -at}, [2]int64{at, -at}
	}
	if order := inOrder(groups); len(order) != maxParts {
		t.Fatalf("any order will do, and %v is none", order)
	}
	last := &groups[maxParts-1]
	last.sent, last.received = [2]int64{100, 100}, [2]int64{-100, -100}
	if order := inOrder(groups); order != nil {
		t.Fatalf("%v is no order: the last neither leads nor follows", order)
	}
}

// Two stretches through which only a line of a rate goes that no clock has are two.
func TestOddRateJoinsNothing(t *testing.T) {
	burst := func(x, off int64) (p stretch) {
		for _, x := range []int64{x, x + 300_000} {
			p.messages = append(p.messages, constraint{Point{x, x + off + 100_000}, Upper}, constraint{Point{x + 250_000, x + off + 150_000}, Lower})
		}
		return p
	}
	if n := len(rejoined([]stretch{burst(0, 0), burst(1000*ms, 2000*ms), burst(5000*ms, -20_000*ms)})); n != 3 {
		t.Errorf("of three stretches that are two seconds apart, and more, %d are left", n)
	}
}

// What no step is in has no long stretches: by one of the two clocks nothing may contradict, where by the other nothing fits.
func TestNoLongStretchesOfOne(t *testing.T) {
	var s Series
	for at := int64(0); at < 600_000*ms; at += 500 * ms {
		s.Add(Upper, Point{at, at + 200_000})
		s.Add(Lower, Point{at + 400_000, at + 300_000})
	}
	if f, ok := s.longer(); ok || len(f.parts) > 1 {
		t.Errorf("%d parts", len(f.parts))
	}
}
