package ctf

import (
	"cmp"
	"errors"
	"slices"
	"sync"
)

// A lender has the buffers for events that are larger than the window of their stream. However
// many streams a reader has, and however large the events are that they stand on, such
// buffers are few: a stream gives back what it has been lent while its event waits for its
// turn in the merge (see [stream.rest]), and one that is decoded ahead is lent nothing.
type lender struct {
	places chan struct{} // if set, has room for as many as may be lent at a time

	mu   sync.Mutex
	free [][]byte // up to maxLent, the largest one last
}

// maxLent is how many buffers are lent at a time, and kept.
const maxLent = 2

// errLarge says that a stream that is decoded ahead has come to an event larger than its window.
var errLarge = errors.New("an event is larger than the window")

// take lends a buffer of n bytes. Whoever has one must not ask for another.
func (l *lender) take(n int) []byte {
	if l.places != nil {
		l.places <- struct{}{}
	}
	l.mu.Lock()
	var b []byte
	if last := len(l.free) - 1; last >= 0 {
		b, l.free = l.free[last], l.free[:last]
	}
	l.mu.Unlock()
	if cap(b) < n {
		b = make([]byte, n)
	}
	return b[:n]
}

func (l *lender) giveBack(b []byte) {
	l.mu.Lock()
	if len(l.free) < maxLent {
		l.free = append(l.free, b)
		slices.SortFunc(l.free, func(a, b []byte) int { return cmp.Compare(cap(a), cap(b)) })
	}
	l.mu.Unlock()
	if l.places != nil {
		<-l.places
	}
}
