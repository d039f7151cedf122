package hull

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// A Corridor is where the second clock can be, by the first, when its rate
// changes no faster than a cap.
//
// Let f be the clock and (v, m) its value and rate at an instant t. Under a cap
// κ, f leaves the line v + m(x-t) by κ(x-t)²/2 at most. So the line fits all
// messages once each upper point is lifted by that much and each lower point
// lowered: the band at t is that of the lines that fit lifted points, and it
// holds for every f under the cap, between messages and beyond them too.
//
// Which points decide does not depend much on t: from one t to another the
// lifts of all points of a side change by a linear function of x, and that
// keeps a hull a hull. So of each side the lifted hull is taken once, and for
// each t its points, mostly tens, are lifted again, rounded outward.
//
// Where no curve under the cap fits all messages the corridor has several
// parts, and between two of them a cut: the clock made a step there.
//
// It belongs to one goroutine.
type Corridor struct {
	cap     Cap
	parts   []part
	seams   []seam
	rising  bool       // see Rising
	open    bool       // a clock was set before the first part or after the last, or more than once between two, nobody knows by how much: nothing is known
	neither [][2]Point // when messages between two parts, the first and the last by either clock, are of neither
	bounds  Hull       // scratch
}

// A part is a stretch of time without a step.
type part struct {
	begin, end int64    // X of its first and last message
	from, to   int64    // X between which it may be the clock, see settle
	sent       Point    // the last time by either clock at which a message of it was sent
	received   Point    // the first at which one was received
	ceiling    chain    // candidates, not a chain by themselves
	floor      chain    // mirrored
	windows    []window // of the series
	turned     bool     // the first host of the series is the second here
}

func newPart(c Cap, windows []window) part {
	p := part{begin: math.MaxInt64, end: math.MinInt64, from: math.MinInt64, to: math.MaxInt64, windows: windows}
	p.sent, p.received = Point{p.end, p.end}, Point{p.begin, p.begin}
	p.ceiling, p.floor = make(chain, 0, count(windows, Upper)), make(chain, 0, count(windows, Lower))
	for i := range windows {
		first, last := windows[i].span()
		p.begin, p.end = min(p.begin, first), max(p.end, last)
		p.ceiling = append(p.ceiling, windows[i].ceiling...)
		for _, q := range windows[i].ceiling {
			p.sent.X, p.received.Y = max(p.sent.X, q.X), min(p.received.Y, q.Y)
		}
		for _, q := range windows[i].floor {
			p.sent.Y, p.received.X = max(p.sent.Y, ^q.Y), min(p.received.X, ^q.X)
		}
	}
	for i := len(windows) - 1; i >= 0; i-- {
		p.floor = append(p.floor, windows[i].floor...)
	}
	middle := p.begin + int64((uint64(p.end)-uint64(p.begin))/2)
	p.ceiling = c.outer(p.ceiling, middle)
	p.floor = c.outer(p.floor, ^middle)
	return p
}

// outer keeps of points by rising X those on the lower convex hull once lifted
// as at t. Lifts are rounded, so it may drop a point that is below the hull by
// less than a ns; a band is the wider for a point that is missing, never wrong.
func (c Cap) outer(points chain, t int64) chain {
	kept := points[:0]
	lifted := make(chain, 0, len(points))
	for _, p := range points {
		q, ok := c.lifted(p, t)
		if !ok {
			continue
		}
		n := len(lifted)
		if n > 0 && lifted[n-1].X == q.X {
			continue // not lower
		}
		for n > 1 && orient(lifted[n-2], lifted[n-1], q) <= 0 {
			n--
		}
		lifted, kept = append(lifted[:n], q), append(kept[:n], p)
	}
	return slices.Clone(kept) // it is much less than there was, and is kept
}

func (c Cap) lifted(p Point, t int64) (Point, bool) {
	ns, ok := c.lift(p.X, t)
	if !ok || p.Y > math.MaxInt64-ns {
		return Point{}, false
	}
	return Point{p.X, p.Y + ns}, true
}

// at makes h the hull of the points lifted as at t. They are on a hull
// already, but for rounding by a ns. That can make a search among them miss
// the one that decides by as much: then a band is wider by that, not narrower.
func (p *part) at(c Cap, t int64, h *Hull) {
	p.lift(c, t, near, h)
	p.solve(c, t, h)
}

