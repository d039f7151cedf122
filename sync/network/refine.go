package network

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/hull"
)

// The line in the middle of what messages allow rests on the two to four that decide. The bound
// needs no more, but thousands of others know better where in the middle the truth is: in each stretch of time, half of
// what the shortest delays of both directions differ by is how far two clocks are from each other, if the shortest ways are equally
// long. So the hosts are moved, each by a line or by a few pieces (see bend), to agree with these
// differences as well as they can, over all links, in or outside of the tree, by least squares. Nothing of that touches what is
// certain: bounds are computed of the corridors, for the maps that result.

const (
	stretches = 32  // of a link's time, at most
	inStretch = 10  // messages of each direction that a stretch must have
	leastOf   = 3   // stretches that a link must have
	doubt     = 100 // ns, of a difference, however well stretches agree
)

// A tie is what the messages of a link say of by how much b's map is ahead of a's.
type tie struct {
	a, b  int32
	list  []difference // none, or as many as there must be
	still bool         // the link votes for leaving the maps as they are, wherever the differences are
}

// refine moves the maps, and reports whether any moved.
func (s *Solution) refine(n *Network, courses []course) bool {
	ties := make(map[int32][]tie) // by reference
	found := make([]tie, len(s.Links))
	parallel(len(s.Links), func(i int) {
		k := &s.Links[i]
		if r := s.Hosts[k.A].Reference; k.Class == hull.Accurate && !k.Excluded && s.Hosts[k.B].Reference == r {
			found[i] = s.tie(n.links[[2]int32{k.A, k.B}])
		}
	})
	for _, t := range found {
		if len(t.list) > 0 {
			r := s.Hosts[t.a].Reference
			ties[r] = append(ties[r], t)
		}
	}
	for r, list := range ties {
		s.move(r, list, courses, n.caps[r])
	}
	return len(ties) > 0
}

// A lag is a message: when it was sent and its delay in mapped time.
type lag struct {
	at int64
	ns float64
}

// tie compares the delays of both directions of a link by the present maps.
func (s *Solution) tie(l *link) tie {
	x := l.x()
	y := l.a + l.b - x
	var ways [2][]lag   // by side
	var sample [2][]lag // those that are as they come
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		sampled, kept := l.estimate().sample[side].points, l.estimate().series.Points(side)
		ways[side] = make([]lag, 0, len(sampled)+len(kept))
		for _, points := range [][]hull.Point{sampled, kept} {
			for _, p := range points {
				atX, atY := s.Hosts[x].Map.Reference(p.X), s.Hosts[y].Map.Reference(p.Y)
				m := lag{atX, float64(atY - atX)}
				if side == hull.Lower {
					m = lag{atY, float64(atX - atY)}
				}
				ways[side] = append(ways[side], m)
			}
		}
		sample[side] = ways[side][:len(sampled)]
	}
	few := min(len(sample[0]), len(sample[1]))
	if few < leastOf*2*inStretch {
		return tie{}
	}
	begin, end := int64(math.MinInt64), int64(math.MaxInt64)
	for _, list := range sample {
		first, last := list[0].at, list[0].at
		for _, m := range list {
			first, last = min(first, m.at), max(last, m.at)
		}
		begin, end = max(begin, first), min(end, last)
	}
	if begin >= end {
		return tie{}
	}
	c := division{begin: begin, length: (uint64(end)-uint64(begin))/uint64(min(stretches, few/(2*inStretch))) + 1}
	least := c.differences(ways, sample, 0)
	if len(least) < leastOf {
		return tie{}
	}
	t := tie{a: x, b: y, list: least}
	if !alike(sample) {
		t.still = true // nothing speaks against the maps as they are
	} else if usual := c.differences(sample, sample, 0.5); agree(least, usual, shortest(ways)) {
		t.list = usual
	}
	return t
}

// A division of the time of a link into stretches.
type division struct {
	begin  int64
	length uint64 // of a stretch, ns
}

// stretch is the number of that with a time, which is not before the first.
func (c division) stretch(at int64) uint64 { return (uint64(at) - uint64(c.begin)) / c.length }

