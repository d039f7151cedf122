package network

import (
	"slices"

	"synchroscope/sync/hull"
)

// measure fills in what the final maps make of a link's messages. The sides
// of the estimate are those of its geometry, the directions those of a and b.
func (s *Solution) measure(k *Link, l *link, courses []course) {
	e := l.estimate()
	w := s.sides(l, courses)
	tightest := w.tight(l)
	for direction, from := range []int32{k.A, k.B} {
		side := hull.Upper
		if from != l.x() {
			side = hull.Lower
		}
		delays, wrong := w.delays(side, e.sample[side].points())
		if len(delays) == 0 {
			continue
		}
		slices.Sort(delays)
		t := tightest[side]
		k.Latency[direction] = Latency{
			Min:    slices.Min(append(t.delays, delays[0])), // what is stored may have a sample and nothing else
			Median: Median(delays),
			P99:    Within(delays, 99),
			Of:     len(delays),
		}
		k.Violations += max(wrong<<e.sample[side].level, t.wrong)
	}
}

// Median is the middle one of sorted times, of which there is one at least, or, of an even number, the mean of the two in the middle, rounded down to a ns.
func Median(times []int64) int64 {
	a, b := times[(len(times)-1)/2], times[len(times)/2]
	return a + (b-a)/2
}

// Within is the shortest of sorted times, of which there is one at least, that so many of a hundred of them, 1 to 100, are not longer than.
func Within(times []int64, hundredths int) int64 {
	return times[(len(times)*hundredths+99)/100-1]
}

// tight are messages of one direction among which the shortest delay is.
type tight struct {
	delays []int64
	wrong  int
}

// tight finds those of both sides. Where both maps are lines that fit the messages they are on the
// hull; else on one of the hulls by time, but for knots within a window. The lines fit if none of the hull is below
// zero: of a line that does not, the messages that it misses by most may have been left out of the hull.
func (w *sides) tight(l *link) (found [2]tight) {
	const straight = 3 // knots, of which the outermost only extend a map
	sides := [2]hull.Side{hull.Upper, hull.Lower}
	if len(w.s.Hosts[l.a].Map.Knots()) <= straight && len(w.s.Hosts[l.b].Map.Knots()) <= straight {
		fit := true
		for _, side := range sides {
			t := &found[side]
			t.delays, t.wrong = w.delays(side, l.estimate().hull.Points(side))
			fit = fit && !slices.ContainsFunc(t.delays, func(d int64) bool { return d < 0 })
		}
		if fit {
			return found
		}
	}
	for _, side := range sides {
		t := &found[side]
		t.delays, t.wrong = w.delays(side, l.points(side))
	}
	return found
}

// delays maps messages to reference time, and counts those that are below zero though both maps
// may round by a ns, and though they prove something. The clocks are those of X and Y.
func (w *sides) delays(side hull.Side, messages []hull.Point) (delays []int64, wrong int) {
	delays = make([]int64, len(messages))
	for i, p := range messages {
		atX, atY := w.at(p)
		d := atY - atX
		if side == hull.Lower {
			d = -d
		}
		delays[i] = d
		if d < -1 && w.proves(p, atX, atY) {
			wrong++
		}
	}
	return delays, wrong
}