// solve is the rest of at, where h has been given those that are near.
func (p *part) solve(c Cap, t int64, h *Hull) {
	for n := near; ; p.lift(c, t, n, h) {
		h.solve()
		if h.failed || h.hasSteepest && h.hasFlattest || n >= max(len(p.ceiling), len(p.floor)) {
			return
		}
		n *= near
	}
}

// lift gives h the n points on either side of an instant, lifted, see around.
func (p *part) lift(c Cap, t int64, n int, h *Hull) {
	ceiling, floor := p.around(t, n)
	h.ceiling = c.raise(h.ceiling, ceiling, t)
	h.floor = c.raise(h.floor, floor, ^t)
}

// around returns the n points of each direction on either side of an instant. Those of the other end far away where for long there were
// messages in one direction only, and the lines between them touch points that are as far; so all are returned where one direction's
// do not reach half as far, though there are more of it.
func (p *part) around(t int64, n int) (ceiling, floor chain) {
	from, to := p.ceiling.places(t, n)
	start, end := p.floor.places(^t, n)
	ceiling, floor = p.ceiling[from:to], p.floor[start:end]
	if len(ceiling) == 0 || len(floor) == 0 {
		return ceiling, floor
	}
	before := shorter(t, ceiling[0].X, from > 0, ^floor[len(floor)-1].X, end < len(p.floor))
	after := shorter(^t, ^ceiling[len(ceiling)-1].X, to < len(p.ceiling), floor[0].X, start > 0)
	if before || after {
		return p.ceiling, p.floor
	}
	return ceiling, floor
}

// shorter reports whether from t back to one of two times is not half as long as to the other, and there are more points beyond.
func shorter(t, x int64, moreX bool, y int64, moreY bool) bool {
	a, b := max(apart(t, x), 0), max(apart(t, y), 0)
	return moreX && a < b/2 || moreY && b < a/2
}

// near is how many points of each direction on either side of an instant are looked at. Two or
// three decide, and they are among the next few, or there are few at all; were
// one further away, the band would be wider for it. Only where those of the one
// direction are all before those of the other they say nothing, and more are wanted.
const near = 32

// places are those of the n points on either side of an instant, from and to.
func (c chain) places(t int64, n int) (from, to int) {
	i := sort.Search(len(c), func(i int) bool { return c[i].X >= t })
	return max(0, i-n), min(len(c), i+n)
}

// raise returns the points lifted as at t, as far as they can be, over what there is in to. It does what lifted does in place: bands are mostly this. So
// whether a lift goes too far is asked of the outermost points, and of each only if it does there; one that does not fits below any int64 but by the end of these.
func (c Cap) raise(to, points chain, t int64) chain {
	to = slices.Grow(to[:0], len(points))[:len(points)]
	if len(points) == 0 {
		return to
	}
	_, first := c.lift(points[0].X, t)
	_, last := c.lift(points[len(points)-1].X, t)
	fits := first && last
	n := 0
	shift := uint(56-c) & 63
	for i := range points {
		p := &points[i]
		var y int64
		if fits && p.Y <= math.MaxInt64-reach {
			d := uint64(p.X) - uint64(t)
			if p.X < t {
				d = -d
			}
			hi, lo := bits.Mul64(d, d)
			lo, up := bits.Add64(lo, 1<<shift-1, 0)
			y = p.Y + int64((hi+up)<<((64-shift)&63)|lo>>shift)
		} else {
			ns, ok := c.lift(p.X, t)
			if !ok || p.Y > math.MaxInt64-ns {
				continue
			}
			y = p.Y + ns
		}
		// A chain begins at its lowest point.
		for n > 0 && to[n-1].Y >= y {
			n--
		}
		to[n] = Point{p.X, y}
		n++
	}
	return to[:n]
}

// band returns the edges at t by the part alone.
func (c *Corridor) band(p *part, t int64) (lo, hi int64, ok bool) {
	p.lift(c.cap, t, near, &c.bounds)
	if lo, hi, ok = c.bounds.between(t); ok {
		return lo, hi, true
	}
	p.solve(c.cap, t, &c.bounds)
	return c.bounds.Band(t)
}

// explains reports whether a message agrees with a part that may be the clock then.
func (c *Corridor) explains(m constraint) bool {
	for i := range c.parts {
		p := &c.parts[i]
		if m.X < p.from || m.X > p.to {
			continue
		}
		lo, hi, ok := c.band(p, m.X)
		if !ok || m.side == Upper && m.Y >= lo || m.side == Lower && m.Y <= hi {
			return true
		}
	}
	return false
}

