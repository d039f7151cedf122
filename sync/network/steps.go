package network

import (
	"math"
	"slices"

	"synchroscope/sync/hull"
)

// A clock that is set while a link of its host is silent leaves no trace in that link, nor does one that is set by less than the messages
// of a link take: what they allow would go on past the step as if nothing had been, and so would the bound. Other links show the step,
// though not which of their two clocks was set. So all other links of both hosts are cut there, unless what they say before and after
// leaves no room for the step: what is known of a clock before it says nothing of it afterwards. Of a link that is silent on one side
// nothing is known there, and the tree does without it where it can.

// A stepped is when a clock may have been set, by itself, and the link that shows it.
type stepped struct {
	hull.Set
	by *link
}

// tellSteps tells links of the steps that others have.
func (n *Network) tellSteps() {
	steps := n.steps()
	parallel(len(n.order), func(i int) {
		l := n.order[i]
		if l.forced = nil; l.fit.OK && len(steps) > 0 {
			l.hear(steps, n.hosts, n.caps[l.a])
		}
	})
}

// steps are those that links have, by host.
func (n *Network) steps() map[int32][]stepped {
	steps := make(map[int32][]stepped)
	for _, l := range n.order {
		if !l.fit.OK || len(l.fit.Cuts) == 0 || l.excluded {
			continue
		}
		for i, c := range l.recorded(n.hosts, l.fit, n.caps[l.a]) {
			for _, s := range c.Sets() {
				steps[l.end(i)] = append(steps[l.end(i)], stepped{s, l})
			}
		}
	}
	return steps
}

// end is the host whose clock is X for 0, Y for 1.
func (l *link) end(i int) int32 {
	if i == 0 {
		return l.x()
	}
	return l.a + l.b - l.x()
}

// views are the corridor of a fit by X's time and by Y's, as the messages have it.
func (l *link) views(f hull.Fit, c hull.Cap) [2]*hull.Corridor {
	byX := l.estimate().series.Corridor(f, c)
	return [2]*hull.Corridor{byX, byX.Swap()}
}

// recorded are the views of a fit, with what the hosts recorded of their clocks.
func (l *link) recorded(hosts []host, f hull.Fit, c hull.Cap) [2]*hull.Corridor {
	views := l.views(f, c)
	for i, view := range views {
		if hosts[l.end(i)].rising {
			view.Rising()
		}
	}
	return views
}

// hear finds where the link is to be cut.
func (l *link) hear(steps map[int32][]stepped, hosts []host, c hull.Cap) {
	if len(steps[l.a])+len(steps[l.b]) == 0 {
		return
	}
	views := l.recorded(hosts, l.fit, c)
	for i, view := range views {
		own := view.Sets()
		var told []hull.Set // of either clock, by this one
		for _, s := range steps[l.end(i)] {
			told = append(told, s.Set)
		}
		for _, s := range steps[l.end(1-i)] {
			told = append(told, views[1-i].Other(s.Set))
		}
		for _, s := range steps[l.end(i)] {
			if s.by != l && s.Since < s.Until && view.Calm(s.Since, s.Until) && l.talks(i, s.Since, s.Until) {
				s.Set = s.One()
			}
			if s.by == l || s.Among(own, told) || denies(view, s.Set, told) {
				continue
			}
			jump := s.Set
			if i == 1 {
				jump = view.Other(jump)
			}
			cut := hull.Cut{Second: i == 1, From: s.From, To: s.To, Least: jump.Least, Most: jump.Most, Low: jump.Low, High: jump.High, By: s.by.other(l.end(i))}
			l.forced = append(l.forced, cut)
		}
	}
}

// talks reports whether there were messages of both directions between two times of the clock that is X for 0, Y for 1. Then
// the link knows itself whether that clock was another meanwhile.
func (l *link) talks(clock int, since, until int64) bool {
	for _, side := range []hull.Side{hull.Upper, hull.Lower} {
		if !slices.ContainsFunc(l.points(side), func(p hull.Point) bool {
			at := p.X
			if clock == 1 {
				at = p.Y
			}
			return at > since && at < until
		}) {
			return false
		}
	}
	return true
}

// denies reports whether the messages of a corridor leave no room for a step, by those between the steps before it and after it.
func denies(view *hull.Corridor, s hull.Set, told []hull.Set) bool {
	since, until := int64(math.MinInt64), int64(math.MaxInt64)
	for _, o := range told {
		if o.To < s.From {
			since = max(since, o.To)
		}
		if o.From > s.To {
			until = min(until, o.From)
		}
	}
	return view.Denies(s, since, until)
}
