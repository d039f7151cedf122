package hull

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// A setting is of two clocks that go like the true time, but that one of them is set.
type setting struct {
	first bool // it is the first that is set
	at    int64
	by    int64
	also  *setting // what one of them is set as well, nil if it is not
}

const ms = 1_000_000

func (p *setting) clocks(true int64) (x, y int64) {
	x, y = true, true+7*day
	switch {
	case true < p.at:
	case p.first:
		x += p.by
	default:
		y += p.by
	}
	if p.also != nil {
		first, second := p.also.clocks(true)
		x, y = x+first-true, y+second-true-7*day
	}
	return x, y
}

// message is one by the first clock if side is Upper, on its way for some true time.
func (p *setting) message(s *Series, side Side, sent, received int64) {
	x, _ := p.clocks(sent)
	_, y := p.clocks(received)
	if side == Lower {
		x, _ = p.clocks(received)
		_, y = p.clocks(sent)
	}
	s.Add(side, Point{x, y})
}

// bounded returns an instant at which either clock says what the band by the other does not allow.
func (p *setting) bounded(c *Corridor, from, to, every int64) error {
	back := c.Swap()
	for t := from; t <= to; t += every {
		x, y := p.clocks(t)
		if lo, hi, ok := c.Band(x); ok && (y < lo || y > hi) {
			return fmt.Errorf("%d µs from the step the second clock is %d ns, in [%d, %d] of itself", (t-p.at)/1000, y, lo-y, hi-y)
		}
		if lo, hi, ok := back.Band(y); ok && (x < lo-1 || x > hi+1) {
			return fmt.Errorf("%d µs from the step the first clock is %d ns, in [%d, %d] of itself", (t-p.at)/1000, x, lo-x, hi-x)
		}
	}
	return nil
}

// followed returns an instant at which the path is outside of the band, by more than rounding, though neither clock may show a time twice then: a path has no way back.
func (p *setting) followed(s *Series, f Fit, c *Corridor, from, to, every int64, twice func(at int64) bool) error {
	x0, _ := p.clocks(from)
	x1, _ := p.clocks(to)
	path, ok := s.Path(f, c, x0, x1)
	if !ok {
		return fmt.Errorf("there is no path")
	}
	for i := 1; i < len(path); i++ {
		if path[i].X <= path[i-1].X || path[i].Y <= path[i-1].Y {
			return fmt.Errorf("the path goes from %v to %v", path[i-1], path[i])
		}
	}
	for t := from; t <= to; t += every {
		if twice(t) {
			continue
		}
		x, _ := p.clocks(t)
		i := sort.Search(len(path), func(i int) bool { return path[i].X > x })
		if i = min(i, len(path)-1); i == 0 {
			continue
		}
		y, _ := line{path[i-1], path[i]}.at(x)
		if lo, hi, ok := c.Band(x); ok && (y < lo-1000 || y > hi+1000) {
			return fmt.Errorf("%d ms from the step the path is at %d ns of a band of %d", (t-p.at)/ms, y-lo, hi-lo)
		}
	}
	return nil
}

// A clock is set by 50 ms, either of the two and either way, while they exchange a message every 30 ms. The last before is
// 60 ms ago, or still on its way; the first after comes soon. So a clock that was set back shows no time twice at which
// there is a message. That there are such times is known all the same, and nobody knows which of the two is meant.
func TestSetBetweenMessages(t *testing.T) {
	const at = 10_000*ms + 29*ms
	for _, by := range []int64{-50 * ms, 50 * ms, -20 * ms} {
		for _, first := range []bool{true, false} {
			for _, under := range []string{"nothing", "first to second", "second to first"} {
				p := &setting{first: first, at: at, by: by}
				s := new(Series)
				for i := range int64(666) {
					if sent := 30 * ms * i; sent < at-60*ms || sent > at {
						p.message(s, Side(i%2), sent, sent+80_000)
					}
				}
				switch under {
				case "first to second":
					p.message(s, Upper, at-30_000, at+20_000)
				case "second to first":
					p.message(s, Lower, at-30_000, at+20_000)
				}
				f := s.Fit()
				if !f.OK || len(f.parts) != 2 {
					t.Fatalf("a clock that is set by %d ms gets %+v", by/ms, f)
				}
				c := s.Corridor(f, f.Cap)
				if err := p.bounded(c, at-200*ms, at+200*ms, ms/100); err != nil {
					t.Errorf("set by %d ms, the first: %v, on its way %s: %v", by/ms, first, under, err)
				}
				for _, e := range c.Edges() {
					if x, _ := p.clocks(at); e < x-400*ms || e > x+400*ms {
						t.Errorf("set by %d ms, the first: %v, on its way %s: unknown is %d ms from the step", by/ms, first, under, (e-x)/ms)
					}
				}
			}
		}
	}
}

