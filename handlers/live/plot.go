package live

import (
	"cmp"
	"math/big"
	"slices"

	"synchroscope/handlers/wire"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// A ruler is a line y = alpha·x + beta against which residuals are taken. They are
// a few µs beside times of 2^60 ns, so they are computed in whole numbers and
// become floats last.
type ruler struct {
	scale         *big.Int // a common denominator
	alpha, offset *big.Int // times scale
}

func newRuler(alpha, beta *big.Rat) ruler {
	scale := new(big.Int).Mul(alpha.Denom(), beta.Denom())
	return ruler{
		scale:  scale,
		alpha:  new(big.Int).Mul(alpha.Num(), beta.Denom()),
		offset: new(big.Int).Mul(beta.Num(), alpha.Denom()),
	}
}

// rulerOf is the midline of a link; where it has none, the line of slope 1
// through its first point.
func rulerOf(link *network.Link, points []constraint) (r ruler, midline bool) {
	if link.Alpha != nil && link.Beta != nil {
		return newRuler(link.Alpha, link.Beta), true
	}
	first := slices.MinFunc(points, func(p, q constraint) int {
		return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y))
	})
	beta := new(big.Rat).SetInt(new(big.Int).Sub(big.NewInt(first.Y), big.NewInt(first.X)))
	return newRuler(big.NewRat(1, 1), beta), false
}

// residual is y - (alpha·x + beta) in ns.
func (r ruler) residual(x, y int64) float64 {
	d := new(big.Int).Mul(big.NewInt(y), r.scale)
	d.Sub(d, new(big.Int).Mul(big.NewInt(x), r.alpha))
	d.Sub(d, r.offset)
	f, _ := new(big.Rat).SetFrac(d, r.scale).Float64()
	return f
}

// height is the residual at x of another line.
func (r ruler) height(alpha, beta *big.Rat, x int64) float64 {
	y := new(big.Rat).Mul(alpha, new(big.Rat).SetInt64(x))
	y.Add(y, beta)
	y.Mul(y, new(big.Rat).SetInt(r.scale))
	y.Sub(y, new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(x), r.alpha)))
	y.Sub(y, new(big.Rat).SetInt(r.offset))
	f, _ := y.Quo(y, new(big.Rat).SetInt(r.scale)).Float64()
	return f
}

// A plot is everything of a link on the same paper.
type plot struct {
	ruler
	span
}

func (p plot) point(x, y int64) [2]float64 {
	return [2]float64{float64(x - p.begin), p.residual(x, y)}
}

func (p plot) chain(points []hull.Point) (out [][2]float64) {
	for _, q := range points {
		out = append(out, p.point(q.X, q.Y))
	}
	return out
}

// tangent draws the line of a slope that lies on the upper hull, from begin to
// end: Lmin and Lmax lie on both hulls, so one is enough.
func (p plot) tangent(alpha *big.Rat, upper []hull.Point) (out [][2]float64) {
	if alpha == nil || len(upper) == 0 {
		return nil
	}
	var beta *big.Rat
	for _, q := range upper {
		b := new(big.Rat).SetInt64(q.X)
		b.Sub(new(big.Rat).SetInt64(q.Y), b.Mul(b, alpha))
		if beta == nil || b.Cmp(beta) < 0 {
			beta = b
		}
	}
	for _, x := range []int64{p.begin, p.end} {
		out = append(out, [2]float64{float64(x - p.begin), p.height(alpha, beta, x)})
	}
	return out
}

// band is where any line that fits can be. Both its sides are straight between the
// vertices of the hulls.
func (p plot) band(link *network.Link) (out [][3]float64) {
	var h hull.Hull
	xs := []int64{p.begin, p.end}
	for side, points := range [][]hull.Point{hull.Upper: link.Upper, hull.Lower: link.Lower} {
		for _, q := range points {
			h.Add(hull.Side(side), q)
			xs = append(xs, q.X)
		}
	}
	slices.Sort(xs)
	for _, x := range slices.Compact(xs) {
		if low, high, ok := h.Band(x); ok {
			out = append(out, [3]float64{float64(x - p.begin), p.residual(x, low), p.residual(x, high)})
		}
	}
	return out
}

// body lays out a link.
func (p plot) body(link *network.Link, points []constraint) wire.Points {
	out := wire.Points{
		A: link.A, B: link.B, Begin: wire.Time(p.begin), End: wire.Time(p.end), Shown: len(points),
		Upper: p.chain(link.Upper), Lower: p.chain(link.Lower),
		Lmin: p.tangent(link.AlphaMin, link.Upper), Lmax: p.tangent(link.AlphaMax, link.Upper),
		Band: p.band(link),
	}
	for _, q := range points {
		at := p.point(q.X, q.Y)
		out.Points = append(out.Points, [3]float64{at[0], at[1], float64(q.direction)})
	}
	return out
}
