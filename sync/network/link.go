package network

import (
	"cmp"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// A link is what the network keeps of two hosts that talk. In the geometry
// the host with the lower id is X; flipped says that this is b.
type link struct {
	a, b          int32
	flipped       bool
	settled, live estimate
	late          *estimate // live, with messages received as late as the clocks' ticks allow; nil if no clock ticks
	last          [2]packed // by side, settled at the end, not yet added
	excluded      bool
	all           *hull.Hull // of all messages, where live is of a part of them

	class  hull.Class // of the live estimate, and what explains it
	fit    hull.Fit
	forced []hull.Cut // where others know of steps that it does not show
	astray *astray    // of one that fails, by a step of which others know; nil if that is of no help
}

// estimate is what solutions are made of.
func (l *link) estimate() *estimate {
	if l.late != nil {
		return l.late
	}
	return &l.live
}

// points are the messages of a side that decide what fits the link.
func (l *link) points(side hull.Side) []hull.Point {
	return l.fit.Points(&l.estimate().series, side)
}

// allow makes that which the ticks of the hosts allow.
func (l *link) allow(hosts []host) {
	l.late = nil
	x := l.x()
	if byX, byY := hosts[x].tick, hosts[l.a+l.b-x].tick; byX > 0 || byY > 0 {
		l.late = l.live.later(byX, byY)
	}
}

// A constraint is a message in the link's geometry.
type constraint struct {
	side  hull.Side
	at    hull.Point
	bytes uint32
}

func newLink(hosts []host, a, b int32) *link {
	return &link{a: a, b: b, flipped: cmp.Or(cmp.Compare(hosts[a].id, hosts[b].id), cmp.Compare(a, b)) > 0}
}

func (l *link) x() int32 {
	if l.flipped {
		return l.b
	}
	return l.a
}

func (l *link) constraint(m match.Message) constraint {
	if m.From == l.x() {
		return constraint{hull.Upper, hull.Point{X: m.Sent, Y: m.Received}, m.Bytes}
	}
	return constraint{hull.Lower, hull.Point{X: m.Received, Y: m.Sent}, m.Bytes}
}

// finish adds the messages settled at the end by X's clock, so that the count
// of those that improved the estimate does not depend on who was read first.
func (l *link) finish() {
	var last []constraint
	for side := range l.last {
		for p, bytes := range l.last[side].all() {
			last = append(last, constraint{hull.Side(side), p, uint32(bytes)})
		}
	}
	slices.SortFunc(last, func(p, q constraint) int {
		return cmp.Or(cmp.Compare(p.at.X, q.at.X), cmp.Compare(p.at.Y, q.at.Y), cmp.Compare(p.side, q.side))
	})
	for _, c := range last {
		l.settled.add(c)
	}
	l.last = [2]packed{}
	l.live, l.settled = l.settled, estimate{}
}

// An estimate is the lines some messages allow, the same by time for clocks
// that are no lines, and a sample of the messages.
type estimate struct {
	hull   hull.Hull
	series hull.Series
	sample [2]sample // by side
}

func (e *estimate) add(c constraint) (improved bool) {
	e.sample[c.side].add(c.at, c.bytes)
	e.series.Add(c.side, c.at)
	improved = e.hull.Add(c.side, c.at)
	e.hull.Complete(&e.series)
	return improved
}

func (e *estimate) clone() estimate {
	return estimate{*e.hull.Clone(), *e.series.Clone(), [2]sample{e.sample[0].clone(), e.sample[1].clone()}}
}

// later is the estimate by the same messages, received by X's host up to x ns, and by Y's up to y ns, after the time stated.
func (e *estimate) later(x, y int64) *estimate {
	series := e.series.Later(x, y)
	l := &estimate{hull: *e.hull.By(series), series: *series}
	for side, by := range [2]hull.Point{hull.Upper: {Y: y}, hull.Lower: {X: x}} {
		l.sample[side].level = e.sample[side].level
		for m := range e.sample[side].all() {
			l.sample[side].put(sampled{hull.Point{X: hull.After(m.X, by.X), Y: hull.After(m.Y, by.Y)}, m.bytes})
		}
	}
	return l
}

// within returns the estimate by the messages of a part of both hosts' times, as far as they are kept.
func (e *estimate) within(begin, end hull.Point) estimate {
	var part estimate
	part.series = e.series.Within(begin, end)
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		for _, p := range part.series.Points(side) {
			part.hull.Add(side, p)
		}
		part.sample[side].level = e.sample[side].level
		for m := range e.sample[side].all() {
			if m.Within(begin, end) {
				part.sample[side].put(m)
			}
		}
	}
	part.hull.Complete(&part.series)
	return part
}
