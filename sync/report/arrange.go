package report

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/network"
)

// ring is the distance from one hop to the next, in pixels.
const ring = 150

// arrange gives each host its place: components side by side, in rows, the largest first; in each the reference in the middle and
// every other host on a ring by its distance in hops, within the angle of what is behind it.
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
		return cmp.Or(-cmp.Compare(t.leaves[a], t.leaves[b]), cmp.Compare(a, b))
	})
	var x, y, row float64
	for _, r := range roots {
		depth := float64(t.depth(r))
		unit := float64(ring)
		// Leaves on the outer ring are at least a name apart.
		if depth > 0 {
			unit = max(unit, float64(t.leaves[r])*62/(2*math.Pi*depth))
		}
		flat := min(1, 330/(unit*depth+1))
		w, h := 2*depth*unit*1.25+170, 2*depth*unit*flat+110
		begin := -math.Pi
		switch t.leaves[r] {
		case 1: // a chain, to the right
			w, h = depth*unit+260, 130
		case 2: // left and right
			h, begin = 170, -math.Pi/2
		}
		w = min(w, graphWidth)
		if x+w > graphWidth && x > 0 {
			x, y, row = 0, y+row, 0
		}
		cx, cy := x+w/2, y+h/2
		rx, ry := (w-170)/2/max(depth, 1), (h-110)/2/max(depth, 1)
		if t.leaves[r] == 1 {
			cx, rx = x+130, (w-260)/max(depth, 1)
		}
		t.put(places, r, begin, place{cx: cx, cy: cy}, rx, ry)
		x, row = x+w, max(row, h)
	}
	// A single row stands in the middle of the paper.
	if y == 0 {
		for i := range places {
			places[i].x += (graphWidth - x) / 2
			places[i].cx += (graphWidth - x) / 2
		}
	}
	return places, y + max(row, 60)
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
