package graph

import (
	"cmp"
	"slices"
)

// A model is the links, and everything about them from the textbook: Kruskal's
// forest, and sums over all pairs of hosts.
type model struct {
	n     int
	links map[[2]int]int64
	tree  map[[2]int]bool // Kruskal's
	ways  [][]way         // from, to
}

// A way is a path of the forest; there is none if hosts is empty.
type way struct {
	hosts []int
	sum   int64
}

func (m *model) compute() {
	var edges []Edge
	for p, w := range m.links {
		edges = append(edges, Edge{p[0], p[1], w})
	}
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	root := make([]int, m.n)
	for i := range root {
		root[i] = i
	}
	m.tree = make(map[[2]int]bool)
	m.ways = make([][]way, m.n)
	for i := range m.ways {
		m.ways[i] = make([]way, m.n)
		m.ways[i][i] = way{[]int{i}, 0}
	}
	for _, e := range edges {
		a, b := root[e.A], root[e.B]
		if a == b {
			continue
		}
		m.tree[[2]int{e.A, e.B}] = true
		for i := range m.n {
			for j := range m.n {
				if root[i] == a && root[j] == b {
					there, on := m.ways[i][e.A], m.ways[e.B][j]
					m.ways[i][j] = way{slices.Concat(there.hosts, on.hosts), there.sum + e.Weight + on.sum}
					back := slices.Clone(m.ways[i][j].hosts)
					slices.Reverse(back)
					m.ways[j][i] = way{back, m.ways[i][j].sum}
				}
			}
		}
		for i := range root {
			if root[i] == b {
				root[i] = a
			}
		}
	}
}

func (m *model) same(a, b int) bool { return len(m.ways[a][b].hosts) > 0 }

// cost is the sum of the distances to all hosts of the tree.
func (m *model) cost(host int) (sum int64) {
	for _, w := range m.ways[host] {
		sum += w.sum
	}
	return sum
}

// best returns the hosts of a tree with the least cost, by number.
func (m *model) best(host int) (best []int) {
	for other := range m.n {
		if !m.same(host, other) {
			continue
		}
		if len(best) > 0 && m.cost(other) < m.cost(best[0]) {
			best = nil
		}
		if len(best) == 0 || m.cost(other) == m.cost(best[0]) {
			best = append(best, other)
		}
	}
	return best
}
