package baseline

import (
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// Delays maps all messages of a link by the hosts' maps: how many are received before they are
// sent, by more than rounding may do, and what the delays are.
func Delays(s *network.Solution, l *Link) (violations int, latency [2]network.Latency) {
	a, b := s.Hosts[l.A].Map, s.Hosts[l.B].Map
	var delays [2][]int64
	for _, m := range l.Messages {
		d := b.Reference(m.At.Y) - a.Reference(m.At.X)
		if m.Side == hull.Lower {
			d = -d
		}
		if d < -rounding {
			violations++
		}
		delays[m.Side] = append(delays[m.Side], d)
	}
	for side, d := range delays {
		if len(d) > 0 {
			slices.Sort(d)
			latency[side] = network.Latency{Min: d[0], Median: network.Median(d), P99: network.Within(d, 99), Of: len(d)}
		}
	}
	return violations, latency
}

// knots are those of a clock of several pieces, without the outermost, which only extend it.
func knots(e Estimate) []hull.Point {
	if e.Pieces < 2 {
		return nil
	}
	all := e.Clock.Knots()
	points := make([]hull.Point, 0, len(all)-2)
	for _, k := range all[1 : len(all)-1] {
		points = append(points, hull.Point{X: k.Local, Y: k.Reference})
	}
	return points
}
