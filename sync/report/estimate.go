package report

import (
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// estimate is b's clock by a's: the line or the path of a link. known is false where there is none; then it is the line
// that places the host nevertheless: slope 1 without a delay where messages went one way, the line
// nearest to fitting where they contradict each other.
func estimate(k *network.Link, begin, end int64) (m *clock.Map, known bool) {
	switch {
	case k.Alpha != nil && k.Beta != nil:
		return clock.Line{Alpha: k.Alpha, Beta: k.Beta}.Map(begin, end), true
	case len(k.Path) > 1:
		knots := make([]clock.Knot, len(k.Path))
		for i, p := range k.Path {
			knots[i] = clock.Knot{Local: p.X, Reference: p.Y}
		}
		if m, err := clock.Through(knots); err == nil {
			return m, true
		}
	}
	var h hull.Hull
	for _, p := range k.Upper {
		h.Add(hull.Upper, p)
	}
	for _, p := range k.Lower {
		h.Add(hull.Lower, p)
	}
	if c, ok := h.Choose(); ok {
		return clock.Line{Alpha: c.Alpha, Beta: c.Beta}.Map(begin, end), false
	}
	return clock.Identity(), false
}

// tangent is the line of a slope that lies on the upper hull: Lmin and Lmax lie on both, so one is enough. It is nil where there
// is no slope.
func tangent(alpha *big.Rat, upper []hull.Point, begin, end int64) *clock.Map {
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
	return clock.Line{Alpha: alpha, Beta: beta}.Map(begin, end)
}