// sparse are messages of a minute or two: one there and one back every so often, and some of one direction in between.
func (p *setting) sparse(r *rand.Rand, span, every, between int64) *Series {
	s := new(Series)
	for at := r.Int64N(every); at < span; at += every*9/10 + r.Int64N(every/5) {
		p.message(s, Upper, at, at+90_000+int64(r.ExpFloat64()*30_000))
		p.message(s, Lower, at+200_000, at+300_000+int64(r.ExpFloat64()*30_000))
	}
	for at := r.Int64N(between); at < span; at += between {
		p.message(s, Side(r.IntN(2)), at, at+90_000+int64(r.ExpFloat64()*30_000))
	}
	return s
}

// A clock that is set back by many times what messages are apart mixes those of before and after by its own time, one by one. By the other clock
// they are not, whichever of the two was set, and where both were, at different times, each tells the step of the other: all is explained by as many
// stretches as there are, and away from the times that a clock shows twice it is known as well as messages tell.
func TestClocksSetBackAcrossManyMessages(t *testing.T) {
	const span = 160_000 * ms
	rapid.Check(t, func(t *rapid.T) {
		back := rapid.Int64Range(-40_000*ms, -1000*ms)
		p := &setting{first: rapid.Bool().Draw(t, "first"), at: 50_000*ms + rapid.Int64Range(0, 9_000*ms).Draw(t, "at"), by: back.Draw(t, "by")}
		parts := 2
		if rapid.Bool().Draw(t, "both") {
			p.also = &setting{first: !p.first, at: 110_000*ms + rapid.Int64Range(0, 9_000*ms).Draw(t, "at, the other"), by: back.Draw(t, "by, the other")}
			parts++
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		s := p.sparse(r, span, rapid.Int64Range(100*ms, 900*ms).Draw(t, "every"), rapid.Int64Range(100*ms, 900*ms).Draw(t, "between"))
		f := s.Fit()
		if !f.OK || len(f.parts) != parts || len(f.Cuts) != parts-1 {
			t.Fatalf("%d parts and %d cuts, want %d parts", len(f.parts), len(f.Cuts), parts)
		}
		c := s.Corridor(f, f.Cap)
		if err := p.bounded(c, 0, span, 100*ms); err != nil {
			t.Fatal(err)
		}
		if err := p.followed(s, f, c, 0, span, 33*ms, p.unsure); err != nil {
			t.Fatal(err)
		}
		both := [2]*Corridor{c, c.Swap()}
		for at := int64(0); at < span; at += 100 * ms {
			if p.unsure(at) {
				continue
			}
			x, y := p.clocks(at)
			for i, local := range []int64{x, y} {
				if lo, hi, ok := both[i].Band(local); !ok || hi-lo > ms {
					t.Fatalf("after %d ms the band is %d ns wide, %v", at/ms, hi-lo, ok)
				}
			}
		}
		again, _, err := ParseSeries(s.AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		if g := again.Fit(); !reflect.DeepEqual(again.Corridor(g, g.Cap), s.Corridor(f, f.Cap)) {
			t.Fatal("of what is stored another corridor is made")
		}
	})
}

// unsure reports whether one of the clocks may show what it does twice, or some messages from it; one in some thousand sets, of a small step, has messages for as long
// again that leave open which stretch they are of.
func (p *setting) unsure(at int64) bool {
	step := max(p.by, -p.by)
	by := 2000*ms + step + min(step, 4000*ms)
	return at > p.at-by && at < p.at+by || p.also != nil && p.also.unsure(at)
}

// Both clocks are set back by about half a minute, within a few ms or a second. Neither tells what was before from what was after for as long: there it may be either, and all before and after that is known.
func TestBothClocksSetBackAtOnce(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		p := &setting{first: seed%2 == 0, at: 80_000*ms + r.Int64N(9_000*ms), by: -23_000*ms - r.Int64N(ms)}
		p.also = &setting{first: !p.first, at: p.at + 2*ms + r.Int64N(900*ms), by: -26_000*ms - r.Int64N(ms)}
		s := p.sparse(r, 160_000*ms, 200*ms+r.Int64N(400*ms), 300*ms)
		f := s.Fit()
		if !f.OK {
			t.Errorf("seed %d: nothing fits", seed)
			continue
		}
		c := s.Corridor(f, f.Cap)
		for _, part := range [][2]int64{{0, p.at}, {p.also.at, 160_000 * ms}} {
			if err := p.bounded(c, part[0], part[1], 20*ms); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
}

// Whichever clock is set, by whatever the messages notice, whenever they are: the truth is within the band.
func TestSetClocksAreInTheCorridor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &setting{
			first: rapid.Bool().Draw(t, "first"),
			at:    10_000*ms + rapid.Int64Range(0, 999*ms).Draw(t, "at"),
			by:    rapid.SampledFrom([]int64{ms, 5 * ms, 50 * ms, 3000 * ms}).Draw(t, "by"),
		}
		if rapid.Bool().Draw(t, "back") {
			p.by = -p.by
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		gap := rapid.SampledFrom([]int64{10 * ms, 60 * ms, 500 * ms}).Draw(t, "gap")
		s := new(Series)
		for at := int64(0); at < 20_000*ms; at += 1 + r.Int64N(gap) {
			p.message(s, Side(r.IntN(2)), at, at+20_000+int64(r.ExpFloat64()*100_000))
		}
		f := s.Fit()
		if len(f.parts) < 2 {
			return // not noticed
		}
		c := s.Corridor(f, f.Cap)
		if len(f.parts) == 2 && !c.open {
			by := p.by
			if p.first {
				by = -by
			}
			e := c.Edges()
			d := c.Doubts()[0]
			if spare := max(by, -by)/1000 + ms/10; !d.Known || d.From != e[0] || d.To != e[1] || by < d.Least-spare || by > d.Most+spare {
				t.Fatalf("a step by %d ns from %d to %d is told as %+v", by, e[0], e[1], d)
			}
		}
		near := max(p.by, -p.by) + gap
		for _, every := range []int64{(near + 59) / 60, 3 * ms / 100} {
			if err := p.bounded(c, p.at-60*every, p.at+60*every, every); err != nil {
				t.Fatalf("%d parts: %v", len(f.parts), err)
			}
		}
		if err := p.bounded(c, 0, 20_000*ms, 100*ms); err != nil {
			t.Fatalf("%d parts: %v", len(f.parts), err)
		}
		beside := func(at int64) bool { return at > p.at-2*near && at < p.at+2*near }
		if err := p.followed(s, f, c, 0, 20_000*ms, 33*ms, beside); err != nil && !c.open {
			t.Fatalf("%d parts: %v", len(f.parts), err)
		}
	})
}

// A clock is set twice, and meanwhile messages of one direction arrive. By these it was neither what it was before nor what it is after; nobody knows what it was, so
// nothing is said of it, but when these messages were is.
func TestMessagesOfNeitherSide(t *testing.T) {
	for _, first := range []bool{true, false} {
		p := &setting{first: first, at: 20_000 * ms, by: 4000 * ms}
		p.also = &setting{first: first, at: 20_600 * ms, by: -7000 * ms}
		if first {
			p.by, p.also.by = -p.by, -p.also.by
		}
		s := new(Series)
		for at := int64(0); at < 60_000*ms; at += 250 * ms {
			if at < p.at || at >= p.also.at {
				p.message(s, Upper, at, at+80_000)
			}
			p.message(s, Lower, at+200_000, at+300_000)
		}
		f := s.Fit()
		c := s.Corridor(f, f.Cap)
		if err := p.bounded(c, 0, 60_000*ms, 50*ms); err != nil {
			t.Errorf("the first: %v: %v", first, err)
		}
		for i, by := range []*Corridor{c, c.Swap(), c.Clone()} {
			for _, d := range by.Doubts() {
				if d.Known {
					t.Errorf("the first: %v, corridor %d: %+v, though messages are of neither side", first, i, d)
				}
			}
			for at := int64(20_000 * ms); at < 20_600*ms; at += 250 * ms {
				x, _ := p.clocks(at + 300_000)
				_, y := p.clocks(at + 200_000)
				when := []int64{x, y, x}[i]
				in := by.Neither()
				if len(in) != 2 || when <= in[0] || when >= in[1] || in[1]-in[0] > 700*ms {
					t.Errorf("the first: %v, corridor %d: %d ms is not in %v", first, i, when/ms, in)
				}
				if _, _, ok := by.Band(when); ok {
					t.Errorf("the first: %v, corridor %d: a band of that", first, i)
				}
			}
		}
	}
}
