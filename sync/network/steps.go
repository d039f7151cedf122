package network

import (
	"math"

	"synchroscope/sync/hull"
)

// A clock that is set while a link of its host is silent leaves no trace in that link: what its messages allow would go on past the step as if
// nothing had been, and so would the bound. The links that do talk show the step, though not which of their two clocks was set. So
// neither host's silent links are believed beyond it: they have no bound there, and the tree does without them where it can.
//
// What is not done: to cut a link there that talks all the time and does not see the step, as its delays are longer than the step is.

// A stepped is when a clock may have been set, by itself, and the link that shows it.
type stepped struct {
	from, to int64
	by       *link
}

// A known is between which times something is known of a link.
type known struct{ since, until int64 }

var always = known{math.MinInt64, math.MaxInt64}

// tellSteps tells links of the steps that others have.
func (n *Network) tellSteps() {
	steps := make(map[int32][]stepped)
	for _, l := range n.order {
		l.known = [2]known{always, always}
		if !l.fit.OK || len(l.fit.Cuts) == 0 || l.excluded {
			continue
		}
		for i, c := range l.views(n.caps[l.a]) {
			h := l.end(i)
			edges := c.Edges()
			for k := 0; k+1 < len(edges); k += 2 {
				steps[h] = append(steps[h], stepped{edges[k], edges[k+1], l})
			}
		}
	}
	if len(steps) == 0 {
		return
	}
	parallel(len(n.order), func(i int) {
		if l := n.order[i]; l.fit.OK {
			l.believe(steps, n.caps[l.a])
		}
	})
}

// end is the host whose clock is X for 0, Y for 1.
func (l *link) end(i int) int32 {
	if i == 0 {
		return l.x()
	}
	return l.a + l.b - l.x()
}

// views are the corridor by X's time and by Y's.
func (l *link) views(c hull.Cap) [2]*hull.Corridor {
	byX := l.estimate().series.Corridor(l.fit, c)
	return [2]*hull.Corridor{byX, byX.Swap()}
}

// believe finds between which times the link is to be believed.
func (l *link) believe(steps map[int32][]stepped, c hull.Cap) {
	if len(steps[l.a])+len(steps[l.b]) == 0 {
		return
	}
	views := l.views(c)
	for i, view := range views {
		own := view.Edges()
		first, last := l.talks(i)
		for _, s := range steps[l.end(i)] {
			if s.by == l || s.among(own) {
				continue
			}
			if last < s.to {
				there, _, ok := view.Band(s.from)
				if !ok {
					there = math.MinInt64
				}
				l.known[i].until = min(l.known[i].until, s.from)
				l.known[1-i].until = min(l.known[1-i].until, there)
			}
			if first > s.from {
				_, there, ok := view.Band(s.to)
				if !ok {
					there = math.MaxInt64
				}
				l.known[i].since = max(l.known[i].since, s.to)
				l.known[1-i].since = max(l.known[1-i].since, there)
			}
		}
	}
}

// among reports whether one of the steps that two edges each tell of may be this one.
func (s stepped) among(edges []int64) bool {
	for k := 0; k+1 < len(edges); k += 2 {
		if edges[k] <= s.to && edges[k+1] >= s.from {
			return true
		}
	}
	return false
}

// talks returns from when and until when, by X's time or by Y's, messages go both ways, as far as they are kept.
func (l *link) talks(i int) (first, last int64) {
	e := l.estimate()
	first, last = math.MinInt64, math.MaxInt64
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		begin, end := int64(math.MaxInt64), int64(math.MinInt64)
		for _, points := range [][]hull.Point{e.series.Points(side), e.sample[side].points()} {
			for _, p := range points {
				at := p.X
				if i == 1 {
					at = p.Y
				}
				begin, end = min(begin, at), max(end, at)
			}
		}
		first, last = max(first, begin), min(last, end)
	}
	return first, last
}
