package network

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/hull"
)

// A longer message takes longer, by its time on each wire. Where one host asks and the other answers the shortest messages
// of the two are not equally long, and what their delays differ by is no matter of clocks: over two links of 100 Mbit/s 64
// bytes are 10 µs. So only lengths that both send are compared.

const (
	stretches = 32                      // of a link's time, at most
	usual     = 60                      // messages of each direction in a stretch, unless there are too few for as many stretches as must be
	inStretch = 10                      // that a stretch must have
	inPool    = 2 * leastOf * inStretch // that there must be of a length
)

// A lag is a message of a sample: when it was sent, its delay in mapped time, and its length.
type lag struct {
	at    int64
	ns    float64
	bytes uint32 // 0 unknown
}

// A pool is messages of one link that are compared with each other, by side.
type pool [2][]lag

// lags are the messages of a link's sample, by the present maps, but for those that prove nothing.
func (s *Solution) lags(l *link, courses []course) (ways pool) {
	x := l.x()
	y := l.a + l.b - x
	unsureX, unsureY := s.unsure(courses, x), s.unsure(courses, y)
	for side := range ways {
		sample := &l.estimate().sample[side]
		ways[side] = make([]lag, 0, sample.messages.count)
		for m := range sample.all() {
			atX, atY := s.Hosts[x].Map.Reference(m.X), s.Hosts[y].Map.Reference(m.Y)
			if unsureX.has(atX) || unsureY.has(atY) {
				continue
			}
			by := lag{atX, float64(atY - atX), m.bytes}
			if hull.Side(side) == hull.Lower {
				by = lag{atY, float64(atX - atY), m.bytes}
			}
			ways[side] = append(ways[side], by)
		}
	}
	return ways
}

// equal returns the messages whose length enough have in both directions, with the delays of each length less what
// the shortest there and back come to in the mean. So lengths are on one level, and as both directions are lowered by the same, nothing is
// said of the clocks by that. It sorts ways.
func equal(ways pool) (level pool) {
	for _, way := range ways {
		slices.SortFunc(way, func(a, b lag) int { return cmp.Compare(a.bytes, b.bytes) })
	}
	for len(ways[0]) > 0 && len(ways[1]) > 0 {
		length := min(ways[0][0].bytes, ways[1][0].bytes)
		var alike pool
		for side, way := range ways {
			n := 0
			for n < len(way) && way[n].bytes == length {
				n++
			}
			alike[side], ways[side] = way[:n], way[n:]
		}
		if min(len(alike[0]), len(alike[1])) < inPool {
			continue
		}
		least := func(way []lag) float64 {
			return slices.MinFunc(way, func(a, b lag) int { return cmp.Compare(a.ns, b.ns) }).ns
		}
		shortest := (least(alike[0]) + least(alike[1])) / 2
		for side, way := range alike {
			for _, m := range way {
				m.ns -= shortest
				level[side] = append(level[side], m)
			}
		}
	}
	return level
}

// A difference is half of what delays differ by, in a stretch around a time, which is reference time.
type difference struct {
	at        int64
	ns, round float64 // round is how long the way there and back takes, whatever it counts from
}

// A division of the time of a link into stretches.
type division struct {
	begin  int64
	length uint64 // of a stretch, ns
	count  int
}

// divide divides the time in which there are messages in both directions; false if there is none.
func divide(p pool) (d division, ok bool) {
	begin, end := int64(math.MinInt64), int64(math.MaxInt64)
	for _, way := range p {
		first, last := int64(math.MaxInt64), int64(math.MinInt64)
		for _, m := range way {
			first, last = min(first, m.at), max(last, m.at)
		}
		begin, end = max(begin, first), min(end, last)
	}
	if begin >= end {
		return d, false
	}
	d = division{begin: begin, count: min(stretches, max(leastOf, min(len(p[0]), len(p[1]))/usual))}
	d.length = (uint64(end)-uint64(begin))/uint64(d.count) + 1
	return d, true
}

// middle is the time in the middle of a stretch.
func (d division) middle(i int) int64 {
	return int64(uint64(d.begin) + uint64(i)*d.length + d.length/2)
}

// cut returns the delays in each stretch, by side.
func (d division) cut(p pool) [][2][]float64 {
	delays := make([][2][]float64, d.count)
	for side, way := range p {
		at := make([]int, d.count)
		for _, m := range way {
			if i, ok := d.stretch(m.at); ok {
				at[i]++
			}
		}
		room := make([]float64, len(way))
		for i, n := range at {
			delays[i][side], room = room[:0:n], room[n:]
		}
		for _, m := range way {
			if i, ok := d.stretch(m.at); ok {
				delays[i][side] = append(delays[i][side], m.ns)
			}
		}
	}
	return delays
}

// stretch is the one in which a time is; ok is false where it is in none.
func (d division) stretch(at int64) (i int, ok bool) {
	if at < d.begin {
		return 0, false
	}
	n := (uint64(at) - uint64(d.begin)) / d.length
	return int(min(n, uint64(d.count))), n < uint64(d.count)
}

// differences compares the shortest delays of both directions in each stretch that has enough.
func differences(p pool) (found []difference) {
	d, ok := divide(p)
	if !ok {
		return nil
	}
	for i, delays := range d.cut(p) {
		if there, back, ok := shortest(delays); ok {
			found = append(found, difference{d.middle(i), (there - back) / 2, there + back})
		}
	}
	return found
}

// shortest returns the shortest delays of both directions, if there are enough. Of more messages the shortest is shorter, so
// of the direction with more it is that which as few would have: the one in the middle of a share.
func shortest(delays [2][]float64) (there, back float64, ok bool) {
	few := min(len(delays[0]), len(delays[1]))
	if few < inStretch {
		return 0, 0, false
	}
	for _, list := range delays {
		slices.Sort(list)
	}
	return delays[0][len(delays[0])/(2*few)], delays[1][len(delays[1])/(2*few)], true
}

// alike reports whether the delays of both directions spread alike: the middle halves are equally wide, to a tenth.
func alike(p pool) bool {
	var width [2]float64
	for side, way := range p {
		delays := make([]float64, len(way))
		for i, m := range way {
			delays[i] = m.ns
		}
		slices.Sort(delays)
		width[side] = delays[(len(delays)-1)*3/4] - delays[(len(delays)-1)/4]
	}
	return math.Abs(width[0]-width[1]) < 0.1*(width[0]+width[1])
}
