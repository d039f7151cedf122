package network

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// unsure is when a host's map runs through a step of a clock on the way to its reference: while
// the clock may be before it or after, by either host of the link that shows it, in reference time. What is mapped there is placed
// as well as it can be.
type unsure struct {
	list    []unsureTime
	bridges [][2]int64 // by the host's own clock: pieces of its map at a rate that no clock has
}

// An unsureTime is one of these times, strictly between two instants, and the step.
type unsureTime struct {
	from, to int64
	step     step
	whole    bool // nothing that is mapped there proves anything
}

// A step is one of those of a link on the way, by which the clocks are others, at least and at most, if that is known.
type step struct {
	of          *hull.Corridor // nil if there is none
	number      int
	least, most int64
	known       bool
}

// unsure returns that of a host by its present map and those on its way.
func (s *Solution) unsure(courses []course, host int32) (u unsure) {
	for h := host; courses[h].up >= 0; h = courses[h].up {
		first := courses[h].path[0]
		own, up := s.Hosts[h].Map, s.Hosts[courses[h].up].Map
		u = u.through(first.step, own).through(first.stepped, up)
		k := first.corridor
		if k == nil {
			continue
		}
		doubts := k.Doubts()
		if len(doubts) == 0 {
			continue
		}
		back := k.Swap()
		for i, by := range [][]hull.Doubt{doubts, back.Doubts()} {
			for n, d := range by {
				m := []*clock.Map{own, up}[i]
				at := step{k, n, doubts[n].Least, doubts[n].Most, doubts[n].Known}
				u.list = append(u.list, unsureTime{m.Reference(d.From), m.Reference(d.To), at, false})
			}
		}
		u = u.neither(k.Neither(), own).neither(back.Neither(), up).over(first.curve, own)
	}
	if len(u.list) > 0 {
		u.bridges = bridges(s.Hosts[host].Map)
	}
	return u
}

// through appends the times between pairs of edges, by a host's own clock.
func (u unsure) through(edges []int64, m *clock.Map) unsure {
	for i := 0; i+1 < len(edges); i += 2 {
		u.list = append(u.list, unsureTime{from: m.Reference(edges[i]), to: m.Reference(edges[i+1])})
	}
	return u
}

// neither appends the times between pairs of edges, by a host's own clock, in which messages are of neither side: also the first and the last of these, which a map may have at
// the same ns as the edge.
func (u unsure) neither(edges []int64, m *clock.Map) unsure {
	for i := 0; i+1 < len(edges); i += 2 {
		u.list = append(u.list, unsureTime{from: max(m.Reference(edges[i]), math.MinInt64+1) - 1, to: hull.After(m.Reference(edges[i+1]), 1), whole: true})
	}
	return u
}

// over appends the times by a host's own clock for which its map over a link bridges a step: where the other clock was set back it stands still until that has passed
// what it had shown, though this clock is known.
func (u unsure) over(curve, m *clock.Map) unsure {
	if curve == nil {
		return u
	}
	for _, b := range bridges(curve) {
		u.list = append(u.list, unsureTime{from: m.Reference(b[0]), to: m.Reference(b[1]), whole: true})
	}
	return u
}

// bridges are the pieces of a map at a rate that no clock has.
func bridges(m *clock.Map) (list [][2]int64) {
	knots := m.Knots()
	for i := 1; i < len(knots); i++ {
		a, b := knots[i-1], knots[i]
		if rate := float64(b.Reference-a.Reference) / float64(b.Local-a.Local); math.Abs(rate-1) > bridge {
			list = append(list, [2]int64{a.Local, b.Local})
		}
	}
	return list
}

// has reports whether an instant is strictly inside one of the times.
func (u unsure) has(reference int64) bool {
	for i := range u.list {
		if u.list[i].has(reference) {
			return true
		}
	}
	return false
}

func (d *unsureTime) has(reference int64) bool { return d.from < reference && reference < d.to }

// shortest is the least that a step is known to be.
func (u unsure) shortest() int64 {
	ns := int64(math.MaxInt64)
	for i := range u.list {
		if at := &u.list[i].step; at.least > 0 {
			ns = min(ns, at.least)
		} else if at.most < 0 {
			ns = min(ns, -max(at.most, -math.MaxInt64))
		}
	}
	return ns
}

// vague reports whether nobody knows of one of the steps by how much the clocks are others.
func (u unsure) vague() bool {
	return slices.ContainsFunc(u.list, func(t unsureTime) bool { return !t.whole && !t.step.known })
}
