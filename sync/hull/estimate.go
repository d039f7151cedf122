package hull

import (
	"math/big"
	"sort"
)

// AlphaMin and AlphaMax are the slopes of the flattest and the steepest line
// that fit, nil where the slope has no such limit.
func (h *Hull) AlphaMin() *big.Rat { return h.flattest.slope(h.hasFlattest) }
func (h *Hull) AlphaMax() *big.Rat { return h.steepest.slope(h.hasSteepest) }

func (l line) slope(ok bool) *big.Rat {
	if !ok {
		return nil
	}
	return slope(l.P, l.Q)
}

func slope(o, a Point) *big.Rat {
	return new(big.Rat).SetFrac(subtract(a.Y, o.Y), subtract(a.X, o.X))
}

func subtract(a, b int64) *big.Int { return new(big.Int).Sub(big.NewInt(a), big.NewInt(b)) }

// intercept returns Y - alpha·X.
func (p Point) intercept(alpha *big.Rat) *big.Rat {
	b := new(big.Rat).SetInt64(p.X)
	b.Mul(b, alpha)
	return b.Sub(new(big.Rat).SetInt64(p.Y), b)
}

// Midline returns the mean of the steepest and the flattest line, slope by
// slope and intercept by intercept. It fits, since the lines that fit are a
// convex set, and runs through the crossing of the two. It depends on which
// host is the first: the mean of two slopes is not the reciprocal of the mean
// of the reciprocals. ok is false but in class Accurate.
func (h *Hull) Midline() (alpha, beta *big.Rat, ok bool) {
	if h.Class() != Accurate {
		return nil, nil, false
	}
	steep, flat := h.AlphaMax(), h.AlphaMin()
	alpha = mean(steep, flat)
	beta = mean(h.steepest.P.intercept(steep), h.flattest.P.intercept(flat))
	return alpha, beta, true
}

func mean(a, b *big.Rat) *big.Rat {
	m := new(big.Rat).Add(a, b)
	return m.Quo(m, big.NewRat(2, 1))
}

// Apart is by how many ns of the second clock the steepest line is above the flattest at x: more than 0 after their
// crossing, less before. Both must exist.
func (h *Hull) Apart(x int64) *big.Rat {
	// In lowest terms once, which takes the longest.
	var rise [2]*big.Int // above each line's P, in parts of its run
	var run [2]*big.Int
	for i, l := range [2]line{h.steepest, h.flattest} {
		run[i] = subtract(l.Q.X, l.P.X)
		rise[i] = subtract(l.Q.Y, l.P.Y)
		rise[i].Mul(rise[i], subtract(x, l.P.X))
	}
	off := subtract(h.steepest.P.Y, h.flattest.P.Y)
	up := rise[0].Mul(rise[0], run[1])
	up.Sub(up, rise[1].Mul(rise[1], run[0]))
	of := run[0].Mul(run[0], run[1])
	return new(big.Rat).SetFrac(up.Add(up, off.Mul(off, of)), of)
}

// Last is the X of the last point that the steepest or the flattest line rests on: no message after it narrowed what fits,
// taken by time. ok is false unless both lines exist.
func (h *Hull) Last() (x int64, ok bool) {
	return max(h.steepest.Q.X, h.flattest.Q.X), h.hasSteepest && h.hasFlattest
}

// A Choice is the line to use for a link, whatever its class.
type Choice struct {
	Alpha, Beta *big.Rat
	// Relaxed is by how many ns the constraints must give way until a line
	// fits: 0 but in class Fail.
	Relaxed *big.Rat
}

// vague is the range of slopes from which on messages say nothing about the
// rates of two crystals: one hundred times what crystals differ by.
var vague = big.NewRat(2, 100)

// Choose returns the line to use:
//
//   - Accurate: the midline. But a few messages close together leave slopes
//     from nearly 0 to anything, whose mean is no clock's; where they range
//     over more than 2 in 100, it is as if they were open.
//   - Approximate: the slope nearest to 1, because crystals run at nearly
//     the same rate, and the middle of the corridor at that slope;
//   - Incomplete: slope 1 and a shortest delay of zero;
//   - Fail: the line that fits when all constraints are relaxed by the same
//     amount, as little as possible.
//
// ok is false when there is no message.
func (h *Hull) Choose() (c Choice, ok bool) {
	switch h.Class() {
	case Absent:
		return Choice{}, false
	case Fail:
		o, a := h.widest()
		return h.choice(o, a), true
	case Accurate:
		low, high := h.AlphaMin(), h.AlphaMax()
		if high.Sub(high, low).Cmp(vague) <= 0 {
			alpha, beta, _ := h.Midline()
			return Choice{alpha, beta, new(big.Rat)}, true
		}
	}
	origin, one := Point{}, Point{1, 1}
	switch {
	case h.hasFlattest && turn(origin, one, h.flattest.P, h.flattest.Q) > 0:
		return h.choice(h.flattest.P, h.flattest.Q), true
	case h.hasSteepest && turn(origin, one, h.steepest.P, h.steepest.Q) < 0:
		return h.choice(h.steepest.P, h.steepest.Q), true
	}
	return h.choice(origin, one), true
}

// choice is the middle of the corridor at the slope of the vector from o to a.
func (h *Hull) choice(o, a Point) Choice {
	c := Choice{Alpha: slope(o, a), Relaxed: new(big.Rat)}
	var high, low *big.Rat
	if len(h.ceiling) > 0 {
		high = h.ceiling.support(o, a).intercept(c.Alpha)
		c.Beta = high
	}
	if len(h.floor) > 0 {
		low = h.floor.support(o, a).mirrored().intercept(c.Alpha)
		c.Beta = low
	}
	if high == nil || low == nil {
		return c
	}
	c.Beta = mean(high, low)
	if low.Cmp(high) > 0 {
		c.Relaxed.Sub(low, high)
		c.Relaxed.Quo(c.Relaxed, big.NewRat(2, 1))
	}
	return c
}

// widest returns a vector whose slope has the largest gap (see solve). The
// gap grows with the slope as long as the deciding lower point is right of
// the deciding upper point, so its top is at the slope of the edge where they
// change places. Where it has no top between level and vertical, no clock
// made these points, and the slope is 1.
func (h *Hull) widest() (o, a Point) {
	if h.floor[0].mirrored().X <= h.ceiling[0].X {
		return Point{}, Point{1, 1}
	}
	edges := make([]line, 0, len(h.ceiling)+len(h.floor))
	for _, c := range []chain{h.ceiling, h.floor} {
		for i := 1; i < len(c); i++ {
			edges = append(edges, line{c[i-1], c[i]})
		}
	}
	steeper := func(a, b line) int { return turn(a.P, a.Q, b.P, b.Q) }
	sort.Slice(edges, func(i, j int) bool { return steeper(edges[i], edges[j]) > 0 })
	// past returns the vertex that decides for slopes just above the edge's.
	past := func(c chain, e line) Point {
		return c[sort.Search(len(c)-1, func(i int) bool { return steeper(e, line{c[i], c[i+1]}) > 0 })]
	}
	top := sort.Search(len(edges), func(i int) bool {
		upper := past(h.ceiling, edges[i])
		lower := past(h.floor, edges[i]).mirrored()
		return lower.X <= upper.X
	})
	if top == len(edges) {
		return Point{}, Point{1, 1}
	}
	return edges[top].P, edges[top].Q
}
