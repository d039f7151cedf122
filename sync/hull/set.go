package hull

import (
	"math"
	"slices"
	"sort"
)

// A Set is a step that the first clock may have made: the times between which it may show what it does before or after, and what that makes of the second by
// the first, in the middle of them: the least and the most. A clock that is set forward leaves the other behind by it. It may be several steps that the
// corridor does not tell from each other: then in between the second may have been off by anything from Low to High, and was so from Since to Until, if these are in this order.
type Set struct{ From, To, Least, Most, Low, High, Since, Until int64 }

// oneStep is a set of one step, by from least to most.
func oneStep(from, to, least, most int64) Set {
	return Set{from, to, least, most, min(least, 0), max(most, 0), math.MaxInt64, math.MinInt64}
}

// several reports whether it is more than one step, or may be.
func (s Set) several() bool {
	return s.Low < min(s.Least, 0) || s.High > max(s.Most, 0) || s.Low == math.MinInt64 || s.High == math.MaxInt64
}

// One is the step if it is one.
func (s Set) One() Set { return oneStep(s.From, s.To, s.Least, s.Most) }

// Rising tells that what the first host recorded never went back; Sets goes by that. If its clock was set back nevertheless, the host recorded nothing
// until that had passed its last time again, so no time was shown twice.
func (c *Corridor) Rising() { c.rising = true }

// Sets are the steps of the corridor, as far as it was the first clock that was set. Parts that may be made of messages from before and after a step
// are in the middle of it.
func (c *Corridor) Sets() []Set {
	if len(c.parts) < 2 {
		return nil
	}
	var sets []Set
	for a := 0; a < len(c.parts)-1; {
		b := c.past(a)
		s := oneStep(math.MaxInt64, math.MinInt64, math.MinInt64, math.MaxInt64)
		for _, p := range c.seams {
			if p.a < a || p.b > b {
				continue
			}
			from, to := c.between(&c.parts[p.a], &c.parts[p.b], false)
			s.From, s.To = min(s.From, from), max(s.To, to)
		}
		if s.From > math.MinInt64 && s.To < math.MaxInt64 {
			s = c.from(a, b, s.From, s.To)
		}
		sets = append(sets, s)
		a = b
	}
	return sets
}

// from is the step from one part to another. Parts in between count, unless messages tell of all the time whether there was more than one step.
func (c *Corridor) from(a, b int, from, to int64) Set {
	t := middle(from, to)
	least, most := c.jump(&c.parts[a], &c.parts[b], t)
	s := oneStep(from, to, least, most)
	for i := range c.seams {
		if p := &c.seams[i]; p.a == a && p.b == b {
			s.Low, s.High = min(s.Low, p.astray.low), max(s.High, p.astray.high)
			if p.astray.low < p.astray.high {
				s.Since, s.Until = p.astray.since.X, p.astray.until.X
			}
			return s
		}
	}
	for i := range c.seams {
		p := &c.seams[i]
		if p.a < a || p.b > b {
			continue
		}
		for _, k := range []int{p.a, p.b} {
			low, high := int64(0), int64(0)
			if k > a {
				low, high = c.jump(&c.parts[a], &c.parts[k], t)
			}
			if k == p.a {
				low, high = plus(low, p.astray.low), plus(high, p.astray.high)
			}
			s.Low, s.High = min(s.Low, low), max(s.High, high)
		}
	}
	return s
}

// Denies reports whether the messages surely before and after a step, which another corridor knows of, leave no room for it: the first clock was not set then.
// Only those after since and before until count, between which no other step is known: two that cancel each other out leave no trace beyond.
func (c *Corridor) Denies(s Set, since, until int64) bool {
	for i := range c.parts {
		p := &c.parts[i]
		if s.From < p.begin || s.To > p.end {
			continue
		}
		return c.denies(p.ceiling, p.floor, s, since, until) || c.denies(p.upper(), p.lower(), s, since, until)
	}
	return false
}

// denies is Denies by some messages of a part, those of the second side mirrored.
func (c *Corridor) denies(ceiling, floor chain, s Set, since, until int64) bool {
	t := middle(s.From, s.To)
	side := func(from, to int64) part {
		return part{ceiling: c.cap.outer(slices.Clone(ceiling.from(from).until(to)), t), floor: c.cap.outer(slices.Clone(floor.from(^to).until(^from)), ^t)}
	}
	before, after := side(since, s.From), side(s.To, until)
	least, most := c.jump(&before, &after, t)
	if !s.Like(oneStep(t, t, least, most)) {
		return true
	}
	// Rates of clocks differ by less than 1 in 1000, which tells more where there are few messages.
	low, high := before.steady(t)
	low2, high2 := after.steady(t)
	least, most = apart(low2, high), apart(high2, low)
	return least <= most && low > math.MinInt64 && low2 > math.MinInt64 && high < math.MaxInt64 && high2 < math.MaxInt64 && !s.Like(oneStep(t, t, least, most))
}

