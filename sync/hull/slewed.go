package hull

// A clock that is slewed, by 500 ppm for a second or so as adjtime(2) does it, bends more than what is tried to explain messages at first, and so is cut
// like one that was set. But a step leaves what is before and behind it alone, and a slew does not: before it goes further than delays hide it is
// among the messages of the stretch before, which can bend into it, and when it ends among those of the next. So where a stretch bends, or has too little room for round trips,
// only by what is next to a step, or bends faster than any clock swings of itself, higher caps are tried for all messages together, and what fits is a curve.
//
// We do not try them at once. Under such a cap a clock may move by 0.9 ms between two messages a second apart, and by more between fewer; so a curve would go through
// most steps of clocks among few messages, whose bounds then were as wide.

const (
	// quickest is the highest cap by which a clock that is slewed is explained: 7.3e-3 per second, for
	// 500 ppm at once under delays of 2 µs each way, or 2000 ppm under 35.
	quickest = Steepest + 5
	// few windows next to a step are what a short slew reaches into, an eighth of all is for a long one.
	few    = 4
	eighth = 8
)

// slewed returns the curve of a clock that was slewed, where the cuts of a fit show that it was not set.
func (s *Series) slewed(f *Fit) (curve Fit, ok bool) {
	if bent := f.OK && !f.open && f.Cap > swinging && len(s.windows) >= 2*fewTrips; !bent && !s.cramped(f) {
		return Fit{}, false
	}
	all := [2]int{0, len(s.windows)}
	c, ok := s.bending(all, Steepest+1, quickest)
	return Fit{OK: true, Cap: c, parts: [][2]int{all}}, ok
}

// cramped reports whether a stretch bends, or has too little room for trips, only by what is next to a step.
func (s *Series) cramped(f *Fit) bool {
	for i, r := range f.parts {
		for _, aside := range [2]int{few, (r[1] - r[0]) / eighth} {
			inner := r
			if i > 0 {
				inner[0] += aside
			}
			if i+1 < len(f.parts) {
				inner[1] -= aside
			}
			if inner != r && inner[1]-inner[0] >= fewTrips && s.crampedBeside(r, inner, f.Cap) {
				return true
			}
		}
	}
	return false
}

// crampedBeside reports it of windows under a cap, by those among them that are not next to a step.
func (s *Series) crampedBeside(r, inner [2]int, under Cap) bool {
	whole, _ := s.least(r)
	c, _ := s.least(inner)
	if whole > c+margin {
		return true
	}
	of := s.under(c, inner)
	t, ok := s.trips(inner, of)
	return ok && !t.narrow(t.band(of)) && t.narrow(t.band(s.under(under, r)))
}
