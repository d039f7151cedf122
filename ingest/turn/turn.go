// Package turn shares a few processors among many jobs of several owners.
//
// A job holds one of the slots while it works and offers it back every few
// milliseconds. Who waits is served owner by owner in turn, and first come first
// served within an owner: a set of one small host that arrives beside a set of
// twenty large ones gets every second turn, not every twenty-first. An offer that
// nobody wants costs reading a clock.
//
// What we chose not to do: priorities (the smallest remaining first would show
// small sets even sooner, and starve the large one under a stream of small ones), and
// leaving it to the runtime's scheduler (it is as fair among goroutines, but
// then every host is in memory at work at once).
package turn

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Slice is how long a job may keep its slot while others wait.
const Slice = 20 * time.Millisecond

// Slots is a number of slots. The zero Slots has none; see New.
type Slots struct {
	waiting atomic.Int64 // jobs in queues

	mu     sync.Mutex
	free   int
	order  []any // owners that wait, in order of service
	queues map[any][]chan struct{}
}

// New makes n slots.
func New(n int) *Slots {
	return &Slots{free: n, queues: make(map[any][]chan struct{})}
}

// A Job is one holder of a slot at a time. It belongs to one goroutine.
type Job struct {
	slots *Slots
	owner any
	since time.Time
	held  bool
}

// Job makes a job of an owner, which is anything comparable. It holds no slot.
func (s *Slots) Job(owner any) *Job { return &Job{slots: s, owner: owner} }

// Acquire waits for a slot.
func (j *Job) Acquire(ctx context.Context) error {
	granted := j.slots.enter(j.owner)
	select {
	case <-granted:
	case <-ctx.Done():
		if !j.slots.leave(j.owner, granted) {
			j.slots.release() // it came at the same moment
		}
		return context.Cause(ctx)
	}
	j.since, j.held = time.Now(), true
	return nil
}

// Release gives the slot back, if the job holds one.
func (j *Job) Release() {
	if j.held {
		j.held = false
		j.slots.release()
	}
}

// Due tells whether Offer would let another job have the slot.
func (j *Job) Due() bool {
	return j.slots.waiting.Load() > 0 && time.Since(j.since) >= Slice
}

// Offer lets another job have the slot if one waits and the time is used up; it
// returns when this one has a slot again. It fails only when ctx is done.
func (j *Job) Offer(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if !j.Due() {
		return nil
	}
	// Queue first, release second: else an owner with one job would be served twice
	// in a row.
	granted := j.slots.enter(j.owner)
	j.slots.release()
	select {
	case <-granted:
		j.since = time.Now()
		return nil
	case <-ctx.Done():
		j.held = !j.slots.leave(j.owner, granted)
		return context.Cause(ctx)
	}
}

func (s *Slots) enter(owner any) chan struct{} {
	granted := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		close(granted)
		return granted
	}
	if len(s.queues[owner]) == 0 {
		s.order = append(s.order, owner)
	}
	s.queues[owner] = append(s.queues[owner], granted)
	s.waiting.Add(1)
	return granted
}

// leave takes a waiter out of its queue; false if it was served already.
func (s *Slots) leave(owner any, granted chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, g := range s.queues[owner] {
		if g == granted {
			s.queues[owner] = append(s.queues[owner][:i], s.queues[owner][i+1:]...)
			s.waiting.Add(-1)
			if len(s.queues[owner]) == 0 {
				s.forget(owner)
			}
			return true
		}
	}
	return false
}

func (s *Slots) forget(owner any) {
	delete(s.queues, owner)
	for i, o := range s.order {
		if o == owner {
			s.order = append(s.order[:i], s.order[i+1:]...)
			return
		}
	}
}

func (s *Slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		s.free++
		return
	}
	owner := s.order[0]
	s.order = s.order[1:]
	queue := s.queues[owner]
	close(queue[0])
	s.waiting.Add(-1)
	if len(queue) == 1 {
		delete(s.queues, owner)
		return
	}
	s.queues[owner] = queue[1:]
	s.order = append(s.order, owner)
}
