package hull

import "slices"

// What no message contradicts may still be wrong: where delays vary, a line fits a clock that swings or was set by less than they do, and a curve
// under a low cap fits one that swings faster. There is a sign of it. If the truth fits, it fits as well when it is later by as much as the fastest message
// of the one direction took, or earlier by that of the other: so the band is nowhere narrower than these two together. A line
// that is not the clock is held between messages that it has nothing to do with, and its band is narrower, down to nothing.
//
// What messages took is known only as far as clocks are, but what two of them took that went there and back at about the same time is: a trip. Messages of different
// times make trips as well, by a line. If that is the clock these take as long as the others, now longer, now shorter. If it is ahead of the clock by what
// changes, one direction takes longer by that and the other shorter, and only the trips of messages of one time do not show it: others seem to be shorter than these
// ever are. So where a band is narrower than two thirds of the shortest trip, and many trips of different times seem to be shorter than that one, the cap is raised until
// the band has that room. Delays, however they are spread, are taken for it by chance alone.
//
// This proves nothing: a clock that is set by more than a trip, among so few messages that a curve under the cap that results leads through the
// step, is outside its bound there. We do not widen bands to the shortest trip instead. Their middle is off as well then.

const (
	fewTrips   = 32 // that are too few to tell
	tripsAStep = 64 // for each step that may have been within one, which seems to be shorter then than it was; of at most two
	shuffles   = 7  // trips of different times for each one
	seldom     = 9  // of the trips of different times, in each shuffle, are shorter than the shortest of one time 1 time in 8000 by chance
	seldomer   = 3  // more than the second, and so many more again than the third
)

// trips are messages that went there and back within a window, by windows.
type trips struct {
	windows  []*window
	from, to Point   // two of one direction, the first and the last
	rate     float64 // of the line through these, by which times are compared within a window
	shortest float64 // ns by the second clock
}

// trips returns those of a range of windows; ok is false where they are too few.
func (s *Series) trips(r [2]int) (t trips, ok bool) {
	for i := r[0]; i < r[1]; i++ {
		if w := &s.windows[i]; len(w.ceiling) > 0 && len(w.floor) > 0 {
			t.windows = append(t.windows, w)
		}
	}
	if len(t.windows) < fewTrips {
		return t, false
	}
	// The slope is off by as much as the two took longer than each other over all windows, so within one by little of that.
	t.from, t.to = t.windows[0].ceiling[0], t.windows[len(t.windows)-1].ceiling[0]
	falls, rise := difference(t.to.Y, t.from.Y)
	if falls || rise == 0 {
		return t, false
	}
	t.rate = float64(rise) / float64(uint64(t.to.X)-uint64(t.from.X))
	took := make([]float64, len(t.windows))
	for i, w := range t.windows {
		there, back := t.of(w)
		took[i] = signed(there.Y, back.Y) - float64(t.rate*signed(there.X, back.X))
	}
	slices.Sort(took)
	t.shortest = took[t.rank()]
	return t, t.shortest > 0
}

// rank is the place of the shortest trip among all by length: those before it may have been cut short by a step.
func (t *trips) rank() int { return min(2, len(t.windows)/tripsAStep) }

// of returns the messages of a window that were there, and back, first.
func (t *trips) of(w *window) (there, back Point) {
	return w.ceiling.support(t.from, t.to), w.floor.support(t.from, t.to).mirrored()
}

// spacious returns a cap from c on under which a curve that the messages allow may be the clock: c where nothing speaks against it, else the first whose
// band has room for trips, if there is one. line is the hull of all messages of the windows, where one line fits them, nil else.
func (s *Series) spacious(r [2]int, c Cap, line *Hull) Cap {
	t, ok := s.trips(r)
	if !ok || line != nil && !t.narrow(t.band(line.Band)) {
		return c // what bends has more room
	}
	for more := c; more <= loosest; more++ {
		p := newPart(more, s.windows[r[0]:r[1]])
		var h Hull
		band := t.band(func(x int64) (lo, hi int64, ok bool) {
			p.at(more, x, &h)
			return h.Band(x)
		})
		if !t.narrow(band) {
			return more
		}
		if more == c && !t.odd(band) {
			return c
		}
	}
	return c
}

// A passage is a window and what the second clock can show in the middle of it, by the first.
type passage struct {
	*window
	x, lo, hi int64
}

func (t *trips) band(of func(x int64) (lo, hi int64, ok bool)) []passage {
	band := make([]passage, 0, len(t.windows))
	for _, w := range t.windows {
		first, last := w.span()
		x := first + int64((uint64(last)-uint64(first))/2)
		if lo, hi, ok := of(x); ok {
			band = append(band, passage{w, x, lo, hi})
		}
	}
	return band
}

// narrow reports whether a band leaves trips too little room somewhere.
func (t *trips) narrow(band []passage) bool {
	return slices.ContainsFunc(band, func(p passage) bool { return float64(uint64(p.hi)-uint64(p.lo)) < t.shortest/3*2 })
}

// odd reports whether trips of different times seem to be shorter than those of one time by the middle of a band.
func (t *trips) odd(band []passage) bool {
	n := len(band)
	there, back := make([]float64, n), make([]float64, n) // how long they took
	for i, p := range band {
		a, b := t.of(p.window)
		middle := p.lo + int64((uint64(p.hi)-uint64(p.lo))/2)
		there[i] = signed(a.Y, middle) - float64(t.rate*signed(a.X, p.x))
		back[i] = signed(middle, b.Y) - float64(t.rate*signed(p.x, b.X))
	}
	shorter := 0
	for k := 1; k <= shuffles; k++ {
		for i := range n {
			if there[i]+back[(i+k*n/(shuffles+1))%n] < t.shortest {
				shorter++
			}
		}
	}
	return shorter > (seldom+seldomer*t.rank())*shuffles
}

// signed is a-b.
func signed(a, b int64) float64 {
	less, by := difference(a, b)
	if less {
		return -float64(by)
	}
	return float64(by)
}
