package network

import (
	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A Shape says what the clocks of a link are to each other.
type Shape uint8

const (
	Unknown Shape = iota // too few messages to say
	OneLine              // all messages fit one line
	Pieces               // the rate changes
	Steps                // it changes and the clock steps
)

var shapeNames = [...]string{"", "one line", "pieces", "steps"}

// String is the name used in reports.
func (s Shape) String() string {
	if int(s) < len(shapeNames) {
		return shapeNames[s]
	}
	return ""
}

// A hop is a link as one of its hosts takes it, on its way to the reference.
type hop struct {
	class    hull.Class
	line     clock.Line     // if curve is nil
	curve    *clock.Map     // of several pieces
	corridor *hull.Corridor // nil where nothing bounds the clock

	step, stepped []int64 // of an astray, by this clock and by the other
}

// toMap is the hop's map, for use from begin to end.
func (h hop) toMap(begin, end int64) *clock.Map {
	if h.curve != nil {
		return h.curve
	}
	return h.line.Map(begin, end)
}

// explain finds what fits the messages of a link.
func (l *link) explain() {
	l.class = l.estimate().hull.Class()
	l.fit = hull.Fit{}
	switch l.class {
	case hull.Accurate:
		l.fit = l.estimate().series.Fit()
	case hull.Fail:
		if l.fit = l.estimate().series.Fit(); l.fit.OK {
			l.class = hull.Accurate
		}
	}
}

func (l *link) shape() Shape {
	switch {
	case !l.fit.OK:
		return Unknown
	case l.estimate().hull.Class() == hull.Accurate:
		return OneLine
	case len(l.fit.Cuts) > 0:
		return Steps
	}
	return Pieces
}

// hops returns the link as a takes it and as b does, under a cap. Both have
// the same clock, the one chosen with the host of the lower id as X, whose
// bounds are to reach from begin to end. A calm one bends no more than the link's own messages have it.
func (l *link) hops(c hull.Cap, calm bool, begin, end int64) (fromA, fromB hop) {
	if l.class == hull.Fail && l.astray != nil {
		return l.astray.hops(l.flipped)
	}
	fromA.class, fromB.class = l.class, l.class
	if l.fit.OK {
		fromA.corridor = l.estimate().series.Corridor(l.fit, c)
	}
	if l.shape() > OneLine {
		if calm {
			fromA.curve = l.calmest(begin, end)
		}
		if fromA.curve == nil {
			fromA.curve = l.curve(fromA.corridor, begin, end)
		}
		if fromA.curve != nil {
			fromB.curve = fromA.curve.Inverse()
		} else {
			fromA.corridor = nil
			fromA.class, fromB.class = hull.Fail, hull.Fail
			l.class, l.fit.OK = hull.Fail, false
		}
	}
	if fromA.corridor != nil {
		fromA.corridor = l.estimate().series.Divide(l.fit, fromA.corridor, l.forced)
		fromB.corridor = fromA.corridor.Swap()
	}
	if fromA.curve == nil {
		choice, _ := l.estimate().hull.Choose()
		fromA.line = clock.Line{Alpha: choice.Alpha, Beta: choice.Beta}
		fromB.line = fromA.line.Inverse()
	}
	if l.flipped {
		fromA, fromB = fromB, fromA
	}
	return fromA, fromB
}

// calmest is the curve of the fewest pieces that the link's own messages allow under any cap, of the least such; nil if there is none.
func (l *link) calmest(begin, end int64) (m *clock.Map) {
	f := l.fit
	for f.Cap = hull.Crystals; f.Cap <= l.fit.Cap; f.Cap++ {
		c := l.curve(l.estimate().series.Corridor(f, f.Cap), begin, end)
		if c != nil && (m == nil || len(c.Knots()) < len(m.Knots())) {
			m = c
		}
	}
	return m
}

// curve is the path through the corridor, nil if there is none.
func (l *link) curve(c *hull.Corridor, begin, end int64) *clock.Map {
	path, ok := l.estimate().series.Path(l.fit, c, begin, end)
	if !ok {
		return nil
	}
	knots := make([]clock.Knot, len(path))
	for i, p := range path {
		knots[i] = clock.Knot{Local: p.X, Reference: p.Y}
	}
	m, err := clock.Through(knots)
	if err != nil {
		return nil
	}
	return m
}
