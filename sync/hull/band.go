package hull

import (
	"math"
	"math/bits"
	"sort"
)

// Band returns the lowest and the highest second clock that is possible when
// the first host's clock says x, over all lines that fit, rounded outward to
// whole ns. ok is false where a side is open, or no line fits. The lower side
// is concave and the upper convex in x, and both rise.
func (h *Hull) Band(x int64) (lo, hi int64, ok bool) {
	if h.failed {
		return 0, 0, false
	}
	hi, ok = h.ceiling.height(x, h.flattest, h.hasFlattest, h.steepest, h.hasSteepest)
	if !ok {
		return 0, 0, false
	}
	lo, ok = h.floor.height(^x, h.flattest.mirrored(), h.hasFlattest, h.steepest.mirrored(), h.hasSteepest)
	return ^lo, hi, ok
}

// between is Band for where it is the easiest, without the steepest and the flattest line: both exist, and x is between
// two points of either side in line with which a line fits. No line below the one side is higher there, none
// above the other lower. ok is false elsewhere. The hull need not be solved.
func (h *Hull) between(x int64) (lo, hi int64, ok bool) {
	top, ok := h.ceiling.edge(x)
	if !ok {
		return 0, 0, false
	}
	bottom, ok := h.floor.edge(^x)
	if !ok {
		return 0, 0, false
	}
	first, last := h.floor[len(h.floor)-1].mirrored(), h.floor[0].mirrored()
	if h.ceiling[len(h.ceiling)-1].X <= first.X || last.Y <= h.ceiling[0].Y {
		return 0, 0, false
	}
	if !h.floor.below(top.mirrored()) || !h.ceiling.below(bottom.mirrored()) {
		return 0, 0, false
	}
	if hi, ok = top.at(x); ok {
		lo, ok = bottom.at(^x)
	}
	return ^lo, hi, ok
}

// edge returns the line through two neighbours of which x is between.
func (c chain) edge(x int64) (line, bool) {
	i := sort.Search(len(c), func(i int) bool { return c[i].X >= x })
	if i == 0 || i == len(c) || c[i].X == x {
		return line{}, false
	}
	return line{c[i-1], c[i]}, true
}

// below reports whether no vertex is below a line.
func (c chain) below(l line) bool { return orient(l.P, l.Q, c.support(l.P, l.Q)) >= 0 }

// height is the height at x of the highest line below the chain whose slope is
// between the two lines'. See cuts for why it consists of three parts.
func (c chain) height(x int64, flattest line, hasFlattest bool, steepest line, hasSteepest bool) (int64, bool) {
	switch {
	case len(c) == 0:
		return 0, false
	case hasFlattest && x <= flattest.P.X:
		return flattest.at(x)
	case hasSteepest && x >= steepest.Q.X:
		return steepest.at(x)
	}
	i := sort.Search(len(c), func(i int) bool { return c[i].X >= x })
	switch {
	case i == len(c):
		return 0, false // as steep as one likes
	case i == 0 || c[i].X == x:
		return c[i].Y, true // as level as one likes
	}
	return line{c[i-1], c[i]}.at(x)
}

// at returns the height of the line at x, rounded up; ok is false where no int64 holds it.
func (l line) at(x int64) (y int64, ok bool) {
	_, run := difference(l.Q.X, l.P.X)
	_, rise := difference(l.Q.Y, l.P.Y)
	left, distance := difference(x, l.P.X)
	hi, lo := bits.Mul64(distance, rise)
	if hi >= run {
		return 0, false
	}
	step, rest := bits.Div64(hi, lo, run)
	if !left {
		if rest > 0 {
			step++
		}
		if room := uint64(math.MaxInt64) - uint64(l.P.Y); step > room {
			return 0, false
		}
		return int64(uint64(l.P.Y) + step), true
	}
	if room := uint64(l.P.Y) - 1<<63; step > room {
		return 0, false
	}
	return int64(uint64(l.P.Y) - step), true
}
