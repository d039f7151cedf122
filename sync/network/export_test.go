package network

import (
	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
)

// Relater returns what a solution of the network does with the estimates of its links: the
// forest from nothing, the references, and all maps, composed exactly.
func (n *Network) Relater() func() {
	n.explain()
	hops := make(map[[2]int32]hop)
	var edges []graph.Edge
	s := n.Solution()
	for _, l := range n.order {
		if l.class == hull.Absent {
			continue
		}
		x := &n.hosts[l.x()]
		begin, end := margin(x.begin, x.end, true)
		fromA, fromB := l.hops(n.caps[l.a], false, begin, end)
		hops[[2]int32{l.a, l.b}], hops[[2]int32{l.b, l.a}] = fromA, fromB
		k := s.describe(l, fromA)
		edges = append(edges, graph.Edge{A: int(l.a), B: int(l.b), Weight: weight(&k)})
	}
	return func() {
		s := &Solution{Final: true, Reference: -1}
		for i := range n.hosts {
			h := &n.hosts[i]
			s.Hosts = append(s.Hosts, Host{Name: h.name, ID: h.id, Begin: h.begin, End: h.end})
		}
		n.forest = graph.Forest{}
		n.forest.Grow(len(n.hosts))
		for _, e := range edges {
			n.forest.Set(e)
		}
		n.chooseReferences(s)
		s.drawMaps(&n.forest, hops)
	}
}
