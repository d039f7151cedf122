package hull

import (
	"cmp"
	"math"
	"slices"
)

// A Cut is a time within which one of the two clocks may have been set, as others know: before From it surely was not yet, after To it surely was.
type Cut struct {
	Second      bool // by the second clock's time, of which it is told; else by the first's
	From, To    int64
	Least, Most int64 // what that would make of the second clock by the first
	Low, High   int64 // by how much the second clock may be off in between, as far as it may be several steps
	By          int32 // who tells of it: of the same clock, cuts by one are one after the other, and cuts by several may be the same
}

// A gap is one or more cuts that may be one, or of which nobody knows which was first: messages before it and after it say nothing about each other.
type gap struct {
	by       [2]bool // there is a cut by the first clock's time, or by the second's
	from, to [2]int64
	cuts     []Cut
}

// Divide returns the corridor, which is the fit's, as it is if a clock was set within each of the cuts, though that contradicts no messages. Those
// that are surely before a cut and those that are surely after it bound the clock each by themselves, and others do not count.
// Where too few are left on a side of it nothing is known there.
func (s *Series) Divide(f Fit, c *Corridor, cuts []Cut) *Corridor {
	if len(cuts) == 0 {
		return c
	}
	if f.by != nil {
		if f.turned {
			cuts = swappedCuts(cuts)
		}
		return f.seen(f.by.Divide(f.own(), f.by.Corridor(f.own(), c.cap), cuts))
	}
	gaps := c.gaps(cuts)
	d := &Corridor{cap: c.cap, open: c.open, neither: c.neither}
	ends := make([][2]int, len(f.parts)) // of what each part is divided into
	next := 0                            // how many gaps are before what comes
	for i, r := range f.parts {
		pieces := s.divided(r, gaps)
		first, last := next, len(gaps)
		if i > 0 {
			for first < last && len(pieces[first]) == 0 {
				first++
			}
		}
		if i < len(f.parts)-1 {
			for last > first && len(pieces[last]) == 0 {
				last--
			}
		}
		ends[i][0] = len(d.parts)
		for k := first; k <= last; k++ {
			if n := len(d.parts); n > 0 {
				p := seam{a: n - 1, b: n, seen: k == first}
				if k > next {
					p.forced = together(gaps[next:k])
				}
				d.seams = append(d.seams, p)
			}
			d.parts = append(d.parts, newPart(c.cap, pieces[k]))
			next = k
		}
		ends[i][1] = len(d.parts) - 1
	}
	for _, p := range c.seams {
		if p.b-p.a > 1 {
			d.seams = append(d.seams, seam{a: ends[p.a][1], b: ends[p.b][0], seen: true})
		}
	}
	d.settle()
	return d
}

// divided are the messages of a range of windows by how many gaps are before them.
func (s *Series) divided(r [2]int, gaps []gap) [][]window {
	pieces := make([][]window, len(gaps)+1)
	for _, w := range s.windows[r[0]:r[1]] {
		parts := make([]window, len(gaps)+1)
		for _, p := range w.ceiling {
			if k, ok := passed(gaps, p); ok {
				parts[k].ceiling = append(parts[k].ceiling, p)
			}
		}
		for _, p := range w.floor {
			if k, ok := passed(gaps, p.mirrored()); ok {
				parts[k].floor = append(parts[k].floor, p)
			}
		}
		for k, part := range parts {
			if len(part.ceiling)+len(part.floor) > 0 {
				part.at = w.at
				pieces[k] = append(pieces[k], part)
			}
		}
	}
	return pieces
}

// passed is how many gaps are before a message; ok is false where that is not known.
func passed(gaps []gap, p Point) (count int, ok bool) {
	at := [2]int64{p.X, p.Y}
	for _, g := range gaps {
		before, after := true, true
		for i, by := range g.by {
			before = before && !(by && at[i] > g.from[i])
			after = after && !(by && at[i] < g.to[i])
		}
		switch {
		case before == after:
			return 0, false
		case after && !ok:
			count++
		case after:
			return 0, false // and before an earlier one
		default:
			ok = true
		}
	}
	return count, true
}

