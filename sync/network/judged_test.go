package network

import (
	"fmt"
	"testing"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// seconds is an instant, since all began.
func seconds(at int64) float64 { return float64(at-start) / 1e9 }

// An excess is how often something was further off than its bound, and the worst of that.
type excess struct {
	rounded        int64 // ns that whole ns make
	count          int
	off, bound, at int64
}

func (e *excess) add(off, bound, at int64) {
	if off <= bound+e.rounded {
		return
	}
	if e.count++; e.count == 1 || off-bound > e.off-e.bound {
		e.off, e.bound, e.at = off, bound, at
	}
}

// tell tells of it if there is any.
func (e *excess) tell(t *testing.T, format string, args ...any) {
	t.Helper()
	if e.count > 0 {
		t.Errorf("%s is out of its bound %d times, off by %d ns for a bound of %d at %.6f s", fmt.Sprintf(format, args...), e.count, e.off, e.bound, seconds(e.at))
	}
}

// hold holds a map from one clock to another to both, at an instant.
func (p *machines) hold(e *excess, m *clock.Map, from, to int, at int64) {
	c := &p.clocks[from]
	if !c.up(at) {
		return
	}
	x := c.local(at)
	bound, ok := m.Error(x)
	if !ok {
		return
	}
	p.bounded++
	off := m.Reference(x) - p.clocks[to].local(at)
	e.add(max(off, -off), bound, at)
}

// bounds looks at the map of each host to its reference, also where its own bound and its rate change.
func (p *machines) bounds(t *testing.T, what string, s *Solution) {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		e := excess{rounded: 2}
		for _, at := range p.instants {
			p.hold(&e, h.Map, i, int(h.Reference), at)
		}
		own := func(x int64) {
			for d := int64(-1); d <= 1; d++ {
				for _, at := range p.clocks[i].when(x + d) {
					p.hold(&e, h.Map, i, int(h.Reference), at)
				}
			}
		}
		const most = 60 // of each are looked at
		bounds, knots := h.Map.Bounds(), h.Map.Knots()
		for k, b := range bounds[:min(len(bounds), most)] {
			own(b[0])
			if k > 0 {
				own(b[0]/2 + bounds[k-1][0]/2)
			}
		}
		for _, b := range knots[:min(len(knots), most)] {
			own(b.Local)
		}
		e.tell(t, "%s: host %d by %d", what, i, h.Reference)
		for k := 1; k < len(knots); k++ {
			if knots[k].Local <= knots[k-1].Local || knots[k].Reference <= knots[k-1].Reference {
				t.Errorf("%s: the map of host %d does not rise from %v to %v", what, i, knots[k-1], knots[k])
				break
			}
		}
	}
}

// pairs looks at what is said between any two hosts.
func (p *machines) pairs(t *testing.T, n *Network) {
	for a := range p.clocks {
		for b := range p.clocks {
			if a == b {
				continue
			}
			m, ok := n.Between(int32(a), int32(b))
			if !ok {
				continue
			}
			e := excess{rounded: 2}
			for _, at := range p.instants {
				p.hold(&e, m, a, b, at)
			}
			e.tell(t, "all: between %d and %d", a, b)
		}
	}
}

// compared looks at what a window says between any two hosts, if there is a way between all.
func (p *machines) compared(t *testing.T, what string, c *Constraints, config Config) {
	var pairs [][2]string
	var ends [][2]int
	for a := range p.clocks {
		for b := range p.clocks {
			if a != b {
				pairs = append(pairs, [2]string{fmt.Sprint("h", a), fmt.Sprint("h", b)})
				ends = append(ends, [2]int{a, b})
			}
		}
	}
	list, err := c.Compare(config, pairs...)
	if err != nil {
		return
	}
	for i, q := range ends {
		e := excess{rounded: 2}
		for _, at := range p.instants {
			p.hold(&e, list[i].Map, q[0], q[1], at)
		}
		e.tell(t, "%s: compared %d and %d", what, q[0], q[1])
	}
}

// bands looks at what links say of one clock by the other.
func (p *machines) bands(t *testing.T, n *Network) {
	for _, l := range p.links {
		for d := range 2 {
			h := n.hops[[2]int32{int32(l[d]), int32(l[1-d])}]
			if h.corridor == nil {
				continue
			}
			a, b := &p.clocks[l[d]], &p.clocks[l[1-d]]
			e := excess{rounded: 2}
			for _, at := range p.instants {
				if !a.up(at) || !b.up(at) {
					continue
				}
				y := b.local(at)
				if lo, hi, ok := h.corridor.Band(a.local(at)); ok {
					p.bounded++
					e.add(max(lo-y, y-hi), 0, at)
				}
			}
			if e.count > 0 {
				t.Errorf("all: the clock of %d is out of its band by that of %d %d times, by up to %d ns at %.6f s", l[1-d], l[d], e.count, e.off, seconds(e.at))
			}
		}
	}
}

