package live

import (
	"context"
	"sync"

	"synchroscope/ingest"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A fakeSet is a set whose import the test plays by hand.
type fakeSet struct {
	mu        sync.Mutex
	status    ingest.Status
	changed   chan struct{}
	hosts     []*fakeHost
	solution  *network.Solution
	anomalies []ingest.HostAnomaly
	messages  func(ctx context.Context, yield func(match.Message) bool) error
	ranged    func(ctx context.Context, begin, end int64, yield func(match.Message) bool) error // instead of messages, if set
}

type fakeHost struct {
	name    string
	threads []kernel.Thread
	version uint64
	density func() uint32 // events in the first column
	history *history.History
	noCalls bool // system calls are not recorded
	reading bool // more of it is read
}

func newFake(names ...string) *fakeSet {
	f := &fakeSet{
		status:   ingest.Status{ID: "s", Name: "fake", State: ingest.Importing},
		changed:  make(chan struct{}),
		messages: func(context.Context, func(match.Message) bool) error { return nil },
	}
	for i, name := range names {
		f.hosts = append(f.hosts, &fakeHost{name: name, density: func() uint32 { return 7 }})
		f.status.Hosts = append(f.status.Hosts, ingest.HostStatus{Index: i, Name: name, State: "importing", LocalBegin: "1000"})
	}
	return f
}

// change lets something happen and tells everybody.
func (f *fakeSet) change(what func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what()
	close(f.changed)
	f.changed = make(chan struct{})
}

// solve publishes a solution in which each host is so many ns ahead of the reference.
func (f *fakeSet) solve(version int64, ahead ...int64) {
	s := f.solved(version, ahead...)
	f.change(func() { f.solution = s })
}

// solved is that solution.
func (f *fakeSet) solved(version int64, ahead ...int64) *network.Solution {
	s := &network.Solution{Version: version}
	for i, ns := range ahead {
		m, err := clock.New([]clock.Knot{{Local: ns, Reference: 0}, {Local: ns + 1<<40, Reference: 1 << 40}}, [][2]int64{{0, 50}, {1 << 40, 60}})
		if err != nil {
			panic(err)
		}
		s.Hosts = append(s.Hosts, network.Host{Name: f.hosts[i].name, Map: m})
	}
	return s
}

func (f *fakeSet) ID() string { return "s" }

func (f *fakeSet) Status() ingest.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

func (f *fakeSet) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *fakeSet) Hosts() []Host {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]Host, len(f.hosts))
	for i, h := range f.hosts {
		out[i] = h
	}
	return out
}

func (f *fakeSet) Damaged(error) *ingest.Fault { return nil }

func (f *fakeSet) Report() ingest.Report {
	f.mu.Lock()
	defer f.mu.Unlock()
	return ingest.Report{Anomalies: []ingest.Oddity{{Places: f.anomalies}}}
}

func (f *fakeSet) Solution() *network.Solution {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.solution
}

func (f *fakeSet) EachMessage(ctx context.Context, begin, end int64, clocks *network.Solution, yield func(m *match.Message, sent, received int64) bool) error {
	l := lens{solution: clocks}
	each := func(m match.Message) bool { return yield(&m, l.shown(m.From, m.Sent), l.shown(m.To, m.Received)) }
	if f.ranged != nil {
		return f.ranged(ctx, begin, end, each)
	}
	return f.messages(ctx, each)
}

func (f *fakeSet) LinkMessages(ctx context.Context, a, b int32, yield func(match.Message) bool) error {
	return f.messages(ctx, yield)
}

func (h *fakeHost) Name() string              { return h.name }
func (h *fakeHost) CPUParts() (_, _, _ bool)  { return !h.noCalls, true, true }
func (h *fakeHost) History() *history.History { return h.history }

func (h *fakeHost) Known() ingest.Reach {
	r := ingest.Reach{All: !h.reading}
	if h.history != nil {
		_, r.Until = h.history.Bounds()
	}
	return r
}

func (h *fakeHost) Threads(since uint64) ([]kernel.Thread, uint64) {
	if since == h.version {
		return nil, since
	}
	return h.threads, h.version
}

func (h *fakeHost) Density(_ context.Context, edges, _ []int64, _ func(int64) int64) (events []uint32, lost []ingest.LossColumn, err error) {
	events = make([]uint32, len(edges)-1)
	events[0] = h.density()
	return events, make([]ingest.LossColumn, len(edges)-1), nil
}
