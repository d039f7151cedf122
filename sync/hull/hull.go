// Package hull finds the clock lines of one link that its messages allow.
//
// # The geometry
//
// A link joins two hosts. A moment has a reading x on the first host's clock
// and a reading y on the second's, and over a span in which both crystals
// keep their rate the two are on a line y = alpha·x + beta with alpha > 0.
// Nobody knows alpha and beta, but every message says something about them,
// because it was received after it was sent:
//
//   - a message from the first host to the second, sent at x and received at
//     y, lies on or above the line: an Upper point;
//   - a message from the second host to the first, sent at y and received at
//     x, lies on or below the line: a Lower point.
//
// So the line runs in the corridor between the lower hull of the upper points
// and the upper hull of the lower points. The lines that fit form a convex
// set in the plane of (alpha, beta); its extreme slopes are taken by the two
// inner tangents of the hulls, the steepest and the flattest line. Nothing is
// assumed about delays: the corridor is a hard bound, not a confidence
// interval. The method is Duda's, the incremental form and the five classes
// are those of M. Jabbarifar, "On Line Trace Synchronization for Large Scale
// Distributed Systems", 2013, sections 2.4 and 3.6.
//
// # What is kept
//
// Only points that some line which fits can touch are kept: of each side a chain
// that rises strictly in x and in y, convex for the upper points, concave for
// the lower ones, from where the flattest line touches it to where the steepest
// does. A point off it can never matter again, whatever comes later, for lines
// that fit become fewer only. So points may come in any order, and the hull
// of a union is that of the hulls (Merge). The thesis keeps as much,
// but its rule needs messages in the order of one clock.
//
// When no line fits any more, what was dropped is missing: the least relaxation is
// that of all messages. A Series of the same messages has what any line can touch,
// and gives it back (Complete); from then on nothing is dropped.
//
// # What is exact
//
// Times are ns since 1970, about 2^60. The product of two differences does
// not fit in an int64, and an implementation that lets it wrap goes silently
// wrong after minutes. Every orientation here is decided on the full 128-bit
// products of 64-bit differences, for all int64 coordinates.
//
// # Clocks that are no lines
//
// One Hull means one line. When the crystals drift the corridor closes and
// the class is Fail, and it stays so. A Series keeps hulls by time instead;
// its Fit says how fast rates must change to explain the messages, its
// Corridor where a clock can be whose rate changes no faster, and its Path is
// such a clock.
//
// # What it does not do
//
// Points are never taken out again. A caller that must take a message back
// keeps the messages that may still be taken back beside a Hull of those that
// may not (see sync/network).
package hull

// A Class says how far a link can be trusted.
type Class uint8

const (
	Absent      Class = iota // no message
	Incomplete               // messages in one direction only
	Approximate              // both directions, but not at the same time
	Accurate                 // a line, bounded on both sides
	Fail                     // no single line satisfies all messages
)

var classNames = [...]string{"absent", "incomplete", "approximate", "accurate", "fail"}

// String is the name used in reports.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "unknown"
}

// A Point is a constraint: X in the first host's, Y in the second host's local ns.
type Point struct{ X, Y int64 }

// Swapped is the point as seen from the other host.
func (p Point) Swapped() Point { return Point{p.Y, p.X} }

// A Side says on which side of the line a point must lie.
type Side uint8

const (
	Upper Side = iota // a message from the first host to the second: on or above
	Lower             // a message from the second host to the first: on or below
)

// Other is the side of a message as seen from the other host.
func (s Side) Other() Side { return Upper + Lower - s }

// A Hull holds the constraints of one link and the lines they allow. The zero
// value is an empty one. It belongs to one goroutine.
type Hull struct {
	ceiling  chain // upper points
	floor    chain // lower points, mirrored
	messages [2]int
	accurate int

	steepest, flattest line // valid where the flag says so
	hasSteepest        bool
	hasFlattest        bool
	failed             bool
	partial            bool // points were left out that no line which fits touches
}

// A line runs through two points, P.X < Q.X and P.Y < Q.Y.
type line struct{ P, Q Point }

