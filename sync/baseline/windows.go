package baseline

import (
	"math"
	"math/big"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A Mode says what a window takes over from those before it (Jabbarifar 2013,
// section 3.6.3).
type Mode uint8

const (
	Independent Mode = iota // nothing
	Replace                 // all, unless its own hull is better
	Correlated              // the hull's points, to which it adds its own
)

// WindowConfig is the length of windows, 3 s if 0.
type WindowConfig struct{ Length int64 }

// A WindowCount is what became of the windows of a link.
type WindowCount struct {
	Windows  int // with messages
	Accurate int // whose own messages allow a bounded range of slopes
	Changed  int // after which the clocks were computed anew
}

// Windows runs one of the modes over a link and returns the clock, and what became of the windows.
//
// Windows are those of algorithm 1 of the thesis: the first ends a length
// after the later of the two beginnings, as the clocks show it; every other
// is a length long in the time of B, to which A is converted by what is
// known so far; a message belongs to the window in which both its ends have been read.
//
// The clock of Independent is each window's line in that window. Replace and
// Correlated end with one line for all time, as a viewer would show it after the last window.
func Windows(l *Link, mode Mode, c WindowConfig) (Estimate, WindowCount) {
	if c.Length <= 0 {
		c.Length = 3_000_000_000
	}
	w := windows{mode: mode, length: c.Length, now: clock.Identity()}
	w.run(l.Messages)
	begin, end := l.span()
	switch {
	case w.best == nil:
		return Estimate{}, w.count
	case mode == Independent:
		if len(w.lines) == 0 {
			return Estimate{}, w.count
		}
		return estimate(w.lines, w.width()), w.count
	}
	choice, _ := w.best.Choose()
	l0 := around(choice, begin, end)
	if !l0.usable() || w.best.Class() == hull.Incomplete {
		return Estimate{}, w.count
	}
	return estimate([]piece{{begin, end, l0}}, accuracy(w.best)), w.count
}

type windows struct {
	mode   Mode
	length int64
	now    *clock.Map // A's time to B's, as known so far
	best   *hull.Hull // that it is known by; nil before the first window
	lines  []piece    // Independent
	widths []float64
	count  WindowCount
}

func (w *windows) run(messages []Constraint) {
	first := messages[0].At
	least := first.Y
	for _, m := range messages {
		least = min(least, m.At.Y)
	}
	end := min(max(first.X, least), math.MaxInt64-3*w.length) + w.length // in B's time; A's counts as such before anything is known
	begin := first.X
	var waiting []Constraint // read at A, but not yet at B
	for idle := 0; len(messages) > 0 || len(waiting) > 0; idle++ {
		endA := w.now.Local(end)
		// There is no time after this, or the clocks are none: a window that skip chose has a message, if not for rounding.
		if end >= math.MaxInt64-2*w.length || idle > 3 {
			w.analyze(append(waiting, messages...), begin, endA)
			return
		}
		var in []Constraint
		for len(messages) > 0 && messages[0].At.X < endA {
			waiting = append(waiting, messages[0])
			messages = messages[1:]
			idle = -1
		}
		rest := waiting[:0]
		for _, m := range waiting {
			if m.At.Y < end {
				in = append(in, m)
			} else {
				rest = append(rest, m)
			}
		}
		waiting = rest
		if len(in) > 0 {
			w.analyze(in, begin, endA)
			idle = -1
		}
		// No gap: the next begins where the earlier of the two clocks is.
		next := min(w.now.Reference(endA), end) + w.length // below the end of time, as end is
		if next <= end {
			next = end + 1
		}
		end, begin = w.skip(next, messages, waiting), endA
	}
}

// skip returns the end of the first window from one that ends at end on in
// which there is a message, so that a pause costs nothing.
func (w *windows) skip(end int64, messages, waiting []Constraint) int64 {
	need := int64(math.MaxInt64)
	if len(messages) > 0 {
		need = max(w.now.Reference(messages[0].At.X), messages[0].At.Y)
	}
	for _, m := range waiting {
		need = min(need, m.At.Y)
	}
	if need < end {
		return end
	}
	if need >= math.MaxInt64-2*w.length {
		return math.MaxInt64
	}
	more := (uint64(need)-uint64(end))/uint64(w.length) + 1
	return end + int64(more*uint64(w.length))
}

// analyze is what happens at the end of a window.
func (w *windows) analyze(in []Constraint, begin, end int64) {
	w.count.Windows++
	own := &hull.Hull{}
	for _, m := range in {
		own.Add(m.Side, m.At)
	}
	if own.Class() == hull.Accurate {
		w.count.Accurate++
	}
	switch {
	case w.mode == Correlated && w.best != nil:
		before := w.best.Accurate()
		for _, m := range in {
			w.best.Add(m.Side, m.At)
		}
		if w.best.Accurate() == before && w.best.Class() == hull.Accurate {
			return
		}
	case w.mode == Replace && w.best != nil && !better(own, w.best):
		return
	case w.mode == Independent && own.Class() != hull.Accurate:
		return // what was known goes on
	default:
		w.best = own
	}
	w.count.Changed++
	choice, ok := w.best.Choose()
	l := around(choice, begin, end)
	if !ok || !l.usable() || w.best.Class() == hull.Incomplete {
		return
	}
	w.now = l.exact().Map(begin, end)
	if w.mode == Independent {
		w.lines = append(w.lines, piece{in[0].At.X, max(in[len(in)-1].At.X, in[0].At.X+1), l})
		w.widths = append(w.widths, accuracy(own))
	}
}

// rank orders classes; the thesis lets a better class replace a worse one always.
func rank(c hull.Class) int {
	switch c {
	case hull.Accurate:
		return 3
	case hull.Approximate:
		return 2
	case hull.Incomplete, hull.Fail:
		return 1
	}
	return 0
}

// better reports whether a window's hull replaces another. Of two accurate ones the narrower
// range of slopes wins; of two approximate ones, which have no range, that with more messages.
func better(p, q *hull.Hull) bool {
	if a, b := rank(p.Class()), rank(q.Class()); a != b || a < 2 {
		return a > b
	}
	if p.Class() == hull.Accurate {
		return slopes(p).Cmp(slopes(q)) < 0
	}
	messages := func(h *hull.Hull) int { return h.Messages(hull.Upper) + h.Messages(hull.Lower) }
	return messages(p) > messages(q)
}

// slopes is the range of slopes that fit, which the thesis calls accuracy.
func slopes(h *hull.Hull) *big.Rat { return new(big.Rat).Sub(h.AlphaMax(), h.AlphaMin()) }

// accuracy is the same in parts per 10^12; links without come last.
func accuracy(h *hull.Hull) float64 {
	if h.Class() != hull.Accurate {
		return 1e18
	}
	f, _ := slopes(h).Float64()
	return 1e12 * f
}

func (w *windows) width() float64 {
	var sum float64
	for _, v := range w.widths {
		sum += v
	}
	return sum / float64(len(w.widths))
}

// around is a chosen line near the middle of a stretch.
func around(c hull.Choice, begin, end int64) line {
	if c.Alpha == nil || c.Beta == nil {
		return line{offset: math.NaN()}
	}
	l := line{origin: begin + (end-begin)/2}
	at := clock.Line{Alpha: c.Alpha, Beta: c.Beta}.At(new(big.Rat).SetInt64(l.origin))
	off := at.Sub(at, new(big.Rat).SetInt64(l.origin))
	whole := new(big.Int).Quo(off.Num(), off.Denom())
	if !whole.IsInt64() {
		return line{offset: math.NaN()}
	}
	l.base = whole.Int64()
	l.offset, _ = new(big.Rat).Sub(off, new(big.Rat).SetInt(whole)).Float64()
	l.slope, _ = new(big.Rat).Sub(c.Alpha, big.NewRat(1, 1)).Float64()
	return l
}
