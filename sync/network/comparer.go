package network

import (
	"sync"

	"synchroscope/sync/graph"
)

// A Comparer compares hosts of one solution, as often as one likes. It keeps what the links allow.
type Comparer struct {
	mu       sync.Mutex // corridors belong to one goroutine
	solution *Solution
	forest   graph.Forest
	hops     map[[2]int32]hop
	linked   [][2]string
}

// Comparer is of the solution that Solve gives for the config, and has its errors.
func (c *Constraints) Comparer(config Config) (*Comparer, error) {
	if err := c.check(config); err != nil {
		return nil, err
	}
	n := c.network(config)
	s := n.solution
	own := *s
	own.Links = nil // hulls and all: to compare hosts takes none of it
	x := &Comparer{solution: &own, forest: n.forest, hops: n.hops}
	for _, l := range c.order { // a window may have taken all messages of a link, and they are shown nevertheless
		a, b := &s.Hosts[l.a], &s.Hosts[l.b]
		if a.Component == b.Component && a.Reference != l.a && a.Reference != l.b {
			x.linked = append(x.linked, [2]string{a.Name, b.Name})
		}
	}
	return x, nil
}

// Compare is [Constraints.Compare] by the comparer's config.
func (x *Comparer) Compare(pairs ...[2]string) ([]Comparison, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return comparisons(x.solution, pairs, func(a, b int32) (Comparison, bool) {
		return x.solution.between(ways{&x.forest, x.hops}, a, b)
	})
}

// Linked are the pairs of related hosts that exchanged messages, but for those of a reference with others: of them the map of the other host tells all.
func (x *Comparer) Linked() [][2]string { return x.linked }
