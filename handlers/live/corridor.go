package live

import (
	"cmp"
	"math"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// samples is at how many even instants a band is taken, beside those that matter.
const samples = 512

// A corridor is what the messages of a link allow, made of them as the solution makes
// it: with the clock of the lower id as the first.
type corridor struct {
	swapped bool // b's clock is the first
	series  hull.Series
}

func newCorridor(hosts []network.Host, link *network.Link) *corridor {
	swapped := false
	if int(max(link.A, link.B)) < len(hosts) {
		swapped = cmp.Or(cmp.Compare(hosts[link.A].ID, hosts[link.B].ID), cmp.Compare(link.A, link.B)) > 0
	}
	return &corridor{swapped: swapped}
}

// add takes a constraint as a sees it.
func (c *corridor) add(p constraint) {
	if c.swapped {
		p = p.turned()
	}
	c.series.Add(hull.Side(p.direction), p.Point)
}

// turned is the constraint as the other host sees it.
func (p constraint) turned() constraint {
	return constraint{hull.Point{X: p.Y, Y: p.X}, 1 - p.direction}
}

// points are those of each stretch of time that can touch a clock, as a sees them, by rising X.
func (c *corridor) points() []constraint {
	points := slices.Concat(constraints(c.series.Points(hull.Upper), 0), constraints(c.series.Points(hull.Lower), 1))
	if c.swapped {
		for i, p := range points {
			points[i] = p.turned()
		}
	}
	slices.SortFunc(points, func(p, q constraint) int {
		return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.direction, q.direction))
	})
	return points
}

// under is the corridor under the link's cap; nil where nothing bounds the link.
func (c *corridor) under(link *network.Link) *hull.Corridor {
	if link.RateCap <= 0 {
		return nil
	}
	fit := c.series.Fit()
	if !fit.OK {
		return nil
	}
	// Caps are powers of two times the first.
	k := c.series.Corridor(fit, hull.Cap(math.Round(math.Log2(link.RateCap/hull.Crystals.PerSecond()))))
	if c.swapped {
		return k.Swap()
	}
	return k
}

// band is where b's clock can be by a's. Its sides are drawn straight from one instant to the
// next, so there is one wherever a message would lie inside of them.
func (p plot) band(k *hull.Corridor, points []constraint) [][3]float64 {
	at := []int64{p.begin, p.end}
	step := (uint64(p.end) - uint64(p.begin)) / samples
	for i := range uint64(samples) {
		at = append(at, int64(uint64(p.begin)+i*step))
	}
	at = append(at, p.knots...)
	for i, e := range k.Edges() {
		at = append(at, e, e+int64(i%2*2-1)) // within the cut both sides are allowed
	}
	at = slices.DeleteFunc(at, func(x int64) bool { return x < p.begin || x > p.end })
	slices.Sort(at)
	var out [][3]float64
	next := 0
	for _, x := range slices.Compact(at) {
		right, ok := p.bandAt(k, x)
		if !ok {
			continue
		}
		for ; next < len(points) && points[next].X < x; next++ {
			if q := points[next]; len(out) > 0 && inside(out[len(out)-1], right, p.point(q.X, q.Y), q.direction) {
				if here, ok := p.bandAt(k, q.X); ok {
					out = append(out, here)
				}
			}
		}
		out = append(out, right)
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

// cuts are the steps of the clock: from the last message before to the first after, by how
// much b's clock was set against a's, and by how much that may be wrong.
func (p plot) cuts(k *hull.Corridor) (out [][4]float64) {
	edges := k.Edges()
	for i, s := range k.Steps() {
		least, most := float64(s[0]), float64(s[1])
		out = append(out, [4]float64{
			float64(edges[2*i] - p.begin), float64(edges[2*i+1] - p.begin),
			least + (most-least)/2, (most - least) / 2,
		})
	}
	return out
}
