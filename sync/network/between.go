package network

import (
	"synchroscope/sync/clock"
	"synchroscope/sync/graph"
)

// Between compares two hosts directly: it returns the map from a's clock to b's over a's time, which is what the maps of both say,
// with the bounds that it has along their way through the tree and, where they exchanged messages that are beside it, by these. They are mostly tighter than what the two bounds to the reference add up to, for
// what the ways to the reference have in common does not count. From a host to its reference it is the host's own map, bounds and all. ok is
// false where no way leads from one to the other; the map has no bounds where a link on the way has none.
//
// It is of the newest solution, and by all messages: a window does not narrow it.
func (n *Network) Between(a, b int32) (m *clock.Map, ok bool) {
	s := n.Solution() // which may renew the hops
	c, ok := s.between(ways{&n.forest, n.hops}, a, b)
	return c.Map, ok
}

// ways are what leads from any host of a solution to any other.
type ways struct {
	forest *graph.Forest
	hops   map[[2]int32]hop
}

// between compares two hosts by the hops that s was made of.
func (s *Solution) between(w ways, a, b int32) (c Comparison, ok bool) {
	edges, ok := w.forest.Path(int(a), int(b))
	if !ok {
		return c, false
	}
	path := make([]hop, len(edges))
	way := []int32{a}
	c = Comparison{From: &s.Hosts[a], To: &s.Hosts[b], Way: []string{s.Hosts[a].Name}}
	for i, at := 0, a; i < len(edges); i++ {
		next := int32(edges[i].A+edges[i].B) - at
		path[i] = w.hops[[2]int32{at, next}]
		c.Way = append(c.Way, s.Hosts[next].Name)
		way = append(way, next)
		at = next
	}
	c.Map = s.direct(a, b)
	if b == c.From.Reference {
		c.RateCap = c.From.RateCap
		return c, true
	}
	begin, end := margin(c.From.Begin, c.From.End, s.Final)
	link, linked := w.hops[[2]int32{a, b}]
	bounds := s.bounder(c.Map, path, a, b).besides(link, linked && s.unset == nil)
	if entries := s.stated(c.Map, bounds.bounds(begin, end), way); len(entries) > 0 {
		if bounded, err := c.Map.WithBounds(entries); err == nil {
			c.Map = bounded
			if limit, ok := bounds.cap(); ok {
				c.RateCap = limit.PerSecond()
			}
		}
	}
	return c, true
}

// direct is the map from a's clock to b's, both of one component, by their maps to its reference. It has bounds only where b is that.
func (s *Solution) direct(a, b int32) *clock.Map {
	from, to := &s.Hosts[a], &s.Hosts[b]
	switch from.Reference {
	case b:
		return from.Map
	case a:
		return to.Map.Inverse()
	}
	return clock.Compose(from.Map, to.Map.Inverse())
}

// along is the course from a host over some edges.
func (s *Solution) along(from int32, edges []graph.Edge, hops map[[2]int32]hop) course {
	hosts := []int32{from}
	for i, e := range edges {
		hosts = append(hosts, int32(e.A+e.B)-hosts[i])
	}
	c := course{up: -1}
	for i := len(edges) - 1; i >= 0; i-- {
		h := &s.Hosts[hosts[i]]
		begin, end := margin(h.Begin, h.End, s.Final)
		c = c.by(hops[[2]int32{hosts[i], hosts[i+1]}], hosts[i+1], begin, end)
	}
	return c
}
