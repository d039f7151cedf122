package graph

import "slices"

// Path returns the edges on the way from one host to another, in that order;
// ok is false if they are in different trees.
func (f *Forest) Path(a, b int) (path []Edge, ok bool) {
	var back []Edge
	top := f.climb(int32(a), int32(b), func(fromA bool, edge int32) {
		k := f.links.of(f.tree.edges[edge].link)
		e := Edge{int(k.ends[0]), int(k.ends[1]), k.weight}
		if fromA {
			path = append(path, e)
		} else {
			back = append(back, e)
		}
	})
	slices.Reverse(back)
	return append(path, back...), top
}

// Distance is the sum of the weights on the way from one host to another: the
// error of a comparison of their clocks. ok is false if they are in different
// trees. A sum that does not fit is math.MaxInt64.
func (f *Forest) Distance(a, b int) (sum int64, ok bool) {
	ok = f.climb(int32(a), int32(b), func(_ bool, edge int32) {
		sum = plus(sum, f.links.of(f.tree.edges[edge].link).weight)
	})
	return sum, ok
}

// climb goes up from two hosts to where their ways meet. Sizes rise on
// the way up, so the one with the smaller size is not above the other, and if they are
// equal neither is.
func (f *Forest) climb(a, b int32, step func(fromA bool, edge int32)) bool {
	if f.tree.root(a) != f.tree.root(b) {
		return false
	}
	for a != b {
		u, v := &f.tree.hosts[a], &f.tree.hosts[b]
		fromA := u.size <= v.size
		if fromA {
			step(true, u.edge)
			a = u.up
		} else {
			step(false, v.edge)
			b = v.up
		}
	}
	return true
}
