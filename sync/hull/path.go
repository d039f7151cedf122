package hull

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// A place is where a path may have a knot: in the middle of the band.
type place struct {
	Point
	spare int64 // by how much a piece may pass the middle
	next  int   // the first constraint right of it
}

// leave is the part of its half-width by which a path may leave the middle of
// the band so that it needs fewer knots: the bound grows by that part at most.
const leave = 4

// Path returns knots, from begin to end at least, of a curve that fits every
// message that is kept, and every other to the sag of a window under the cap: it is in the middle of the band at the knots, nowhere further from
// it than a quarter of the band's half-width, and has as few knots as one gets
// by going as far as possible with each piece. Between parts it steps. Parts that a clock's being set back may have mixed
// up of what was before and after tell nothing.
//
// ok is false where a band is open. The fit must be OK.
func (s *Series) Path(f Fit, c *Corridor, begin, end int64) (knots []Point, ok bool) {
	if f.by != nil && !f.turned {
		return f.by.Path(f.own(), c, begin, end)
	}
	if f.by != nil {
		from, to := c.parts[0].begin, c.parts[len(c.parts)-1].end
		low, _, opens := c.band(&c.parts[0], min(from, begin))
		_, high, ends := c.band(&c.parts[len(c.parts)-1], max(to, end))
		if !opens || !ends {
			return nil, false
		}
		knots, ok = f.by.Path(f.own(), f.by.Corridor(f.own(), c.cap), low, high)
		return swapAll(knots), ok
	}
	for i, r := range f.parts {
		if slices.ContainsFunc(c.seams, func(p seam) bool { return p.a < i && i < p.b }) {
			continue
		}
		p := &c.parts[i]
		from, to := p.begin, p.end
		if i == 0 {
			from = min(from, begin)
		}
		if i == len(f.parts)-1 {
			to = max(to, end)
		}
		w := walk{c: c, part: p, windows: s.windows[r[0]:r[1]], points: s.constraints(r)}
		if !w.place(from, to) {
			return nil, false
		}
		w.refine()
		knots = join(knots, rising(w.knots()))
	}
	return onward(knots), len(knots) > 1
}

// onward has a path that ends as it stands still go on as clocks do.
func onward(path []Point) []Point {
	n := len(path)
	if n < 2 {
		return path
	}
	a, b := path[n-2], path[n-1]
	if x, y := apart(b.X, a.X), apart(b.Y, a.Y); x/2 > y || y/2 > x {
		const second = 1_000_000_000
		return append(path, Point{After(b.X, second), After(b.Y, second)})
	}
	return path
}

// join goes on with the knots of the part behind a step. A clock that was set back shows some times twice, and a map has no way back: the path stays
// where it is by that clock, and by the other it goes on, until the part behind the step is past it by both, or to its end if it never is.
func join(path, next []Point) []Point {
	if len(path) == 0 {
		return next
	}
	last := path[len(path)-1]
	i := slices.IndexFunc(next, func(p Point) bool { return p.X > last.X && p.Y > last.Y })
	if i < 0 {
		end := next[len(next)-1]
		return append(path, Point{max(end.X, last.X+1), max(end.Y, last.Y+1)})
	}
	if i > 0 {
		if p, ok := past(last, next[i-1], next[i]); ok && p.X < next[i].X && p.Y < next[i].Y {
			path = append(path, p)
		}
	}
	return append(path, next[i:]...)
}

// past is the first point of a piece, whose end is past a point by both clocks, that is so too.
func past(p, begin, end Point) (first Point, ok bool) {
	first, ok = begin, true
	if first.X <= p.X {
		first.X = p.X + 1
		first.Y, ok = line{begin, end}.at(first.X)
	}
	if ok && first.Y <= p.Y {
		first.Y = p.Y + 1
		first.X, ok = line{Point{begin.Y, begin.X}, Point{end.Y, end.X}}.at(first.Y)
	}
	return first, ok
}

// rising drops knots that do not go on, and has those that go down go up by a ns.
func rising(knots []Point) []Point {
	kept := knots[:0]
	for _, k := range knots {
		if n := len(kept); n > 0 {
			if k.X <= kept[n-1].X {
				continue
			}
			k.Y = max(k.Y, kept[n-1].Y+1)
		}
		kept = append(kept, k)
	}
	return kept
}

// A walk finds the path through one part.
type walk struct {
	c       *Corridor
	part    *part
	windows []window
	points  []constraint // by X
	places  []place
}

type constraint struct {
	Point
	side Side
}