// A difference is half of what delays differ by, in a stretch around a time, which is reference time.
type difference struct {
	at        int64
	ns, round float64
}

// differences compares a quantile of the delays of both directions in each stretch in which there are enough messages of the sample.
func (c division) differences(ways, sample [2][]lag, quantile float64) (list []difference) {
	var count [stretches][2]int
	for side := range sample {
		for _, m := range sample[side] {
			if i := c.stretch(m.at); m.at >= c.begin && i < stretches {
				count[i][side]++
			}
		}
	}
	var delays [stretches][2][]float64
	for side := range ways {
		for i := range delays {
			if n := count[i]; min(n[0], n[1]) >= inStretch {
				delays[i][side] = make([]float64, 0, 2*n[side])
			}
		}
		for _, m := range ways[side] {
			if i := c.stretch(m.at); m.at >= c.begin && i < stretches && delays[i][side] != nil {
				delays[i][side] = append(delays[i][side], m.ns)
			}
		}
	}
	for i := range uint64(stretches) {
		if n := count[i]; min(n[0], n[1]) < inStretch {
			continue
		}
		d := delays[i]
		at := int64(uint64(c.begin) + i*c.length + c.length/2)
		there, back := quantileOf(d[0], quantile), quantileOf(d[1], quantile)
		list = append(list, difference{at, (there - back) / 2, there + back})
	}
	return list
}

func quantileOf(list []float64, q float64) float64 {
	slices.Sort(list)
	return list[int(float64(q*float64(len(list)-1)))]
}

// alike reports whether the delays of both directions spread alike: the middle halves are equally wide.
func alike(sample [2][]lag) bool {
	var width [2]float64
	for side, list := range sample {
		delays := make([]float64, len(list))
		for i, m := range list {
			delays[i] = m.ns
		}
		width[side] = quantileOf(delays, 0.75) - quantileOf(delays, 0.25)
	}
	return math.Abs(width[0]-width[1]) < 0.1*(width[0]+width[1])
}

// shortest is the mean of the shortest delays of both directions.
func shortest(ways [2][]lag) float64 {
	var sum float64
	for _, list := range ways {
		sum += slices.MinFunc(list, func(a, b lag) int { return cmp.Compare(a.ns, b.ns) }).ns
	}
	return sum / 2
}

// agree reports whether two kinds of differences are the same but for three parts of a hundred of the shortest delay.
func agree(a, b []difference, delay float64) bool {
	var mean [2]float64
	for i, list := range [][]difference{a, b} {
		for _, d := range list {
			mean[i] += d.ns / float64(len(list))
		}
	}
	return math.Abs(mean[0]-mean[1]) < 0.03*delay
}

// move finds by how much each host's map is ahead and takes that away. Hosts that no tie relates
// to the reference go with the next host on their way.
func (s *Solution) move(reference int32, list []tie, courses []course, most hull.Cap) {
	begin, end := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Reference == reference {
			begin, end = min(begin, h.Map.Reference(h.Begin)), max(end, h.Map.Reference(h.End))
		}
	}
	line := newBend(begin, end, 1, most)
	list = slices.DeleteFunc(list, func(t tie) bool { return !t.straight(line) })
	tied := map[int32]bool{reference: true}
	for again := true; again; {
		again = false
		for _, t := range list {
			if tied[t.a] != tied[t.b] {
				tied[t.a], tied[t.b], again = true, true, true
			}
		}
	}
	list = slices.DeleteFunc(list, func(t tie) bool { return !tied[t.a] })
	g := bent(list, begin, end, most)
	ahead := g.settle(reference, list, len(s.Hosts))
	for i := range s.Hosts {
		h := int32(i)
		if s.Hosts[i].Reference != reference {
			continue
		}
		for !tied[h] && courses[h].up >= 0 {
			h = courses[h].up
		}
		if ahead[h] != nil {
			s.Hosts[i].Map = g.behind(s.Hosts[i].Map, ahead[h])
		}
	}
}
