package network

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// The line in the middle of what messages allow rests on the two to four that decide. The bound
// needs no more, but thousands of others know better where in the middle the truth is: in each stretch of time, half of
// what the shortest delays of both directions differ by, among messages of equal length, is how far two clocks are from each other, if the
// shortest ways are equally long. So the hosts are moved, each by a line or by a few pieces (see bend), to agree with these
// differences as well as they can, over all links, in or outside of the tree, by least squares. From there all delays, not the shortest alone, are
// laid upon each other, and hosts are moved once more (see sharpen). Nothing of that touches what is
// certain: bounds are computed of the corridors, for the maps that result.

const (
	leastOf = 3   // stretches that a link must have
	doubt   = 100 // ns, of a difference, however well stretches agree
)

// A tie is what the messages of a link say of by how much b's map is ahead of a's.
type tie struct {
	a, b  int32
	list  []difference // none, or as many as there must be
	still bool         // the link votes for leaving the maps as they are, wherever the differences are
}

// refine moves the maps, which are those of base, of the components with certain references, and reports whether any moved.
func (s *Solution) refine(n *Network, courses []course, base []*clock.Map, in func(reference int32) bool) bool {
	ties := make(map[int32][]tie) // by reference
	found := make([]tie, len(s.Links))
	parallel(len(s.Links), func(i int) {
		k := &s.Links[i]
		if r := s.Hosts[k.A].Reference; k.Class == hull.Accurate && !k.Excluded && s.Hosts[k.B].Reference == r && in(r) {
			found[i] = s.tie(n.links[[2]int32{k.A, k.B}], courses)
		}
	})
	for _, t := range found {
		if len(t.list) > 0 {
			r := s.Hosts[t.a].Reference
			ties[r] = append(ties[r], t)
		}
	}
	shortest := make(map[[2]int32]said)
	for r, list := range ties {
		for _, t := range s.move(r, list, courses, base, n.caps[r]) {
			shortest[[2]int32{t.a, t.b}] = t
		}
	}
	return s.sharpen(n, courses, base, shortest, in) || len(ties) > 0
}

// tie compares the delays of both directions of a link by the present maps.
func (s *Solution) tie(l *link, courses []course) tie {
	x := l.x()
	y := l.a + l.b - x
	ways := s.lags(l, courses)
	if min(len(ways[0]), len(ways[1])) < inPool {
		return tie{}
	}
	t := tie{a: x, b: y}
	if level := equal(ways); len(level[0]) > 0 {
		untold := level[0][0].bytes == 0
		t.list, t.still = differences(level), untold && !alike(level)
	} else {
		// How much longer the way of a longer message takes is not known, so nothing speaks against the maps as they are.
		t.list, t.still = differences(ways), true
	}
	if len(t.list) < leastOf {
		return tie{}
	}
	return t
}

// move finds by how much each host's map is ahead and takes that away. It returns what ties have said that do
// not vote for leaving things as they are.
func (s *Solution) move(reference int32, list []tie, courses []course, base []*clock.Map, most hull.Cap) (told []said) {
	begin, end := s.span(reference)
	line := newBend(begin, end, 1, most)
	list = slices.DeleteFunc(list, func(t tie) bool { return !t.straight(line) })
	list, tied := related(reference, list)
	g := bent(list, begin, end, most)
	ahead, all := g.settle(reference, list, len(s.Hosts))
	s.leave(reference, g, ahead, tied, courses, base)
	for i, t := range list {
		if !t.still {
			told = append(told, all[i])
		}
	}
	return told
}

// span is the time of a component.
func (s *Solution) span(reference int32) (begin, end int64) {
	begin, end = int64(math.MaxInt64), int64(math.MinInt64)
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Reference == reference {
			begin, end = min(begin, h.Map.Reference(h.Begin)), max(end, h.Map.Reference(h.End))
		}
	}
	return begin, end
}

func (t tie) ends() (a, b int32)  { return t.a, t.b }
func (t said) ends() (a, b int32) { return t.a, t.b }

// related returns the hosts that are related to the reference, and those of the list that relate them.
func related[T interface{ ends() (a, b int32) }](reference int32, list []T) ([]T, map[int32]bool) {
	tied := map[int32]bool{reference: true}
	for again := true; again; {
		again = false
		for _, t := range list {
			if a, b := t.ends(); tied[a] != tied[b] {
				tied[a], tied[b], again = true, true, true
			}
		}
	}
	return slices.DeleteFunc(list, func(t T) bool {
		a, _ := t.ends()
		return !tied[a]
	}), tied
}

// leave takes what hosts are ahead by off the maps that they had. Hosts that no tie relates to the reference go with the next host on
// their way.
func (s *Solution) leave(reference int32, g bend, ahead [][]float64, tied map[int32]bool, courses []course, base []*clock.Map) {
	for i := range s.Hosts {
		h := int32(i)
		if s.Hosts[i].Reference != reference {
			continue
		}
		for !tied[h] && courses[h].up >= 0 {
			h = courses[h].up
		}
		s.Hosts[i].Map = base[i]
		if ahead[h] != nil {
			s.Hosts[i].Map = g.behind(base[i], ahead[h])
		}
	}
}
