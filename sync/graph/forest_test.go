package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kruskal is the textbook's minimum spanning forest.
func kruskal(n int, edges []Edge) map[[2]int]bool {
	slices.SortFunc(edges, func(a, b Edge) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	in := make(map[[2]int]bool)
	for _, e := range edges {
		if a, b := find(e.A), find(e.B); a != b {
			root[a] = b
			in[[2]int{e.A, e.B}] = true
		}
	}
	return in
}

// costs is the total weight of the paths from root to all hosts of its tree.
func (f *Forest) cost(root int) (total int64) {
	t := f.Tree(root)
	for _, h := range t.Order[1:] {
		for _, e := range f.path(root, h) {
			total += e.Weight
		}
	}
	return total
}

func TestAgainstKruskal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "hosts")
		var f Forest
		f.Grow(n)
		links := make(map[[2]int]Edge)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			if a == b {
				continue
			}
			a, b = min(a, b), max(a, b)
			if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				delete(links, [2]int{a, b})
				f.Remove(a, b)
			} else {
				e := Edge{a, b, rapid.Int64Range(1, 12).Draw(t, "weight")}
				links[[2]int{a, b}] = e
				f.Set(e)
			}
			var edges []Edge
			for _, e := range links {
				edges = append(edges, e)
			}
			want := kruskal(n, edges)
			for a := range n {
				for b := a + 1; b < n; b++ {
					if f.Has(a, b) != want[[2]int{a, b}] {
						t.Fatalf("link %d-%d in the forest: %v, by Kruskal: %v", a, b, f.Has(a, b), want[[2]int{a, b}])
					}
				}
			}
		}
		number := f.Components()
		present := rapid.IntRange(-1, n-1).Draw(t, "present")
		for host := range n {
			ref := f.Reference(host, present)
			best := f.cost(ref)
			for other := range n {
				same := f.Tree(host).Contains(other)
				if same != (number[host] == number[other]) {
					t.Fatalf("hosts %d and %d: components %v", host, other, number)
				}
				if !same {
					continue
				}
				c := f.cost(other)
				if c < best || c == best && other != ref && ref != present && (other < ref || other == present) {
					t.Fatalf("reference %d costs %d, host %d costs %d, present %d", ref, best, other, c, present)
				}
			}
		}
	})
}
