package history

import "sort"

// A grid is the columns of a pixel query: column i is [edges[i], edges[i+1]).
// An empty column stands for the instant at its edge.
type grid struct {
	edges  []int64
	lo, hi int64 // what can be shown: the bounds of the history, cut to the edges
}

func (g *grid) columns() int { return len(g.edges) - 1 }

// at returns the first column that holds s, an instant not before edges[0],
// searching from a hint.
func (g *grid) at(s int64, hint int) int {
	lo, hi := hint, hint+1
	if g.edges[hint] >= s {
		lo, hi = 0, hint
	} else {
		for step := 1; hi < len(g.edges) && g.edges[hi] < s; step *= 2 {
			lo, hi = hi, hi+step
		}
		hi = min(hi, len(g.edges))
	}
	i := lo + sort.Search(hi-lo, func(i int) bool { return g.edges[lo+i] >= s })
	if i < len(g.edges) && g.edges[i] == s {
		return i
	}
	return i - 1
}

// within returns the one column that shows all of [start, end) and nothing
// but time, or -1.
func (g *grid) within(start, end int64, hint int) int {
	if start < g.lo || end > g.hi {
		return -1
	}
	c := g.at(start, hint)
	if c >= g.columns() || g.edges[c+1] < end {
		return -1
	}
	return c
}

// halves returns the column that shows the later part of [start, end), where
// the column before shows all of the earlier part and there is no empty column between, or -1.
func (g *grid) halves(start, end int64, hint int) int {
	if start < g.lo || end > g.hi {
		return -1
	}
	c := g.at(start, hint) + 1
	if c >= g.columns() || g.edges[c] <= start || g.edges[c] >= end || g.edges[c+1] < end {
		return -1
	}
	return c
}
