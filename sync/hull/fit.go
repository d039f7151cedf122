package hull

import (
	"math"
	"slices"
)

// maxParts is how many parts the clocks of a link may have. A clock that makes
// more steps than that is no clock.
const maxParts = 16

// A curve may bend through a step if messages are few. Where one needs a higher cap than abrupt, and at most fewParts of crystals explain the
// messages too, they may be what there is: a clock is set more often than its rate is by hundreds of parts in a million.
const (
	abrupt   = Crystals + margin
	fewParts = 4
)

// A Fit says what it takes to explain the messages of a link.
type Fit struct {
	OK  bool // a curve, with steps if need be, fits
	Cap Cap  // that it needs, with a margin where no line fits
	// Cuts has messages that contradict each other: a few for each step, or, where the
	// messages cannot be explained at all, for the first times that they do not.
	Cuts []Contradiction
	// Set is how steps of clocks that are crystals otherwise would explain the messages as well as the curve of
	// this fit does, which needs much more of a cap; nil if they would not. Messages say nothing of which it was.
	Set *Fit

	parts   [][2]int // windows, from and to
	reaches []beyond // of the parts, where there are several
	open    bool     // messages before the first part contradict it, or such after the last, and do not bound the clock themselves

	by      *Series // of whose windows the parts are; nil if it is the series itself
	turned  bool    // that is as seen from the other host, by whose clock its windows are
	unmixed bool    // no messages of before and after a step are among each other in it
}

// A beyond is how far a curve that fits a part goes on fitting outside of it, by X: the end of the first window that
// contradicts it on the way back, and the begin of the first on the way on.
type beyond struct{ since, until int64 }

// A Contradiction is a few messages that no curve under the highest cap fits,
// though any of them alone does.
type Contradiction struct{ Upper, Lower []Point }

// Swapped is the contradiction as seen from the other host.
func (c Contradiction) Swapped() Contradiction {
	return Contradiction{Upper: swapAll(c.Lower), Lower: swapAll(c.Upper)}
}

// Fit finds the smallest cap under which a curve fits the messages, or the
// fewest steps where none does. Where clocks were set it is by the time of that clock by which less is unsure.
func (s *Series) Fit() Fit {
	f := s.fit()
	if len(f.Cuts) > 0 {
		return s.better(f)
	}
	if leapt, ok := s.leapt(); ok {
		return leapt
	}
	return f
}

// fit is by the time of the first clock.
func (s *Series) fit() Fit {
	all := [2]int{0, len(s.windows)}
	c, ok := s.least(all)
	if !ok {
		f := s.cut(Steepest)
		if curve, ok := s.slewed(&f); ok {
			return curve
		}
		return f
	}
	curve := Fit{OK: true, Cap: c, parts: [][2]int{all}}
	if c > abrupt && !s.agree(Crystals, false, 0, len(s.windows)) {
		if f := s.cut(Crystals); s.calm(&f) {
			curve.Set = &f
		}
	}
	return curve
}

// calm reports whether a fit says that clocks were set a few times, and were crystals otherwise.
func (s *Series) calm(f *Fit) bool {
	return f.OK && f.Cap == Crystals && len(f.parts) > 1 && len(f.parts) <= fewParts && !s.Corridor(*f, Crystals).open
}

// least returns the smallest cap for a range of windows: with its margin where
// their messages show that rates change, and more where it would leave too little room.
func (s *Series) least(r [2]int) (Cap, bool) {
	if line := s.line(r); line != nil {
		return s.spacious(r, Crystals, line), true
	}
	return s.bending(r, Crystals, Steepest)
}

// bending is least of caps from one to another, where no line fits.
func (s *Series) bending(r [2]int, from, to Cap) (Cap, bool) {
	for c := from; c <= to; c++ {
		if _, bad := s.contradicts(r, c); !bad {
			return s.spacious(r, s.roomy(r, c+margin), nil), true
		}
	}
	return 0, false
}

// roomy returns the first cap, from c on, under which the band is nowhere
// narrower than half of what it mostly is: a kink that a cap hardly allows
// pinches it. Where none up to 2·margin beyond does, the messages may be what
// makes it narrow, unless it has too little room for a trip there.
func (s *Series) roomy(r [2]int, c Cap) Cap {
	for more := c; more <= loosest; more++ {
		if more == c+margin+1 && !s.crowded(r, c) {
			break
		}
		if !s.pinch(r, more) {
			return more
		}
	}
	return c
}

// crowded reports whether a cap leaves trips too little room somewhere.
func (s *Series) crowded(r [2]int, c Cap) bool {
	of := s.under(c, r)
	t, ok := s.trips(r, of)
	return ok && t.narrow(t.band(of))
}

func (s *Series) pinch(r [2]int, c Cap) bool {
	p := newPart(c, s.windows[r[0]:r[1]])
	var h Hull
	var widths []uint64
	for i := r[0]; i < r[1]; i++ {
		first, last := s.windows[i].span()
		t := first + int64((uint64(last)-uint64(first))/2)
		p.at(c, t, &h)
		if lo, hi, ok := h.Band(t); ok {
			widths = append(widths, uint64(hi)-uint64(lo))
		}
	}
	slices.Sort(widths)
	return len(widths) > 0 && widths[0] < widths[len(widths)/2]/2
}

