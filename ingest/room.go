package ingest

import (
	"context"
	"time"
)

// # Room for a page
//
// Whoever asks for an import to look at it opens a page at once, and most of what passes until there are rows in it is work: the
// page is read, the first answers are computed, on the machine of the import where that is a laptop. An import that takes all
// processors from its first event on makes the page wait as long again. So while the page opens it leaves one of them alone,
// and what of an archive is unpacked ahead of its turn waits.
//
// What we chose not to do: to lower the priority of the threads that import. Goroutines change threads, the answers
// are computed in the same process, and where nothing else is to be done it would change nothing that this does not.

// openingTime is how long a page has for that.
const openingTime = 1500 * time.Millisecond

// opening is how much of that is left to the page of who looks at the set.
func (s *Set) opening() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Until(s.looked.Add(openingTime))
}

// leaveRoom keeps a slot from all imports until the page of who looks at the set has had time to open, unless it had, or it is the only
// slot, or another page's room is kept. stop gives it back before.
func (s *Set) leaveRoom() (stop func()) {
	left := s.opening()
	if left <= 0 || s.e.o.Workers < 2 || !s.e.room.CompareAndSwap(false, true) {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(s.ctx, left)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer s.e.room.Store(false)
		place := s.e.slots.Job(&s.e.room)
		if place.Acquire(ctx) == nil {
			<-ctx.Done()
			place.Release()
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
