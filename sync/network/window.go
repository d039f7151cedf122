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

// And rates of clocks change as much within a window as all messages show that they do: what those of the window say of the time around is of clocks that may.

// recallCaps raises caps to those that the hosts of a component have by all messages, given who stands for the component of a host.
func (n *Network) recallCaps(component func(host int32) int32) {
	if n.whole == nil {
		return
	}
	for i, c := range n.whole.by.caps {
		r := component(int32(i))
		n.caps[r] = max(n.caps[r], c)
	}
}

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
			l.hear(recalled, n.hosts, n.caps[l.a])
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

// An unset is the time by a host's clock, and the part of it that is shown once, in which no clock of a link was set around the window's messages, as
// [hull.Corridor.Unset] has it, and the link as all messages have it.
type unset struct {
	time, once [2]int64
	all        hop
}

// unset is of the links of the tree, from either host to the other. It is nil without a window.
func (n *Network) unset(s *Solution, hops map[[2]int32]hop) map[[2]int32]unset {
	if n.whole == nil {
		return nil
	}
	list := make(map[[2]int32]unset)
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
			u := unset{time: [2]int64{w.Begin, w.End - 1}, all: n.whole.by.hops[[2]int32{host, other}]}
			u.once = u.time
			if c := u.all.corridor; c != nil {
				u.all.corridor = c.Clone()
				if u.time, u.once, ok = c.Unset(from, to, hull.Point{X: w.Begin, Y: o.Begin}, hull.Point{X: w.End, Y: o.End}, shown); !ok {
					u.time = [2]int64{math.MaxInt64, math.MinInt64}
				}
			}
			list[[2]int32{host, other}] = u
			from, to = from.Swapped(), to.Swapped()
		}
	}
	return list
}

// stated are the bounds of a map that are stated along a way of hosts: all without a window. Where a clock on the way may show a time again out of the window they are those
// by all messages, which hold for both.
func (s *Solution) stated(m *clock.Map, bounds [][2]int64, way []int32) [][2]int64 {
	if s.unset == nil || len(bounds) == 0 {
		return bounds
	}
	bounded, err := m.WithBounds(bounds)
	if err != nil {
		return bounds
	}
	time := [2]int64{bounds[0][0], bounds[len(bounds)-1][0]}
	once := time
	var all []hop
	for i := range way[1:] {
		u := s.unset[[2]int32{way[i], way[i+1]}]
		all = append(all, u.all.own())
		if u.time[0] > u.time[1] {
			return nil
		}
		for _, p := range []struct{ to, by *[2]int64 }{{&time, &u.time}, {&once, &u.once}} {
			by := *p.by
			if i > 0 && by[0] <= by[1] {
				by = s.over(bounded, way[0], way[i], by)
			}
			p.to[0], p.to[1] = max(p.to[0], by[0]), min(p.to[1], by[1])
		}
	}
	if time[0] > time[1] {
		return nil
	}
	if once[0], once[1] = max(once[0], time[0]), min(once[1], time[1]); once[0] <= once[1] {
		once[1] -= s.Hosts[way[0]].Tick
	}
	twice := s.bounder(m, all, way[0], way[len(way)-1])
	if once[0] > once[1] {
		return twice.bounds(time[0], time[1])
	}
	var list [][2]int64
	if time[0] < once[0] {
		list = twice.bounds(time[0], once[0]-1)
	}
	list = append(list, during(bounded, once)...)
	if once[1] < time[1] {
		list = append(list, twice.bounds(once[1]+1, time[1])...)
	}
	return list
}

// over is a time of a host on the way by the first one's clock, less as far as the one is known by the other.
func (s *Solution) over(bounded *clock.Map, first, host int32, time [2]int64) [2]int64 {
	m := s.direct(first, host)
	for side, more := range [2]int64{1, -1} {
		time[side] = m.Local(time[side])
		if ns, ok := bounded.Error(time[side]); ok {
			time[side] += more * ns
		}
	}
	return time
}

// during are the bounds of a map from one time to another.
func during(m *clock.Map, time [2]int64) (list [][2]int64) {
	add := func(at int64) {
		if ns, ok := m.Error(at); ok {
			list = append(list, [2]int64{at, ns})
		}
	}
	add(time[0])
	for _, b := range m.Bounds() {
		if b[0] > time[0] && b[0] < time[1] {
			list = append(list, b)
		}
	}
	if time[1] > time[0] {
		add(time[1])
	}
	return list
}
