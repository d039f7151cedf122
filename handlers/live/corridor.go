package live

import (
	"cmp"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// samples is at how many even instants a band is taken, beside those that matter.
const samples = 512

// touching are those messages of each stretch of time that can touch a clock, by rising X.
func touching(e *network.Evidence) []constraint {
	points := slices.Concat(constraints(e.Points(hull.Upper), 0), constraints(e.Points(hull.Lower), 1))
	slices.SortFunc(points, func(p, q constraint) int {
		return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.direction, q.direction))
	})
	return points
}

// band is where b's clock can be by a's. Its sides are drawn straight from one instant to the
// next, so there is one wherever a message would lie inside of them.
// Where nothing is known in between it begins anew: breaks are the places in it from which it does.
func (p plot) band(k *hull.Corridor, points []constraint) (out [][3]float64, breaks []int) {
	next, unknown := 0, false
	for _, x := range k.Instants(p.begin, p.end, samples, p.knots) {
		right, ok := p.bandAt(k, x)
		if !ok {
			unknown = true
			continue
		}
		first := next
		for next < len(points) && points[next].X < x {
			next++
		}
		switch {
		case len(out) == 0:
		case unknown:
			breaks = append(breaks, len(out))
		default:
			out = p.between(k, out[len(out)-1], right, points[first:next], out)
		}
		unknown = false
		out = append(out, right)
	}
	return out, breaks
}

// between appends the band at those points that would lie inside of it, were it straight from left to right.
func (p plot) between(k *hull.Corridor, left, right [3]float64, points []constraint, out [][3]float64) [][3]float64 {
	for i, q := range points {
		if !inside(left, right, p.point(q.X, q.Y), q.direction) {
			continue
		}
		if here, ok := p.bandAt(k, q.X); ok {
			out = append(p.between(k, left, here, points[:i], out), here) // those before it have another side now
			return p.between(k, here, right, points[i+1:], out)
		}
	}
	return out
}

func (p plot) bandAt(k *hull.Corridor, x int64) (at [3]float64, ok bool) {
	low, high, ok := k.Band(x)
	return [3]float64{float64(x - p.begin), p.residual(x, low), p.residual(x, high)}, ok
}

// inside tells whether a constraint is on the wrong side of the band between two instants.
func inside(left, right [3]float64, q [2]float64, direction uint8) bool {
	side, share := 2-int(direction), (q[0]-left[0])/max(1, right[0]-left[0])
	edge := left[side] + share*(right[side]-left[side])
	if direction == 0 {
		return q[1] < edge
	}
	return q[1] > edge
}

// cuts are the steps of the clock: from when to when on paper it may be before or after, by how
// much b's clock was set against a's, and by how much that may be wrong.
func (p plot) cuts(k *hull.Corridor) (out [][4]float64) {
	for _, s := range k.Steps() {
		least, most := float64(s.Least), float64(s.Most)
		out = append(out, [4]float64{
			float64(max(s.From, p.begin) - p.begin), float64(min(s.To, p.end) - p.begin),
			least + (most-least)/2, (most - least) / 2,
		})
	}
	return out
}
