package hull

import (
	"math/bits"
	"sort"
)

// A chain is the part of the lower convex hull of a set of points that lines
// of positive slope can touch from below: strictly rising in X and Y, every
// vertex a left turn. Its first vertex is the lowest point of the set (the
// rightmost of them), its last the rightmost (the lowest of them).
//
// The floor of a hull, an upper concave hull, is kept as a chain too, of the
// points mirrored through the origin: mirroring keeps slopes and exchanges
// above and below.
type chain []Point

// mirrored is -1-X, -1-Y: the bitwise complement exchanges the order of all
// int64, keeps differences, and has no value without an image, as -X has.
func (p Point) mirrored() Point { return Point{^p.X, ^p.Y} }

// insert adds p and reports whether the chain changed. The chain's storage is reused.
func (c chain) insert(p Point) (chain, bool) {
	// after is the first vertex not left of p. Messages mostly come in
	// order, so the end is tried first.
	after := len(c)
	if after > 0 && c[after-1].X >= p.X {
		after = sort.Search(len(c), func(i int) bool { return c[i].X >= p.X })
	}
	if after < len(c) && c[after].Y <= p.Y {
		return c, false // a vertex right of p, or above it, and not higher: p is implied
	}
	before := after // the vertices left of it stay
	if after < len(c) && c[after].X == p.X {
		after++
	}
	for before > 0 && c[before-1].Y >= p.Y {
		before-- // p implies it
	}
	if before > 0 && after < len(c) && orient(c[before-1], c[after], p) >= 0 {
		return c, false
	}
	for before > 1 && orient(c[before-2], c[before-1], p) <= 0 {
		before--
	}
	for after+1 < len(c) && orient(p, c[after], c[after+1]) <= 0 {
		after++
	}
	if before == after {
		c = append(c, Point{})
		copy(c[before+1:], c[before:])
	} else {
		c = append(c[:before+1], c[after:]...)
	}
	c[before] = p
	return c, true
}

// support returns the vertex that a line with the slope of the vector from o
// to a, coming from below, touches first. Both rise, the vector and the chain, so that
// their products have no sign; the chain may also be upright for a while, as one that was lifted may.
func (c chain) support(o, a Point) Point {
	right, up := uint64(a.X)-uint64(o.X), uint64(a.Y)-uint64(o.Y)
	from, to := 0, len(c)-1
	for from < to {
		i := int(uint(from+to) >> 1)
		p, q := &c[i], &c[i+1]
		hi, lo := bits.Mul64(right, uint64(q.Y)-uint64(p.Y))
		high, low := bits.Mul64(up, uint64(q.X)-uint64(p.X))
		if hi > high || hi == high && lo >= low {
			to = i
		} else {
			from = i + 1
		}
	}
	return c[from]
}

// swapped exchanges X and Y. A ceiling seen from the other host is a floor,
// so the result is mirrored; of a mirrored floor it is a ceiling.
func (c chain) swapped() chain {
	s := make(chain, len(c))
	for i, p := range c {
		s[len(s)-1-i] = Point{^p.Y, ^p.X}
	}
	return s
}
