package network

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// The line in the middle of what messages allow rests on the two to four that decide. The bound
// needs no more, but thousands of others know better where in the middle the truth is: in each stretch of time, half of
// what the shortest delays of both directions differ by is how far two clocks are from each other, if the shortest ways are equally
// long. So where clocks are lines the hosts are moved, each by a line, to agree with these
// differences as well as they can, over all links, in or outside of the tree, by least squares. Nothing of that touches what is
// certain: bounds are computed of the corridors, for the maps that result.

const (
	stretches   = 32  // of a link's time, at most
	inStretch   = 10  // messages of each direction that a stretch must have
	leastOf     = 3   // stretches that a link must have
	doubt       = 100 // ns, of a difference, however well stretches agree
	refinements = 400 // sweeps over the hosts
)

// A tie is what the messages of a link say of by how much b's map is ahead of a's: the weighted
// sums of a straight line through the differences of its stretches, times in seconds.
type tie struct {
	a, b         int32
	w, t, tt     float64
	d, td        float64
	stretchCount int
}

// A trend is a straight line over time in seconds: ns, and ns per second.
type trend struct{ offset, rate float64 }

func (p trend) at(seconds float64) float64 { return p.offset + float64(p.rate*seconds) }

// refine moves the maps, and reports whether any moved.
func (s *Solution) refine(n *Network, courses []course) bool {
	ties := make(map[int32][]tie) // by reference
	found := make([]tie, len(s.Links))
	parallel(len(s.Links), func(i int) {
		k := &s.Links[i]
		if r := s.Hosts[k.A].Reference; k.Class == hull.Accurate && !k.Excluded && s.Hosts[k.B].Reference == r {
			found[i] = s.tie(n.links[[2]int32{k.A, k.B}], s.origin(r))
		}
	})
	for _, t := range found {
		if t.stretchCount >= leastOf {
			r := s.Hosts[t.a].Reference
			ties[r] = append(ties[r], t)
		}
	}
	for r, list := range ties {
		s.move(r, list, courses)
	}
	return len(ties) > 0
}

// origin is what a component's times are counted from, so that sums stay small.
func (s *Solution) origin(reference int32) int64 {
	h := &s.Hosts[reference]
	return h.Begin + (h.End-h.Begin)/2
}

// A lag is a message: when it was sent and its delay in mapped time.
type lag struct {
	at int64
	ns float64
}

// tie compares the delays of both directions of a link by the present maps.
func (s *Solution) tie(l *link, origin int64) tie {
	x := l.x()
	y := l.a + l.b - x
	var ways [2][]lag   // by side
	var sample [2][]lag // those that are as they come
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		sampled, kept := l.live.sample[side].points, l.live.series.Points(side)
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
	c := division{begin: begin, length: (uint64(end)-uint64(begin))/uint64(min(stretches, few/(2*inStretch))) + 1, origin: origin}
	least := c.differences(ways, sample, 0)
	t := c.fit(least)
	if !alike(sample) {
		t.d, t.td = 0, 0 // nothing speaks against the maps as they are
	} else {
		usual := c.differences(sample, sample, 0.5)
		if u := c.fit(usual); u.stretchCount >= leastOf && agree(least, usual, shortest(ways)) {
			t = u
		}
	}
	t.a, t.b = x, y
	return t
}

// A division of the time of a link into stretches.
type division struct {
	begin, origin int64
	length        uint64 // of a stretch, ns
}

// stretch is the number of that with a time, which is not before the first.
func (c division) stretch(at int64) uint64 { return (uint64(at) - uint64(c.begin)) / c.length }

// A difference is half of what delays differ by, in a stretch around a time.
type difference struct{ seconds, ns, round float64 }

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
		list = append(list, difference{float64(at-c.origin) / 1e9, (there - back) / 2, there + back})
	}
	return list
}

func quantileOf(list []float64, q float64) float64 {
	slices.Sort(list)
	return list[int(float64(q*float64(len(list)-1)))]
}