// line is the hull of all messages of a range of windows if one line fits them, else nil.
func (s *Series) line(r [2]int) *Hull {
	var h Hull
	for i := r[0]; i < r[1]; i++ {
		for _, p := range s.windows[i].ceiling {
			h.ceiling, _ = h.ceiling.insert(p)
		}
		for _, p := range s.windows[i].floor {
			h.floor, _ = h.floor.insert(p)
		}
	}
	if h.solve(); h.failed {
		return nil
	}
	return &h
}

// contradicts looks for an instant at which no line fits the lifted points of
// a range of windows: the middle of one of them.
func (s *Series) contradicts(r [2]int, c Cap) (found Contradiction, bad bool) {
	return s.refutes(r, c, false)
}

// refutes is contradicts, but that lines of a rate that no clock has do not fit if it is asked for: of a stretch, which may be of two exchanges.
func (s *Series) refutes(r [2]int, c Cap, rates bool) (found Contradiction, bad bool) {
	windows := s.windows[r[0]:r[1]]
	p := newPart(c, windows)
	var h Hull
	for i := range windows {
		first, last := windows[i].span()
		t := first + int64((uint64(last)-uint64(first))/2)
		if p.at(c, t, &h); h.failed {
			return p.contradiction(&h), true
		}
		if l, odd := h.odd(); rates && odd {
			return p.named([]Point{l.P, l.Q}, []Point{l.P.mirrored(), l.Q.mirrored()}), true
		}
	}
	return Contradiction{}, false
}

// cut finds the longest stretches, from the first message on, that a curve
// under the highest cap explains each. A window that contradicts itself is in
// none. A stretch may run on past the step for a while, as long as what comes
// then contradicts nothing; so each is also followed back from the end of the
// next, and windows that may be on either side are in neither.
func (s *Series) cut(limit Cap) Fit { return s.cutInto(limit, 1, false) }

// cutInto is cut into stretches of so many windows or more, each of rates that clocks have if that is asked for.
func (s *Series) cutInto(limit Cap, least int, rates bool) Fit {
	agree := func(from, to int) bool { return s.agree(limit, rates, from, to) }
	var f Fit
	n := len(s.windows)
	var stretches [][2]int
	var whys []Contradiction // why each does not go on
	for from := 0; from < n; {
		to := longest(n-from, func(length int) bool { return agree(from, from+length) }) + from
		var why Contradiction
		if to < n {
			why, _ = s.refutes([2]int{from, to + 1}, limit, rates)
		}
		if to < n && len(f.Cuts) < maxParts {
			f.Cuts = append(f.Cuts, why)
		}
		if to-from >= least && s.bounded([2]int{from, to}) {
			stretches, whys = append(stretches, [2]int{from, to}), append(whys, why)
		}
		if len(stretches) > maxParts {
			return f
		}
		from = max(to, from+1)
	}
	covered := 0
	end := s.before(stretches, agree) // of what is left
	var steps []Contradiction
	for i := len(stretches) - 1; i >= 0; i-- {
		r := [2]int{stretches[i][0], min(stretches[i][1], end)}
		first := 0
		if i > 0 {
			// The step is not after the window at which the one before ends.
			first = stretches[i-1][0]
			r[0] = max(r[0], stretches[i-1][1]+1)
		} else if r[0] > 0 {
			r[0]++ // nor after this one, which contradicts what is before
		}
		if r[0] >= r[1] || !s.bounded(r) {
			continue
		}
		// Nor is it before the one at which this one, followed back, ends.
		back := r[1] - longest(r[1]-first, func(length int) bool { return agree(r[1]-length, r[1]) })
		end = back - 1
		before := back - 1
		if back == first {
			before = -1 // it was followed no further
		}
		f.reaches = append(f.reaches, s.beyond(before, stretches[i][1]))
		c, _ := s.least(r)
		f.Cap = max(f.Cap, c)
		f.parts = append(f.parts, r)
		steps = append(steps, whys[i])
		covered += r[1] - r[0]
	}
	f.OK = len(f.parts) > 0 && 2*covered >= n
	slices.Reverse(f.parts)
	if f.OK {
		f.open = !agree(0, f.parts[0][1]) || !agree(f.parts[len(f.parts)-1][0], n)
	}
	slices.Reverse(f.reaches)
	slices.Reverse(steps)
	switch {
	case f.OK && len(f.parts) > 1:
		f.Cuts = steps[:len(steps)-1]
	case f.OK:
		f.Cuts = f.Cuts[:min(1, len(f.Cuts))] // what is outside of the part, if anything is
	}
	return f
}

// before is the end of what may be in the last of the stretches, as far as windows after it tell, which bound nothing themselves.
func (s *Series) before(stretches [][2]int, agree func(from, to int) bool) int {
	n := len(s.windows)
	if len(stretches) == 0 {
		return n
	}
	last := stretches[len(stretches)-1]
	until := last[1] + longest(n-last[1], func(length int) bool { return agree(last[1], last[1]+length) })
	if until == last[1] {
		return n
	}
	return until - longest(until-last[0], func(length int) bool { return agree(until-length, until) }) - 1
}

