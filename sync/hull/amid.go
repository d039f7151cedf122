package hull

import "math"

// Between two parts of a link there may be several steps, of either clock, that its messages do not tell from each other: it is silent while they are made. What
// it shows is their sum. While some are made and others are not yet the clock is neither what the part before allows nor what the one after does, but
// that with some of the steps of which others know.

// several reports whether the steps of a gap are more than one.
func (g *gap) several() bool {
	for i := range g.cuts {
		if g.cuts[i].step().several() {
			return true
		}
		for j := range i {
			if !g.cuts[i].same(&g.cuts[j]) {
				return true
			}
		}
	}
	return false
}

// same reports whether two cuts may be one step: who tells of both does not know which of its clocks was set. One of a host that the two clocks
// have in common with others would be the same to both, and none to the link.
func (c *Cut) same(o *Cut) bool {
	if c.Second == o.Second && c.By == o.By {
		return false
	}
	other := o.step()
	if c.Second != o.Second {
		other.Least, other.Most = negative(o.Most), negative(o.Least)
	}
	return c.step().Like(other)
}

// step is what the cut makes of the second clock, at no time.
func (c *Cut) step() Set { return Set{Least: c.Least, Most: c.Most, Low: c.Low, High: c.High} }

// spread is what some of the steps of a gap may make of the second clock, the least and the most. Those that one tells of come after each other, so they add up; what
// several tell of the same clock may be the same steps.
func (g *gap) spread() (least, most int64) {
	type teller struct {
		second bool
		by     int32
	}
	sums := make(map[teller][2]int64)
	for _, c := range g.cuts {
		s := sums[teller{c.Second, c.By}]
		sums[teller{c.Second, c.By}] = [2]int64{plus(s[0], c.Low), plus(s[1], c.High)}
	}
	var ends [2][2]int64
	for who, s := range sums {
		end := &ends[0]
		if who.second {
			end = &ends[1]
		}
		end[0], end[1] = min(end[0], s[0]), max(end[1], s[1])
	}
	least, most = plus(ends[0][0], ends[1][0]), plus(ends[0][1], ends[1][1])
	// By clocks whose rates are not the same steps are not, by 1 in 1000.
	return plus(least, least>>10), plus(most, most>>10)
}

// amid widens a band at t by what there may be in the middle of a seam.
func (c *Corridor) amid(p *seam, t, lo, hi int64) (int64, int64, bool) {
	if p.least == 0 && p.most == 0 {
		return lo, hi, true
	}
	if p.least == math.MinInt64 || p.most == math.MaxInt64 {
		return 0, 0, false
	}
	for _, of := range []struct {
		part        *part
		least, most int64
	}{{&c.parts[p.a], p.least, p.most}, {&c.parts[p.b], -p.most, -p.least}} {
		low, high, ok := c.band(of.part, t)
		if !ok {
			return 0, 0, false
		}
		lo, hi = min(lo, plus(low, of.least)), max(hi, plus(high, of.most))
	}
	return lo, hi, true
}

// plus is a+b, without end if either is.
func plus(a, b int64) int64 {
	switch {
	case a == math.MinInt64 || b == math.MinInt64:
		return math.MinInt64
	case a == math.MaxInt64 || b == math.MaxInt64:
		return math.MaxInt64
	}
	return apart(a, -b)
}

// negative is -a, without end if a is.
func negative(a int64) int64 {
	switch a {
	case math.MinInt64:
		return math.MaxInt64
	case math.MaxInt64:
		return math.MinInt64
	}
	return -a
}

// astray is how far the second clock may have been from a part before the next one came, by messages in between that contradict both, and when at
// least. The zero value is that of no such messages.
type astray struct {
	low, high    int64
	since, until Point
}

// swapped is the same of the first clock by the second.
func (a astray) swapped() astray {
	return astray{negative(a.high), negative(a.low), Point{a.since.Y, a.since.X}, Point{a.until.Y, a.until.X}}
}

// stray is how far the second clock was from a part, until another came. A message that contradicts both says how far
// at least; how far at most says the nearest of the other direction that does not contradict it. Without one nobody knows. As a clock that was set back shows
// times twice, it was so as much later than the first of these messages, and earlier than the last, as they are off.
func (c *Corridor) stray(before, after *part, messages []constraint) astray {
	type off struct {
		constraint
		least, most   int64 // how far it is from the part before
		short, beyond bool  // of what both parts allow
	}
	unknown := astray{math.MinInt64, math.MaxInt64, Point{math.MaxInt64, math.MaxInt64}, Point{math.MinInt64, math.MinInt64}}
	found := astray{since: unknown.since, until: unknown.until}
	var list []off
	for _, m := range messages {
		lo, hi, ok := c.band(before, m.X)
		lo2, hi2, also := c.band(after, m.X)
		if !ok || !also {
			return unknown
		}
		o := off{m, apart(m.Y, hi), apart(m.Y, lo), m.side == Upper && m.Y < min(lo, lo2), m.side == Lower && m.Y > max(hi, hi2)}
		if o.beyond {
			found.high = max(found.high, o.least)
		}
		if o.short {
			found.low = min(found.low, o.most)
		}
		if o.short || o.beyond {
			found.since = Point{min(found.since.X, m.X), min(found.since.Y, m.Y)}
			found.until = Point{max(found.until.X, m.X), max(found.until.Y, m.Y)}
		}
		list = append(list, o)
	}
	by := max(found.high, negative(found.low))
	by = After(by, by/8)
	found.since = Point{After(found.since.X, by), After(found.since.Y, by)}
	found.until = Point{apart(found.until.X, by), apart(found.until.Y, by)}
	least, most := unknown.low, unknown.high
	for _, m := range list {
		switch {
		case m.side == Upper && m.most >= found.high:
			most = min(most, m.most)
		case m.side == Lower && m.least <= found.low:
			least = max(least, m.least)
		}
	}
	if found.high > 0 {
		found.high = most
	}
	if found.low < 0 {
		found.low = least
	}
	return found
}
