package hull

import (
	"cmp"
	"math"
	"slices"
)

// maxWindows is how many windows a series has at most. The width is a power of
// two, so messages spread evenly fill more than half of them.
const maxWindows = 512

// A Series keeps the constraints of one link by time, for clocks that are no
// lines: the first host's time is divided into windows, and of each window
// the points are kept that some line can touch there.
//
// Windows are 2^width ns wide and aligned at multiples of that, with the
// smallest width for which the messages span at most maxWindows of them. When
// the span grows, neighbours become one, and the hull of a union is the hull
// of the hulls: so what a series holds is a function of the set of messages,
// not of their order, as with a Hull.
//
// The zero value is an empty one. It belongs to one goroutine.
type Series struct {
	width    uint // log2 of ns
	windows  []window
	messages [2]int
	turned   *Series // the same messages by the second clock, as seen from its host, without counts; nil if there are none
}

// A window holds the points with X>>width == at.
type window struct {
	at      int64
	ceiling chain
	floor   chain // mirrored
}

// Add inserts one message. Most are implied by their window and cost a few
// comparisons.
func (s *Series) Add(side Side, p Point) {
	s.messages[side]++
	s.insert(side, p)
	s.insertTurned(side, p)
}

func (s *Series) insert(side Side, p Point) (changed bool) {
	at := p.X >> s.width
	if n := len(s.windows); n > 0 && !fits(s.windows[0].at, s.windows[n-1].at, at) {
		for !fits(s.windows[0].at, s.windows[len(s.windows)-1].at, at) {
			s.widen()
			at = p.X >> s.width
		}
	}
	w := s.window(at)
	if side == Lower {
		w.floor, changed = w.floor.insert(p.mirrored())
	} else {
		w.ceiling, changed = w.ceiling.insert(p)
	}
	return changed
}

// fits reports whether windows from first to last, and at, are few enough.
func fits(first, last, at int64) bool {
	return uint64(max(last, at))-uint64(min(first, at)) < maxWindows
}

// window finds the window at a place or makes it. Messages mostly come in
// order, so the end is tried first.
func (s *Series) window(at int64) *window {
	n := len(s.windows)
	if n > 0 && s.windows[n-1].at == at {
		return &s.windows[n-1]
	}
	i, found := n, false
	if n > 0 && s.windows[n-1].at > at {
		i, found = slices.BinarySearchFunc(s.windows, at, func(w window, at int64) int { return cmp.Compare(w.at, at) })
	}
	if !found {
		s.windows = slices.Insert(s.windows, i, window{at: at})
	}
	return &s.windows[i]
}

// widen doubles the width of the windows.
func (s *Series) widen() {
	s.width++
	merged := s.windows[:0]
	for _, w := range s.windows {
		w.at >>= 1
		n := len(merged)
		if n == 0 || merged[n-1].at != w.at {
			merged = append(merged, w)
			continue
		}
		merged[n-1].merge(&w)
	}
	clear(s.windows[len(merged):])
	s.windows = merged
}

func (w *window) merge(o *window) {
	for _, p := range o.ceiling {
		w.ceiling, _ = w.ceiling.insert(p)
	}
	for _, p := range o.floor {
		w.floor, _ = w.floor.insert(p)
	}
}

// Merge adds all of o's constraints and message counts.
func (s *Series) Merge(o *Series) {
	for side := range Lower + 1 {
		for _, p := range o.Points(side) {
			s.insert(side, p)
			s.insertTurned(side, p)
		}
		for _, p := range o.byOtherOnly(side) {
			s.insertTurned(side, p)
		}
	}
	s.messages[Upper] += o.messages[Upper]
	s.messages[Lower] += o.messages[Lower]
}

// Clone returns an independent copy.
func (s *Series) Clone() *Series {
	c := *s
	c.windows = slices.Clone(s.windows)
	for i := range c.windows {
		w := &c.windows[i]
		w.ceiling, w.floor = slices.Clone(w.ceiling), slices.Clone(w.floor)
	}
	if s.turned != nil {
		c.turned = s.turned.Clone()
	}
	return &c
}

// Messages is how many were added on a side.
func (s *Series) Messages(side Side) int { return s.messages[side] }

// Width is the width of the windows in ns; it does not exceed 2^62.
func (s *Series) Width() int64 { return 1 << min(s.width, 62) }

// Windows is how many windows have messages.
func (s *Series) Windows() int { return len(s.windows) }

// Points returns the points kept of one side, by rising X. The caller owns the slice.
func (s *Series) Points(side Side) []Point {
	n := count(s.windows, side)
	if n == 0 {
		return nil
	}
	points := make([]Point, 0, n)
	for i := range s.windows {
		points = s.windows[i].points(side, points)
	}
	return points
}

// count is how many points of one side are in windows.
func count(windows []window, side Side) (n int) {
	for i := range windows {
		if side == Upper {
			n += len(windows[i].ceiling)
		} else {
			n += len(windows[i].floor)
		}
	}
	return n
}

// points appends those of one side by rising X.
func (w *window) points(side Side, to []Point) []Point {
	if side == Upper {
		return append(to, w.ceiling...)
	}
	for i := len(w.floor) - 1; i >= 0; i-- {
		to = append(to, w.floor[i].mirrored())
	}
	return to
}

// span returns the least and the largest X of the window's points.
func (w *window) span() (first, last int64) {
	first, last = math.MaxInt64, math.MinInt64
	if n := len(w.ceiling); n > 0 {
		first, last = w.ceiling[0].X, w.ceiling[n-1].X
	}
	if n := len(w.floor); n > 0 {
		first, last = min(first, ^w.floor[n-1].X), max(last, ^w.floor[0].X)
	}
	return first, last
}

// First returns the least X of the points kept, and whether there are any.
func (s *Series) First() (x int64, ok bool) {
	if len(s.windows) == 0 {
		return 0, false
	}
	x, _ = s.windows[0].span()
	return x, true
}

// Within returns the part of the series whose points are from begin to before end by either clock. Its
// messages are those that are kept.
func (s *Series) Within(begin, end Point) Series {
	part := s.within(begin, end)
	if s.turned != nil {
		turned := s.turned.within(begin.Swapped(), end.Swapped())
		part.turned = &turned
	}
	return part
}

func (s *Series) within(begin, end Point) Series {
	part := Series{width: s.width}
	for _, w := range s.windows {
		in := window{at: w.at}
		for _, p := range w.ceiling {
			if p.Within(begin, end) {
				in.ceiling = append(in.ceiling, p)
			}
		}
		for _, p := range w.floor {
			if p.mirrored().Within(begin, end) {
				in.floor = append(in.floor, p)
			}
		}
		if len(in.ceiling)+len(in.floor) > 0 {
			part.windows = append(part.windows, in)
		}
		part.messages[Upper] += len(in.ceiling)
		part.messages[Lower] += len(in.floor)
	}
	return part
}

// Within reports whether both times of the point are from begin to before end.
func (p Point) Within(begin, end Point) bool {
	return p.X >= begin.X && p.Y >= begin.Y && p.X < end.X && p.Y < end.Y
}
