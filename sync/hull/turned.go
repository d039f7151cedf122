package hull

import (
	"math"
	"slices"
)

// A clock that is set back shows times twice. By its time the messages of before and after are among each other for as long as it was set by, and in a
// window of both only those are kept that decide together: of what was before on the one side, of what was after on the other. By the other clock, which went on, nothing
// is mixed. So a series keeps messages by the time of either clock, and where it is the first that was set back it is
// the second that tells stretches from each other.

// other is the side of a message as seen from the other host.
func (s Side) other() Side { return Upper + Lower - s }

// swapped is the point as seen from the other host.
func (p Point) swapped() Point { return Point{p.Y, p.X} }

// insertTurned inserts a message by the second clock.
func (s *Series) insertTurned(side Side, p Point) (changed bool) {
	if s.turned == nil {
		s.turned = new(Series)
	}
	return s.turned.insert(side.other(), p.swapped())
}

// byOther is the series as seen from the other host: of all messages that are kept, by the time of either clock.
func (s *Series) byOther() *Series {
	o := &Series{messages: [2]int{s.messages[Lower], s.messages[Upper]}}
	if s.turned != nil {
		o.width, o.windows = s.turned.width, s.turned.Clone().windows
	}
	for side := range Lower + 1 {
		for _, p := range s.Points(side) {
			o.insert(side.other(), p.swapped())
		}
	}
	return o
}

// turn takes what the fit of a series by the second clock says for one of the series by the first, and keeps the series that it is of.
func (f Fit) turn(by *Series) Fit {
	f.by = by
	cuts := make([]Contradiction, len(f.Cuts))
	for i, c := range f.Cuts {
		cuts[i] = Contradiction{Upper: swapAll(c.Lower), Lower: swapAll(c.Upper)}
	}
	f.Cuts = cuts
	return f
}

// own is the fit for the series that it is of; what contradicts itself is that of the other host still.
func (f Fit) own() Fit {
	f.by = nil
	return f
}

func swapAll(points []Point) []Point {
	s := make([]Point, len(points))
	for i, p := range points {
		s[i] = p.swapped()
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
	return byX(swapAll(f.by.Points(side.other())))
}

// better returns the one of two fits of a link, by the time of its first clock and by that of its second, that says more. It is the first
// unless the first clock was set back by the other, and it is known sooner which stretch is meant.
func (s *Series) better(first Fit) Fit {
	o := s.byOther()
	second := o.fit()
	if !second.OK {
		return first
	}
	c := o.Corridor(second, second.Cap)
	if !c.back() {
		return first
	}
	if first.OK {
		d := s.Corridor(first, first.Cap)
		if d.open != c.open && c.open || d.open == c.open && c.unsure() >= d.unsure()/4*3 {
			return first
		}
	}
	return second.turn(o)
}

// back reports whether the second clock is set back somewhere.
func (c *Corridor) back() bool {
	for i := 0; i+1 < len(c.parts); i++ {
		if _, most := c.halfway(&c.parts[i], &c.parts[i+1]); most < 0 {
			return true
		}
	}
	return false
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
