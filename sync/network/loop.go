package network

import (
	"synchroscope/sync/graph"
)

// A Loop is what a link outside the tree says of the way through the tree
// between its hosts. Two estimates of one clock, from different messages, differ by the sum of
// their bounds at most; the bounds rest on neither fact, so this is a check of them.
type Loop struct {
	Residual   int64 // the largest difference over the overlap, ns
	Bound      int64 // the sum of the bounds where the difference is the largest
	Consistent bool  // nowhere is the difference larger than the sum of the bounds
	Hops       int   // of the way through the tree
}

// instantsOfLoop are how many instants of the overlap are looked at.
const instantsOfLoop = 17

// closeLoops holds the links outside the tree against the ways through it, as the
// messages of each link have them, before maps are shifted. It costs as much as all
// links do, and is done at the end.
func (s *Solution) closeLoops(n *Network, hops map[[2]int32]hop) {
	if !s.Final {
		return
	}
	parallel(len(s.Links), func(i int) {
		k := &s.Links[i]
		if k.InTree || k.Excluded || k.ErrorMax < 0 {
			return
		}
		if edges, ok := n.forest.Path(int(k.A), int(k.B)); ok {
			k.Loop = s.loop(n.links[[2]int32{k.A, k.B}], edges, hops)
		}
	})
}

// loop compares a link with the way through the edges. It is nil where something on the way has no bound.
func (s *Solution) loop(l *link, edges []graph.Edge, hops map[[2]int32]hop) *Loop {
	around := s.along(l.a, edges, hops)
	first := hops[[2]int32{l.a, l.b}]
	begin, end := s.overlap(l, first)
	direct := bounder{m: first.toMap(begin, end), path: []hop{first.own()}}
	other := bounder{m: around.toMap(begin, end)}
	other.path = make([]hop, 0, len(around.path))
	for _, h := range around.path {
		other.path = append(other.path, h.own())
	}
	stops := other.stops()
	found := &Loop{Consistent: true, Hops: len(edges)}
	step := (uint64(end) - uint64(begin)) / (instantsOfLoop - 1)
	for i := range uint64(instantsOfLoop) {
		at := int64(uint64(begin) + i*step)
		p, ok := direct.at(at, stops)
		q, also := other.at(at, stops)
		if !ok || !also {
			return nil
		}
		residual := direct.m.Reference(at) - other.m.Reference(at)
		residual = max(residual, -residual)
		found.Consistent = found.Consistent && residual <= p.error+q.error
		if i == 0 || residual > found.Residual {
			found.Residual, found.Bound = residual, p.error+q.error
		}
	}
	return found
}

// own is the hop for use beside others that use it.
func (h hop) own() hop {
	if h.corridor != nil {
		h.corridor = h.corridor.Clone()
	}
	return h
}
