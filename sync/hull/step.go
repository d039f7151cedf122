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
		t := from + int64((uint64(to)-uint64(from))/2)
		low, high, ok := c.band(a, t)
		low2, high2, also := c.band(b, t)
		if !ok || !also {
			steps = append(steps, [2]int64{math.MinInt64, math.MaxInt64})
			continue
		}
		steps = append(steps, [2]int64{apart(low2, high), apart(high2, low)})
	}
	return steps
}

// settle finds when each part may be the clock. Two parts do not tell which of the two clocks was set. Whichever it
// was, the step is after the last message of the part before that it sent, and before the first of the part after
// that it received. (Not the other way round: such a message may have been on its way.) By the other clock, which rises
// through the step, that is an interval too; and the clock that was set said what the part before makes of that until the step,
// and what the part after makes of it from then on. Where it was set back these overlap: it
// shows some times twice, and nothing tells which of the two is meant, even where there are messages.
func (c *Corridor) settle() {
	for i := 1; i < len(c.parts); i++ {
		c.parts[i].from, c.parts[i-1].to = math.MaxInt64, math.MinInt64
	}
	for _, pair := range c.pairs {
		a, b := &c.parts[pair[0]], &c.parts[pair[1]]
		before, after := a.swapped(), b.swapped()
		b.from = min(
			b.from, a.sent.X, b.received.X,
			c.lowest(&after, c.lowest(a, a.sent.X)), // set was the first clock
			c.lowest(&before, a.sent.Y),             // set was the second
		)
		a.to = max(
			a.to, a.sent.X, b.received.X,
			c.highest(&before, c.highest(b, b.received.X)),
			c.highest(&after, b.received.Y),
		)
	}
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
