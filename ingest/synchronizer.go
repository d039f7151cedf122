package ingest

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"synchroscope/ingest/messages"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A synchronizer owns the network of a set: the one goroutine that the jobs of
// all hosts send their endpoints to. It stores the messages that come of them and publishes
// solutions, of which a busy import makes no more than a tenth of the time allows.
type synchronizer struct {
	set   *Set
	net   *network.Network
	store *messages.Store
	in    chan packet
	empty sync.Pool // of *[]match.Endpoint, of packets that were taken
	ended chan struct{}
	err   error // of the message store or a panic, valid once ended is closed
	spent time.Duration
	way   *milestones // to the last solution
}

// A packet is what a job has for the synchronizer.
type packet struct {
	host       int32
	endpoints  []match.Endpoint
	begin, end int64 // local ns of the host's first event and the newest one
	rising     bool  // its clock surely never went back so far
	tick       int64 // ns by which its clock advances at once, as far as that is known
	spanned    bool  // there is a first event
	done       bool  // there are no more endpoints
}

const (
	packetEndpoints = 256
	packetQueue     = 16
	solveEvery      = 100 * time.Millisecond
)

func newSynchronizer(s *Set, hosts []*Host, store *messages.Store) *synchronizer {
	y := &synchronizer{
		set:   s,
		net:   network.New(s.networkConfig()),
		store: store,
		in:    make(chan packet, packetQueue),
		ended: make(chan struct{}),
		way:   &milestones{begun: time.Now()},
	}
	for _, h := range hosts {
		y.net.AddHost(h.row.Name, h.row.ID)
	}
	return y
}

// send hands a packet over; it waits while the synchronizer is behind.
func (y *synchronizer) send(ctx context.Context, p packet) error {
	select {
	case y.in <- p:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// run takes packets until in is closed, also when a panic has ended the work: the jobs go on to their end, and
// finish has the error.
func (y *synchronizer) run() {
	defer close(y.ended)
	y.protected()
	for range y.in {
	}
}

func (y *synchronizer) protected() {
	defer func() {
		if p := recover(); p != nil {
			y.set.log.Error("panic while synchronizing", "panic", p, "stack", string(debug.Stack()))
			y.err = fmt.Errorf("the program failed on the messages of these traces: %v", p)
		}
	}()
	y.work()
}

func (y *synchronizer) work() {
	y.solve()
	next := time.Now().Add(solveEvery)
	timer := time.NewTimer(0)
	<-timer.C
	due := false // the timer runs
	for {
		select {
		case p, ok := <-y.in:
			if !ok {
				return
			}
			begin := time.Now()
			y.take(p)
			y.spent += time.Since(begin)
			if !due {
				due = true
				timer.Reset(time.Until(next))
			}
		case <-timer.C:
			due = false
			took := y.solve()
			next = time.Now().Add(max(solveEvery, 10*took))
		}
	}
}

func (y *synchronizer) take(p packet) {
	if p.spanned {
		y.net.Span(p.host, p.begin, p.end)
		y.net.Tick(p.host, p.tick)
		y.net.Rising(p.host, p.rising)
	}
	matched := func(m match.Message) {
		if y.err == nil {
			y.err = y.store.Add(m)
		}
	}
	for i := range p.endpoints {
		y.net.Endpoint(p.endpoints[i], matched)
	}
	if p.done {
		y.net.Done(p.host, matched)
	}
	if p.endpoints != nil {
		p.endpoints = p.endpoints[:0]
		y.empty.Put(&p.endpoints)
	}
}

// place is where the endpoints of a packet go.
func (y *synchronizer) place() []match.Endpoint {
	if p, ok := y.empty.Get().(*[]match.Endpoint); ok {
		return *p
	}
	return make([]match.Endpoint, 0, packetEndpoints)
}

// solve publishes the newest solution.
func (y *synchronizer) solve() time.Duration {
	begin := time.Now()
	s := y.net.Solution()
	if y.set.solution.Swap(s) != s {
		y.way.add(s, begin)
		y.set.mark()
	}
	took := time.Since(begin)
	y.spent += took
	return took
}

// end waits for the goroutine and publishes what came of all packets.
func (y *synchronizer) end() error {
	close(y.in)
	<-y.ended
	if y.err != nil {
		return y.err
	}
	y.solve()
	return nil
}

// finish is end after the last packet of every host.
func (y *synchronizer) finish() error {
	if err := y.end(); err != nil {
		return err
	}
	return y.store.Finish()
}