// steady is where the second clock is at t by single messages of a part, if its rate differs from the first one's by less than 1 in 1000.
func (p *part) steady(t int64) (low, high int64) {
	low, high = math.MinInt64, math.MaxInt64
	for _, m := range p.ceiling {
		off := apart(t, m.X)
		high = min(high, After(plus(m.Y, off), max(off, negative(off))>>10))
	}
	for _, m := range p.floor {
		m = m.mirrored()
		off := apart(t, m.X)
		low = max(low, apart(plus(m.Y, off), max(off, negative(off))>>10))
	}
	return low, high
}

// upper are all messages of a part that the series keeps by rising X, of the one side.
func (p *part) upper() (all chain) {
	if p.turned {
		return swapped(p.kept(Lower))
	}
	return p.kept(Upper)
}

// lower are those of the other side, mirrored.
func (p *part) lower() (all chain) {
	if p.turned {
		return swapped(p.kept(Upper))
	}
	return p.kept(Lower)
}

// kept are those of a side before the hosts were swapped.
func (p *part) kept(side Side) (all chain) {
	for i := range p.windows {
		if side == Upper {
			all = append(all, p.windows[i].ceiling...)
		} else {
			all = append(all, p.windows[len(p.windows)-1-i].floor...)
		}
	}
	return all
}

// Calm reports whether the messages show no step between two times.
func (c *Corridor) Calm(from, to int64) bool {
	return slices.ContainsFunc(c.parts, func(p part) bool { return p.begin <= from && to <= p.end })
}

// Like reports whether both may be the same step, by how far they are. Rates of clocks differ by less than 1 in 1000.
func (s Set) Like(o Set) bool {
	off := max(apart(middle(s.From, s.To), middle(o.From, o.To)), apart(middle(o.From, o.To), middle(s.From, s.To)))
	spare := off >> 10
	for _, ns := range [...]int64{s.Least, s.Most, o.Least, o.Most} {
		if ns > math.MinInt64 && ns < math.MaxInt64 {
			spare = max(spare, off>>10+max(ns, -ns)>>9+2)
		}
	}
	return s.Least <= After(o.Most, spare) && o.Least <= After(s.Most, spare)
}

// Among reports whether the step may be one of a corridor's, or several one after the other that it takes for one: it may be that of a link
// which is silent between them. It is not one of the corridor's if that may as well be this one and another of those told.
func (s Set) Among(sets, told []Set) bool {
	for i := range sets {
		also := func(o Set) bool {
			return o.Meets(sets[i]) && (o.To < s.From && o.and(s).Like(sets[i]) || s.To < o.From && s.and(o).Like(sets[i]))
		}
		all := sets[i]
		for j := i; ; all = all.and(sets[j]) {
			if all.Meets(s) && all.Like(s) && !all.vague(s) && (j > i || !s.several() && !slices.ContainsFunc(told, also)) {
				return true
			}
			if j++; j == len(sets) {
				break
			}
		}
	}
	return false
}

// vague reports whether so little is known of the step that it tells nothing of another: it may be that, or that and more.
func (s Set) vague(o Set) bool {
	return o.Least > math.MinInt64 && o.Most < math.MaxInt64 && apart(s.Most, s.Least) > max(o.Most, negative(o.Least)) && apart(s.Most, s.Least) > 2*apart(o.Most, o.Least)
}

// and is a step and a later one as one.
func (s Set) and(o Set) Set {
	return oneStep(min(s.From, o.From), max(s.To, o.To), plus(s.Least, o.Least), plus(s.Most, o.Most))
}

// Other is a step that the first clock made as the second one shows it, also where the band is too narrow as it goes on through the step.
func (c *Corridor) Other(s Set) Set {
	return Set{c.around(s.From, math.MinInt64), c.around(s.To, math.MaxInt64), negative(s.Most), negative(s.Least), negative(s.High), negative(s.Low), math.MaxInt64, math.MinInt64}
}

// Meets reports whether the times of both have one in common.
func (s Set) Meets(o Set) bool { return s.From <= o.To && o.From <= s.To }

// until are the points up to x.
func (c chain) until(x int64) chain {
	return c[:sort.Search(len(c), func(i int) bool { return c[i].X > x })]
}

// from are the points from x on.
func (c chain) from(x int64) chain {
	return c[sort.Search(len(c), func(i int) bool { return c[i].X >= x }):]
}