// fit is the line through differences; the weight of each is by how far they are from it.
func (c division) fit(list []difference) tie {
	if len(list) < leastOf {
		return tie{}
	}
	best := list[0].round
	for _, d := range list {
		best = min(best, d.round)
	}
	sum := func(noise float64) (t tie) {
		for _, d := range list {
			// What the way there and back takes longer than at best, either direction may have taken longer.
			more := (d.round - best) / 2
			w := 1 / (noise + float64(more*more))
			t.w += w
			t.t += float64(w * d.seconds)
			t.tt += float64(w * d.seconds * d.seconds)
			t.d += float64(w * d.ns)
			t.td += float64(w * d.seconds * d.ns)
		}
		t.stretchCount = len(list)
		return t
	}
	line, ok := sum(doubt * doubt).line()
	if !ok {
		return tie{}
	}
	var squares float64
	for _, d := range list {
		off := d.ns - line.at(d.seconds)
		squares += float64(off * off)
	}
	return sum(squares/float64(len(list)) + doubt*doubt)
}

// line solves the equations of a tie for a host whose neighbours do not move.
func (t tie) line() (trend, bool) {
	det := float64(t.w*t.tt) - float64(t.t*t.t)
	if det <= 1e-9*float64(t.w*t.tt) {
		return trend{}, false
	}
	return trend{
		offset: (float64(t.d*t.tt) - float64(t.td*t.t)) / det,
		rate:   (float64(t.w*t.td) - float64(t.t*t.d)) / det,
	}, true
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
func (s *Solution) move(reference int32, list []tie, courses []course) {
	ahead := make([]trend, len(s.Hosts))
	tied := map[int32]bool{reference: true}
	for again := true; again; {
		again = false
		for _, t := range list {
			if tied[t.a] != tied[t.b] {
				tied[t.a], tied[t.b], again = true, true, true
			}
		}
	}
	own := make(map[int32][]tie)
	for _, t := range list {
		if tied[t.a] {
			own[t.a], own[t.b] = append(own[t.a], t), append(own[t.b], t)
		}
	}
	hosts := make([]int32, 0, len(own))
	for h := range own {
		if h != reference {
			hosts = append(hosts, h)
		}
	}
	slices.Sort(hosts)
	for range refinements {
		var most float64
		for _, h := range hosts {
			var sum tie
			for _, t := range own[h] {
				sum = sum.with(t, h, ahead)
			}
			if line, ok := sum.line(); ok {
				most = max(most, math.Abs(line.offset-ahead[h].offset))
				ahead[h] = line
			}
		}
		if most < 0.1 {
			break
		}
	}
	for i := range s.Hosts {
		h := int32(i)
		if s.Hosts[i].Reference != reference {
			continue
		}
		for !tied[h] && courses[h].up >= 0 {
			h = courses[h].up
		}
		s.Hosts[i].Map = behind(s.Hosts[i].Map, ahead[h], s.origin(reference))
	}
}

// with adds what a tie says of one of its hosts while the other stays.
func (t tie) with(o tie, host int32, ahead []trend) tie {
	other, sign := ahead[o.a], 1.0
	if host == o.a {
		other, sign = ahead[o.b], -1
	}
	t.w += o.w
	t.t += o.t
	t.tt += o.tt
	t.d += float64(sign*o.d) + float64(other.offset*o.w) + float64(other.rate*o.t)
	t.td += float64(sign*o.td) + float64(other.offset*o.t) + float64(other.rate*o.tt)
	return t
}

// behind is a map whose references are earlier by a trend.
func behind(m *clock.Map, by trend, origin int64) *clock.Map {
	if by == (trend{}) {
		return m
	}
	knots := make([]clock.Knot, len(m.Knots()))
	for i, k := range m.Knots() {
		knots[i] = clock.Knot{Local: k.Local, Reference: k.Reference - int64(math.Round(by.at(float64(k.Reference-origin)/1e9)))}
	}
	moved, err := clock.New(knots, nil)
	if err != nil {
		return m
	}
	return moved
}