// beyond is up to two windows, the one before -1 and the one after the number of windows where none contradicts.
func (s *Series) beyond(before, after int) beyond {
	r := beyond{math.MinInt64, math.MaxInt64}
	if before >= 0 {
		_, r.since = s.windows[before].span()
	}
	if after < len(s.windows) {
		r.until, _ = s.windows[after].span()
	}
	return r
}

// agree reports whether nothing refutes that windows are of one curve.
func (s *Series) agree(limit Cap, rates bool, from, to int) bool {
	_, bad := s.refutes([2]int{from, to}, limit, rates)
	return !bad
}

// odd returns the steepest line that fits if it is flatter than rates of clocks are by each other, or the flattest if it is steeper: they differ by
// less than 1 in 1000.
func (h *Hull) odd() (l line, odd bool) {
	slow, fast := line{Point{}, Point{1001, 1000}}, line{Point{}, Point{1000, 1001}}
	switch {
	case h.hasSteepest && turn(slow.P, slow.Q, h.steepest.P, h.steepest.Q) < 0:
		return h.steepest, true
	case h.hasFlattest && turn(fast.P, fast.Q, h.flattest.P, h.flattest.Q) > 0:
		return h.flattest, true
	}
	return line{}, false
}

// longest returns the largest length up to most that is good, 0 if 1 is not,
// given that all below a good one are.
func longest(most int, good func(length int) bool) int {
	length, step := 0, 1
	for length+step <= most && good(length+step) {
		length += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if length+step <= most && good(length+step) {
			length += step
		}
	}
	return length
}

// bounded reports whether messages of both directions enclose the clock.
func (s *Series) bounded(r [2]int) bool {
	if r[0] == r[1] {
		return false
	}
	p := newPart(Steepest, s.windows[r[0]:r[1]])
	var h Hull
	p.at(Steepest, p.begin+int64((uint64(p.end)-uint64(p.begin))/2), &h)
	return h.hasFlattest && h.hasSteepest
}

// Corridor returns the corridor under a cap, which must be at least the fit's.
func (s *Series) Corridor(f Fit, c Cap) *Corridor {
	if f.by != nil {
		return f.seen(f.by.Corridor(f.own(), c))
	}
	k := &Corridor{cap: max(c, f.Cap), open: f.open}
	for _, r := range f.parts {
		k.parts = append(k.parts, newPart(k.cap, s.windows[r[0]:r[1]]))
	}
	for j := range k.parts {
		for i := range j {
			if i == j-1 || !f.unmixed && k.mixed(&k.parts[i], &k.parts[j], f.reaches[i].until, f.reaches[j].since, s.Width()) {
				k.seams = append(k.seams, seam{a: i, b: j, seen: true})
			}
		}
	}
	k.settle()
	s.between(f, k)
	return k
}

// between opens a corridor where there are messages between two of its parts that no part explains which may be the clock then. They are mostly of
// one direction, or they would be a part. A message that was on its way during a step still agrees with what was before or after it; so there was
// more than one step, and by how much nothing tells. As the clock may show any time twice, nothing is known of it.
func (s *Series) between(f Fit, k *Corridor) {
	for n := range k.seams {
		p := &k.seams[n]
		if slices.ContainsFunc(k.seams, func(q seam) bool { return p.b > p.a+1 && q.b-q.a > p.b-p.a && q.a <= p.a && q.b >= p.b }) {
			continue // the longer one tells of it
		}
		messages := s.constraints([2]int{f.parts[p.a][1], f.parts[p.b][0]})
		before, after := &k.parts[p.a], &k.parts[p.b]
		if p.b > p.a+1 {
			p.astray = k.stray(before, after, messages)
		} else if neither := slices.DeleteFunc(slices.Clone(messages), k.explains); len(neither) > 0 {
			k.open = true
			k.neither = append(k.neither, extent(neither))
			p.astray = k.stray(before, after, messages)
		}
	}
}

// extent is the first and the last time of messages by either clock.
func extent(messages []constraint) [2]Point {
	e := [2]Point{{math.MaxInt64, math.MaxInt64}, {math.MinInt64, math.MinInt64}}
	for _, m := range messages {
		e[0] = Point{min(e[0].X, m.X), min(e[0].Y, m.Y)}
		e[1] = Point{max(e[1].X, m.X), max(e[1].Y, m.Y)}
	}
	return e
}

// contradiction names the messages for which h, the lifted points, has no line.
func (p *part) contradiction(h *Hull) Contradiction {
	return p.named(h.conflict())
}

// named are messages of which the times are those of lifted points, lower ones mirrored.
func (p *part) named(upper, lower []Point) (c Contradiction) {
	for _, q := range upper {
		for _, own := range p.ceiling {
			if own.X == q.X {
				c.Upper = append(c.Upper, own)
			}
		}
	}
	for _, q := range lower {
		for _, own := range p.floor {
			if own.X == q.X {
				c.Lower = append(c.Lower, own.mirrored())
			}
		}
	}
	return c
}
