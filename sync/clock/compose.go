package clock

import (
	"math"
	"math/big"
	"slices"
)

// Compose returns the map that applies f first and g to its result, for a
// path A to B to C. It bends where f bends and where g does. Every knot is the
// exact composite, rounded once, so the result is within 1 ns of the exact
// one over the span of both maps' knots. A bend of g that falls between two
// ns of A is put on the nearer.
//
// Beside steps maps are steep, or level. Half a ns beside the upper end of a piece that rises by seconds within a ns the composite is
// seconds below that end, and all up to the next bend would rise from there; so where g's rate breaks there is
// a knot on either side. And a piece that rises by less than rounding makes of it still has an end: it rises by one ns.
//
// The bound of the result is known where both are: what g's bound is anywhere
// f may be wrong to, plus f's bound at g's rate.
func Compose(f, g *Map) *Map {
	places := make([]int64, 0, len(f.knots)+len(g.knots)+2)
	for _, k := range f.knots {
		places = append(places, k.Local)
	}
	for i, k := range g.knots {
		x := f.Local(k.Local)
		places = append(places, x)
		if g.breaks(i) && x > math.MinInt64 && x < math.MaxInt64 {
			places = append(places, x-int64(f.side(Knot{x, k.Local})))
		}
	}
	slices.Sort(places)
	// The outermost pieces extend beyond their knots and must be long.
	first, last := outer(places[0], places[len(places)-1])
	places = slices.Compact(append(append([]int64{first}, places...), last))
	knots := make([]Knot, 0, len(places))
	var c composer
	level := false // the last knot is the end of a piece that does not rise
	for _, x := range places {
		k := Knot{x, c.at(f, g, x)}
		if n := len(knots); n > 0 && k.Reference <= knots[n-1].Reference {
			end := &knots[n-1]
			if level {
				end.Local = x
				continue
			}
			if end.Reference == math.MaxInt64 {
				break
			}
			k.Reference, level = end.Reference+1, true
		} else {
			level = false
		}
		knots = append(knots, k)
	}
	if len(knots) < 2 {
		return Identity()
	}
	return &Map{knots: knots, bounds: composeBounds(f, g)}
}

// breaking is by how much a rate changes where a map does more than bend: rates of clocks differ by less.
const breaking = 0.5

// breaks reports whether the rate breaks at a knot.
func (m *Map) breaks(i int) bool {
	if i == 0 || i == len(m.knots)-1 {
		return false
	}
	return math.Abs(m.rate(i)-m.rate(i-1)) > breaking
}

// side is -1 if a knot is above the map, 1 if it is below, 0 if it is on it. Its reference is between those of knots on either side of its local time.
func (m *Map) side(k Knot) int {
	i := m.piece(func(o Knot) bool { return o.Reference > k.Reference })
	a, b := m.knots[i], m.knots[i+1]
	product := func(x0, x, y0, y1 int64) *big.Int {
		d := new(big.Int).Sub(big.NewInt(x), big.NewInt(x0))
		return d.Mul(d, new(big.Int).SetUint64(uint64(y1)-uint64(y0)))
	}
	return product(a.Local, k.Local, a.Reference, b.Reference).Cmp(product(a.Reference, k.Reference, a.Local, b.Local))
}

// A composer evaluates two maps after each other in integers; these are its scratch.
type composer struct{ n, d, q, r, t big.Int }

// at is g of f of x, rounded once, half upward; what does not fit is the nearest that does.
//
// Between a and b, f is a.Reference + n/d with d = b.Local-a.Local. Its whole ns
// choose the piece of g, and g multiplies what is above that piece's beginning, in parts of d.
func (c *composer) at(f, g *Map, x int64) int64 {
	i := f.piece(func(k Knot) bool { return k.Local > x })
	a, b := f.knots[i], f.knots[i+1]
	c.d.SetUint64(uint64(b.Local) - uint64(a.Local))
	c.n.SetInt64(x)
	c.n.Sub(&c.n, c.t.SetInt64(a.Local))
	c.n.Mul(&c.n, c.t.SetUint64(uint64(b.Reference)-uint64(a.Reference)))
	c.q.DivMod(&c.n, &c.d, &c.r)
	c.q.Add(&c.q, c.t.SetInt64(a.Reference))

	j := 0
	if y := &c.q; y.IsInt64() {
		j = g.piece(func(k Knot) bool { return k.Local > y.Int64() })
	} else if y.Sign() > 0 {
		j = len(g.knots) - 2
	}
	a, b = g.knots[j], g.knots[j+1]
	c.n.Sub(&c.q, c.t.SetInt64(a.Local))
	c.n.Mul(&c.n, &c.d)
	c.n.Add(&c.n, &c.r)
	c.n.Mul(&c.n, c.t.SetUint64(uint64(b.Reference)-uint64(a.Reference)))
	c.d.Mul(&c.d, c.t.SetUint64(uint64(b.Local)-uint64(a.Local)))
	c.n.Lsh(&c.n, 1)
	c.n.Add(&c.n, &c.d)
	c.n.DivMod(&c.n, c.d.Lsh(&c.d, 1), &c.r)
	return nearest(c.n.Add(&c.n, c.t.SetInt64(a.Reference)))
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
	_, ok0 = g.Error(y0)
	_, ok1 = g.Error(y1)
	if !ok0 || !ok1 {
		return 0, false
	}
	worst, _ := g.Worst(y0, y1)
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
