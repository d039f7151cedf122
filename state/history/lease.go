package history

import (
	"slices"
	"sync/atomic"

	"synchroscope/state/scratch"
)

// A lease counts the readers of a view that is or was the current one.
type lease struct{ readers atomic.Int32 }

// borrow returns the current view, whose pages are not written to before it is released.
//
// Who has counted himself and still finds the view current was counted before it was superseded, so that the writer sees
// him. Who does not has looked at nothing yet, and tries again.
func (h *History) borrow() *view {
	for {
		if v := h.current.Load(); h.counted(v) {
			return v
		}
	}
}

// counted counts a reader of a view that was the current one, and reports whether it still is. If not, he is not counted.
func (h *History) counted(v *view) bool {
	v.lease.readers.Add(1)
	if h.current.Load() == v {
		return true
	}
	v.release()
	return false
}

func (v *view) release() { v.lease.readers.Add(-1) }

// spares are pages that were copied before they were changed, and places of intervals, that no reader holds any more: the next copies go there,
// and the next intervals. Without them a build among many threads would leave hundreds of megabytes to the collector, or lose as much of
// a file.
type spares struct {
	shelf    *scratch.Shelf
	pages    []*page
	births   []*births
	replaced generation // since the current view was shown; its readers hold them
	held     []generation
}

// A generation is what was replaced while a view was the current one. That view holds it, and views before may.
type generation struct {
	lease   *lease
	pages   []*page
	births  []*births
	records [][]Interval
}

// mostHeld generations are kept for readers to be done with. Of more, which somebody who reads for long is the reason of,
// the pages are left to the collector, those that are in a file aside. Meanwhile there are no more of these.
const mostHeld = 4

// replace returns a copy of old, which is put with what was replaced.
func replace[T any](old *T, space *scratch.Space, s *spares, free, replaced *[]*T) *T {
	*replaced = append(*replaced, old)
	made := fresh(space, s, free)
	*made = *old
	return made
}

// fresh returns a page in the place of one that is free, if there is any. It may hold anything.
func fresh[T any](space *scratch.Space, s *spares, free *[]*T) *T {
	switch last := len(*free) - 1; {
	case last >= 0:
		made := (*free)[last]
		*free = (*free)[:last]
		return made
	case len(s.held) > mostHeld:
		return new(T)
	}
	return &scratch.Make[T](space, 1)[0]
}

// emptied returns a place for the intervals of the next block of a node, which will be about as many as the last ones, that readers may
// hold.
func (s *spares) emptied(last []Interval) []Interval {
	s.replaced.records = append(s.replaced.records, last)
	return s.room(len(last) + len(last)/16)
}

// larger returns intervals in a place with room for more. Readers may hold those if they were shown.
func (s *spares) larger(intervals []Interval, shown bool) []Interval {
	made := append(s.room(max(2*cap(intervals), leastRoom)), intervals...)
	if shown {
		s.replaced.records = append(s.replaced.records, intervals)
	} else {
		scratch.Return(s.shelf, intervals)
	}
	return made
}

// leastRoom is how many intervals there is room for to begin with.
const leastRoom = 16

// room is an empty place for so many intervals, which readers may come to hold: while one reads for long it is left to the collector, as no place
// of the file would be free again before he is done.
func (s *spares) room(n int) []Interval {
	if len(s.held) > mostHeld {
		return make([]Interval, 0, n)
	}
	return scratch.Place[Interval](s.shelf, n)
}

// superseded takes note that no reader will begin with a view any more. What the last interval between two views had no use for is
// let go.
func (s *spares) superseded(l *lease, space *scratch.Space) {
	s.replaced.lease = l
	s.held = append(s.held, s.replaced)
	s.pages, s.births, s.replaced = lasting(s.pages, space), lasting(s.births, space), generation{}
	done := 0
	for done < len(s.held) && s.held[done].lease.readers.Load() == 0 {
		s.pages = append(s.pages, s.held[done].pages...)
		s.births = append(s.births, s.held[done].births...)
		for _, r := range s.held[done].records {
			scratch.Return(s.shelf, r)
		}
		done++
	}
	s.held = append(s.held[:0], s.held[done:]...)
	if excess := len(s.held) - mostHeld; excess > 0 {
		g := &s.held[excess-1]
		g.pages, g.births = lasting(g.pages, space), lasting(g.births, space)
		g.records = slices.DeleteFunc(g.records, func(r []Interval) bool { return cap(r) == 0 || !scratch.Holds(s.shelf.Space(), &r[:1][0]) })
	}
}

// lasting are those of which the collector does not take care.
func lasting[T any](pages []*T, space *scratch.Space) (in []*T) {
	if !space.Grown() {
		return nil
	}
	for _, p := range pages {
		if scratch.Holds(space, p) {
			in = append(in, p)
		}
	}
	return in
}
