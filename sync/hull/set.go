package hull

import (
	"math"
	"slices"
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
// Only those after since and before until count, between which no other step is known: two that cancel each other out leave no trace beyond.
func (c *Corridor) Denies(s Set, since, until int64) bool {
	for i := range c.parts {
		p := &c.parts[i]
		if s.From < p.begin || s.To > p.end {
			continue
		}
		before := part{ceiling: p.ceiling.from(since).until(s.From), floor: p.floor.from(^s.From).until(^since)}
		after := part{ceiling: p.ceiling.from(s.To).until(until), floor: p.floor.from(^until).until(^s.To)}
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

// Among reports whether the step may be one of a corridor's, or several one after the other that it takes for one: it may be that of a link
// which is silent between them. It is not one of the corridor's if that may as well be this one and another of those told.
func (s Set) Among(sets, told []Set) bool {
	for i := range sets {
		also := func(o Set) bool {
			return o.Meets(sets[i]) && (o.To < s.From && o.and(s).Like(sets[i]) || s.To < o.From && s.and(o).Like(sets[i]))
		}
		all := sets[i]
		for j := i; ; all = all.and(sets[j]) {
			if all.Meets(s) && all.Like(s) && (j > i || !slices.ContainsFunc(told, also)) {
				return true
			}
			if j++; j == len(sets) {
				break
			}
		}
	}
	return false
}

// and is a step and a later one as one.
func (s Set) and(o Set) Set {
	all := Set{min(s.From, o.From), max(s.To, o.To), math.MinInt64, math.MaxInt64}
	if s.Least > math.MinInt64 && o.Least > math.MinInt64 {
		all.Least = apart(s.Least, -o.Least)
	}
	if s.Most < math.MaxInt64 && o.Most < math.MaxInt64 {
		all.Most = apart(s.Most, -o.Most)
	}
	return all
}

// Other is a step that the first clock made as the second one shows it, also where the band is too narrow as it goes on through the step.
func (c *Corridor) Other(s Set) Set {
	o := Set{c.around(s.From, math.MinInt64), c.around(s.To, math.MaxInt64), math.MinInt64, math.MaxInt64}
	if s.Most < math.MaxInt64 {
		o.Least = -s.Most
	}
	if s.Least > math.MinInt64 {
		o.Most = -s.Least
	}
	return o
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
