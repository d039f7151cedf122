package hull

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// slow are messages of two clocks that take so long that they may fit a curve though one of the clocks is set.
func slow(t *rapid.T, p *setting) *Series {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	gap := rapid.SampledFrom([]int64{10 * ms, 60 * ms, 500 * ms}).Draw(t, "gap")
	least := [2]int64{}
	for side := range least {
		least[side] = rapid.SampledFrom([]int64{ms / 50, ms, 50 * ms}).Draw(t, "delay")
	}
	s := new(Series)
	for at := int64(0); at < 20_000*ms; at += 1 + r.Int64N(gap) {
		side := Side(r.IntN(2))
		p.message(s, side, at, at+least[side]+int64(r.ExpFloat64()*100_000))
	}
	return s
}

func settings(t *rapid.T) *setting {
	p := &setting{
		first: rapid.Bool().Draw(t, "first"),
		at:    10_000*ms + rapid.Int64Range(0, 999*ms).Draw(t, "at"),
		by:    rapid.SampledFrom([]int64{ms / 20, ms / 5, ms, 20 * ms}).Draw(t, "by"),
	}
	if rapid.Bool().Draw(t, "back") {
		p.by = -p.by
	}
	return p
}

// told is what another link may tell of the step.
func told(t *rapid.T, p *setting) (c Cut, s Set) {
	before, beforeY := p.clocks(p.at - 1)
	after, afterY := p.clocks(p.at)
	unsure := rapid.SampledFrom([]int64{0, ms, 3000 * ms}).Draw(t, "unsure")
	by := p.by
	if !p.first {
		before, after, by = beforeY, afterY, p.by
	}
	c = Cut{Second: !p.first, From: min(before, after) - unsure, To: max(before, after) + unsure}
	return c, oneStep(c.From, c.To, -by-ms/50, -by+ms/50)
}

// What is said of a step holds the corridor open: whether the messages show it or not, the truth is in the band by either clock.
func TestDividedCorridorHolds(t *testing.T) {
	divided := 0
	rapid.Check(t, func(t *rapid.T) {
		p := settings(t)
		s := slow(t, p)
		f := s.Fit()
		if !f.OK || len(f.parts) > 1 {
			return // it is noticed
		}
		cut, set := told(t, p)
		whole := s.Corridor(f, f.Cap)
		cuts := []Cut{cut}
		if rapid.Bool().Draw(t, "twice") {
			// The other clock is said to be set at about the same time too, and later.
			x, y := p.clocks(p.at)
			at := map[bool]int64{true: y, false: x}[p.first]
			cuts = append(cuts, Cut{Second: p.first, From: at - ms, To: at + ms, By: 1}, Cut{Second: p.first, From: at + 4000*ms, To: at + 4100*ms, By: 1})
		}
		c := s.Divide(f, whole, cuts)
		for _, every := range []int64{ms / 100, 3 * ms, 100 * ms} {
			if err := p.bounded(c, p.at-90*every, p.at+90*every, every); err != nil {
				t.Fatalf("%d parts: %v", len(c.parts), err)
			}
		}
		if !p.first {
			whole = whole.Swap()
		}
		if whole.Denies(set, math.MinInt64, math.MaxInt64) {
			t.Fatalf("there was a step as %+v has it", set)
		}
		for _, at := range []int64{5000 * ms, 19_000 * ms} {
			x, y := p.clocks(at)
			if lo, hi, ok := c.Band(x); !ok || hi-lo > 300*ms {
				t.Fatalf("at %d ms the band is [%d, %d] of the clock, %v", at/ms, lo-y, hi-y, ok)
			}
		}
		divided++
	})
	if divided == 0 {
		t.Error("all steps were noticed")
	}
}

// A step that is known from elsewhere is known from the corridor that shows it, and it is not denied; where there was none, messages
// that are quick enough deny it.
func TestStepIsDenied(t *testing.T) {
	quiet, loud := new(Series), new(Series)
	still, set := &setting{first: true}, &setting{first: true, at: 10_000 * ms, by: -ms}
	for i := range int64(2000) {
		still.message(quiet, Side(i%2), 10*ms*i, 10*ms*i+80_000)
		set.message(loud, Side(i%2), 10*ms*i, 10*ms*i+80_000)
	}
	corridor := func(s *Series) *Corridor {
		f := s.Fit()
		return s.Corridor(f, f.Cap)
	}
	sets := corridor(loud).Sets()
	if len(sets) != 1 {
		t.Fatalf("%d steps", len(sets))
	}
	s := sets[0]
	if s.From > 10_000*ms-ms || s.To < 10_000*ms || s.To-s.From > 200*ms || s.Least > ms || s.Most < ms || s.Most-s.Least > ms {
		t.Errorf("a step back by a ms after 10 s is %+v", s)
	}
	if !corridor(quiet).Denies(s, math.MinInt64, math.MaxInt64) || corridor(loud).Denies(s, math.MinInt64, math.MaxInt64) {
		t.Error("it is denied where it was, or is not where it was not")
	}
	s.Least, s.Most = 10_000, 20_000
	if corridor(quiet).Denies(s, math.MinInt64, math.MaxInt64) {
		t.Error("what is shorter than delays is denied")
	}
}

// Of a side of a cut on which nothing is said nothing is known.
func TestDividedFromNothing(t *testing.T) {
	p := &setting{at: 10_000 * ms}
	s := new(Series)
	for i := range int64(1000) {
		p.message(s, Side(i%2), 10*ms*i, 10*ms*i+80_000)
	}
	f := s.Fit()
	c := s.Divide(f, s.Corridor(f, f.Cap), []Cut{{From: 11_000 * ms, To: 12_000 * ms}})
	for at, want := range map[int64]bool{5000: true, 10_999: true, 11_500: false, 15_000: false} {
		x, y := p.clocks(at * ms)
		_, _, ok := c.Band(x)
		_, _, back := c.Swap().Band(y)
		if ok != want || back != want {
			t.Errorf("after %d ms the clock is known: %v, and back %v", at, ok, back)
		}
	}
}
