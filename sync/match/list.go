package match

import "synchroscope/state/scratch"

const (
	partBits = 10
	partLen  = 1 << partBits
)

// A list is in parts, which stay where they are while it grows: one that is moved would be in memory twice for a while. Its items have no pointers, so
// that the parts may be in a file.
type list[T any] struct {
	parts [][]T // of partLen
	n     int
}

func (l *list[T]) len() int { return l.n }

func (l *list[T]) at(i int) *T { return &l.parts[i>>partBits][i&(partLen-1)] }

// add puts an item behind the others, in memory of a space if there is none left, and returns its place.
func (l *list[T]) add(space *scratch.Space, item T) *T {
	if l.n == len(l.parts)<<partBits {
		space.LetGo()
		l.parts = append(l.parts, scratch.Make[T](space, partLen))
	}
	l.n++
	at := l.at(l.n - 1)
	*at = item
	return at
}

// clear empties the list, and keeps its memory for what comes.
func (l *list[T]) clear() { l.n = 0 }
