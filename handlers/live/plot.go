package live

import (
	"math/big"

	"synchroscope/handlers/wire"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// A plot is everything of a link on the same paper.
type plot struct {
	estimate
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
	if alpha == nil || len(upper) == 0 || len(p.pieces) > 1 {
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
		out = append(out, [2]float64{float64(x - p.begin), p.pieces[0].height(alpha, beta, x)})
	}
	return out
}

// body lays out a link. Hulls and tangents are those of one line, so a path has none.
func (p plot) body(link *network.Link, c *corridor, points []constraint) wire.Points {
	out := wire.Points{
		A: link.A, B: link.B, Begin: wire.Time(p.begin), End: wire.Time(p.end), Shown: len(points),
		Lmin: p.tangent(link.AlphaMin, link.Upper), Lmax: p.tangent(link.AlphaMax, link.Upper),
	}
	if len(p.knots) == 0 {
		out.Upper, out.Lower = p.chain(link.Upper), p.chain(link.Lower)
	}
	for _, x := range p.knots {
		out.Knots = append(out.Knots, float64(x-p.begin))
	}
	if k := c.under(link); k != nil {
		out.Band, out.Cuts = p.band(k, c.points()), p.cuts(k)
	}
	for _, q := range points {
		at := p.point(q.X, q.Y)
		out.Points = append(out.Points, [3]float64{at[0], at[1], float64(q.direction)})
	}
	return out
}
