package graph

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// pairs are the links of M. Jabbarifar's simulated networks (2013, sections 4.7
// and 5.6.1): uniformly random pairs of hosts, with independent uniform weights.
// Links that make two new hosts a network of two are not counted as operations there.
func pairs(hosts, operations int) []Edge {
	r := rand.New(rand.NewPCG(uint64(hosts), 2013))
	known := make([]bool, hosts)
	var edges []Edge
	for counted := 0; counted < operations; {
		a, b := r.IntN(hosts), r.IntN(hosts-1)
		if b >= a {
			b++
		}
		if known[a] || known[b] {
			counted++
		}
		known[a], known[b] = true, true
		edges = append(edges, Edge{min(a, b), max(a, b), 1 + r.Int64N(1<<40)})
	}
	return edges
}

// improve does one operation: there weights fall only.
func improve(f *Forest, e Edge) Change {
	if w, ok := f.Weight(e.A, e.B); ok && w <= e.Weight {
		return Change{}
	}
	return f.Set(e)
}

// scratch is what an operation costs without a structure: Kruskal's algorithm
// over the links, sorted already, until all hosts are connected, and
// the references by the sizes of all subtrees.
func scratch(hosts int, sorted []Edge) (edges []Edge, references []int) {
	root := make([]int32, hosts)
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	next := make([][]int32, hosts)
	for _, e := range sorted {
		if a, b := find(int32(e.A)), find(int32(e.B)); a != b {
			root[a] = b
			next[e.A], next[e.B] = append(next[e.A], int32(e.B)), append(next[e.B], int32(e.A))
			if edges = append(edges, e); len(edges) == hosts-1 {
				break
			}
		}
	}
	size, up, heaviest := make([]int32, hosts), make([]int32, hosts), make([]int32, hosts)
	order := make([]int32, 0, hosts)
	for i := range hosts {
		if size[i] != 0 {
			continue
		}
		order = append(order[:0], int32(i))
		size[i], up[i] = 1, none
		for at := 0; at < len(order); at++ {
			for _, h := range next[order[at]] {
				if h != up[order[at]] {
					size[h], up[h] = 1, order[at]
					order = append(order, h)
				}
			}
		}
		n := int32(len(order))
		for at := len(order) - 1; at > 0; at-- {
			u := up[order[at]]
			size[u] += size[order[at]]
			heaviest[u] = max(heaviest[u], size[order[at]])
		}
		best := slices.MinFunc(order, func(a, b int32) int {
			return int(max(heaviest[a], n-size[a]) - max(heaviest[b], n-size[b]))
		})
		references = append(references, int(best))
	}
	return edges, references
}

func byWeight(edges []Edge) []Edge {
	sorted := slices.Clone(edges)
	slices.SortFunc(sorted, func(p, q Edge) int { return cmp.Compare(p.Weight, q.Weight) })
	return sorted
}

// The simulated network of 10 000 hosts: the operations are of the kinds that Jabbarifar
// counted (table 4.1, D1), and the result is Kruskal's.
func TestRandomPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("a million operations")
	}
	const hosts = 10_000
	edges := pairs(hosts, 1_000_000)
	var f Forest
	f.Grow(hosts)
	known := make([]bool, hosts)
	tree := make([]int, hosts) // of hosts that are connected, by the model
	for i := range tree {
		tree[i] = i
	}
	find := func(i int) int {
		for tree[i] != i {
			tree[i] = tree[tree[i]]
			i = tree[i]
		}
		return i
	}
	var insertion, join, stay, removed, update int
	for _, e := range edges {
		old := known[e.A] || known[e.B]
		both := known[e.A] && known[e.B]
		known[e.A], known[e.B] = true, true
		apart := find(e.A) != find(e.B)
		tree[find(e.A)] = find(e.B)
		in := f.Has(e.A, e.B)
		switch c := improve(&f, e); {
		case old && !both:
			insertion++
		case !old:
		case apart:
			join++
		case in && c != Change{}:
			update++
		case c.Edges:
			stay++
		default:
			removed++
		}
	}
	for _, c := range []struct {
		what       string
		got, paper int
	}{{"insertions", insertion, 4991}, {"joins", join, 2503}, {"links that stay", stay, 45449}, {"links that do not", removed, 946879}} {
		if off := float64(c.got)/float64(c.paper) - 1; off < -0.02 || off > 0.02 {
			t.Errorf("%d %s, in the paper %d", c.got, c.what, c.paper)
		}
	}
	if sum := insertion + join + stay + removed + update; sum != 1_000_000 {
		t.Errorf("%d operations", sum)
	}
	best := make(map[[2]int]Edge)
	for _, e := range edges {
		p := [2]int{e.A, e.B}
		if b, ok := best[p]; !ok || e.Weight < b.Weight {
			best[p] = e
		}
	}
	var all []Edge
	for _, e := range best {
		all = append(all, e)
	}
	kruskal, references := scratch(hosts, byWeight(all))
	for _, e := range kruskal {
		if !f.Has(e.A, e.B) {
			t.Errorf("%v is not in the forest", e)
		}
	}
	for _, r := range references {
		if low, high := f.Best(r); r != low && r != high {
			t.Errorf("the reference is %d or %d, by the model %d", low, high, r)
		}
	}
}
