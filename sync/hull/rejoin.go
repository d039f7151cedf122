package hull

import (
	"math"
	"slices"
)

// Where the clock by which a stretch is followed is set back itself, later on, but to before the end of the stretch, messages of then are among
// those of the stretch. It ends where they begin, though no clock was set there, and is taken up again behind each few of them; and so are they. Stretches of which
// one curve fits the messages are then one, if there is an order of what results in which one step leads from each to the next. That explains the messages by
// fewer steps than there seem to be.

// A joined is one or more stretches as one.
type joined struct {
	stretch
	cap            Cap      // under which a curve fits its messages
	known          bool     // one does, and they bound the clock
	sent, received [2]int64 // the last time by each clock at which a message was sent, the first at which one was received
}

// rejoined are the stretches, put together and in order, or as they are where that explains nothing.
func rejoined(stretches []stretch) []stretch {
	var groups []joined
	for _, p := range stretches {
		own := joinedOf(p)
		best, least := -1, loosest+1
		for i := range groups {
			if c, ok := groups[i].same(&own); ok && c < least {
				best, least = i, c
			}
		}
		if best < 0 {
			groups = append(groups, own)
			continue
		}
		g := &groups[best]
		*g = joinedOf(stretch{messages: slices.Concat(g.messages, p.messages), beside: slices.Concat(g.beside, p.beside)})
	}
	if len(groups) == len(stretches) {
		return stretches
	}
	order := inOrder(groups)
	if order == nil {
		return stretches
	}
	var list []stretch
	for n, i := range order {
		p := groups[i].stretch
		if n+1 < len(order) {
			if why, bad := p.against(&groups[order[n+1]].stretch); bad {
				p.why = why
			}
		} else if n > 0 {
			list[n-1].beside = slices.Concat(list[n-1].beside, p.beside) // there is no step behind it
			p.beside = nil
		}
		list = append(list, p)
	}
	return list
}

// joinedOf is one stretch.
func joinedOf(p stretch) joined {
	g := joined{stretch: p, sent: [2]int64{math.MinInt64, math.MinInt64}, received: [2]int64{math.MaxInt64, math.MaxInt64}}
	for _, m := range p.messages {
		from := 0
		if m.side == Lower {
			from = 1
		}
		g.sent[from] = max(g.sent[from], m.by(from))
		g.received[1-from] = min(g.received[1-from], m.by(1-from))
	}
	s := p.series()
	all := [2]int{0, len(s.windows)}
	if g.cap, g.known = s.least(all); g.known {
		g.known = s.bounded(all)
	}
	return g
}

// series is of the stretch's messages.
func (p *stretch) series() *Series {
	var s Series
	for _, m := range p.messages {
		s.insert(m.side, m.Point)
	}
	return &s
}

// with are the messages of two stretches.
func (p *stretch) with(o *stretch) *Series {
	both := stretch{messages: slices.Concat(p.messages, o.messages)}
	return both.series()
}

// same reports whether two may be one, and under which cap: it bends no more than either does by itself, or as crystals do, and has the rate of a clock.
func (g *joined) same(o *joined) (c Cap, ok bool) {
	if !g.known || !o.known {
		return 0, false
	}
	s := g.with(&o.stretch)
	all := [2]int{0, len(s.windows)}
	if _, bad := s.refutes(all, max(max(g.cap, o.cap)-margin, Crystals), true); bad {
		return 0, false
	}
	return s.least(all)
}

// against are messages of two stretches that contradict each other, if any do.
func (p *stretch) against(o *stretch) (why Contradiction, bad bool) {
	s := p.with(o)
	return s.refutes([2]int{0, len(s.windows)}, Steepest, true)
}

// inOrder is an order of all in which each may be followed by the next, nil if there is none. What was tried in vain is kept, by which have been and which of
// them was the last: so of as many as a link is cut into there are a million steps at most, where all orders are beyond number.
func inOrder(groups []joined) []int {
	if len(groups) > maxParts {
		return nil
	}
	vain := make([]uint32, 1<<len(groups)) // by a bit for each that has been, a bit for each that was the last
	var order []int
	var complete func(been int) bool
	complete = func(been int) bool {
		if len(order) == len(groups) {
			return true
		}
		last := len(order) - 1
		if last >= 0 && vain[been]&(1<<order[last]) != 0 {
			return false
		}
		for i := range groups {
			if been&(1<<i) != 0 || last >= 0 && !groups[order[last]].leads(&groups[i]) {
				continue
			}
			order = append(order, i)
			if complete(been | 1<<i) {
				return true
			}
			order = order[:last+1]
		}
		if last >= 0 {
			vain[been] |= 1 << order[last]
		}
		return false
	}
	if !complete(0) {
		return nil
	}
	return order
}

// leads reports whether one step of one clock may lead from a stretch to another: by the other clock what was sent in the one is before what was received in the other.
func (g *joined) leads(o *joined) bool {
	return g.sent[0] <= o.received[0] || g.sent[1] <= o.received[1]
}
