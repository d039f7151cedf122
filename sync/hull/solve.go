package hull

// solve finds the steepest and the flattest line that fit, or that none does.
//
// For a slope a let gap(a) be the height of the corridor: the lowest
// intercept an upper point allows less the highest a lower point demands. It
// is a concave, piecewise linear function of a, and a line of slope a fits
// when it is not negative. The steepest line is its largest root, found by
// Newton's method from infinity: take the pair of points that decides the
// gap, go to the slope at which that pair alone would just fit, repeat. Each
// step meets the points in order of one more edge at least, so it ends, in
// practice after two or three steps of a binary search each. A pair that asks
// to go the other way proves that no slope fits.
func (h *Hull) solve() {
	h.hasSteepest, h.hasFlattest, h.failed = false, false, false
	if len(h.ceiling) == 0 || len(h.floor) == 0 {
		return
	}
	var fits bool
	if h.steepest, h.hasSteepest, fits = h.findSteepest(); !fits {
		h.failed = true
		return
	}
	if h.flattest, h.hasFlattest, fits = h.findFlattest(); !fits {
		h.failed, h.hasSteepest = true, false
	}
}

// findSteepest returns ok false where slopes have no upper limit.
func (h *Hull) findSteepest() (steepest line, ok, fits bool) {
	// The vertical line is decided by the rightmost upper and the leftmost lower point.
	upper := h.ceiling[len(h.ceiling)-1]
	lower := h.floor[len(h.floor)-1].mirrored()
	if upper.X < lower.X || upper.X == lower.X && upper.Y >= lower.Y {
		return line{}, false, true
	}
	for upper.X > lower.X && upper.Y > lower.Y {
		u := h.ceiling.support(lower, upper)
		l := h.floor.support(lower, upper).mirrored()
		if turn(lower, upper, l, u) >= 0 {
			return line{lower, upper}, true, true
		}
		upper, lower = u, l
	}
	return line{}, false, false
}

// findFlattest returns ok false where every slope down to zero fits.
func (h *Hull) findFlattest() (flattest line, ok, fits bool) {
	// The level line is decided by the lowest upper and the highest lower point.
	upper := h.ceiling[0]
	lower := h.floor[0].mirrored()
	if upper.Y > lower.Y || upper.Y == lower.Y && upper.X <= lower.X {
		return line{}, false, true
	}
	for lower.X > upper.X && lower.Y > upper.Y {
		u := h.ceiling.support(upper, lower)
		l := h.floor.support(upper, lower).mirrored()
		if turn(upper, lower, l, u) >= 0 {
			return line{upper, lower}, true, true
		}
		upper, lower = u, l
	}
	return line{}, false, false
}

// conflict returns points of both sides, two of each at most, that no line of
// positive slope fits; lower ones mirrored. The hull must have failed.
func (h *Hull) conflict() (upper, lower []Point) {
	u, l := h.ceiling[len(h.ceiling)-1], h.floor[len(h.floor)-1]
	for o := l.mirrored(); u.X > o.X && u.Y > o.Y; o = l.mirrored() {
		v, m := h.ceiling.support(o, u), h.floor.support(o, u)
		if turn(o, u, m.mirrored(), v) >= 0 {
			return h.conflictBelow() // the steepest line fits
		}
		if w := m.mirrored(); v.X <= w.X || v.Y <= w.Y {
			return distinct(u, v), distinct(l, m)
		}
		u, l = v, m
	}
	return []Point{u}, []Point{l}
}

func (h *Hull) conflictBelow() (upper, lower []Point) {
	u, l := h.ceiling[0], h.floor[0]
	for o := l.mirrored(); o.X > u.X && o.Y > u.Y; o = l.mirrored() {
		v, m := h.ceiling.support(u, o), h.floor.support(u, o)
		if w := m.mirrored(); w.X <= v.X || w.Y <= v.Y {
			return distinct(u, v), distinct(l, m)
		}
		u, l = v, m
	}
	return []Point{u}, []Point{l}
}

func distinct(p, q Point) []Point {
	if p == q {
		return []Point{p}
	}
	return []Point{p, q}
}