// latencies looks at how long messages were on their way, by the clock of the reference, unless that was set meanwhile. There are too many ways among more than six hosts.
func (p *machines) latencies(t *testing.T, n *Network, s *Solution) {
	if len(p.clocks) > 6 {
		return
	}
	var pairs []Comparison
	for _, l := range p.links {
		for d := range 2 {
			c, ok := s.between(ways{&n.forest, n.hops}, int32(l[d]), int32(l[1-d]))
			if ok && s.Hosts[l[d]].Reference == s.Hosts[l[1-d]].Reference {
				pairs = append(pairs, c)
			}
		}
	}
	with := s.WithPairs(pairs)
	e := excess{rounded: 4}
	for _, m := range p.messages {
		if !m.both || s.Hosts[m.from].Reference != s.Hosts[m.to].Reference {
			continue
		}
		ref := &p.clocks[s.Hosts[m.from].Reference]
		x, y := p.clocks[m.from].local(m.sent), p.clocks[m.to].local(m.received)
		bound, ok := with.ErrorBetween(int32(m.from), int32(m.to), x, y)
		if !ok || ref.setWithin(m.sent, m.received) {
			continue
		}
		p.bounded++
		off := s.Hosts[m.to].Map.Reference(y) - s.Hosts[m.from].Map.Reference(x) - (ref.local(m.received) - ref.local(m.sent))
		e.add(max(off, -off), bound, m.sent)
	}
	e.tell(t, "all: the latency of messages")
}

func (c *machineClock) setWithin(from, to int64) bool {
	for _, s := range c.sets {
		if s[0] >= from && s[0] <= to {
			return true
		}
	}
	return false
}

// early looks for messages far from any step, of links that do not fail, that are received before they are sent in the mapped time, though bounds are small beside all steps.
func (p *machines) early(t *testing.T, s *Solution) {
	failed := make(map[[2]int]bool)
	for _, k := range s.Links {
		if k.Class == hull.Fail {
			failed[[2]int{int(k.A), int(k.B)}] = true
		}
	}
	count, worst, first := 0, int64(0), int64(0)
	for _, m := range p.messages {
		if !m.both || s.Hosts[m.from].Reference != s.Hosts[m.to].Reference || failed[[2]int{min(m.from, m.to), max(m.from, m.to)}] {
			continue
		}
		a, x := s.Hosts[m.from].Map, p.clocks[m.from].local(m.sent)
		b, y := s.Hosts[m.to].Map, p.clocks[m.to].local(m.received)
		if late := b.Reference(y) - a.Reference(x); late < -1 {
			ns, ok := a.Error(x)
			ms, also := b.Error(y)
			if !ok || !also || p.beside(m.sent, max(ns, ms)) {
				continue
			}
			if count++; late < worst {
				worst, first = late, m.sent
			}
		}
	}
	if count > 0 {
		t.Errorf("all: %d messages far from steps are received before they are sent, by up to %d ns at %.3f s", count, -worst, seconds(first))
	}
}

// beside reports whether an instant is close to some step, or a bound not small beside it.
func (p *machines) beside(at, bound int64) bool {
	for i := range p.clocks {
		for _, q := range p.clocks[i].sets {
			size := max(q[1], -q[1])
			if by := 2*size + 10*second; at > q[0]-by && at < q[0]+by || bound >= size/8 {
				return true
			}
		}
	}
	return false
}

// explained looks at what is said of links.
func (p *machines) explained(t *testing.T, what string, s *Solution) {
	for _, k := range s.Links {
		switch {
		case k.Class == hull.Fail:
			t.Errorf("%s: link %d-%d fails", what, k.A, k.B)
		case k.Violations > 0:
			t.Errorf("%s: %d messages of link %d-%d are received before they are sent", what, k.Violations, k.A, k.B)
		}
		if k.Loop != nil && !k.Loop.Consistent {
			t.Errorf("%s: the loop of %d-%d does not close: residual %d ns, bound %d", what, k.A, k.B, k.Loop.Residual, k.Loop.Bound)
		}
	}
}
