package network

import (
	"slices"

	"synchroscope/sync/hull"
)

// measure fills in what the final maps make of a link's messages. The sides
// of the estimate are those of its geometry, the directions those of a and b.
func (s *Solution) measure(k *Link, l *link) {
	e := &l.live
	for direction, from := range []int32{k.A, k.B} {
		side := hull.Upper
		if from != l.x() {
			side = hull.Lower
		}
		delays := s.delays(l, side, e.sample[side].points)
		if len(delays) == 0 {
			continue
		}
		slices.Sort(delays)
		tight := slices.Min(s.delays(l, side, e.hull.Points(side)))
		k.Latency[direction] = Latency{
			Min:    min(tight, delays[0]),
			Median: delays[(len(delays)-1)/2],
			P99:    delays[(len(delays)-1)*99/100],
		}
		known := s.delays(l, side, e.hull.Points(side))
		slices.Sort(known)
		k.Violations += max(violations(delays)<<e.sample[side].level, violations(known))
	}
}

// violations counts delays below zero. Both maps may round by a ns.
func violations(sorted []int64) int {
	n, _ := slices.BinarySearch(sorted, -2)
	return n
}

// delays maps messages to reference time. The clocks are those of X and Y.
func (s *Solution) delays(l *link, side hull.Side, messages []hull.Point) []int64 {
	x, y := &s.Hosts[l.x()], &s.Hosts[l.a+l.b-l.x()]
	delays := make([]int64, len(messages))
	for i, p := range messages {
		d := y.Map.Reference(p.Y) - x.Map.Reference(p.X)
		if side == hull.Lower {
			d = -d
		}
		delays[i] = d
	}
	return delays
}
