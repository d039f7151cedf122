package network

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
		if loss := n.loss(i); loss != nil {
			p.Loss = *loss
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

// loss is what it costs to make a host the reference of its component; nil where that is not known.
func (n *Network) loss(host int) *int64 {
	best, _ := n.forest.Best(host)
	// Only links on the way between the two count for one side or the other.
	way, _ := n.forest.Path(host, best)
	for _, e := range way {
		if e.Weight >= unbounded {
			return nil
		}
	}
	loss := n.forest.Loss(host)
	return &loss
}
