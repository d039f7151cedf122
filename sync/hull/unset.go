package hull

import "math"

// Unset is the time by the first clock, around some messages, in which no clock was set as far as the corridor knows. The messages are from one time to
// another by both clocks, and of a window that is from begin to before end by either. Outside of the window it ends where the clock may be that of before or
// after a step. Within it reaches to the last message that is surely on the same side of the step as those given, for a clock that was set back shows times twice,
// and in the window they are those of the window; but for those that it shows twice there. The steps that the messages show by themselves are none to it, as many as are
// said: where there are more among them, it is the time surely on the side of all that most of the messages are on. ok is false where there is none.
//
// Once is the part of it that is shown once: elsewhere the clock may be that of before or after a step, out of the window. It begins after its end where there is none.
func (c *Corridor) Unset(from, to, begin, end Point, shown int) (time, once [2]int64, ok bool) {
	least, greatest, longest := len(c.parts), -1, -1
	length := func(i int) int64 { return apart(min(c.parts[i].end, to.X), max(c.parts[i].begin, from.X)) }
	for i := range c.parts {
		if c.parts[i].meets(from, to) {
			least, greatest = min(least, i), i
			if longest < 0 || length(i) > length(longest) {
				longest = i
			}
		}
	}
	if greatest < 0 {
		return time, once, false
	}
	hidden := greatest-least > shown
	if hidden {
		least, greatest = longest, longest
	}
	first, last := int64(math.MinInt64), int64(math.MaxInt64)
	if c.open {
		first, last = c.parts[0].begin, c.parts[len(c.parts)-1].end
	}
	for i := range c.parts {
		switch p := &c.parts[i]; {
		case i < least:
			first = max(first, After(p.to, 1))
		case i > greatest:
			last = min(last, apart(p.from, 1))
		}
	}
	a, b := &c.parts[least], &c.parts[greatest]
	in, out := max(begin.X, a.begin), min(end.X-1, b.end)
	if least > 0 && begin.Y < a.received.Y {
		before := c.parts[least-1].swapped()
		if c.lowest(&before, begin.Y) <= out {
			in = max(in, After(c.highest(&before, a.received.Y), 1))
		}
	}
	if greatest < len(c.parts)-1 && end.Y > b.sent.Y {
		after := c.parts[greatest+1].swapped()
		if c.highest(&after, end.Y) >= in {
			out = min(out, apart(c.lowest(&after, b.sent.Y), 1))
		}
	}
	once = [2]int64{first, last}
	switch {
	case hidden || in > out:
		return once, once, first <= last
	case first > last || last < in || first > out:
		return [2]int64{in, out}, [2]int64{math.MaxInt64, math.MinInt64}, true
	}
	return [2]int64{min(first, in), max(last, out)}, once, true
}

// meets reports whether the part may be of some of the messages from one time to another by both clocks.
func (p *part) meets(from, to Point) bool {
	if p.end < from.X || p.begin > to.X {
		return false
	}
	return p.received.Y > p.sent.Y || p.sent.Y >= from.Y && p.received.Y <= to.Y // of one direction alone the second clock does not tell
}

// Extent returns the least and the greatest times of both clocks of the points kept; ok is false where there are none.
func (s *Series) Extent() (from, to Point, ok bool) {
	from, to = Point{math.MaxInt64, math.MaxInt64}, Point{math.MinInt64, math.MinInt64}
	take := func(p Point) {
		from = Point{min(from.X, p.X), min(from.Y, p.Y)}
		to = Point{max(to.X, p.X), max(to.Y, p.Y)}
	}
	for i := range s.windows {
		for _, p := range s.windows[i].ceiling {
			take(p)
		}
		for _, p := range s.windows[i].floor {
			take(p.mirrored())
		}
	}
	return from, to, len(s.windows) > 0
}
