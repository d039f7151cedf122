package network

import (
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// Line is b's clock by a's as a line. known is false where the link has none; then it is the line that places the host
// nevertheless: that of slope 1 without a delay where messages went one way, the one nearest to fitting where they
// contradict each other.
func (k *Link) Line() (line clock.Line, known bool) {
	if k.Alpha != nil && k.Beta != nil {
		return clock.Line{Alpha: k.Alpha, Beta: k.Beta}, true
	}
	if c, ok := hull.Of(k.Upper, k.Lower).Choose(); ok {
		return clock.Line{Alpha: c.Alpha, Beta: c.Beta}, false
	}
	return clock.Same(), false
}

// Tangent is the line of a slope that lies on the upper hull: the steepest and the flattest line that fit lie on both,
// so one is enough. ok is false where there is no slope or no hull.
func (k *Link) Tangent(alpha *big.Rat) (line clock.Line, ok bool) {
	if alpha == nil || len(k.Upper) == 0 {
		return clock.Line{}, false
	}
	var beta *big.Rat
	for _, q := range k.Upper {
		b := new(big.Rat).SetInt64(q.X)
		b.Sub(new(big.Rat).SetInt64(q.Y), b.Mul(b, alpha))
		if beta == nil || b.Cmp(beta) < 0 {
			beta = b
		}
	}
	return clock.Line{Alpha: alpha, Beta: beta}, true
}
