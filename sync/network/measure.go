package network

import (
	"slices"

	"synchroscope/sync/hull"
)

// measure fills in what the final maps make of a link's messages. The sides
// of the estimate are those of its geometry, the directions those of a and b.
func (s *Solution) measure(k *Link, l *link, courses []course) {
	e := &l.live
	for direction, from := range []int32{k.A, k.B} {
		side := hull.Upper
		if from != l.x() {
			side = hull.Lower
		}
		delays, wrong := s.delays(l, side, e.sample[side].points, courses)
		if len(delays) == 0 {
			continue
		}
		slices.Sort(delays)
		known, wrongKnown := s.delays(l, side, s.tight(l, side), courses)
		k.Latency[direction] = Latency{
			Min:    slices.Min(append(known, delays[0])), // what is stored may have a sample and nothing else
			Median: delays[(len(delays)-1)/2],
			P99:    delays[(len(delays)-1)*99/100],
		}
		k.Violations += max(wrong<<e.sample[side].level, wrongKnown)
	}
}

// tight are the messages of one direction among which the shortest delay is. Where both maps are lines they are on the
// hull; else on one of the hulls by time, but for knots within a window.
func (s *Solution) tight(l *link, side hull.Side) []hull.Point {
	const straight = 3 // knots, of which the outermost only extend a map
	if len(s.Hosts[l.a].Map.Knots()) > straight || len(s.Hosts[l.b].Map.Knots()) > straight {
		return l.live.series.Points(side)
	}
	return l.live.hull.Points(side)
}

// delays maps messages to reference time, and counts those that are below zero though both maps
// may round by a ns, and though no step of a clock is between them. The clocks are those of X and Y.
func (s *Solution) delays(l *link, side hull.Side, messages []hull.Point, courses []course) (delays []int64, wrong int) {
	x := l.x()
	y := l.a + l.b - x
	unsureX, unsureY := s.unsure(courses, x), s.unsure(courses, y)
	delays = make([]int64, len(messages))
	for i, p := range messages {
		atX, atY := s.Hosts[x].Map.Reference(p.X), s.Hosts[y].Map.Reference(p.Y)
		d := atY - atX
		if side == hull.Lower {
			d = -d
		}
		delays[i] = d
		if d < -1 && !unsureX.has(atX) && !unsureY.has(atY) {
			wrong++
		}
	}
	return delays, wrong
}
