package hull

import (
	"math"
	"sort"
)

// A Set is a step that the first clock may have made: the times between which it may show what it does before or after, and what that makes of the second by
// the first, in the middle of them: the least and the most. A clock that is set forward leaves the other behind by it.
type Set struct{ From, To, Least, Most int64 }

// Sets are the steps of the corridor, as far as it was the first clock that was set.
func (c *Corridor) Sets() []Set {
	if len(c.parts) < 2 {
		return nil
	}
	sets := make([]Set, len(c.parts)-1)
	for i := range sets {
		sets[i] = Set{math.MaxInt64, math.MinInt64, math.MinInt64, math.MaxInt64}
	}
	for _, p := range c.seams {
		from, to := c.between(&c.parts[p.a], &c.parts[p.b], false)
		sets[p.b-1].From = min(sets[p.b-1].From, from)
		sets[p.a].To = max(sets[p.a].To, to)
	}
	if len(c.seams) > len(sets) {
		return sets // parts may be made of messages from before and after a step
	}
	for i := range sets {
		s := &sets[i]
		if s.From > math.MinInt64 && s.To < math.MaxInt64 {
			s.Least, s.Most = c.jump(&c.parts[i], &c.parts[i+1], middle(s.From, s.To))
		}
	}
	return sets
}

// Denies reports whether the messages surely before and after a step, which another corridor knows of, leave no room for it: the first clock was not set then.
func (c *Corridor) Denies(s Set) bool {
	for i := range c.parts {
		p := &c.parts[i]
		if s.From < p.begin || s.To > p.end {
			continue
		}
		before := part{ceiling: p.ceiling.until(s.From), floor: p.floor.from(^s.From)}
		after := part{ceiling: p.ceiling.from(s.To), floor: p.floor.until(^s.To)}
		t := middle(s.From, s.To)
		least, most := c.jump(&before, &after, t)
		return !s.Like(Set{t, t, least, most})
	}
	return false
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
