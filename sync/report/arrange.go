package report

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/network"
)

// Sizes of the graph, in pixels.
const (
	ring     = 150 // from one hop to the next
	captions = 320 // what the names of a component take on both sides
	// mostAround is how many hosts stand around their reference; more are a tree from left to right.
	mostAround = 8
	rowHeight  = 42
)

// arrange gives each host its place: components side by side, in rows, the largest first. In a small one the reference is in the middle
// and every other host on a ring by its distance in hops, within the angle of what is behind it; a large one is a tree
// from left to right with a row for each leaf.
func arrange(s *network.Solution) (places []place, height float64) {
	places = make([]place, len(s.Hosts))
	t := newForest(s)
	var roots []int32
	for i := range s.Hosts {
		if s.Hosts[i].Reference == int32(i) {
			roots = append(roots, int32(i))
		}
	}
	slices.SortStableFunc(roots, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(t.hosts(a), t.hosts(b)), cmp.Compare(a, b))
	})
	var x, y, row float64
	for _, r := range roots {
		if t.hosts(r) > mostAround {
			y += t.hang(places, r, y+20) + 40
			continue
		}
		w, h, begin := t.extent(r)
		if x+w > graphWidth && x > 0 {
			x, y, row = 0, y+row, 0
		}
		depth := max(float64(t.depth(r)), 1)
		middle := place{cx: x + w/2, cy: y + h/2, r: nodeRadius}
		rx, ry := (w-captions)/2/depth, (h-110)/2/depth
		if t.leaves[r] == 1 {
			middle.cx, rx = x+captions/2, (w-captions)/depth
		}
		t.put(places, r, begin, middle, rx, ry)
		x, row = x+w, max(row, h)
	}
	// A single row stands in the middle of the paper.
	if y == 0 {
		for i := range places {
			places[i].x += (graphWidth - x) / 2
			places[i].cx += (graphWidth - x) / 2
		}
	}
	return places, y + row
}

// extent is the size of a component around its reference, and the angle at which its first branch begins.
func (t *forest) extent(root int32) (w, h, begin float64) {
	depth := float64(t.depth(root))
	switch {
	case depth == 0:
		return 190, 130, 0
	case t.leaves[root] == 1: // a chain to the right
		return min(depth*ring+captions, graphWidth), 130, -math.Pi
	case t.leaves[root] == 2 && len(t.children[root]) == 2: // left and right
		return min(2*depth*ring*1.25+captions, graphWidth), 170, -math.Pi / 2
	}
	w, h = 2*depth*ring*1.25+captions, 2*depth*ring*min(1, 330/(ring*depth+1))+110
	return min(w, graphWidth), h, -math.Pi
}

// forest is the links in use as children of each host.
type forest struct {
	children [][]int32
	leaves   []int
}

func newForest(s *network.Solution) *forest {
	n := len(s.Hosts)
	neighbours := make([][]int32, n)
	for i := range s.Links {
		if k := &s.Links[i]; k.InTree {
			neighbours[k.A] = append(neighbours[k.A], k.B)
			neighbours[k.B] = append(neighbours[k.B], k.A)
		}
	}
	t := &forest{make([][]int32, n), make([]int, n)}
	seen := make([]bool, n)
	var visit func(i int32)
	visit = func(i int32) {
		seen[i] = true
		for _, j := range neighbours[i] {
			if !seen[j] {
				visit(j)
				t.children[i] = append(t.children[i], j)
				t.leaves[i] += t.leaves[j]
			}
		}
		t.leaves[i] = max(t.leaves[i], 1)
	}
	for i := range s.Hosts {
		if s.Hosts[i].Reference == int32(i) {
			visit(int32(i))
		}
	}
	return t
}

func (t *forest) depth(i int32) int {
	most := 0
	for _, c := range t.children[i] {
		most = max(most, 1+t.depth(c))
	}
	return most
}

// hosts is how many a component has.
func (t *forest) hosts(i int32) int {
	n := 1
	for _, c := range t.children[i] {
		n += t.hosts(c)
	}
	return n
}

// hang places a component as a tree from left to right, below a height, and returns how high it is.
func (t *forest) hang(places []place, root int32, top float64) float64 {
	step := (graphWidth - 280.) / float64(t.depth(root))
	next := top + rowHeight/2
	var visit func(i int32, depth float64) float64
	visit = func(i int32, depth float64) float64 {
		p := place{x: 60 + depth*step, tree: true, leaf: len(t.children[i]) == 0, r: 9}
		for _, c := range t.children[i] {
			p.y += visit(c, depth+1) / float64(len(t.children[i]))
		}
		if p.leaf {
			p.y = next
			next += rowHeight
		}
		p.cx, p.cy = graphWidth/2, top
		places[i] = p
		return p.y
	}
	visit(root, 0)
	return next - rowHeight/2 - top
}

// put places a component around a middle, from an angle on. rx and ry are the distance from one ring to the next.
func (t *forest) put(places []place, root int32, begin float64, middle place, rx, ry float64) {
	var visit func(i int32, depth, from, to float64)
	visit = func(i int32, depth, from, to float64) {
		angle := (from + to) / 2
		p := middle
		p.x, p.y = p.cx+depth*rx*math.Cos(angle), p.cy+depth*ry*math.Sin(angle)
		places[i] = p
		each := (to - from) / float64(t.leaves[i])
		for _, c := range t.children[i] {
			visit(c, depth+1, from, from+each*float64(t.leaves[c]))
			from += each * float64(t.leaves[c])
		}
	}
	visit(root, 0, begin, begin+2*math.Pi)
}
