package declared

import (
	"math/bits"

	"synchroscope/state/scratch"
)

// lists give memory for lists that grow and of which there may be very many. It may be scratch memory, so what they list has no pointers. A list
// has room for a power of two; the room that it has outgrown is given to another.
type lists[T any] struct {
	space *scratch.Space
	free  [32][][]T // by the logarithm of their room
}

const leastRoom = 4

// add is append.
func (l *lists[T]) add(list []T, v T) []T {
	if len(list) == cap(list) {
		list = l.grow(list)
	}
	return append(list, v)
}

func (l *lists[T]) grow(list []T) []T {
	more := append(l.take(max(leastRoom, 2*cap(list))), list...)
	if cap(list) > 0 {
		free := &l.free[bits.TrailingZeros(uint(cap(list)))]
		*free = append(*free, list[:0])
	}
	return more
}

func (l *lists[T]) take(room int) []T {
	free := &l.free[bits.TrailingZeros(uint(room))]
	if last := len(*free) - 1; last >= 0 {
		list := (*free)[last]
		*free = (*free)[:last]
		return list
	}
	return scratch.Make[T](l.space, room)[:0:room]
}
