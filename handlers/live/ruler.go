package live

import (
	"math/big"
	"sort"

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

// through is the line through two points; q is right of p.
func through(p, q hull.Point) ruler {
	dx := new(big.Int).Sub(big.NewInt(q.X), big.NewInt(p.X))
	dy := new(big.Int).Sub(big.NewInt(q.Y), big.NewInt(p.Y))
	offset := new(big.Int).Mul(big.NewInt(p.Y), dx)
	offset.Sub(offset, new(big.Int).Mul(dy, big.NewInt(p.X)))
	return ruler{scale: dx, alpha: dy, offset: offset}
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

// An estimate is the clock of b by that of a that a link has: a line, or one that is
// straight between knots and goes on beyond the first and the last.
type estimate struct {
	knots  []int64 // where a piece ends and the next begins
	pieces []ruler // one more than knots
}

// estimateOf is the line or the path of a link. Where there is none ok is false, and the
// estimate is the line that places the host nevertheless.
func estimateOf(link *network.Link) (e estimate, ok bool) {
	if link.Alpha == nil && len(link.Path) > 1 {
		for i, k := range link.Path[1:] {
			e.pieces = append(e.pieces, through(link.Path[i], k))
			e.knots = append(e.knots, k.X)
		}
		e.knots = e.knots[:len(e.knots)-1]
		return e, true
	}
	line, ok := link.Line()
	return estimate{pieces: []ruler{newRuler(line.Alpha, line.Beta)}}, ok
}

// at is the piece that holds when a reads x.
func (e estimate) at(x int64) ruler {
	return e.pieces[sort.Search(len(e.knots), func(i int) bool { return e.knots[i] >= x })]
}

// residual is what a reading y of b is beyond the estimate when a reads x, in ns.
func (e estimate) residual(x, y int64) float64 { return e.at(x).residual(x, y) }