// Clone returns the same corridor for another goroutine.
func (c *Corridor) Clone() *Corridor {
	return &Corridor{cap: c.cap, parts: c.parts, seams: c.seams, rising: c.rising, open: c.open, neither: c.neither}
}

// Cap is the cap that the corridor is under.
func (c *Corridor) Cap() Cap { return c.cap }

// Band returns the lowest and the highest second clock that is possible when
// the first says t, rounded outward to ns. Beside a step it is what either part
// allows, for nobody knows when the step was. ok is false where a side is
// open, or no clock under the cap fits; and everywhere if messages of one direction at
// an end show a step, or between two parts that there was more than one, as a clock set back by nobody knows how much may show any time twice.
func (c *Corridor) Band(t int64) (lo, hi int64, ok bool) {
	if c.open {
		return 0, 0, false
	}
	lo, hi, ok = math.MaxInt64, math.MinInt64, true
	found := false
	for i := range c.parts {
		p := &c.parts[i]
		if t < p.from || t > p.to {
			continue
		}
		low, high, also := c.band(p, t)
		lo, hi, ok, found = min(lo, low), max(hi, high), ok && also, true
	}
	for i := range c.seams {
		if p := &c.seams[i]; ok && c.parts[p.b].from <= t && t <= c.parts[p.a].to {
			lo, hi, ok = c.amid(p, t, lo, hi)
		}
	}
	ok = ok && found
	if !ok {
		return 0, 0, false
	}
	return lo, hi, true
}

// Edges returns two instants for each cut, between which the clock may be
// either of its parts, math.MinInt64 and math.MaxInt64 where nothing ends that.
// The band jumps there. Those of two steps that are near each other may overlap.
func (c *Corridor) Edges() []int64 {
	var edges []int64
	for i := 1; i < len(c.parts); i++ {
		edges = append(edges, c.parts[i].from, c.parts[i-1].to)
	}
	return edges
}

// Neither returns two instants for each two parts between which there are messages that are of neither, the last before these messages and the first after
// them: a clock was set more than once, and meanwhile nobody knows what it was.
func (c *Corridor) Neither() []int64 {
	var between []int64
	for _, n := range c.neither {
		between = append(between, apart(n[0].X, 1), After(n[1].X, 1))
	}
	return between
}

// Range returns what Band allows over the instants from a to b: the lowest at
// a and the highest at b, for clocks rise, and what the cuts between them add.
func (c *Corridor) Range(a, b int64) (lo, hi int64, ok bool) {
	lo, hi, ok = c.Band(a)
	if a == b || !ok {
		return lo, hi, ok
	}
	_, hi, ok = c.Band(b)
	for _, e := range c.Edges() {
		if ok && e >= a && e <= b {
			var low, high int64
			low, high, ok = c.Band(e)
			lo, hi = min(lo, low), max(hi, high)
		}
	}
	return lo, hi, ok
}

// Swap returns the corridor as seen from the other host: the first clock by
// the second. The cap is the same either way, for a rate and its reciprocal
// change by the same to a part in a thousand, as long as no clock runs faster
// than that.
func (c *Corridor) Swap() *Corridor {
	s := &Corridor{cap: c.cap, parts: make([]part, len(c.parts)), seams: slices.Clone(c.seams), open: c.open}
	for _, n := range c.neither {
		s.neither = append(s.neither, [2]Point{n[0].Swapped(), n[1].Swapped()})
	}
	for i := range c.parts {
		s.parts[i] = c.parts[i].swapped()
	}
	for i := range s.parts {
		// Where the part is known to be the clock, but for the delays of two messages.
		s.parts[i].begin, s.parts[i].end = s.parts[i].received.X, s.parts[i].sent.X
	}
	for i := range s.seams {
		s.seams[i].forced, s.seams[i].astray = s.seams[i].forced.swapped(), s.seams[i].astray.swapped()
	}
	s.settle()
	return s
}

// swapped is the part as seen from the other host; when it may be the clock is not known yet.
func (p *part) swapped() part {
	return part{
		from: math.MinInt64, to: math.MaxInt64,
		sent: Point{p.sent.Y, p.sent.X}, received: Point{p.received.Y, p.received.X},
		ceiling: swapped(p.floor), floor: swapped(p.ceiling), windows: p.windows, turned: !p.turned,
	}
}

// swapped exchanges X and Y, as chain.swapped, of points that are no chain.
func swapped(points chain) chain {
	s := points.swapped()
	slices.SortFunc(s, Point.compare)
	return s
}
