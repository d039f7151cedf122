package hull

// settle solves and drops the points that no line that fits touches. The lines that fit only become
// fewer, so such a point can never be touched again, and while some line fits it says nothing any more. What
// is left is a function of the set of messages: a vertex of all their hull that a line which fits
// touches was touched by it from the start, when there were more lines and fewer points.
//
// When no line fits there is nothing to touch, and points are kept from then on; see Complete.
func (h *Hull) settle() {
	h.solve()
	if h.failed || !h.hasSteepest && !h.hasFlattest {
		return
	}
	kept := len(h.ceiling) + len(h.floor)
	h.ceiling = h.ceiling.touched(h.flattest, h.hasFlattest, h.steepest, h.hasSteepest)
	h.floor = h.floor.touched(h.flattest.mirrored(), h.hasFlattest, h.steepest.mirrored(), h.hasSteepest)
	h.partial = h.partial || len(h.ceiling)+len(h.floor) < kept
}

// touched returns the part of a chain from the first vertex that the flattest line touches to the
// last that the steepest does, both being lines below the chain that touch it. The chain's storage is reused.
func (c chain) touched(flattest line, hasFlattest bool, steepest line, hasSteepest bool) chain {
	first, end := 0, len(c)
	if hasFlattest {
		for c[first].X < flattest.P.X && orient(flattest.P, flattest.Q, c[first]) > 0 {
			first++
		}
	}
	if hasSteepest {
		for c[end-1].X > steepest.Q.X && orient(steepest.P, steepest.Q, c[end-1]) > 0 {
			end--
		}
	}
	if first == 0 {
		return c[:end]
	}
	return c[:copy(c, c[first:end])]
}

// Complete gives a hull of class Fail back the points that were dropped while some line fitted, so that it
// says exactly by how much the messages contradict each other. s is the series of the same messages, which keeps
// all that any line can touch. A hull of another class, or one that dropped nothing since, stays as it is.
func (h *Hull) Complete(s *Series) {
	if !h.failed || !h.partial {
		return
	}
	for i := range s.windows {
		w := &s.windows[i]
		for _, p := range w.ceiling {
			h.ceiling, _ = h.ceiling.insert(p)
		}
		for _, p := range w.floor {
			h.floor, _ = h.floor.insert(p)
		}
	}
	h.partial = false
	h.solve()
}

// Of returns the hull of these points, each as one message, and all that any line can touch if none fits.
func Of(upper, lower []Point) *Hull {
	h := &Hull{messages: [2]int{len(upper), len(lower)}}
	for _, p := range upper {
		h.insert(Upper, p)
	}
	for _, p := range lower {
		h.insert(Lower, p)
	}
	h.settle()
	return h
}
