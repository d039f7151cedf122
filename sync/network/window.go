package network

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A Window is a part of time: ns from Begin to before End. That of a Config is of reference time, as it is by all messages, that of a Host
// the same by the host's own clock.
type Window struct{ Begin, End int64 }

// Has tells whether an instant is in it.
func (w Window) Has(at int64) bool { return at >= w.Begin && at < w.End }

// InWindow tells whether both ends of a message, local ns, are in the window of the solution, which a solution by all messages does not have: then
// all are.
func (s *Solution) InWindow(from, to int32, sent, received int64) bool {
	return s.in(from, sent) && s.in(to, received)
}

// in tells whether a local time of a host is in the window. What an earlier version stored has none by the hosts' clocks.
func (s *Solution) in(host int32, local int64) bool {
	h, all := &s.Hosts[host], s.Options.Window
	switch {
	case all == nil:
		return true
	case h.Window == nil:
		return all.Has(h.Map.Reference(local))
	}
	return h.Window.Has(local)
}

// An entire is what the messages of a window are a part of: the same links by all messages, and the window by each host's clock.
type entire struct {
	by      *Network
	windows []Window
}

// window is that of a host, nil for all of the time.
func (w *entire) window(host int) *Window {
	if w == nil {
		return nil
	}
	return &w.windows[host]
}

// A clock that was set within a window may show that by messages outside of it alone: those of the window are silent then, or the step is less than they take. What
// they allow would go on through it. So links of a window are cut within their messages where by all messages they are. That takes from what
// is known, and adds nothing.

// recallSteps tells the links of a window of the steps that by all messages they have.
func (n *Network) recallSteps() {
	if n.whole == nil {
		return
	}
	steps := n.whole.by.steps()
	parallel(len(n.order), func(i int) {
		l, all := n.order[i], n.whole.by.order[i]
		from, to, ok := l.estimate().series.Extent()
		if !ok || !l.fit.OK || !all.fit.OK {
			return
		}
		within := [2]Window{{from.X, to.X}, {from.Y, to.Y}}
		recalled := make(map[int32][]stepped)
		for end := range 2 {
			host := l.end(end)
			for _, s := range steps[host] {
				if (s.by == all || all.told(end == 1, s.From, s.To)) && within[end].Has(s.From) && within[end].Has(s.To) {
					recalled[host] = append(recalled[host], s)
				}
			}
		}
		if len(recalled) > 0 {
			own := l.forced
			l.forced = nil
			l.hear(recalled, n.caps[l.a])
			l.forced = append(l.forced, own...)
		}
	})
}

// told reports whether others have told the link of a step at a time.
func (l *link) told(second bool, from, to int64) bool {
	return slices.ContainsFunc(l.forced, func(c hull.Cut) bool { return c.Second == second && c.From == from && c.To == to })
}

// What the messages of a window say of the time outside of it holds for clocks that go on as within it. Where all messages show that a clock was set there, that is
// known not to be so, and nothing is stated.

// unset is of the links of the tree, from either host to the other: the time by that host's clock around the window's messages in which neither
// clock was set as far as all messages tell. It is nil without a window.
func (n *Network) unset(s *Solution, hops map[[2]int32]hop) map[[2]int32][2]int64 {
	if n.whole == nil {
		return nil
	}
	unset := make(map[[2]int32][2]int64)
	for i := range s.Links {
		k := &s.Links[i]
		l := n.links[[2]int32{k.A, k.B}]
		from, to, ok := l.estimate().series.Extent()
		if !k.InTree || !ok {
			continue
		}
		shown := 0
		if h := hops[[2]int32{k.A, k.B}]; h.corridor != nil {
			shown = len(h.corridor.Edges()) / 2
		}
		for end := range 2 {
			host, other := l.end(end), l.end(1-end)
			w, o := n.whole.windows[host], n.whole.windows[other]
			begin, last := w.Begin, w.End-1
			if h := n.whole.by.hops[[2]int32{host, other}]; h.corridor != nil {
				if begin, last, ok = h.corridor.Unset(from, to, hull.Point{X: w.Begin, Y: o.Begin}, hull.Point{X: w.End, Y: o.End}, shown); !ok {
					begin, last = math.MaxInt64, math.MinInt64
				}
			}
			unset[[2]int32{host, other}] = [2]int64{begin, last}
			from, to = from.Swapped(), to.Swapped()
		}
	}
	return unset
}

// stated are the bounds of a map that are stated along a way of hosts: all without a window.
func (s *Solution) stated(m *clock.Map, bounds [][2]int64, way []int32) [][2]int64 {
	if s.unset == nil || len(bounds) == 0 {
		return bounds
	}
	bounded, err := m.WithBounds(bounds)
	if err != nil {
		return bounds
	}
	begin, end := bounds[0][0], bounds[len(bounds)-1][0]
	for i := range way[1:] {
		u := s.unset[[2]int32{way[i], way[i+1]}]
		if u[0] > u[1] {
			return nil
		}
		if i > 0 {
			over := s.direct(way[0], way[i])
			u = [2]int64{over.Local(u[0]), over.Local(u[1])}
			for side, more := range [2]int64{1, -1} { // as far as the one clock is known by the other
				if ns, ok := bounded.Error(u[side]); ok {
					u[side] += more * ns
				}
			}
		}
		begin, end = max(begin, u[0]), min(end, u[1])
	}
	if begin > end {
		return nil
	}
	var cut [][2]int64
	add := func(at int64) {
		if ns, ok := bounded.Error(at); ok {
			cut = append(cut, [2]int64{at, ns})
		}
	}
	add(begin)
	for _, b := range bounds {
		if b[0] > begin && b[0] < end {
			cut = append(cut, b)
		}
	}
	if end > begin {
		add(end)
	}
	return cut
}
