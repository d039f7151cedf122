package baseline

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// Paths says how the reference and the ways to it are chosen.
type Paths uint8

const (
	// Tree is the minimum spanning forest, and its centroid (Jabbarifar 2013).
	Tree Paths = iota
	// Dijkstra is the shortest path from each host to each other, one source at
	// a time; the reference is the host nearest to all others (Clément 2006, section 3.5).
	Dijkstra
	// AllPairs is the same by Floyd's algorithm, in cubic time.
	AllPairs
)

var pathNames = [...]string{"tree", "dijkstra", "all-pairs"}

// String is the name for users.
func (p Paths) String() string { return pathNames[p] }

// ParsePaths is the inverse of String.
func ParsePaths(name string) (Paths, bool) {
	for i, n := range pathNames {
		if n == name {
			return Paths(i), true
		}
	}
	return 0, false
}

// An Edge joins two hosts; Weight is not negative.
type Edge struct {
	A, B   int
	Weight float64
}

// SpanningForest returns the minimum spanning forest, by Kruskal; equal weights are decided by the hosts.
func SpanningForest(n int, edges []Edge) []Edge {
	sorted := slices.SortedFunc(slices.Values(edges), func(p, q Edge) int {
		return cmp.Or(cmp.Compare(p.Weight, q.Weight), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	var forest []Edge
	for _, e := range sorted {
		if a, b := find(e.A), find(e.B); a != b {
			root[a] = b
			forest = append(forest, e)
		}
	}
	return forest
}

// Distances are the shortest ways between all hosts: Far[i][j] is how far i is
// from j, +Inf where there is no way, and Next[i][j] the host after i on the
// way to j, -1 where there is none or i is j.
type Distances struct {
	Far  [][]float64
	Next [][]int
}

func newDistances(n int) Distances {
	d := Distances{make([][]float64, n), make([][]int, n)}
	for i := range n {
		d.Far[i], d.Next[i] = make([]float64, n), make([]int, n)
		for j := range n {
			d.Far[i][j], d.Next[i][j] = math.Inf(1), -1
		}
		d.Far[i][i] = 0
	}
	return d
}

// Floyd returns the distances of n hosts. Of ways that are equally long the one found first stays.
func Floyd(n int, edges []Edge) Distances {
	d := newDistances(n)
	for _, e := range edges {
		if e.Weight < d.Far[e.A][e.B] {
			d.Far[e.A][e.B], d.Far[e.B][e.A] = e.Weight, e.Weight
			d.Next[e.A][e.B], d.Next[e.B][e.A] = e.B, e.A
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if far := d.Far[i][k] + d.Far[k][j]; far < d.Far[i][j] {
					d.Far[i][j], d.Next[i][j] = far, d.Next[i][k]
				}
			}
		}
	}
	return d
}

// ShortestPaths returns the same by Dijkstra's algorithm from every host.
func ShortestPaths(n int, edges []Edge) Distances {
	d := newDistances(n)
	near := make([][]Edge, n)
	for _, e := range edges {
		near[e.A] = append(near[e.A], e)
		near[e.B] = append(near[e.B], Edge{e.B, e.A, e.Weight})
	}
	for to := range n {
		q := &queue{{to, 0}}
		for q.Len() > 0 {
			at := heap.Pop(q).(place)
			if at.far > d.Far[at.host][to] {
				continue
			}
			for _, e := range near[at.host] {
				if far := at.far + e.Weight; far < d.Far[e.B][to] {
					d.Far[e.B][to], d.Next[e.B][to] = far, at.host
					heap.Push(q, place{e.B, far})
				}
			}
		}
	}
	return d
}

type place struct {
	host int
	far  float64
}

// A queue is a heap of places, the nearest first.
type queue []place

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].far < q[j].far || q[i].far == q[j].far && q[i].host < q[j].host
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(place)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// Sum is how far a host is from all that it reaches, and how many they are, itself included.
func (d Distances) Sum(host int) (far float64, reached int) {
	for _, v := range d.Far[host] {
		if !math.IsInf(v, 1) {
			far += v
			reached++
		}
	}
	return far, reached
}

// Reference returns the host nearest to all others among those a host reaches; the lowest of equals.
func (d Distances) Reference(host int) int {
	best, least := host, math.Inf(1)
	for i, v := range d.Far[host] {
		if math.IsInf(v, 1) {
			continue
		}
		if far, _ := d.Sum(i); far < least {
			best, least = i, far
		}
	}
	return best
}
