package hull

import (
	"fmt"
	"math"
	"testing"
)

// A bothSet is two clocks that go like the true time, but that either is set once.
type bothSet struct{ first, second setting }

func (p *bothSet) clocks(true int64) (x, y int64) {
	x, _ = p.first.clocks(true)
	_, y = p.second.clocks(true)
	return x, y
}

// silent are messages of the pair, but for a time in which there are none.
func (p *bothSet) silent(from, to int64) *Series {
	s := new(Series)
	for at := int64(0); at < 60_000*ms; at += 200 * ms {
		if at > from && at < to {
			continue
		}
		x, _ := p.clocks(at)
		_, y := p.clocks(at + ms/10)
		s.Add(Upper, Point{x, y})
		_, y = p.clocks(at + ms)
		x, _ = p.clocks(at + ms + ms/10)
		s.Add(Lower, Point{x, y})
	}
	return s
}

// cut is what others tell of a step, to a ms and 300 ms.
func (p *bothSet) cut(second bool) Cut {
	set := &p.first
	if second {
		set = &p.second
	}
	x, y := p.clocks(set.at - 1)
	x2, y2 := p.clocks(set.at)
	c := Cut{Second: second, From: min(x, x2) - 300*ms, To: max(x, x2) + 300*ms, Least: -set.by - ms, Most: -set.by + ms, By: 1}
	if second {
		c.From, c.To, c.Least, c.Most = min(y, y2)-300*ms, max(y, y2)+300*ms, set.by-ms, set.by+ms
	}
	c.Low, c.High = min(c.Least, 0), max(c.Most, 0)
	return c
}

// Both clocks are set while the link is silent, so that it shows one step. What others tell of either holds the band open in between, by either clock, and
// no further than by both steps; nothing is known of it if one of them is not known.
func TestTwoStepsThatAreShownAsOne(t *testing.T) {
	const first, next = 30_300 * ms, 31_700 * ms
	for _, by := range [][2]int64{{500 * ms, 50 * ms}, {-500 * ms, 50 * ms}, {500 * ms, -700 * ms}, {-500 * ms, -700 * ms}, {20 * ms, 2000 * ms}} {
		for _, at := range [][2]int64{{first, next}, {next, first}} {
			p := &bothSet{setting{first: true, at: at[0], by: by[0]}, setting{first: false, at: at[1], by: by[1]}}
			what := fmt.Sprintf("by %d and %d ms", by[0]/ms, by[1]/ms)
			s := p.silent(30_000*ms, 32_000*ms)
			f := s.Fit()
			if !f.OK || len(f.parts) != 2 {
				t.Fatalf("%s: %d parts", what, len(f.parts))
			}
			told := []Cut{p.cut(false), p.cut(true)}
			c := s.Divide(f, s.Corridor(f, f.Cap), told)
			back := c.Swap()
			for true := int64(0); true < 60_000*ms; true += 10 * ms {
				x, y := p.clocks(true)
				if lo, hi, ok := c.Band(x); !ok || y < lo || y > hi || hi-lo > max(by[0], -by[0])*3+max(by[1], -by[1])*3+10*ms {
					t.Fatalf("%s: after %d ms the second clock is in [%d, %d] of itself, %v", what, true/ms, lo-y, hi-y, ok)
				}
				if lo, hi, ok := back.Band(y); !ok || x < lo-1 || x > hi+1 {
					t.Fatalf("%s: after %d ms the first clock is in [%d, %d] of itself, %v", what, true/ms, lo-x, hi-x, ok)
				}
			}
			told[0].Low, told[0].High = math.MinInt64, math.MaxInt64
			x, _ := p.clocks(31_000 * ms)
			if _, _, ok := s.Divide(f, s.Corridor(f, f.Cap), told).Band(x); ok {
				t.Errorf("%s: the band is known though the steps are not", what)
			}
		}
	}
}

// A clock that is set forth and back by more than in the end, while the other hears it once each way, is told to be off by as much.
func TestStepsThatMessagesShow(t *testing.T) {
	p := &bothSet{setting{first: true, at: 30_100 * ms, by: 900 * ms}, setting{}}
	s := new(Series)
	add := func(at, by int64) {
		x, y := p.clocks(at)
		s.Add(Upper, Point{x + by, y + ms/10})
		s.Add(Lower, Point{x + by + ms/5, y + ms/10})
	}
	for at := int64(0); at < 60_000*ms; at += 200 * ms {
		switch {
		case at < 30_100*ms:
			add(at, 0)
		case at < 30_700*ms:
			add(at, 100*ms) // 1 s ahead
		default:
			add(at, -300*ms)
		}
	}
	f := s.Fit()
	c := s.Corridor(f, f.Cap)
	sets := c.Sets()
	if len(sets) != 1 || !c.open {
		t.Fatalf("%d steps, open %v", len(sets), c.open)
	}
	if m := sets[0]; !m.several() || m.Low > -1000*ms || m.Low < -1010*ms || m.High != 0 || m.Most < -600*ms || m.Least > -600*ms {
		t.Errorf("the steps are %+v", m)
	}
	if o := c.Swap().Sets()[0]; !o.several() || o.High < 1000*ms || o.High > 1010*ms {
		t.Errorf("by the second clock they are %+v", o)
	}
}

// Where there is one message each way between a step that is told and the next, rates tell that there is no room for a long one, and leave some for a short one.
func TestOneMessageEachWayDenies(t *testing.T) {
	p := &setting{}
	s := new(Series)
	for at := int64(0); at < 60_000*ms; at += 1000 * ms {
		delay := int64(ms / 10)
		if at > 20_000*ms && at < 40_000*ms {
			delay = 3 * ms // and none of these decides the band
		}
		p.message(s, Upper, at, at+delay)
		p.message(s, Lower, at+ms, at+ms+delay)
	}
	f := s.Fit()
	c := s.Corridor(f, f.Cap)
	for i, view := range []*Corridor{c, c.Swap()} {
		from, to, until := int64(29_500*ms), int64(30_500*ms), int64(31_500*ms)
		if i == 1 {
			from, to, until = from+7*day, to+7*day, until+7*day
		}
		if !view.Denies(oneStep(from, to, 20*ms, 21*ms), math.MinInt64, until) {
			t.Errorf("by clock %d a step by 20 ms is not denied", i)
		}
		if view.Denies(oneStep(from, to, -ms/5, ms/5), math.MinInt64, until) {
			t.Errorf("by clock %d a step that may be none is denied", i)
		}
	}
}
