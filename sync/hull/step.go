package hull

import "math"

// Steps returns for each cut the least and the most that the second clock was set by: what
// the part after it allows in the middle of the cut, less what the part before allows there.
// Both clocks are under the cap until then and from then on, so the bounds are hard for a
// clock that was set once, in the middle. Set elsewhere in the cut, it differs by how much
// its rate is another afterwards, over half of the cut.
func (c *Corridor) Steps() (steps [][2]int64) {
	for i := 1; i < len(c.parts); i++ {
		a, b := &c.parts[i-1], &c.parts[i]
		from, to := min(a.end, b.begin), max(a.end, b.begin) // a clock that was set back shows times twice
		least, most := c.jump(a, b, middle(from, to))
		steps = append(steps, [2]int64{least, most})
	}
	return steps
}

// jump is the least and the most by which the second clock is another at t by b than by a, without end where either is open.
func (c *Corridor) jump(a, b *part, t int64) (least, most int64) {
	low, high, ok := c.band(a, t)
	low2, high2, also := c.band(b, t)
	if !ok || !also {
		return math.MinInt64, math.MaxInt64
	}
	return apart(low2, high), apart(high2, low)
}

// middle is half way from one time to a later one.
func middle(from, to int64) int64 { return from + int64((uint64(to)-uint64(from))/2) }

// A seam is of two parts between which there may be one step.
type seam struct {
	a, b   int
	seen   bool // the messages of the two contradict each other
	forced *gap // others know of it; nil if not
	// What steps of which the two do not tell may make of the second clock in between, at least and at most, for as long as it may be either.
	least, most int64
	// That messages show to be more than one step. Parts in between may be made of messages of the two; then it is by these messages.
	astray astray
}

// settle finds when each part may be the clock.
func (c *Corridor) settle() {
	for i := 1; i < len(c.parts); i++ {
		c.parts[i].from, c.parts[i-1].to = math.MaxInt64, math.MinInt64
	}
	for i := range c.seams {
		p := &c.seams[i]
		a, b := &c.parts[p.a], &c.parts[p.b]
		p.least, p.most = 0, 0
		if p.seen {
			for _, second := range []bool{false, true} {
				from, to := c.between(a, b, second)
				b.from, a.to = min(b.from, from), max(a.to, to)
			}
		}
		if p.forced != nil {
			several := p.seen || p.forced.several()
			if several {
				p.least, p.most = p.forced.spread()
			}
			from, to := c.within(p.forced, a, b, several)
			b.from, a.to = min(b.from, from), max(a.to, to)
		}
	}
}

// between tells from when on b may be the clock, and until when a may be, if the first clock was set, or the second. Two parts do not
// tell which of the two it was. Whichever it
// was, the step is after the last message of the part before that it sent, and before the first of the part after
// that it received. (Not the other way round: such a message may have been on its way.) By the other clock, which rises
// through the step, that is an interval too; and the clock that was set said what the part before makes of that until the step,
// and what the part after makes of it from then on. Where it was set back these overlap: it
// shows some times twice, and nothing tells which of the two is meant, even where there are messages.
func (c *Corridor) between(a, b *part, second bool) (from, to int64) {
	before, after := a.swapped(), b.swapped()
	if second {
		from, to = c.lowest(&before, a.sent.Y), c.highest(&after, b.received.Y)
	} else {
		from, to = c.lowest(&after, c.lowest(a, a.sent.X)), c.highest(&before, c.highest(b, b.received.X))
	}
	return min(from, a.sent.X, b.received.X), max(to, a.sent.X, b.received.X)
}

// mixed reports whether the first clock may have been set back once from a to b, though there seem to be parts in
// between. Then, for as long as it was set by, messages of before and after are among each other, and what they
// contradict may be cut into anything. a goes on until that begins at least, and b reaches back to where it ends, but for
// the width of a window each.
func (c *Corridor) mixed(a, b *part, until, since, width int64) bool {
	by := apart(c.highest(b, since), c.lowest(a, since))
	return by > 0 && apart(apart(since, until), by)/2 <= width
}

// lowest is the lower edge of a part's band at t, without end where it is open.
func (c *Corridor) lowest(p *part, t int64) int64 {
	if lo, _, ok := c.band(p, t); ok {
		return lo
	}
	return math.MinInt64
}

// highest is the upper edge.
func (c *Corridor) highest(p *part, t int64) int64 {
	if _, hi, ok := c.band(p, t); ok {
		return hi
	}
	return math.MaxInt64
}

// apart is a-b, at most an int64.
func apart(a, b int64) int64 {
	negative, magnitude := difference(a, b)
	switch {
	case magnitude > math.MaxInt64 && negative:
		return math.MinInt64
	case magnitude > math.MaxInt64:
		return math.MaxInt64
	case negative:
		return -int64(magnitude)
	}
	return int64(magnitude)
}
