package ingest

import (
	"sync"
	"time"
)

// A signal tells any number of listeners that something changed, not more often
// than every so long: the first change at once, those that follow together.
type signal struct {
	every time.Duration

	mu      sync.Mutex
	changed chan struct{}
	last    time.Time
	pending bool
}

func newSignal(every time.Duration) *signal {
	return &signal{every: every, changed: make(chan struct{})}
}

// wait returns the channel that is closed at the next change.
func (s *signal) wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *signal) mark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending {
		return
	}
	if left := s.every - time.Since(s.last); left > 0 {
		s.pending = true
		time.AfterFunc(left, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.pending = false
			s.fire()
		})
		return
	}
	s.fire()
}

func (s *signal) fire() {
	close(s.changed)
	s.changed = make(chan struct{})
	s.last = time.Now()
}
