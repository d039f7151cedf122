package kernel

import "synchroscope/state/scratch"

// A slab has things that come and go, by their numbers. The memory of those that went is given again. It may be scratch memory, so they have no
// pointers.
type slab[T any] struct {
	space  *scratch.Space
	blocks []*[slabBlock]T
	count  int32 // that ever were at one time
	free   pile
}

const slabBlock = 64

// newSlab is one with the memory of a space.
func newSlab[T any](space *scratch.Space) slab[T] {
	return slab[T]{space: space, free: pile{space: space}}
}

// take gives memory, which may hold anything, and its number.
func (s *slab[T]) take() (*T, int32) {
	if s.free.count > 0 {
		n := s.free.pop()
		return s.at(n), n
	}
	n := s.count
	if int(n) == len(s.blocks)*slabBlock {
		s.blocks = append(s.blocks, &scratch.Make[[slabBlock]T](s.space, 1)[0])
	}
	s.count++
	return s.at(n), n
}

func (s *slab[T]) at(n int32) *T { return &s.blocks[n/slabBlock][n%slabBlock] }

// give gives memory back. Nothing may point to it.
func (s *slab[T]) give(n int32) { s.free.push(n) }

// A pile is a list of numbers of which only the end grows and shrinks. It may be in scratch memory, and keeps what it has taken.
type pile struct {
	space  *scratch.Space
	blocks []*[pileBlock]int32
	count  int
}

const pileBlock = 256

func (l *pile) at(i int) *int32 { return &l.blocks[i/pileBlock][i%pileBlock] }

func (l *pile) push(n int32) {
	if l.count == len(l.blocks)*pileBlock {
		l.blocks = append(l.blocks, &scratch.Make[[pileBlock]int32](l.space, 1)[0])
	}
	l.count++
	*l.at(l.count - 1) = n
}

func (l *pile) pop() int32 {
	l.count--
	return *l.at(l.count)
}
