package hull

import "math"

// Where both clocks of a link were set back, at different times, neither tells all stretches from each other. But each does so up to the step of its own, and so
// messages are followed from the first on, by the clock by which more of them are one stretch: where that ends the other clock was set. What is later is
// followed by itself, so it does not matter that it shows times again.

const (
	// brief is the part of all messages that a stretch has at least.
	brief = 64
	// far is within how many windows behind a step messages arrive that were on their way during it.
	far = 3
)

// A stretch is of messages between two steps.
type stretch struct {
	messages []constraint
	beside   []constraint  // those around the step behind it, of which nobody knows on which side they are
	why      Contradiction // of it and of what is behind the step
}

// unrolled fits the messages stretch by stretch: ok is false where no clock was set back, or where too little is of any.
func (s *Series) unrolled() (f Fit, ok bool) {
	stretches, back := s.unroll()
	if !back {
		return Fit{}, false
	}
	stretches = rejoined(stretches)
	by := &Series{messages: s.messages}
	known, all := 0, 0
	for i, p := range stretches {
		own := p.series()
		by.width = max(by.width, own.width)
		r := [2]int{len(by.windows), len(by.windows) + len(own.windows)}
		by.windows = append(by.windows, own.windows...)
		all += len(p.messages) + len(p.beside)
		c, fits := by.least(r)
		if fits && by.bounded(r) {
			f.Cap = max(f.Cap, c)
			f.parts = append(f.parts, r)
			f.Cuts = append(f.Cuts, p.why)
			known += len(p.messages)
		} else if i == 0 || i == len(stretches)-1 {
			return Fit{}, false
		}
		by.beside(p.beside)
	}
	if 2*known < all || len(f.parts) < 2 {
		return Fit{}, false
	}
	f.OK, f.by, f.unmixed = true, by, true
	f.Cuts = f.Cuts[:len(f.parts)-1]
	return f, true
}

// beside appends messages, each in a window of its own: those of before a step and of after it would hide each other.
func (s *Series) beside(messages []constraint) {
	for _, m := range messages {
		var w window
		if m.side == Upper {
			w.ceiling = chain{m.Point}
		} else {
			w.floor = chain{m.mirrored()}
		}
		s.windows = append(s.windows, w)
	}
}

// unroll returns the stretches of the messages that are kept by either clock, and whether a clock shows times in one that it has shown in the one before. There
// are none where messages are mixed by both clocks, or if clocks were set too often.
func (s *Series) unroll() (stretches []stretch, back bool) {
	rest := s.either()
	all := len(rest)
	for range maxParts {
		var by [2]Series
		for _, m := range rest {
			by[0].insert(m.side, m.Point)
			by[1].insert(m.side.Other(), m.Point.Swapped())
		}
		ends := [2]end{by[0].firstEnd(), by[1].firstEnd()}
		i := 0
		if ends[1].before(rest, 1) > ends[0].before(rest, 0) {
			i = 1
		}
		if ends[i].from == math.MaxInt64 {
			return append(stretches, stretch{messages: rest}), back
		}
		if ends[i].before(rest, i) < all/brief {
			return nil, false
		}
		p := stretch{why: ends[i].why}
		if i == 1 {
			p.why = p.why.Swapped()
		}
		var later []constraint
		for _, m := range rest {
			switch t := m.by(i); {
			case t < ends[i].from:
				p.messages = append(p.messages, m)
			case t < ends[i].until:
				p.beside = append(p.beside, m)
			default:
				later = append(later, m)
			}
		}
		back = back || p.again(later, 1-i) > by[1-i].Width()
		stretches, rest = append(stretches, p), later
	}
	return nil, false
}

// again is for how long after a stretch a clock shows times that it has shown in it.
func (p *stretch) again(later []constraint, clock int) int64 {
	last, first := int64(math.MinInt64), int64(math.MaxInt64)
	for _, m := range p.messages {
		last = max(last, m.by(clock))
	}
	for _, list := range [][]constraint{p.beside, later} {
		for _, m := range list {
			first = min(first, m.by(clock))
		}
	}
	return apart(last, first)
}

// by is the time of the message by the first clock for 0, by the second for 1.
func (c constraint) by(clock int) int64 {
	if clock == 0 {
		return c.X
	}
	return c.Y
}

// An end of a stretch is when: messages before from are of the stretch, those from until on are not, and nobody knows of others. Both are the last time there is
// where it does not end.
type end struct {
	from, until int64
	why         Contradiction
}

// before is how many of the messages are of the stretch by a clock.
func (e *end) before(messages []constraint, clock int) (count int) {
	for _, m := range messages {
		if m.by(clock) < e.from {
			count++
		}
	}
	return count
}

// firstEnd is the end of the first stretch. The window that contradicts it may have messages of before the step as well, and what was on its way then may
// be in a later one; and the next stretch, followed back, may fit what is in earlier ones.
func (s *Series) firstEnd() end {
	agree := func(from, to int) bool { return s.agree(Steepest, true, from, to) }
	n := longest(len(s.windows), func(length int) bool { return agree(0, length) })
	if n == len(s.windows) {
		return end{from: math.MaxInt64, until: math.MaxInt64}
	}
	var e end
	e.why, _ = s.refutes([2]int{0, n + 1}, Steepest, true)
	next, to := n+1, n+1
	for k := n + 1; k <= len(s.windows) && s.windows[k-1].at-s.windows[n].at < far; k++ {
		if t := k + longest(len(s.windows)-k, func(length int) bool { return agree(k, k+length) }); t > to {
			next, to = k, t
		}
	}
	if s.bounded([2]int{next, to}) {
		n = min(n, to-longest(to, func(length int) bool { return agree(to-length, to) }))
	}
	e.from, _ = s.windows[n].span()
	_, e.until = s.windows[next-1].span()
	e.until = After(e.until, 1)
	return e
}

// either are the messages that are kept by the time of either clock, each once.
func (s *Series) either() (list []constraint) {
	for side := range Lower + 1 {
		for _, points := range [][]Point{s.Points(side), s.byOtherOnly(side)} {
			for _, p := range points {
				list = append(list, constraint{p, side})
			}
		}
	}
	return list
}
