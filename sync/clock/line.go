package clock

import (
	"math"
	"math/big"
)

// A Line is an exact linear clock map, reference = Alpha·local + Beta, Alpha
// positive. Lines are composed exactly and become a Map, rounded once, at the
// end of a path. They must not be changed.
type Line struct{ Alpha, Beta *big.Rat }

// Same is the line of a clock to itself.
func Same() Line { return Line{big.NewRat(1, 1), new(big.Rat)} }

// Then returns the line that applies l first and m to its result. Slopes
// multiply and the offset is scaled: drifts in ppm may not simply be added.
func (l Line) Then(m Line) Line {
	beta := new(big.Rat).Mul(m.Alpha, l.Beta)
	return Line{new(big.Rat).Mul(m.Alpha, l.Alpha), beta.Add(beta, m.Beta)}
}

// Inverse returns the line the other way.
func (l Line) Inverse() Line {
	alpha := new(big.Rat).Inv(l.Alpha)
	beta := new(big.Rat).Mul(alpha, l.Beta)
	return Line{alpha, beta.Neg(beta)}
}

// At returns the exact value at x.
func (l Line) At(x *big.Rat) *big.Rat {
	y := new(big.Rat).Mul(l.Alpha, x)
	return y.Add(y, l.Beta)
}

// reach is how far outside a span the outermost knots are put: 2^47 ns, 39
// hours. A line extended by as much again is still right to a ns or two.
const reach = 1 << 47

// Map returns the line as a map that is right to 1 ns from begin to end and 39
// hours on both sides. It knows no error bound.
func (l Line) Map(begin, end int64) *Map { return Way{l}.Map(begin, end) }

// A Way is lines one after the other: each is applied to what the one before it makes of a time. Of none a time stays what it is.
type Way []Line

// Map returns the lines as one map, rounded once, as Line.Map does: right to 1 ns from begin to end and 39 hours on both sides.
func (w Way) Map(begin, end int64) *Map {
	first, last := outer(begin, end)
	var v fraction
	a, b := Knot{first, w.nearest(first, &v)}, Knot{last, w.nearest(last, &v)}
	if a.Reference >= b.Reference { // a slope that no clock has, or a time beyond int64
		return Identity()
	}
	return &Map{knots: []Knot{a, b}}
}

// outer returns the places of the outermost knots of a map used from begin to end.
func outer(begin, end int64) (first, last int64) {
	first, last = math.MinInt64, math.MaxInt64
	if begin > first+reach {
		first = begin - reach
	}
	if end < last-reach {
		last = end + reach
	}
	return first, last
}

// nearest returns the integer nearest to the value at x, halves up, held within int64. That is asked for so often that the fraction is not put in lowest terms,
// neither at the end nor between two lines.
func (w Way) nearest(x int64, v *fraction) int64 {
	value, of, own := v.value.SetInt64(x), v.of.SetInt64(1), &v.own
	for _, l := range w {
		v.times(value, l.Alpha.Num())
		v.times(value, l.Beta.Denom())
		own.Mul(l.Beta.Num(), l.Alpha.Denom())
		v.times(own, of)
		value.Add(value, own)
		v.times(of, l.Alpha.Denom())
		v.times(of, l.Beta.Denom())
	}
	value.Lsh(value, 1).Add(value, of)
	v.product.DivMod(value, of.Lsh(of, 1), own) // Euclidean: downward, for of is positive
	return nearest(&v.product)
}

// A fraction is a value of a way, in parts of some number; the others are scratch.
type fraction struct{ value, of, own, product big.Int }

// times multiplies a number, which keeps the memory that it has.
func (v *fraction) times(n, by *big.Int) {
	v.product.Mul(n, by)
	n.Set(&v.product)
}

// nearest is the int64 nearest to n.
func nearest(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}
