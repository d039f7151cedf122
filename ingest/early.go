package ingest

import (
	"context"
	"sync"

	"synchroscope/catalog"
)

// # A first look ahead of the import
//
// What is unpacked while it is uploaded can be looked at before the import is asked for, so that there are rows as soon as it is:
// once the archive has more traces than a first look takes, or is unpacked to its end. Nobody is shown that look before
// ([Set.Preview]). It is as little of the import as every other: it goes when the unpacking fails that it is of, when
// the set is closed, and when the import has read as much.

// An early look is made in a goroutine of its own, one at a time.
type earlyLook struct {
	mu     sync.Mutex
	cancel context.CancelCauseFunc
	done   chan struct{} // nil before the first
	traces int           // of the newest
}

// wait waits until none is being made, or until ctx ends.
func (l *earlyLook) wait(ctx context.Context) {
	l.mu.Lock()
	done := l.done
	l.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// end ends the one that is being made, and waits.
func (l *earlyLook) end() {
	l.mu.Lock()
	cancel, done := l.cancel, l.done
	l.mu.Unlock()
	if done != nil {
		cancel(errDiscarded)
		<-done
	}
}

// lookEarly makes a look at a set that is uploaded, unless one is being made, or there is one of as many traces.
func (s *Set) lookEarly() {
	dirs, _ := s.unpackedTraces()
	if len(dirs) == 0 {
		return
	}
	dirs = dirs[:min(len(dirs), previewTraces)]
	l := &s.early
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.preview.Load() != nil && len(dirs) <= l.traces {
		return
	}
	if l.done != nil {
		select {
		case <-l.done:
		default:
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row.State != catalog.Uploading || !s.enter() {
		return
	}
	l.traces = len(dirs)
	l.done = make(chan struct{})
	var ctx context.Context
	ctx, l.cancel = context.WithCancelCause(s.ctx)
	go func() {
		defer s.busy.Done()
		defer close(l.done)
		defer l.cancel(nil)
		p, err := s.makePreview(ctx, "early", dirs, previewEvents)
		switch {
		case err != nil:
			s.log.Debug("there is no early look", "error", err)
		case ctx.Err() != nil:
			p.close()
		default:
			s.show(p)
		}
	}()
}

// unpackedEarly looks at what an unpacking has come to: at all of it, or no more, if it was thrown away.
func (s *Set) unpackedEarly(err error) {
	if err == nil {
		s.early.wait(s.ctx)
		s.lookEarly()
		return
	}
	s.mu.Lock()
	uploading := s.row.State == catalog.Uploading
	s.mu.Unlock()
	if uploading {
		s.early.end()
		s.show(nil)
	}
}
