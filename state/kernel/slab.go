package kernel

import "synchroscope/state/scratch"

// A slab has things that come and go, by their numbers. The memory of those that went is given again. It may be scratch memory, so they have no
// pointers.
type slab[T any] struct {
	space  *scratch.Space
	blocks []*[slabBlock]T
	count  int32 // that ever were at one time
	free   []int32
}

const slabBlock = 64

// take gives memory, which may hold anything, and its number.
func (s *slab[T]) take() (*T, int32) {
	if last := len(s.free) - 1; last >= 0 {
		n := s.free[last]
		s.free = s.free[:last]
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
func (s *slab[T]) give(n int32) { s.free = append(s.free, n) }
