package hull

import (
	"math"
	"slices"
)

// A clock that is set back shows times twice. By its time the messages of before and after are among each other for as long as it was set by, and in a
// window of both only those are kept that decide together: of what was before on the one side, of what was after on the other. By the other clock, which went on, nothing
// is mixed. So a series keeps messages by the time of either clock, and where it is the first that was set back it is
// the second that tells stretches from each other.

// insertTurned inserts a message by the second clock.
func (s *Series) insertTurned(side Side, p Point) (changed bool) {
	if s.turned == nil {
		s.turned = new(Series)
	}
	return s.turned.insert(side.Other(), p.Swapped())
}

// byOther is the series as seen from the other host: of all messages that are kept, by the time of either clock. It is a function of these alone, also where
// what is kept by the first is not kept by the second once more, as in a series that was stored.
func (s *Series) byOther() *Series {
	o := &Series{messages: [2]int{s.messages[Lower], s.messages[Upper]}}
	for _, m := range s.either() {
		o.insert(m.side.Other(), m.Point.Swapped())
	}
	return o
}

// turn takes what the fit of a series by the second clock says for one of the series by the first, and keeps the series that it is of.
func (f Fit) turn(by *Series) Fit {
	f.by, f.turned = by, true
	cuts := make([]Contradiction, len(f.Cuts))
	for i, c := range f.Cuts {
		cuts[i] = c.Swapped()
	}
	f.Cuts = cuts
	return f
}

// own is the fit for the series that it is of; what contradicts itself is as others have it still.
func (f Fit) own() Fit {
	f.by, f.turned = nil, false
	return f
}

// seen is a corridor of the series that the fit is of, as the first host has it.
func (f *Fit) seen(c *Corridor) *Corridor {
	if f.turned {
		return c.Swap()
	}
	return c
}

func swapAll(points []Point) []Point {
	s := make([]Point, len(points))
	for i, p := range points {
		s[i] = p.Swapped()
	}
	return s
}

// byX puts points in order.
func byX(points []Point) []Point {
	slices.SortFunc(points, Point.compare)
	return points
}

// Points returns the points of one side by rising X that the fit takes account of, kept by the time of the clock by which it tells stretches
// from each other.
func (f *Fit) Points(s *Series, side Side) []Point {
	if f.by == nil {
		return s.Points(side)
	}
	if !f.turned {
		return byX(f.by.Points(side))
	}
	return byX(swapAll(f.by.Points(side.Other())))
}

// better returns the one of three fits of a link that says most: that by the time of its first clock, which is given, that by the time of its second, and that of
// both as if they had not been set back. It is the first unless by another it is known sooner which stretch is meant.
func (s *Series) better(first Fit) Fit {
	best := first
	if f, ok := s.leapt(); ok {
		best = s.surer(best, f)
	}
	o := s.byOther()
	if f := o.fit(); f.OK && o.Corridor(f, f.Cap).back() {
		best = s.surer(best, f.turn(o))
	}
	if best.OK && len(best.parts) <= 2 && !s.Corridor(best, best.Cap).open {
		return best
	}
	if f, ok := s.unrolled(); ok {
		best = s.surer(best, f)
	}
	if !best.OK {
		if f, ok := s.longer(); ok {
			best = f
		}
		if f, ok := o.longer(); ok {
			best = s.surer(best, f.turn(o))
		}
	}
	return best
}

// leapt is the fit by the time of the second clock where the first was set by more than the second shows in all, either way. By the first clock's time
// there is next to nothing but the gap: all messages are in a few windows, and a curve that nearly stands still leads over it. The second clock was not set by
// as much, or it would show more. ok is false where neither was.
func (s *Series) leapt() (f Fit, ok bool) {
	own, other := s.lengths()
	if own/2 <= other {
		return Fit{}, false
	}
	o := s.byOther()
	f = o.fit()
	if !f.OK {
		return Fit{}, false
	}
	for _, by := range o.Corridor(f, f.Cap).Jumps() {
		if by[0] > other || by[1] < -other {
			return f.turn(o), true
		}
	}
	return Fit{}, false
}

