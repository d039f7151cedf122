package baseline

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func edges(t *rapid.T, n int) []Edge {
	var all []Edge
	for a := range n {
		for b := a + 1; b < n; b++ {
			if rapid.IntRange(0, 2).Draw(t, "linked") > 0 {
				all = append(all, Edge{a, b, float64(rapid.IntRange(0, 20).Draw(t, "weight"))})
			}
		}
	}
	return all
}

// Dijkstra and Floyd agree with each other and with all simple paths, and the
// way that Next shows is as long as Far says.
func TestShortestPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "hosts")
		all := edges(t, n)
		weight := make(map[[2]int]float64)
		for _, e := range all {
			weight[[2]int{e.A, e.B}], weight[[2]int{e.B, e.A}] = e.Weight, e.Weight
		}
		var best func(seen map[int]bool, i, j int) float64
		best = func(seen map[int]bool, i, j int) float64 {
			if i == j {
				return 0
			}
			least := math.Inf(1)
			seen[i] = true
			for k := range n {
				if w, ok := weight[[2]int{i, k}]; ok && !seen[k] {
					least = min(least, w+best(seen, k, j))
				}
			}
			delete(seen, i)
			return least
		}
		for name, d := range map[string]Distances{"Dijkstra": ShortestPaths(n, all), "Floyd": Floyd(n, all)} {
			for i := range n {
				for j := range n {
					want := best(map[int]bool{}, i, j)
					if d.Far[i][j] != want {
						t.Fatalf("%s: %d to %d is %g, want %g", name, i, j, d.Far[i][j], want)
					}
					far, at := 0.0, i
					for steps := 0; at != j && d.Next[at][j] >= 0 && steps < n; steps++ {
						far += weight[[2]int{at, d.Next[at][j]}]
						at = d.Next[at][j]
					}
					if !math.IsInf(want, 1) && (at != j || far != want) {
						t.Fatalf("%s: the way from %d to %d ends at %d after %g, want %g", name, i, j, at, far, want)
					}
				}
			}
			for i := range n {
				r := d.Reference(i)
				sum, reached := d.Sum(r)
				for j := range n {
					if other, also := d.Sum(j); !math.IsInf(d.Far[i][j], 1) && (also != reached || other < sum || other == sum && j < r) {
						t.Fatalf("%s: the reference of %d is %d at %g, but %d is at %g", name, i, r, sum, j, other)
					}
				}
			}
		}
	})
}

// The forest joins what the edges join, has no cycle, and no edge left out is better than one on
// the way it would replace.
func TestSpanningForest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "hosts")
		all := edges(t, n)
		forest := SpanningForest(n, all)
		whole, own := ShortestPaths(n, all), ShortestPaths(n, forest)
		trees := 0
		for i := range n {
			lowest := true
			for j := range n {
				if math.IsInf(whole.Far[i][j], 1) != math.IsInf(own.Far[i][j], 1) {
					t.Fatalf("the forest does not join %d and %d as the links do", i, j)
				}
				lowest = lowest && (j >= i || math.IsInf(own.Far[i][j], 1))
			}
			if lowest {
				trees++
			}
		}
		if len(forest) != n-trees {
			t.Fatalf("%d edges in %d trees of %d hosts", len(forest), trees, n)
		}
		for _, e := range all {
			for at := e.A; at != e.B; at = own.Next[at][e.B] {
				if step := math.Abs(own.Far[at][e.B] - own.Far[own.Next[at][e.B]][e.B]); step > e.Weight {
					t.Fatalf("the way from %d to %d has a link of %g, the direct one %g", e.A, e.B, step, e.Weight)
				}
			}
		}
	})
}
