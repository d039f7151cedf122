package network

import (
	"slices"

	"synchroscope/sync/graph"
)

// A Pinned reference is not the best one of its component, which the solution would have chosen.
type Pinned struct {
	Host, Best int32
	Hosts      int   // of the component
	Loss       int64 // ns by which the errors of its hosts add up to more than with the best, each the sum of Link.Served along its way; -1 unknown
}

// pinned tells what the pinned reference costs, nil if none is pinned or it is as good as any.
func (n *Network) pinned(s *Solution) *Pinned {
	for i, h := range s.Hosts {
		if h.Name != n.config.Reference || h.Reference != int32(i) {
			continue
		}
		low, high := n.forest.Best(i)
		if i == low || i == high {
			return nil
		}
		p := &Pinned{Host: int32(i), Best: int32(low), Loss: -1}
		if h.Loss != nil {
			p.Loss = *h.Loss
		}
		for _, other := range s.Hosts {
			if other.Component == h.Component {
				p.Hosts++
			}
		}
		return p
	}
	return nil
}

// lose works out what it costs to make each host the reference of its component; nil where that is not known.
func (s *Solution) lose(forest *graph.Forest) {
	served := make(map[[2]int]int64, len(s.Hosts))
	for i := range s.Links {
		if k := &s.Links[i]; k.InTree {
			served[[2]int{int(k.A), int(k.B)}] = k.Served
		}
	}
	for i := range s.Hosts {
		best, _ := forest.Best(i)
		// Only links on the way between the two count for one side or the other.
		way, _ := forest.Path(i, best)
		if slices.ContainsFunc(way, func(e graph.Edge) bool { return e.Weight >= unbounded }) {
			continue
		}
		loss := forest.Loss(i, func(e graph.Edge) int64 { return served[[2]int{min(e.A, e.B), max(e.A, e.B)}] })
		s.Hosts[i].Loss = &loss
	}
}
