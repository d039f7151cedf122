package network

import (
	"cmp"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A link that says something one way only, from where one of its clocks was set on or up to there, may contradict itself, and does not know by how much
// it was set. It fails, and a line that misses its messages by as little as may be would go through all of them. Others of the host that was set may tell when that
// was and by how much. By that clock without the step the messages may fit a curve: with the step put back it is the map, and no message is received before it
// is sent. The step is known within what the messages of the one that tells of it take, and nothing bounds the map.

// An astray is what a link that fails is by a step that others tell of one of its clocks.
type astray struct {
	curve *clock.Map // from X to Y
	step  [2]int64   // from when to when, by X, the clock may be before the step or after it
}

// explainAstray finds what links that fail are by steps that others tell.
func (n *Network) explainAstray() {
	steps := n.steps()
	for _, list := range steps { // the first that explains a link does, whichever host was read first
		slices.SortFunc(list, func(s, o stepped) int {
			return cmp.Or(cmp.Compare(s.From, o.From), cmp.Compare(s.To, o.To), cmp.Compare(s.Least, o.Least), cmp.Compare(s.Most, o.Most))
		})
	}
	parallel(len(n.order), func(i int) {
		l := n.order[i]
		if l.astray = nil; l.class != hull.Fail || l.excluded {
			return
		}
		x := &n.hosts[l.x()]
		for end := range 2 {
			for _, s := range steps[l.end(end)] {
				if l.astray == nil && s.From < s.To {
					begin, last := margin(x.begin, x.end, n.ending)
					l.astray = l.by(end, s.Set, begin, last)
				}
			}
		}
	})
}

// by is what the link is if the clock of one of its ends made a step; nil if its messages fit no curve then. They are fewer on one side of it, so of what the step may have been by
// the middle is tried first, then what leaves them the most room.
func (l *link) by(end int, s hull.Set, begin, last int64) *astray {
	off := s.Least/2 + s.Most/2
	spare := max(off, -off) >> 11 // clocks differ in rate, and the step is told by another
	for _, by := range []int64{off, s.Least - spare, s.Most + spare} {
		trial := link{a: l.a, b: l.b, flipped: l.flipped, live: l.estimate().without(end, s.From, s.To, by)}
		if trial.explain(); trial.class != hull.Accurate || !trial.fit.OK || len(trial.fit.Cuts) > 0 {
			continue
		}
		h, other := trial.hops(trial.fit.Cap, false, begin, last)
		if trial.flipped {
			h = other
		}
		const least = 1_000_000_000 // ns on either side, or the map goes on as it is in the step
		behind := max(s.To+by, s.From+1)
		step, err := clock.Through([]clock.Knot{{Local: s.From - least, Reference: s.From - least}, {Local: s.From, Reference: s.From},
			{Local: s.To, Reference: behind}, {Local: s.To + least, Reference: behind + least}})
		if h.class == hull.Fail || err != nil {
			continue
		}
		if end == 0 {
			return &astray{clock.Compose(step, h.toMap(begin, last)), [2]int64{s.From, s.To}}
		}
		m := clock.Compose(h.toMap(begin, last), step.Inverse())
		return &astray{m, [2]int64{m.Local(s.From), m.Local(s.To)}}
	}
	return nil
}

// without is the estimate by the messages before and after a step of one clock, 0 for X, by that clock without it. It made the other one another by so many ns.
func (e *estimate) without(end int, from, to, by int64) (part estimate) {
	back := func(p hull.Point) (hull.Point, bool) {
		at := &p.X
		if end == 1 {
			at = &p.Y
		}
		if *at >= to {
			*at += by
			return p, true
		}
		return p, *at <= from
	}
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		for _, p := range e.series.Points(side) {
			if p, ok := back(p); ok {
				part.series.Add(side, p)
				part.hull.Add(side, p)
			}
		}
		part.sample[side].level = e.sample[side].level
		for _, m := range e.sample[side].messages {
			if p, ok := back(m.Point); ok {
				part.sample[side].messages = append(part.sample[side].messages, sampled{p, m.bytes})
			}
		}
	}
	part.hull.Complete(&part.series)
	return part
}

// hops are the link as a takes it and as b does.
func (s *astray) hops(flipped bool) (fromA, fromB hop) {
	by := [2]int64{s.curve.Reference(s.step[0]), s.curve.Reference(s.step[1])}
	fromA = hop{class: hull.Fail, curve: s.curve, step: s.step[:], stepped: by[:]}
	fromB = hop{class: hull.Fail, curve: s.curve.Inverse(), step: by[:], stepped: s.step[:]}
	if flipped {
		return fromB, fromA
	}
	return fromA, fromB
}
