package report

import (
	"synchroscope/sync/clock"
	"synchroscope/sync/network"
)

// estimate is b's clock by a's: the line or the path of a link. known is false where there is none; then it is the line
// that places the host nevertheless.
func estimate(k *network.Link, begin, end int64) (m *clock.Map, known bool) {
	if k.Alpha == nil && len(k.Path) > 1 {
		knots := make([]clock.Knot, len(k.Path))
		for i, p := range k.Path {
			knots[i] = clock.Knot{Local: p.X, Reference: p.Y}
		}
		if m, err := clock.Through(knots); err == nil {
			return m, true
		}
	}
	line, known := k.Line()
	return line.Map(begin, end), known
}
