// Package graph picks the paths by which clocks are compared: a minimum
// spanning forest over the links, and in each tree the best reference host.
//
// A link's weight says how badly it determines the clocks. The error of a host
// is the sum along its path to the reference, so few and good links are wanted,
// and an indirect path may beat a direct link. Edges are totally ordered, by
// weight and then by their ends, so there is one minimum spanning forest and
// it does not depend on the order in which links became known or changed.
//
// The forest is kept as it changes, by the rule of M. Jabbarifar, "On Line
// Trace Synchronization for Large Scale Distributed Systems", 2013, section
// 5.5.2: a new or better link closes a cycle, and the worst link of the cycle
// goes. Other than there a weight may also rise or a link vanish; then the
// best link across the cut takes its place. A step costs as much as walking
// the tree: a trace set has tens of hosts, and the thesis's splay trees pay
// from thousands.
package graph

import (
	"cmp"
	"slices"
)

// An Edge joins two hosts, A < B. Weight is positive; less is better.
type Edge struct {
	A, B   int
	Weight int64
}

// before is the total order of edges.
func (e Edge) before(o Edge) bool {
	return cmp.Or(cmp.Compare(e.Weight, o.Weight), cmp.Compare(e.A, o.A), cmp.Compare(e.B, o.B)) < 0
}

// A Forest belongs to one goroutine. The zero value has no hosts.
type Forest struct {
	edges map[[2]int]Edge
	trees []map[int]Edge // by host: its neighbours in the forest
}

// Grow makes sure the hosts 0 to n-1 exist.
func (f *Forest) Grow(n int) {
	for len(f.trees) < n {
		f.trees = append(f.trees, make(map[int]Edge))
	}
}

// Set adds a link or changes its weight. Its hosts must exist.
func (f *Forest) Set(e Edge) {
	if f.edges == nil {
		f.edges = make(map[[2]int]Edge)
	}
	key := [2]int{e.A, e.B}
	if old, ok := f.edges[key]; ok && old == e {
		return
	}
	f.edges[key] = e
	if f.Has(e.A, e.B) {
		f.cut(e)
		f.reconnect(e.A) // with e itself, if it is still the best
		return
	}
	if path := f.path(e.A, e.B); path != nil {
		worst := slices.MaxFunc(path, func(a, b Edge) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		if !e.before(worst) {
			return
		}
		f.cut(worst)
	}
	f.join(e)
}

// Remove forgets a link, which need not exist.
func (f *Forest) Remove(a, b int) {
	e, ok := f.edges[[2]int{a, b}]
	if !ok {
		return
	}
	delete(f.edges, [2]int{a, b})
	if f.Has(a, b) {
		f.cut(e)
		f.reconnect(a)
	}
}

// Has reports whether the link of two hosts is in the forest.
func (f *Forest) Has(a, b int) bool {
	_, ok := f.trees[a][b]
	return ok
}

func (f *Forest) join(e Edge) { f.trees[e.A][e.B], f.trees[e.B][e.A] = e, e }

func (f *Forest) cut(e Edge) {
	delete(f.trees[e.A], e.B)
	delete(f.trees[e.B], e.A)
}

// reconnect joins the tree of a host to another by the best link there is, if any.
func (f *Forest) reconnect(host int) {
	inside := f.Tree(host)
	var best Edge
	for _, e := range f.edges {
		if inside.Contains(e.A) != inside.Contains(e.B) && (best.Weight == 0 || e.before(best)) {
			best = e
		}
	}
	if best.Weight != 0 {
		f.join(best)
	}
}

// path returns the edges of the forest from a to b, nil if there is no way.
func (f *Forest) path(a, b int) []Edge {
	t := f.Tree(a)
	if !t.Contains(b) {
		return nil
	}
	var path []Edge
	for b != a {
		up := t.Parent[b]
		path = append(path, f.trees[b][up])
		b = up
	}
	return path
}
