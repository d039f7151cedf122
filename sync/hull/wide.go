package hull

import "math/bits"

// wide is a signed product of two 64-bit differences: 65 bits times 65 bits
// in sign and magnitude. The sign of zero is positive.
type wide struct {
	negative bool
	hi, lo   uint64
}

// difference returns a-b as sign and magnitude, exact for all int64.
func difference(a, b int64) (negative bool, magnitude uint64) {
	if a >= b {
		return false, uint64(a) - uint64(b)
	}
	return true, uint64(b) - uint64(a)
}

// times returns the product of two differences, each as sign and magnitude.
func times(n bool, u uint64, m bool, v uint64) wide {
	hi, lo := bits.Mul64(u, v)
	return wide{n != m && hi|lo != 0, hi, lo}
}

func (w wide) compare(v wide) int {
	if w.negative != v.negative {
		if w.negative {
			return -1
		}
		return 1
	}
	order := 0
	switch {
	case w.hi != v.hi:
		order = sign(w.hi > v.hi)
	case w.lo != v.lo:
		order = sign(w.lo > v.lo)
	}
	if w.negative {
		return -order
	}
	return order
}

func sign(greater bool) int {
	if greater {
		return 1
	}
	return -1
}

// turn is the sign of the cross product of the vectors from o to a and from p to b:
// positive when the second is steeper than the first, if both point right.
func turn(o, a, p, b Point) int {
	d := directed(o, a)
	return d.turn(p, b)
}

// A direction is the vector from one point to another, for many turns against it.
type direction struct {
	left, down bool
	x, y       uint64
}

func directed(o, a Point) (d direction) {
	d.left, d.x = difference(a.X, o.X)
	d.down, d.y = difference(a.Y, o.Y)
	return d
}

// turn is that from the direction to the vector from p to b.
func (d *direction) turn(p, b Point) int {
	left, x := difference(b.X, p.X)
	down, y := difference(b.Y, p.Y)
	return times(d.left, d.x, down, y).compare(times(d.down, d.y, left, x))
}

// orient is positive when b is on the left of the ray from o through a:
// above it, if a is right of o.
func orient(o, a, b Point) int { return turn(o, a, o, b) }
