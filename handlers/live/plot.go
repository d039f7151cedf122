package live

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"synchroscope/handlers/wire"
	"synchroscope/sync/clock"
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

// tangent draws the line of a slope that lies on the hulls, from begin to end.
func (p plot) tangent(link *network.Link, alpha *big.Rat) (out [][2]float64) {
	line, ok := link.Tangent(alpha)
	if !ok || len(p.pieces) > 1 {
		return nil
	}
	for _, x := range []int64{p.begin, p.end} {
		out = append(out, [2]float64{float64(x - p.begin), p.pieces[0].height(line.Alpha, line.Beta, x)})
	}
	return out
}

// force is b's clock by a's as the maps of both have it, where they bend and where the estimate does; nothing where no map relates them.
func (p plot) force(a, b *network.Host) (out [][2]float64) {
	if a.Component != b.Component || a.Map == nil || b.Map == nil {
		return nil
	}
	m := clock.Compose(a.Map, b.Map.Inverse())
	at := append([]int64{p.begin, p.end}, p.knots...)
	for _, k := range m.Knots() {
		at = append(at, k.Local)
	}
	slices.Sort(at)
	for _, x := range slices.Compact(at) {
		if x >= p.begin && x <= p.end {
			out = append(out, p.point(x, m.Reference(x)))
		}
	}
	return out
}

// drift is the estimate by both clocks as they were recorded: by how much b's is ahead of a's at the
// begin, and by how much more there, where its pieces end, and at the end.
func (p plot) drift() (ahead int64, out [][2]float64) {
	ahead = int64(-p.residual(p.begin, p.begin))
	ahead -= int64(math.Round(p.residual(p.begin, p.begin+ahead))) // the first had but the digits of a float
	at := []int64{p.begin}
	for _, x := range p.knots {
		if x > p.begin && x < p.end {
			at = append(at, x)
		}
	}
	for _, x := range append(at, p.end) {
		out = append(out, [2]float64{float64(x - p.begin), -p.residual(x, x+ahead)})
	}
	return ahead, out
}

// body lays out a link. Hulls and tangents are those of one line, so a path has none.
func (p plot) body(link *network.Link, e *network.Evidence, points []constraint) wire.Points {
	out := wire.Points{
		A: link.A, B: link.B, Begin: wire.Time(p.begin), End: wire.Time(p.end), Shown: len(points),
		Lmin: p.tangent(link, link.AlphaMin), Lmax: p.tangent(link, link.AlphaMax),
	}
	if len(p.knots) == 0 {
		out.Upper, out.Lower = p.chain(link.Upper), p.chain(link.Lower)
	}
	ahead, drift := p.drift()
	out.Ahead, out.Drift = wire.Time(ahead), drift
	for _, x := range p.knots {
		out.Knots = append(out.Knots, float64(x-p.begin))
	}
	if k := e.Corridor(link); k != nil {
		out.Band, out.Breaks = p.band(e.Used(link), touching(e))
		out.Cuts, out.Told = p.cuts(k), len(link.Told) > 0
	}
	if len(points) > 0 {
		out.BBegin = wire.Time(slices.MinFunc(points, func(x, y constraint) int { return cmp.Compare(x.Y, y.Y) }).Y)
	}
	for _, q := range points {
		at := p.point(q.X, q.Y)
		out.Points = append(out.Points, [3]float64{at[0], at[1], float64(q.direction)})
		out.BTimes = append(out.BTimes, float64(q.Y-int64(out.BBegin)))
	}
	return out
}
