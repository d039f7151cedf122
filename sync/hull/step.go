package hull

import "math"

// A Step is what a link shows of one or more steps: that from From to To by the first clock the second one may be what it was before or what it is
// after, and was set by Least to Most ns in between; without end where that is open.
type Step struct{ From, To, Least, Most int64 }

// Steps returns the steps in order. What a part after one allows in the middle of it, less what the part before allows there, is by how much it was:
// both clocks are under the cap until then and from then on, so the bounds are hard for a
// clock that was set once, in the middle. Set elsewhere in between, it differs by how much
// its rate is another afterwards, over half of that. Parts that a clock's being set back may have made up of messages of before and after are
// of neither, and what they would allow at another time is nothing: the step is from the part before them to the one after.
func (c *Corridor) Steps() (steps []Step) {
	for i := 0; i+1 < len(c.parts); {
		next := c.past(i)
		a, b := &c.parts[i], &c.parts[next]
		least, most := c.halfway(a, b)
		steps = append(steps, Step{b.from, a.to, least, most})
		i = next
	}
	return steps
}

// past is the first part after one that is not made up of messages of before and after a step, as far as that can be: seams reach no farther that begin before it.
func (c *Corridor) past(i int) int {
	next := i + 1
	for grown := true; grown; {
		grown = false
		for _, p := range c.seams {
			if p.a < next && p.b > next {
				next, grown = p.b, true
			}
		}
	}
	return next
}

// Jumps returns for each two parts that follow each other the least and the most by which the second clock is another, as Steps does.
func (c *Corridor) Jumps() (jumps [][2]int64) {
	for i := 1; i < len(c.parts); i++ {
		least, most := c.halfway(&c.parts[i-1], &c.parts[i])
		jumps = append(jumps, [2]int64{least, most})
	}
	return jumps
}

// halfway is the jump from one part to a later one half way between them.
func (c *Corridor) halfway(a, b *part) (least, most int64) {
	from, to := min(a.end, b.begin), max(a.end, b.begin) // a clock that was set back shows times twice
	return c.jump(a, b, middle(from, to))
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
// shows some times twice, and nothing tells which of the two is meant, even where there are messages: unless what its
// host recorded shows that it did not.
func (c *Corridor) between(a, b *part, second bool) (from, to int64) {
	before, after := a.swapped(), b.swapped()
	switch {
	case second:
		from, to = c.lowest(&before, a.sent.Y), c.highest(&after, b.received.Y)
	case c.rising:
		from, to = a.sent.X, b.received.X
	default:
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
