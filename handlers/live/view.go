package live

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"synchroscope/handlers/wire"
)

// spacing is the least time between two answers to one request.
const spacing = 100 * time.Millisecond

// A view is one request at a time: the newest. Its goroutine answers it, and
// goes on answering it as long as it is a subscription.
type view struct {
	s  *session
	id uint16

	wake   chan struct{} // a request is waiting
	landed chan struct{} // an answer was acknowledged

	mu      sync.Mutex
	waiting *wire.Request
	cancel  context.CancelFunc // of the request being answered
	closed  bool
}

func newView(s *session, id uint16) *view {
	return &view{s: s, id: id, wake: make(chan struct{}, 1), landed: make(chan struct{}, 1)}
}

// ask replaces the request: the work for the one before ends, and what was not
// sent of it never will be.
func (v *view) ask(r wire.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting = &r
	v.stop()
}

// close ends the view.
func (v *view) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	v.stop()
}

func (v *view) stop() {
	if v.cancel != nil {
		v.cancel()
	}
	v.s.out.withdraw(v.id)
	poke(v.wake)
}

// acked tells that the answer in the air has been drawn.
func (v *view) acked() { poke(v.landed) }

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (v *view) run() {
	for {
		select {
		case <-v.s.ctx.Done():
			return
		case <-v.wake:
		}
		ctx, r, more := v.next()
		if r != nil {
			v.serve(ctx, *r)
		}
		if !more {
			return
		}
	}
}

// next takes the request that waits, if one does.
func (v *view) next() (ctx context.Context, r *wire.Request, more bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cancel != nil {
		v.cancel()
	}
	ctx, v.cancel = context.WithCancel(v.s.ctx)
	r, v.waiting = v.waiting, nil
	if v.closed {
		v.cancel()
		return ctx, nil, false
	}
	return ctx, r, true
}

// serve answers a request until another takes its place. A subscription it answers anew whenever more is known: also of
// a set that is read, which somebody may synchronize in another way. By another reference all times have other names, and what was
// asked for is another range, of which nobody wants an answer: the page asks anew.
func (v *view) serve(ctx context.Context, r wire.Request) {
	op := operations[r.Op]
	for {
		seen := v.s.horizon(r) // before the answer, so that no change is missed
		a, err := v.answer(ctx, op, r, seen)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			v.fail(r, err)
			return
		}
		if !v.send(ctx, r, op, a) || !op.subscription {
			return
		}
		if !pause(ctx, spacing) || !v.settle(ctx) || !v.change(ctx, r, seen) {
			return
		}
		if seen.final && seen.reference != v.s.horizon(r).reference {
			return
		}
	}
}

// change waits until more is known of the request's range than was seen. It
// looks at the first change at once, and rests after each that was elsewhere.
func (v *view) change(ctx context.Context, r wire.Request, seen horizon) bool {
	for {
		changed := v.s.set.Changed()
		if !seen.same(v.s.horizon(r)) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-changed:
		}
		if !seen.same(v.s.horizon(r)) {
			return true
		}
		if !pause(ctx, spacing) {
			return false
		}
	}
}

// send puts an answer into its slot, unless its request was replaced meanwhile.
func (v *view) send(ctx context.Context, r wire.Request, op operation, a answer) bool {
	p := parcel{acked: op.subscription}
	if p.acked {
		p.seq = v.s.next()
	}
	var err error
	if p.frame, err = a(p.seq); err != nil {
		v.fail(r, err)
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	v.s.out.put(slot{v.id, partAnswer}, p)
	return true
}

// settle waits until the answer was sent and drawn.
func (v *view) settle(ctx context.Context) bool {
	for !v.s.out.settled(v.id) {
		select {
		case <-ctx.Done():
			return false
		case <-v.landed:
		}
	}
	return true
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// answer computes the answer to a request, unless it is on the shelf.
func (v *view) answer(ctx context.Context, op operation, r wire.Request, seen horizon) (answer, error) {
	if !op.subscription || !seen.final {
		return v.compute(ctx, op, r)
	}
	about := v.s.topic(r, seen)
	frame, err := v.s.hub.shelf.get(ctx, about, func() ([]byte, error) {
		a, err := v.compute(ctx, op, r)
		if err != nil {
			return nil, err
		}
		return a(0)
	}, func() bool { return about == v.s.topic(r, v.s.horizon(r)) })
	if err != nil {
		return nil, err
	}
	return func(seq uint32) ([]byte, error) { return wire.Addressed(frame, r.Header, seq), nil }, nil
}

// compute runs the query of a request. A panic in it fails the request, not the server.
func (v *view) compute(ctx context.Context, op operation, r wire.Request) (a answer, err error) {
	if op.heavy {
		if err := v.s.hub.enter(ctx); err != nil {
			return nil, err
		}
		defer v.s.hub.exit()
	}
	defer func() {
		if p := recover(); p != nil {
			v.s.hub.log.Error("a live query panicked", "op", r.Op, "panic", p, "stack", string(debug.Stack()))
			a, err = nil, errInternal
		}
	}()
	begun := time.Now()
	defer func() { v.s.hub.observe(r.Op, time.Since(begun)) }()
	return op.answer(ctx, v.s, r)
}

// A refusal is an error that the reader of the view may see.
type refusal string

func (r refusal) Error() string { return string(r) }

const errInternal = refusal("Internal error.")

// fail answers with a sentence: ours where the request is at fault, a general one otherwise.
func (v *view) fail(r wire.Request, err error) {
	var plain refusal
	if fault := v.s.set.Damaged(err); fault != nil {
		err, plain = fault, refusal(fault.Message)
	} else if !errors.As(err, &plain) && !errors.Is(err, wire.ErrTooLarge) {
		v.s.hub.log.Error("a live query failed", "set", v.s.set.ID(), "op", r.Op, "err", err)
		err = errInternal
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.waiting == nil && !v.closed {
		v.s.refuse(r.Header, err)
	}
}
