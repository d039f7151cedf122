package scratch

import (
	"math/bits"
	"unsafe"
)

// A Shelf has places for lists without pointers that grow and go again. Larger ones are in the file of its space, where there is one: what stands there
// and nobody looks at counts for nothing. Where that is a history's, it is what an open branch gathers until it is in blocks: intervals, and what
// summaries are made of. That is some MiB for each tree, and of many machines that are read in turn all but those at work only keep it. Readers
// find it where it stands, wherever that is.
//
// To pack the intervals of a tree that waits would do without a file, but readers would wait while they are unpacked, and who builds would take a third
// longer.
//
// A place that is given back is used again by whoever has the same shelf, which is one goroutine. A nil shelf has places on the heap, and takes none back.
type Shelf struct {
	space *Space
	free  [placeSteps * bits.UintSize][][]uint64 // by step
}

// NewShelf returns an empty shelf. A nil space has it on the heap.
func NewShelf(s *Space) *Shelf { return &Shelf{space: s} }

// Space is where the larger places are. Who looks at one holds it.
func (s *Shelf) Space() *Space {
	if s == nil {
		return nil
	}
	return s.space
}

// leastShelved is the least size of a place on a shelf, in words. Who has few has no file for them.
const leastShelved = 4 << 10

// placeSteps are the sizes of places between a power of two and the next, so a place is at most a quarter larger than was asked for.
const placeSteps = 4

// Place returns room for so many items, or some more, which must not contain pointers. It is empty.
func Place[T any](s *Shelf, n int) []T {
	words := wordsOf[T](n)
	if s == nil || words < leastShelved {
		return make([]T, 0, n)
	}
	sizeOf[T]()
	step, size := stepOf(words)
	last := len(s.free[step]) - 1
	if last < 0 {
		return itemsOf[T](Away[uint64](s.space, size))
	}
	p := s.free[step][last]
	s.free[step] = s.free[step][:last]
	return itemsOf[T](p)
}

// Return takes back a place that nobody looks at any more.
func Return[T any](s *Shelf, p []T) {
	words := wordsOf[T](cap(p))
	if s == nil || words < leastShelved {
		return
	}
	step, size := stepOf(words)
	if size >= wordsOf[T](cap(p)+1) {
		return // it is none of a shelf
	}
	p = p[:1]
	if s.space.Grown() && !Holds(s.space, &p[0]) {
		return // the collector takes care of it
	}
	s.free[step] = append(s.free[step], unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(p))), size))
}

// Push appends an item to a place, and moves that to a larger one where there is no room left.
func Push[T any](s *Shelf, p []T, item T) []T {
	if len(p) == cap(p) {
		p = Larger(s, p, 1)
	}
	return append(p, item)
}

// Larger returns what is in p in a place with room for n more. p is given back.
func Larger[T any](s *Shelf, p []T, n int) []T {
	q := append(Place[T](s, max(2*cap(p), len(p)+n, 16)), p...)
	Return(s, p)
	return q
}

// wordsOf is how many words so many items take.
func wordsOf[T any](n int) int {
	var item T
	return (n*int(unsafe.Sizeof(item)) + 7) / 8
}

// itemsOf is room for items in so many words.
func itemsOf[T any](words []uint64) []T {
	var item T
	n := len(words) * 8 / int(unsafe.Sizeof(item))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), n)[:0]
}

// stepOf is the least step whose places have room for so many words, and their size.
func stepOf(n int) (step, size int) {
	n = max(n, placeSteps)
	shift := bits.Len(uint(n)) - bits.Len(uint(placeSteps))
	top := (n + 1<<shift - 1) >> shift // placeSteps to twice that
	return shift*placeSteps + top - placeSteps, top << shift
}
