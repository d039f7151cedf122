package network

import (
	"math"
	"slices"

	"synchroscope/sync/hull"
)

// Beside a step a message may be of before or of after it, and a map has one answer: what is of the other side is off by the step, and proves nothing. What is off
// by much less is of the side that the map has there, and proves as much as any.

// mostSides is of how many steps a message may be on either side before nothing is made of it.
const mostSides = 4

// sides tell of messages of a link whether they prove something of the maps of its hosts.
type sides struct {
	s       *Solution
	x, y    int32
	unsure  [2]unsure
	longest int64 // that a message of which the side is known is on its way, by these maps, if that is less than half of any step; twice the median of others if there are none
	vague   bool  // nobody knows of some step on the way how long it is, or when
	steps   []step
}

// sides returns those of the present maps.
func (s *Solution) sides(l *link, courses []course) *sides {
	w := &sides{s: s, x: l.x()}
	w.y = l.a + l.b - w.x
	w.unsure = [2]unsure{s.unsure(courses, w.x), s.unsure(courses, w.y)}
	if len(w.unsure[0].list)+len(w.unsure[1].list) == 0 {
		return w
	}
	most := min(w.unsure[0].shortest(), w.unsure[1].shortest()) / 2
	w.vague = w.unsure[0].vague() || w.unsure[1].vague()
	var doubtful []int64
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		for m := range l.estimate().sample[side].all() {
			x, y := w.at(m.Point)
			switch off := max(x-y, y-x); {
			case off >= most:
			case w.unsure[0].has(x) || w.unsure[1].has(y):
				doubtful = append(doubtful, off)
			default:
				w.longest = max(w.longest, off)
			}
		}
	}
	if w.longest == 0 && len(doubtful) > 0 { // a doubt without an end
		slices.Sort(doubtful)
		w.longest = 2 * Median(doubtful)
	}
	return w
}

// doubtful reports whether some messages of a link may be of either side of a step.
func (s *Solution) doubtful(l *link, courses []course) bool {
	return len(s.unsure(courses, l.a).list)+len(s.unsure(courses, l.b).list) > 0
}

// at is when a message is by both maps.
func (w *sides) at(p hull.Point) (x, y int64) {
	return w.s.Hosts[w.x].Map.Reference(p.X), w.s.Hosts[w.y].Map.Reference(p.Y)
}

// proves reports whether a message, which by the maps is at these times, proves something. One that may be of either side of steps does if it is off by
// less than half of what any of these make of it, and is on its way for longer than any other if it is of the other side. Where nobody knows how long some step is, it
// is of the side of the map if it is off by no more than messages take.
func (w *sides) proves(p hull.Point, atX, atY int64) bool {
	w.steps = w.steps[:0]
	for i, end := range [...][2]int64{{p.X, atX}, {p.Y, atY}} {
		u, found := &w.unsure[i], false
		for k := range u.list {
			d := &u.list[k]
			if !d.has(end[1]) {
				continue
			}
			if d.whole {
				return false
			}
			found = true
			if !slices.ContainsFunc(w.steps, func(o step) bool { return o.of == d.step.of && o.number == d.step.number }) {
				w.steps = append(w.steps, d.step)
			}
		}
		if found && slices.ContainsFunc(u.bridges, func(b [2]int64) bool { return b[0] <= end[0] && end[0] <= b[1] }) {
			return false
		}
	}
	if len(w.steps) == 0 {
		return true
	}
	if w.longest == 0 {
		return false // nobody knows how long messages take
	}
	off := max(atX-atY, atY-atX)
	least := apart(w.steps)
	return off < least/2 && off < least-w.longest && (off < w.longest || !w.vague)
}

// apart is by how much the clocks are others at least if some of the steps are made, and others are not: for each of both ends they may be. It is 0 if they may be the same.
func apart(steps []step) int64 {
	known := 0
	for _, o := range steps {
		if o.known {
			known++
		}
	}
	if known > mostSides {
		return 0
	}
	least := int64(math.MaxInt64)
	var add func(i int, low, high float64, some bool)
	add = func(i int, low, high float64, some bool) {
		switch {
		case i < len(steps) && !steps[i].known:
			add(i+1, low, high, some)
		case i < len(steps):
			a, b := float64(steps[i].least), float64(steps[i].most)
			add(i+1, low, high, some)
			add(i+1, low+a, high+b, true)
			add(i+1, low-b, high-a, true)
		case some:
			least = min(least, int64(min(max(low, -high, 0), 1<<62)))
		}
	}
	add(0, 0, 0, false)
	return least
}
