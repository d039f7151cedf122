package network

import (
	"slices"

	"synchroscope/sync/graph"
)

// chooseReferences numbers the components and picks the reference of each: of
// two that are equally good the one that was it in the solution before, that of the whole
// solution first, else the lower. The final choice does not look at the
// one before, which may have depended on the order of the messages, but at the one that it would be
// if no link were left out: who leaves one out has other times only where that is of use. None
// looks at the forest's own present one, which depends on the order of the links.
func (n *Network) chooseReferences(s *Solution) {
	size := make(map[int]int)
	for i, c := range n.forest.Components() {
		s.Hosts[i].Component = c
		size[c]++
	}
	references, byAll := make(map[int]int32), referencesByAll(s)
	for i, h := range s.Hosts {
		if h.Name == n.config.Reference {
			if _, known := references[h.Component]; !known {
				references[h.Component] = int32(i)
			}
		}
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		r, known := references[h.Component]
		if !known {
			low, high := n.forest.Best(i)
			r = n.better(int32(low), int32(high), byAll)
			references[h.Component] = r
		}
		h.Reference = r
		if s.Reference < 0 || size[h.Component] > size[s.Hosts[s.Reference].Component] {
			s.Reference = r
		}
	}
	for i, h := range s.Hosts {
		if h.Name == n.config.Reference {
			s.Reference = int32(i)
			break
		}
	}
}

// referencesByAll are the hosts that would be the references if no link were left out; nil if none is.
func referencesByAll(s *Solution) map[int32]bool {
	if !slices.ContainsFunc(s.Links, func(k Link) bool { return k.Excluded }) {
		return nil
	}
	var all graph.Forest
	all.Grow(len(s.Hosts))
	for i := range s.Links {
		k := &s.Links[i]
		all.Set(graph.Edge{A: int(k.A), B: int(k.B), Weight: weight(k)})
	}
	references := make(map[int32]bool)
	for i := range s.Hosts {
		low, _ := all.Best(i)
		references[int32(low)] = true
	}
	return references
}

// better picks one of two references that are equally good; byAll is what referencesByAll says.
func (n *Network) better(low, high int32, byAll map[int32]bool) int32 {
	old := n.solution
	present := func(h int32) bool {
		return old != nil && int(h) < len(old.Hosts) && old.Hosts[h].Reference == h
	}
	switch {
	case n.ending && byAll[high] && !byAll[low]:
		return high
	case n.ending || !present(high) || present(low) && old.Reference != high:
		return low
	}
	return high
}
