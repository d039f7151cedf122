package clock

import (
	"math/big"
	"slices"
	"sort"
)

// Compose returns the map that applies f first and g to its result, for a
// path A to B to C. It bends where f bends and where g does. Every knot is the
// exact composite, rounded once, so the result is within 1 ns of the exact
// one over the span of both maps' knots; a bend of g that falls between two
// ns of A is put on the nearer.
//
// The bound of the result is known where both are: what g's bound is anywhere
// f may be wrong to, plus f's bound at g's rate.
func Compose(f, g *Map) *Map {
	places := make([]int64, 0, len(f.knots)+len(g.knots)+2)
	for _, k := range f.knots {
		places = append(places, k.Local)
	}
	for _, k := range g.knots {
		places = append(places, f.Local(k.Local))
	}
	slices.Sort(places)
	// The outermost pieces extend beyond their knots and must be long.
	first, last := outer(places[0], places[len(places)-1])
	places = slices.Compact(append(append([]int64{first}, places...), last))
	knots := make([]Knot, 0, len(places))
	for _, x := range places {
		k := Knot{x, round(g.exact(f.exact(integer(x))))}
		if n := len(knots); n == 0 || knots[n-1].Reference < k.Reference {
			knots = append(knots, k)
		}
	}
	if len(knots) < 2 {
		return Identity()
	}
	return &Map{knots: knots, bounds: composeBounds(f, g)}
}

// exact is Reference without rounding.
func (m *Map) exact(x *big.Rat) *big.Rat {
	i := m.piece(func(k Knot) bool { return integer(k.Local).Cmp(x) > 0 })
	a, b := m.knots[i], m.knots[i+1]
	y := new(big.Rat).Sub(x, integer(a.Local))
	y.Mul(y, new(big.Rat).Sub(integer(b.Reference), integer(a.Reference)))
	y.Quo(y, new(big.Rat).Sub(integer(b.Local), integer(a.Local)))
	return y.Add(y, integer(a.Reference))
}

func composeBounds(f, g *Map) [][2]int64 {
	places := make([]int64, 0, len(f.bounds)+len(g.bounds))
	for _, b := range f.bounds {
		places = append(places, b[0])
	}
	for _, b := range g.bounds {
		if x := f.Local(b[0]); len(f.bounds) > 0 && x > f.bounds[0][0] && x < f.bounds[len(f.bounds)-1][0] {
			places = append(places, x)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	var bounds [][2]int64
	// An entry must serve the intervals on both sides of it.
	between := func(i int) (int64, bool) {
		if i < 0 || i+1 >= len(places) {
			return 0, true
		}
		return f.boundThrough(g, places[i], places[i+1])
	}
	for i, x := range places {
		left, ok := between(i - 1)
		right, also := between(i)
		if !ok || !also {
			if len(bounds) > 0 {
				break // beyond what g knows
			}
			continue
		}
		bounds = append(bounds, [2]int64{x, max(left, right)})
	}
	return bounds
}

// boundThrough bounds the error of f then g anywhere from x0 to x1.
func (f *Map) boundThrough(g *Map, x0, x1 int64) (int64, bool) {
	e0, ok0 := f.Error(x0)
	e1, ok1 := f.Error(x1)
	if !ok0 || !ok1 {
		return 0, false
	}
	e := max(e0, e1)
	y0, y1 := f.Reference(x0)-e, f.Reference(x1)+e
	worst, ok := g.worst(y0, y1)
	if !ok {
		return 0, false
	}
	// The steepest piece of g that f's error can reach.
	var spread int64
	i := g.piece(func(k Knot) bool { return k.Local > y0 })
	for ; i+1 < len(g.knots); i++ {
		a, b := g.knots[i], g.knots[i+1]
		spread = max(spread, interpolate(e, 0, b.Local-a.Local, 0, b.Reference-a.Reference))
		if b.Local >= y1 {
			break
		}
	}
	return worst + spread + 2, true // 2: the two maps' rounding
}

// worst is the largest bound from y0 to y1.
func (m *Map) worst(y0, y1 int64) (int64, bool) {
	a, ok := m.Error(y0)
	b, also := m.Error(y1)
	i := sort.Search(len(m.bounds), func(i int) bool { return m.bounds[i][0] >= y0 })
	for ; i < len(m.bounds) && m.bounds[i][0] <= y1; i++ {
		a = max(a, m.bounds[i][1])
	}
	return max(a, b), ok && also
}
