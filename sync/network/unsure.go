package network

import (
	"math"

	"synchroscope/sync/clock"
)

// unsure is when a host's map runs through a step of a clock on the way to its reference: while
// the clock may be before it or after, by either host of the link that shows it, in reference time. What is mapped there is placed
// as well as it can be, and proves nothing.
type unsure [][2]int64

// unsure returns that of a host by its present map and those on its way.
func (s *Solution) unsure(courses []course, host int32) (u unsure) {
	for h := host; courses[h].up >= 0; h = courses[h].up {
		first := courses[h].path[0]
		u = u.through(first.step, s.Hosts[h].Map)
		u = u.through(first.stepped, s.Hosts[courses[h].up].Map)
		k := first.corridor
		if k == nil {
			continue
		}
		if edges := k.Edges(); len(edges) > 0 {
			u = u.through(edges, s.Hosts[h].Map)
			u = u.through(k.Neither(), s.Hosts[h].Map)
			back, up := k.Swap(), s.Hosts[courses[h].up].Map
			u = u.through(back.Edges(), up)
			u = u.through(back.Neither(), up)
			u = u.over(courses[h].path[0].curve, s.Hosts[h].Map)
		}
	}
	return u
}

// through appends the times between pairs of edges, by a host's own clock.
func (u unsure) through(edges []int64, m *clock.Map) unsure {
	for i := 0; i+1 < len(edges); i += 2 {
		u = append(u, [2]int64{m.Reference(edges[i]), m.Reference(edges[i+1])})
	}
	return u
}

// over appends the times by a host's own clock for which its map over a link bridges a step: where the other clock was set back it stands still until that has passed
// what it had shown, though this clock is known.
func (u unsure) over(curve, m *clock.Map) unsure {
	if curve == nil {
		return u
	}
	knots := curve.Knots()
	for i := 1; i < len(knots); i++ {
		a, b := knots[i-1], knots[i]
		if rate := float64(b.Reference-a.Reference) / float64(b.Local-a.Local); math.Abs(rate-1) > bridge {
			u = append(u, [2]int64{m.Reference(a.Local), m.Reference(b.Local)})
		}
	}
	return u
}

// has reports whether an instant is strictly inside one of the times.
func (u unsure) has(reference int64) bool {
	for _, t := range u {
		if t[0] < reference && reference < t[1] {
			return true
		}
	}
	return false
}
