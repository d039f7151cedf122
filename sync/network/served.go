package network

import (
	"math"
	"math/bits"
)

// served is the error of a link over the time that either of its hosts was recorded: a map serves all of a host's
// time, so that what the link to one that is there for a part of it leaves open of the rest must count as much.
// For the overlap it is the median, for the rest the mean, each by how long it is. steps is what its steps count beside that where links are weighed.
func (s *Solution) served(l *link, h hop, median, worst int64) (known, steps int64) {
	a, b := &s.Hosts[l.a], &s.Hosts[l.b]
	m := h.toMap(a.Begin, a.End)
	from, to := s.overlap(l, h)
	begin, end := min(a.Begin, m.Local(b.Begin)), max(a.End, m.Local(b.End))
	over := s.bounder(h.toMap(begin, end), []hop{h}, l.a, l.b)
	rest, length := over.beyond(begin, from, to, end)
	if median < 0 || rest < 0 {
		return -1, 0
	}
	all := max(uint64(end)-uint64(begin), 1)
	if rest > median {
		hi, lo := bits.Mul64(uint64(rest-median), length)
		more, _ := bits.Div64(hi, lo, all)
		median += int64(more)
	}
	return median, besideSteps(h, median, worst, all)
}

// besideSteps is what steps count, of a link that shows one or is told of one. Its bound is at worst about as wide as the step, and for about that long to
// either side the clock that was set may show either time. A median says nothing of that, but whoever hangs on the link is off by
// as much for as long, while a link between hosts that were not set may know better. So it is the mean over so long a time as all is, as a power of two:
// of a link whose clocks were set back among messages, each step counts. All links of a host that was set know how far to a part in some hundreds, and mostly come to the same power, so that what they are the rest of the time decides.
// It is a weight, and no error of anything.
func besideSteps(h hop, usual, worst int64, all uint64) int64 {
	steps := len(h.corridor.Edges()) / 2
	if worst <= usual || steps == 0 {
		return 0
	}
	if steps > 1 && !h.corridor.Back() {
		steps = 1
	}
	size := float64(worst - usual)
	mean := size * min(float64(2*size)/float64(all), 1) * float64(steps)
	if mean < 1 {
		return 0
	}
	return int64(math.Exp2(min(math.Ceil(math.Log2(mean)), math.Log2(unbounded))))
}