// lengths are how much time the messages are by either clock, of all that are kept: each of those that are kept by both clocks may be missing in one list, as in
// a series that was stored.
func (s *Series) lengths() (first, second int64) {
	least, most := s.extremes()
	if s.turned != nil {
		from, to := s.turned.extremes()
		least = Point{min(least.X, from.Y), min(least.Y, from.X)}
		most = Point{max(most.X, to.Y), max(most.Y, to.X)}
	}
	if most.X < least.X {
		return 0, 0
	}
	return apart(most.X, least.X), apart(most.Y, least.Y)
}

// extremes are the least and the greatest time by either clock in the windows.
func (s *Series) extremes() (least, most Point) {
	least, most = Point{math.MaxInt64, math.MaxInt64}, Point{math.MinInt64, math.MinInt64}
	for i := range s.windows {
		for _, p := range s.windows[i].ceiling {
			least, most = Point{min(least.X, p.X), min(least.Y, p.Y)}, Point{max(most.X, p.X), max(most.Y, p.Y)}
		}
		for _, q := range s.windows[i].floor {
			p := q.mirrored()
			least, most = Point{min(least.X, p.X), min(least.Y, p.Y)}, Point{max(most.X, p.X), max(most.Y, p.Y)}
		}
	}
	return least, most
}

// longer is the fit of fewer and longer stretches where what they are cut into explains nothing. Where both clocks were set back by about the same at about the same time, messages of
// before and after are among each other by either, though not by more than the two were set by together: what they are cut into there is of neither. And a
// stretch of few messages, followed back by any rate, may agree with most of what is before it, which is of neither then; by a rate that clocks have it does not.
func (s *Series) longer() (f Fit, ok bool) {
	for least := len(s.windows)/brief + 2; least < len(s.windows)/4; least *= 2 {
		if f = s.cutInto(Steepest, least, false); f.OK && len(f.parts) > 1 {
			return f, true
		}
	}
	if f = s.cutInto(Steepest, 1, true); f.OK && len(f.Cuts) > 0 {
		return f, true
	}
	return Fit{}, false
}

// surer returns the other of two fits if it explains the messages and leaves less open, by a quarter, when clocks were set. One of which nothing is known is no
// better than the first, if that is one at all. Nor is one that bends as no crystal does better than a few stretches of crystals: the clock was set twice then,
// and by its own time what is before the one step and behind the other seems to be one curve.
func (s *Series) surer(f, other Fit) Fit {
	if !f.OK {
		return other
	}
	if other.Cap > abrupt && s.calm(&f) {
		return f
	}
	c, d := s.Corridor(f, f.Cap), s.Corridor(other, other.Cap)
	if d.open || !c.open && d.unsure() >= c.unsure()/4*3 {
		return f
	}
	return other
}

// Back reports whether either clock was set back among messages: it shows times again at which there were some.
func (c *Corridor) Back() bool { return c.back() || c.Swap().back() }

// back reports whether the second clock is set back somewhere, by more than messages are apart: it shows times again that it has shown, and for
// a good part of what it is set by. Messages that were on their way meanwhile are not so late.
func (c *Corridor) back() bool {
	for i := 0; i+1 < len(c.parts); i++ {
		a, b := &c.parts[i], &c.parts[i+1]
		_, most := c.halfway(a, b)
		_, last := a.others()
		first, _ := b.others()
		if most < 0 && apart(last, first) > negative(most)/4 {
			return true
		}
	}
	return false
}

// others are the first and the last time of a message by the second clock.
func (p *part) others() (first, last int64) {
	first, last = math.MaxInt64, math.MinInt64
	for _, m := range p.upper() {
		first, last = min(first, m.Y), max(last, m.Y)
	}
	for _, m := range p.lower() { // mirrored
		first, last = min(first, ^m.Y), max(last, ^m.Y)
	}
	return first, last
}

// unsure is for how long by either clock nobody knows on which side of a step it is.
func (c *Corridor) unsure() (ns int64) {
	for _, by := range []*Corridor{c, c.Swap()} {
		for _, p := range by.seams {
			from, to := by.parts[p.b].from, by.parts[p.a].to
			if from == math.MinInt64 || to == math.MaxInt64 {
				return math.MaxInt64
			}
			ns = plus(ns, max(apart(to, from), 0))
		}
	}
	return ns
}
