package hull

import (
	"math"
	"slices"
)

// Where both clocks of a link were set back, at different times, neither tells all stretches from each other. But each does so up to the step of its own, and so
// messages are followed from the first on, by the clock by which more of them are one stretch: where that ends the other clock was set. If it shows
// times then that it has shown, all later messages are put off by twice as much of its time, as if it had been set forward. Clocks that are put off rise by
// both, and what explains the messages then explains them as they are, but that each stretch is to be moved back.

// brief is the part of all messages that a stretch has at least.
const brief = 64

// An epoch is a stretch of messages that are put off alike.
type epoch struct{ from, x, y int64 } // from by the first clock as it is put off, and by how much either is

// unrolled fits the messages as if no clock had been set back, as far as that can be: ok is false where none was.
func (s *Series) unrolled() (f Fit, ok bool) {
	epochs, points := s.unroll()
	if len(epochs) < 2 {
		return Fit{}, false
	}
	var put Series
	for _, m := range points {
		put.insert(m.side, m.Point)
	}
	f = put.fit()
	back := &Series{width: put.width, messages: s.messages, windows: make([]window, len(put.windows))}
	of := make([]int, len(put.windows))
	for i := range put.windows {
		first, last := put.windows[i].span()
		if of[i] = at(epochs, first); of[i] != at(epochs, last) {
			return Fit{}, false
		}
		back.windows[i] = put.windows[i].moved(epochs[of[i]])
	}
	for _, r := range f.parts {
		if of[r[0]] != of[r[1]-1] {
			return Fit{}, false
		}
	}
	for i, c := range f.Cuts {
		f.Cuts[i] = Contradiction{putBack(c.Upper, epochs), putBack(c.Lower, epochs)}
	}
	f.by, f.unmixed = back, true
	return f, f.OK
}

// at is the epoch of a time of the first clock as it is put off.
func at(epochs []epoch, x int64) int {
	i := len(epochs) - 1
	for i > 0 && epochs[i].from > x {
		i--
	}
	return i
}

func putBack(points []Point, epochs []epoch) []Point {
	list := make([]Point, len(points))
	for i, p := range points {
		e := epochs[at(epochs, p.X)]
		list[i] = Point{p.X - e.x, p.Y - e.y}
	}
	return list
}

// moved is the window as it was before it was put off.
func (w *window) moved(e epoch) window {
	m := window{at: w.at, ceiling: slices.Clone(w.ceiling), floor: slices.Clone(w.floor)}
	for i := range m.ceiling {
		m.ceiling[i].X -= e.x
		m.ceiling[i].Y -= e.y
	}
	for i := range m.floor { // mirrored
		m.floor[i].X += e.x
		m.floor[i].Y += e.y
	}
	return m
}

// unroll puts off the messages that are kept by either clock.
func (s *Series) unroll() (epochs []epoch, points []constraint) {
	rest := s.either()
	epochs = []epoch{{from: math.MinInt64}}
	for range maxParts {
		var by [2]Series
		for _, m := range rest {
			by[0].insert(m.side, m.Point)
			by[1].insert(m.side.Other(), m.Point.Swapped())
		}
		var before [2][]constraint
		var ends [2]int64
		for i := range by {
			ends[i] = by[i].firstEnd()
			before[i] = slices.DeleteFunc(slices.Clone(rest), func(m constraint) bool { return m.by(i) >= ends[i] })
		}
		i := 0
		if len(before[1]) > len(before[0]) {
			i = 1
		}
		if len(before[i]) == len(rest) {
			break
		}
		if len(before[i]) < (len(points)+len(rest))/brief {
			return nil, nil // they are mixed by both clocks
		}
		rest = slices.DeleteFunc(rest, func(m constraint) bool { return m.by(i) < ends[i] })
		points = append(points, before[i]...)
		last, first := int64(math.MinInt64), int64(math.MaxInt64)
		for _, m := range before[i] {
			last = max(last, m.by(1-i))
		}
		for _, m := range rest {
			first = min(first, m.by(1-i))
		}
		width := by[1-i].Width()
		again := apart(last, first)
		if again <= width {
			continue
		}
		off := plus(plus(again, again), 4*width)
		e := epochs[len(epochs)-1]
		if i == 0 {
			e.y = plus(e.y, off)
		} else {
			e.x = plus(e.x, off)
		}
		e.from = math.MaxInt64
		for k := range rest {
			m := &rest[k]
			if i == 0 {
				m.Y = plus(m.Y, off)
			} else {
				m.X = plus(m.X, off)
			}
			if m.by(1-i) == math.MaxInt64 {
				return nil, nil // there is no such time
			}
			e.from = min(e.from, m.X)
		}
		epochs = append(epochs, e)
	}
	return epochs, append(points, rest...)
}

// by is the time of the message by the first clock for 0, by the second for 1.
func (c constraint) by(clock int) int64 {
	if clock == 0 {
		return c.X
	}
	return c.Y
}

// firstEnd is when the first stretch surely has ended, the last time there is if it has not.
func (s *Series) firstEnd() int64 {
	n := longest(len(s.windows), func(length int) bool { return s.agree(Steepest, 0, length) })
	if n == len(s.windows) {
		return math.MaxInt64
	}
	first, _ := s.windows[n].span()
	return first
}

// either are the messages that are kept by the time of either clock, each once.
func (s *Series) either() (list []constraint) {
	for side := range Lower + 1 {
		for _, points := range [][]Point{s.Points(side), s.byOtherOnly(side)} {
			for _, p := range points {
				list = append(list, constraint{p, side})
			}
		}
	}
	return list
}