// gaps puts cuts in order. Those that are near each other, as far as their order can be told, are one.
func (c *Corridor) gaps(cuts []Cut) []gap {
	back := c.Swap()
	type placed struct {
		gap
		first, last int64 // by the first clock
	}
	var list []placed
	for _, cut := range cuts {
		p := placed{first: cut.From, last: cut.To}
		i := 0
		if cut.Second {
			i = 1
			p.first, p.last = back.around(cut.From, math.MinInt64), back.around(cut.To, math.MaxInt64)
		}
		p.by[i], p.from[i], p.to[i], p.cuts = true, cut.From, cut.To, []Cut{cut}
		list = append(list, p)
	}
	slices.SortFunc(list, func(p, q placed) int { return cmp.Or(cmp.Compare(p.first, q.first), cmp.Compare(p.last, q.last)) })
	var gaps []gap
	last := int64(math.MinInt64)
	for i, p := range list {
		if i == 0 || p.first > last {
			gaps = append(gaps, p.gap)
		} else {
			g := &gaps[len(gaps)-1]
			*g = g.with(p.gap)
		}
		last = max(last, p.last)
	}
	return gaps
}

// around is the edge of the band at t, the lower one if it is to be open at math.MinInt64, as far again from the middle as the other is: for where
// a step hides in the band.
func (c *Corridor) around(t, open int64) int64 {
	lo, hi, ok := c.Band(t)
	switch {
	case !ok:
		return open
	case open < 0:
		return apart(lo, apart(hi, lo))
	}
	return After(hi, apart(hi, lo))
}

// with is both gaps, as one.
func (g gap) with(o gap) gap {
	for i := range g.by {
		switch {
		case g.by[i] && o.by[i]:
			g.from[i], g.to[i] = min(g.from[i], o.from[i]), max(g.to[i], o.to[i])
		case o.by[i]:
			g.by[i], g.from[i], g.to[i] = true, o.from[i], o.to[i]
		}
	}
	g.cuts = slices.Concat(g.cuts, o.cuts)
	return g
}

// together is all gaps, as one.
func together(gaps []gap) *gap {
	all := gaps[0]
	for _, g := range gaps[1:] {
		all = all.with(g)
	}
	return &all
}

// swapped is the gap as seen from the other host.
func (g *gap) swapped() *gap {
	if g == nil {
		return nil
	}
	return &gap{[2]bool{g.by[1], g.by[0]}, [2]int64{g.from[1], g.from[0]}, [2]int64{g.to[1], g.to[0]}, swappedCuts(g.cuts)}
}

// swappedCuts are the cuts as seen from the other host.
func swappedCuts(cuts []Cut) []Cut {
	s := make([]Cut, len(cuts))
	for i, c := range cuts {
		s[i] = Cut{!c.Second, c.From, c.To, negative(c.Most), negative(c.Least), negative(c.High), negative(c.Low), c.By}
	}
	return s
}

// within tells by the first clock from when on b may be the clock, and until when a may be, if what is between them is a gap. By the second clock the
// step is within the gap too, and what either part makes of its ends bounds it by the first; where there may be several steps, a makes it of the begin
// and b of the end.
func (c *Corridor) within(g *gap, a, b *part, several bool) (from, to int64) {
	from, to = math.MaxInt64, math.MinInt64
	if g.by[0] {
		from, to = g.from[0], g.to[0]
	}
	if g.by[1] {
		before, after := a.swapped(), b.swapped()
		least, most := c.lowest(&before, g.from[1]), c.highest(&after, g.to[1])
		if !several {
			least, most = max(least, c.lowest(&after, g.from[1])), min(most, c.highest(&before, g.to[1]))
		}
		from, to = min(from, least, most), max(to, least, most)
	}
	return from, to
}
