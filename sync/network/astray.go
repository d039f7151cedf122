package network

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A link that says something one way only, from where one of its clocks was set on or up to there, may contradict itself, and does not know by how much
// it was set. It fails, and a line that misses its messages by as little as may be would go through all of them. Others of the host that was set may tell when that
// was and by how much. So may they of a link that has few messages for as many steps. By that clock without the steps the messages may fit a curve: with the steps put back it is the map, and
// no message is received before it is sent. Steps are known within what the messages of the link that tells of them take, and nothing bounds the map.

// An astray is what a link that fails is by steps that another tells of one of its clocks.
type astray struct {
	curve *clock.Map // from X to Y
	edges []int64    // in pairs, by X: from when to when the clock may be before a step or after it
	cap   hull.Cap   // that the curve needs, without the steps
}

// explainAstray finds what links that fail are by steps that others tell: of several that explain one, those that leave it the straightest.
func (n *Network) explainAstray() {
	steps := n.steps()
	parallel(len(n.order), func(i int) {
		l := n.order[i]
		if l.astray = nil; l.class != hull.Fail || l.excluded {
			return
		}
		x := &n.hosts[l.x()]
		begin, last := margin(x.begin, x.end, n.ending)
		for end := range 2 {
			for _, sets := range told(steps[l.end(end)]) {
				if s := l.bySteps(end, sets, begin, last); s != nil && (l.astray == nil || s.cap < l.astray.cap) {
					l.astray = s
				}
			}
		}
	})
}

// told are the steps of a host that one link tells of and that are apart, of every link all together and each alone.
func told(steps []stepped) (list [][]hull.Set) {
	steps = slices.Clone(steps)
	slices.SortFunc(steps, func(s, o stepped) int { // in the same order whichever host was read first
		return cmp.Or(cmp.Compare(s.From, o.From), cmp.Compare(s.To, o.To), cmp.Compare(s.Least, o.Least), cmp.Compare(s.Most, o.Most))
	})
	of := make(map[*link]int) // place in list
	for _, s := range steps {
		if s.From >= s.To || s.From == math.MinInt64 || s.To == math.MaxInt64 || s.Least == math.MinInt64 || s.Most == math.MaxInt64 {
			continue // nobody knows when, or by how much
		}
		at, ok := of[s.by]
		if !ok {
			at = len(list)
			of[s.by] = at
			list = append(list, nil)
		}
		if all := list[at]; len(all) == 0 || all[len(all)-1].To < s.From {
			list[at] = append(all, s.Set)
		}
	}
	for _, all := range list {
		for i := range all {
			if len(all) > 1 {
				list = append(list, all[i:i+1])
			}
		}
	}
	return list
}

// bySteps is what the link is if the clock of one of its ends made some steps; nil if its messages fit no curve then. They may be of one direction on a side of a step, so of what that may have been
// the middle is tried first, then what leaves them the most room.
func (l *link) bySteps(end int, sets []hull.Set, begin, last int64) *astray {
	for _, size := range []func(hull.Set) int64{
		func(s hull.Set) int64 { return s.Least/2 + s.Most/2 },
		func(s hull.Set) int64 { return s.Least - spareOf(s) },
		func(s hull.Set) int64 { return s.Most + spareOf(s) },
	} {
		sizes := make([]int64, len(sets))
		for i, s := range sets {
			sizes[i] = size(s)
		}
		trial := link{a: l.a, b: l.b, flipped: l.flipped, live: l.estimate().without(end, sets, sizes)}
		if trial.explain(); trial.class != hull.Accurate || !trial.fit.OK || len(trial.fit.Cuts) > 0 {
			continue
		}
		h, other := trial.hops(trial.fit.Cap, false, begin, last)
		if trial.flipped {
			h = other
		}
		steps, err := clock.Through(through(sets, sizes))
		if h.class == hull.Fail || err != nil {
			continue
		}
		s := astray{cap: trial.fit.Cap}
		if end == 0 {
			s.curve = clock.Compose(steps, h.toMap(begin, last))
		} else {
			s.curve = clock.Compose(h.toMap(begin, last), steps.Inverse())
		}
		for _, set := range sets {
			for _, at := range []int64{set.From, set.To} {
				if end == 1 {
					at = s.curve.Local(at)
				}
				s.edges = append(s.edges, at)
			}
		}
		return &s
	}
	return nil
}

// spareOf is by how much more or less a step may be than it is told: clocks differ in rate, and another one tells of it.
func spareOf(s hull.Set) int64 { return max(s.Least, -s.Least, s.Most, -s.Most) >> 11 }

// through are the knots of a clock without its steps by the clock itself.
func through(sets []hull.Set, sizes []int64) (knots []clock.Knot) {
	const least = 1_000_000_000 // ns on either side, or the map goes on as it is in a step
	first := sets[0].From - least
	knots = []clock.Knot{{Local: first, Reference: first}}
	var sum int64
	for i, s := range sets {
		from := s.From + sum
		sum = max(sum+sizes[i], from+1-s.To)
		knots = append(knots, clock.Knot{Local: s.From, Reference: from}, clock.Knot{Local: s.To, Reference: s.To + sum})
	}
	end := sets[len(sets)-1].To + least
	return append(knots, clock.Knot{Local: end, Reference: end + sum})
}

// without is the estimate by the messages before, between and after steps of one clock, 0 for X, by that clock without them. They made the other one another by so many ns.
func (e *estimate) without(end int, sets []hull.Set, sizes []int64) (part estimate) {
	back := func(p hull.Point) (hull.Point, bool) {
		at := &p.X
		if end == 1 {
			at = &p.Y
		}
		shown := *at
		for i, s := range sets {
			if shown <= s.From {
				break
			}
			if shown < s.To {
				return p, false
			}
			*at += sizes[i]
		}
		return p, true
	}
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		for _, p := range e.series.Points(side) {
			if p, ok := back(p); ok {
				part.series.Add(side, p)
				part.hull.Add(side, p)
			}
		}
		part.sample[side].level = e.sample[side].level
		for m := range e.sample[side].all() {
			if p, ok := back(m.Point); ok {
				part.sample[side].put(sampled{p, m.bytes})
			}
		}
	}
	part.hull.Complete(&part.series)
	return part
}

// hops are the link as a takes it and as b does.
func (s *astray) hops(flipped bool) (fromA, fromB hop) {
	by := make([]int64, len(s.edges))
	for i, at := range s.edges {
		by[i] = s.curve.Reference(at)
	}
	fromA = hop{class: hull.Fail, curve: s.curve, step: s.edges, stepped: by}
	fromB = hop{class: hull.Fail, curve: s.curve.Inverse(), step: by, stepped: s.edges}
	if flipped {
		return fromB, fromA
	}
	return fromA, fromB
}
