package hull

import "slices"

// What no message contradicts may still be wrong: where delays vary, a line fits a clock that swings by less than they do, and a curve
// under a low cap fits one that swings faster. There is a sign of it. If the truth fits, it fits as well when it is later by as much as the fastest message
// of the one direction took, or earlier by that of the other: so the band is nowhere narrower than these two together. A line
// that is not the clock is held between messages that it has nothing to do with, and its band is narrower, down to nothing.
//
// What messages took is known only as far as clocks are, but what two of them took that went there and back at about the same time is: a trip. Messages of different
// times make trips as well, by a line. If that is the clock these take as long as the others, now longer, now shorter. If it is ahead of the clock by what
// changes, one direction takes longer by that and the other shorter, and only the trips of messages of one time do not show it: others seem to be shorter than these
// ever are. So where a band is narrower than two thirds of the shortest trip, and many trips of different times seem to be shorter than that one, the cap is raised until
// the band has that room. Delays, however they are spread, are taken for it by chance alone, unless load comes and goes in one direction and then in the other: so the
// cap is raised no further than clocks swing. What load does within seconds would need more, and so would a step, which this leaves alone.
//
// We do not widen bands to the shortest trip instead. Their middle is off as well then, and where delays vary much a band is rightly narrower.

const (
	fewTrips   = 32           // that are too few to tell
	tripsAStep = 64           // for each step that may have been within one, which seems to be shorter then than it was; of at most two
	shuffles   = 7            // trips of different times for each one
	golden     = 0.618        // of all windows is between the two ends of those of the first shuffle: no cycle of load is in step with them all
	seldom     = 9            // of the trips of different times, in each shuffle, are shorter than the shortest of one time 1 time in 8000 by chance
	seldomer   = 3            // more than the second, and so many more again than the third
	swinging   = Crystals + 6 // 1.8e-6 per second: of a rate that swings by 10 ppm within 35 s
)

// trips are messages that went there and back within a window, by windows.
type trips struct {
	windows  []*window
	from, to Point   // of a line about as steep as the clock
	rate     float64 // of it, by which times are compared within a window
	shortest float64 // ns by the second clock
}

// trips returns those of a range of windows, with the slope of the middle of a band; ok is false where they are too few.
func (s *Series) trips(r [2]int, of bands) (t trips, ok bool) {
	for i := r[0]; i < r[1]; i++ {
		if w := &s.windows[i]; len(w.ceiling) > 0 && len(w.floor) > 0 {
			t.windows = append(t.windows, w)
		}
	}
	if len(t.windows) < fewTrips {
		return t, false
	}
	first, begun := of.over(t.windows[0])
	last, ended := of.over(t.windows[len(t.windows)-1])
	t.from, t.to = Point{first.x, first.middle()}, Point{last.x, last.middle()}
	falls, rise := difference(t.to.Y, t.from.Y)
	if !begun || !ended || falls || rise == 0 {
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
// band has room for trips, if there is one up to swinging. line is the hull of all messages of the windows, where one line fits them, nil else.
func (s *Series) spacious(r [2]int, c Cap, line *Hull) Cap {
	var of bands
	if line != nil {
		of = line.Band
	} else {
		of = s.under(c, r)
	}
	t, ok := s.trips(r, of)
	if !ok || line != nil && !t.narrow(t.band(of)) {
		return c // what bends has more room
	}
	for more := c; more <= max(c, swinging); more++ {
		band := t.band(s.under(more, r))
		if !t.narrow(band) {
			return more
		}
		if more == c && !t.odd(band) {
			return c
		}
	}
	return c
}

// bands tells what the second clock can show when the first shows a time.
type bands func(x int64) (lo, hi int64, ok bool)

// under is the band of a range of windows under a cap.
func (s *Series) under(c Cap, r [2]int) bands {
	p := newPart(c, s.windows[r[0]:r[1]])
	var h Hull
	return func(x int64) (lo, hi int64, ok bool) {
		p.at(c, x, &h)
		return h.Band(x)
	}
}

// A passage is a window and what the second clock can show in the middle of it, by the first.
type passage struct {
	*window
	x, lo, hi int64
}

func (p passage) middle() int64 { return p.lo + int64((uint64(p.hi)-uint64(p.lo))/2) }

func (of bands) over(w *window) (p passage, ok bool) {
	first, last := w.span()
	p = passage{window: w, x: first + int64((uint64(last)-uint64(first))/2)}
	p.lo, p.hi, ok = of(p.x)
	return p, ok
}

func (t *trips) band(of bands) []passage {
	band := make([]passage, 0, len(t.windows))
	for _, w := range t.windows {
		if p, ok := of.over(w); ok {
			band = append(band, p)
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
		middle := p.middle()
		there[i] = signed(a.Y, middle) - float64(t.rate*signed(a.X, p.x))
		back[i] = signed(middle, b.Y) - float64(t.rate*signed(p.x, b.X))
	}
	shorter := 0
	for k := 1; k <= shuffles; k++ {
		for i := range n {
			if there[i]+back[(i+int(float64(n)*golden)*k)%n] < t.shortest {
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