func (l line) mirrored() line { return line{l.Q.mirrored(), l.P.mirrored()} }

// Add inserts one message and reports whether the lines that fit, or in class
// Fail the least relaxation, may have changed. Most messages change neither
// and cost an orientation test.
func (h *Hull) Add(side Side, p Point) bool {
	h.messages[side]++
	if h.failed {
		return h.insert(side, p)
	}
	cut := h.cuts(side, p)
	if cut < 0 {
		h.partial = true
		return false
	}
	if !h.insert(side, p) || cut == 0 {
		return false
	}
	h.accurate++
	h.settle()
	return true
}

// cuts is positive if p forbids a line that fitted so far, given that p is
// not behind its own chain; zero if one only touches p. Right of the point where the steepest line
// touches the chain, that line is the highest that fits; left of where the
// flattest touches, the flattest is; between the two it is the chain itself.
func (h *Hull) cuts(side Side, p Point) int {
	steepest, flattest := h.steepest, h.flattest
	if side == Lower {
		p = p.mirrored()
		steepest, flattest = steepest.mirrored(), flattest.mirrored()
	}
	cut := 1
	if h.hasSteepest && p.X >= steepest.Q.X {
		cut = min(cut, -orient(steepest.P, steepest.Q, p))
	}
	if h.hasFlattest && p.X <= flattest.P.X {
		cut = min(cut, -orient(flattest.P, flattest.Q, p))
	}
	return cut
}

func (h *Hull) insert(side Side, p Point) (changed bool) {
	if side == Lower {
		h.floor, changed = h.floor.insert(p.mirrored())
	} else {
		h.ceiling, changed = h.ceiling.insert(p)
	}
	return changed
}

// Merge adds all of o's constraints and message counts. The hull is that of
// the union of the messages, in class Fail once it is complete; Accurate becomes the sum, an upper limit.
func (h *Hull) Merge(o *Hull) {
	for _, p := range o.ceiling {
		h.ceiling, _ = h.ceiling.insert(p)
	}
	for _, p := range o.floor {
		h.floor, _ = h.floor.insert(p)
	}
	h.messages[Upper] += o.messages[Upper]
	h.messages[Lower] += o.messages[Lower]
	h.accurate += o.accurate
	h.partial = h.partial || o.partial
	h.settle()
}

// Clone returns an independent copy.
func (h *Hull) Clone() *Hull {
	c := *h
	c.ceiling = append(chain(nil), h.ceiling...)
	c.floor = append(chain(nil), h.floor...)
	return &c
}

// Swap returns the same link seen from the other host: the X and Y of all
// points change places, and with them the sides.
func (h *Hull) Swap() *Hull {
	s := &Hull{
		ceiling:  h.floor.swapped(),
		floor:    h.ceiling.swapped(),
		messages: [2]int{h.messages[Lower], h.messages[Upper]},
		accurate: h.accurate,
		partial:  h.partial,
	}
	s.solve()
	return s
}

// Class tells what the messages so far allow.
func (h *Hull) Class() Class {
	upper, lower := h.messages[Upper] > 0, h.messages[Lower] > 0
	switch {
	case !upper && !lower:
		return Absent
	case h.failed:
		return Fail
	case !upper || !lower:
		return Incomplete
	case h.hasSteepest && h.hasFlattest:
		return Accurate
	}
	return Approximate
}

// Messages is how many were added on a side.
func (h *Hull) Messages(side Side) int { return h.messages[side] }

// Accurate is how many messages narrowed the set of lines when they were
// added. It depends on the order of the additions; the set does not.
func (h *Hull) Accurate() int { return h.accurate }

// Points returns those of one side that a line which fits touches, by rising X; where none fits, those that
// any line can touch. The caller owns the slice.
func (h *Hull) Points(side Side) []Point {
	if side == Upper {
		return append([]Point(nil), h.ceiling...)
	}
	p := make([]Point, len(h.floor))
	for i, q := range h.floor {
		p[len(p)-1-i] = q.mirrored()
	}
	return p
}