func (s *Series) constraints(r [2]int) (list []constraint) {
	for i := r[0]; i < r[1]; i++ {
		from := len(list)
		for _, side := range []Side{Upper, Lower} {
			for _, p := range s.windows[i].points(side, nil) {
				list = append(list, constraint{p, side})
			}
		}
		slices.SortFunc(list[from:], func(p, q constraint) int {
			return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.side, q.side))
		})
	}
	return list
}

// place sets a place in the middle of each window and at both ends.
func (w *walk) place(from, to int64) bool {
	times := []int64{from}
	for i := range w.windows {
		first, last := w.windows[i].span()
		times = append(times, first+int64((uint64(last)-uint64(first))/2))
	}
	times = append(times, to)
	slices.Sort(times)
	for _, t := range slices.Compact(times) {
		p, ok := w.at(t)
		if !ok {
			return false
		}
		w.places = append(w.places, p)
	}
	return len(w.places) > 1
}

func (w *walk) at(t int64) (place, bool) {
	lo, hi, ok := w.c.band(w.part, t)
	if !ok {
		return place{}, false
	}
	half := (uint64(hi) - uint64(lo)) / 2
	p := place{Point: Point{t, lo + int64(half)}, spare: int64(half / leave)}
	p.next = sort.Search(len(w.points), func(i int) bool { return w.points[i].X > t })
	w.clamp(&p)
	return p, true
}

// clamp keeps a place on the right side of the messages. Those that a window
// does not keep are beyond the chords of those it does; and so is a path that
// bends within the window, if it bends between the chords. Where a clock bends
// so much within a window that chords of both sides cross, the messages that
// are there decide.
func (w *walk) clamp(p *place) {
	i := sort.Search(len(w.windows), func(i int) bool { _, last := w.windows[i].span(); return last >= p.X })
	if i == len(w.windows) {
		return
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if y, ok := w.windows[i].ceiling.chord(p.X); ok {
		high = y
	}
	if y, ok := w.windows[i].floor.chord(^p.X); ok {
		low = ^y
	}
	if low <= high {
		p.Y = min(max(p.Y, low), high)
		return
	}
	for k := p.next - 1; k >= 0 && w.points[k].X == p.X; k-- {
		if m := w.points[k]; m.side == Upper {
			p.Y = min(p.Y, m.Y)
		} else {
			p.Y = max(p.Y, m.Y)
		}
	}
}

// chord returns the height of the chain at x, rounded down; ok is false
// outside of its vertices.
func (c chain) chord(x int64) (int64, bool) {
	i := sort.Search(len(c), func(i int) bool { return c[i].X >= x })
	switch {
	case i == len(c):
		return 0, false
	case c[i].X == x:
		return c[i].Y, true
	case i == 0:
		return 0, false
	}
	y, ok := line{c[i-1], c[i]}.at(x)
	return y - 1, ok // at rounds up
}

// refine sets more places until neighbours can be joined: where a message
// does not allow it.
func (w *walk) refine() {
	for i := 0; i+1 < len(w.places); {
		bad := w.violated(i, i+1)
		if bad < 0 {
			i++
			continue
		}
		p, ok := w.at(w.points[bad].X)
		if !ok {
			i++
			continue
		}
		w.places = slices.Insert(w.places, i+1, p)
	}
}

// violated returns a constraint between two places that the line through them
// violates, the worst by height, or -1.
func (w *walk) violated(i, j int) int {
	a, b := w.places[i].Point, w.places[j].Point
	for k := w.places[i].next; k < len(w.points) && w.points[k].X < b.X; k++ {
		m := w.points[k]
		if o := orient(a, b, m.Point); m.side == Upper && o < 0 || m.side == Lower && o > 0 {
			return k
		}
	}
	return -1
}

// passes reports whether one piece can join two places.
func (w *walk) passes(i, j int) bool {
	a, b := w.places[i].Point, w.places[j].Point
	if b.Y <= a.Y {
		return false
	}
	for _, p := range w.places[i+1 : j] {
		y, ok := line{a, b}.at(p.X)
		if _, off := difference(y, p.Y); !ok || off > uint64(p.spare) {
			return false
		}
	}
	return w.violated(i, j) < 0
}

// knots goes from place to place as far as a piece can.
func (w *walk) knots() []Point {
	knots := []Point{w.places[0].Point}
	last := len(w.places) - 1
	for i := 0; i < last; {
		j, step := i+1, 1
		for j+step <= last && w.passes(i, j+step) {
			j += step
			step *= 2
		}
		for ; step > 0; step /= 2 {
			for j+step <= last && w.passes(i, j+step) {
				j += step
			}
		}
		knots = append(knots, w.places[j].Point)
		i = j
	}
	return knots
}
