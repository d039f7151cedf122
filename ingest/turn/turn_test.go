package turn

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// Owners are served in turn, jobs of one owner in order of arrival.
func TestOwnersTakeTurns(t *testing.T) {
	s := New(1)
	running := s.enter("first")
	<-running
	var waiting []chan struct{}
	names := []string{"a1", "a2", "a3", "b1", "c1", "c2"}
	for _, name := range names {
		waiting = append(waiting, s.enter(name[:1]))
	}
	var served []string
	for range names {
		s.release()
		for i, w := range waiting {
			select {
			case <-w:
				if !slices.Contains(served, names[i]) {
					served = append(served, names[i])
				}
			default:
			}
		}
	}
	if want := []string{"a1", "b1", "c1", "a2", "c2", "a3"}; !slices.Equal(served, want) {
		t.Errorf("served %v, want %v", served, want)
	}
	s.release()
	if s.free != 1 || len(s.queues) != 0 || len(s.order) != 0 || s.waiting.Load() != 0 {
		t.Errorf("left behind: %+v", s)
	}
}

// However jobs come, offer, are cancelled and go, no more than the slots work at once and
// all slots are free in the end.
func TestSlotsAreNeitherLostNorMade(t *testing.T) {
	s := New(2)
	var at, most atomic.Int64
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			job := s.Job(i % 5)
			if i%7 == 0 {
				go cancel(errors.New("away"))
			}
			if job.Acquire(ctx) != nil {
				return
			}
			for range 50 {
				job.since = job.since.Add(-Slice) // every offer counts
				n := at.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				at.Add(-1)
				if job.Offer(ctx) != nil {
					break
				}
			}
			job.Release()
		})
	}
	wg.Wait()
	if most.Load() > 2 {
		t.Errorf("%d jobs at once", most.Load())
	}
	if s.free != 2 || len(s.queues) != 0 || s.waiting.Load() != 0 {
		t.Errorf("%d slots free, %d owners wait, %d jobs wait", s.free, len(s.queues), s.waiting.Load())
	}
}
