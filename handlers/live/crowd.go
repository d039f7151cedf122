package live

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sort"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

const (
	crowdLeast   = 10_000  // messages of a request from which on it is answered from a crowd
	crowdLimit   = 1 << 16 // bundles of the finest level of a crowd, and as many again of all others
	crowdFlows   = 1 << 17 // bundles of one of single connections, which has one level
	crowdColumns = 1 << 14 // cells in time of the finest level, at most
	crowdsKept   = 4       // of all sets
)

// A crowd is all messages of a set whose clocks are final, as bundles between hosts, or of single connections, by
// when they were sent: in the cells of a bundler, each level twice as wide as the one before. A view of very many messages
// shows no more than that, and reading it instead of them bounds what the view costs: cells of the width it
// shows, and at both ends of it a few of each level below.
type crowd struct {
	shift  int           // cells of the finest level are 1<<shift ns wide
	levels [][]crowdCell // each by time
	before []uint32      // messages in the cells of the finest level before each, and in all
}

type crowdCell struct {
	at uint64 // number of the cell, of its level
	bundle
}

// inside returns the cells of the finest level that lie within [begin, end).
func (c *crowd) inside(begin, end int64) (from, to uint64) {
	from = (uint64(begin) + wire.MaxTime + 1<<c.shift - 1) >> c.shift
	return from, max(from, cellAt(end, c.shift))
}

// start is when a cell of the finest level begins.
func (c *crowd) start(at uint64) int64 { return int64(at<<c.shift - wire.MaxTime) }

// find is the place of the first bundle of a level in a cell or after it.
func (c *crowd) find(level int, at uint64) int {
	cells := c.levels[level]
	return sort.Search(len(cells), func(i int) bool { return cells[i].at >= at })
}

// each calls f with bundles that together are the cells [from, to) of the finest level, none of them wider than those of a level.
func (c *crowd) each(from, to uint64, level int, f func(level int, x *crowdCell)) {
	some := func(l int, from, to uint64) {
		cells := c.levels[l][c.find(l, from):c.find(l, to)]
		for i := range cells {
			f(l, &cells[i])
		}
	}
	for l := range level {
		if from < to && from&1 == 1 {
			some(l, from, from+1)
			from++
		}
		if from < to && to&1 == 1 {
			to--
			some(l, to, to+1)
		}
		from, to = from>>1, to>>1
	}
	if from < to {
		some(level, from, to)
	}
}

// covers returns the cells that lie within [begin, end), and whether their messages are so many that they are
// taken from here.
func (c *crowd) covers(begin, end int64) (first, last uint64, yes bool) {
	if c == nil {
		return 0, 0, false
	}
	first, last = c.inside(begin, end)
	return first, last, c.before[c.find(0, last)]-c.before[c.find(0, first)] >= crowdLeast
}

// begin has a bundler that is empty make bundles as the crowd has them, which lie in cells [first, last) of the finest
// level, and returns the level that it takes.
func (c *crowd) begin(b *bundler, first, last uint64) (level int) {
	b.hosts = true
	b.begun(max(b.finest(), c.shift))
	within := func() int { return min(b.shift-c.shift, len(c.levels)-1) }
	if !b.flows {
		// What is drawn are at least those that lie inside, so narrower cells would be too many.
		for l := within(); b.wider() && c.find(l, last>>l)-c.find(l, (first+1<<l-1)>>l) > b.limit; l = within() {
			b.shift++
		}
	}
	return within()
}

// crowds are those of the sets that are looked at.
type crowds struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	slots map[crowdKey]*crowdSlot
}

// A crowdKey names a set, the table that numbers its rows, and whether its connections are told apart.
type crowdKey struct {
	set   string
	rows  *table
	flows bool
}

func (s *session) crowd(flows bool) crowdKey { return crowdKey{s.set.ID(), s.rows, flows} }

type crowdSlot struct {
	version int64
	done    chan struct{} // closed when ready is set, or will not be
	ready   *crowd
	stop    context.CancelFunc
}

func newCrowds() *crowds {
	c := &crowds{slots: make(map[crowdKey]*crowdSlot)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

func (c *crowds) forget(set string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, slot := range c.slots {
		if id.set == set {
			slot.stop()
			delete(c.slots, id)
		}
	}
}

// suits tells whether a request can be answered from a crowd: by final clocks, of all pairs.
func (l lens) suits(r wire.Request, status ingest.Status) bool {
	return !r.Raw && r.A == r.B && l.solution != nil && l.solution.Final && status.State == ingest.Ready
}

// get returns the crowd of a session's set, nil if there is none by these clocks yet.
func (c *crowds) get(s *session, l lens, flows bool) *crowd {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot := c.slots[s.crowd(flows)]; slot != nil && slot.version == l.solution.Version {
		return slot.ready
	}
	return nil
}

// made waits for the crowd of a session's set; it is nil if it cannot be had by these clocks.
func (c *crowds) made(ctx context.Context, s *session, l lens, flows bool) (*crowd, error) {
	slot := c.want(s, l, flows)
	if slot == nil {
		return nil, nil
	}
	select {
	case <-slot.done:
		return slot.ready, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// want begins to make the crowd of a session's set, unless that has begun. It stops for newer clocks, with the
// set and with the hub, which waits for it. The slot is nil where there will be none by these clocks.
func (c *crowds) want(s *session, l lens, flows bool) *crowdSlot {
	id, version := s.crowd(flows), l.solution.Version
	c.mu.Lock()
	defer c.mu.Unlock()
	slot := c.slots[id]
	switch {
	case c.ctx.Err() != nil || slot != nil && slot.version > version:
		return nil
	case slot != nil && slot.version == version:
		return slot
	case slot != nil:
		slot.stop()
	}
	ctx, stop := context.WithCancel(c.ctx)
	slot = &crowdSlot{version: version, stop: stop, done: make(chan struct{})}
	c.slots[id] = slot
	s.hub.running.Add(1) // by a session, which runs
	go func() {
		defer s.hub.running.Done()
		defer stop()
		made, err := gatherAll(ctx, s, l, flows)
		if err != nil && ctx.Err() == nil {
			s.hub.log.Error("the messages of a set could not be gathered", "set", id.set, "err", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			c.limit(crowdsKept - 1)
			slot.ready = made
		} else if c.slots[id] == slot {
			delete(c.slots, id)
		}
		close(slot.done)
	}()
	return slot
}

// limit drops crowds until no more than most are there; that a set has none takes no memory. c.mu is held.
func (c *crowds) limit(most int) {
	ready := 0
	for id, slot := range c.slots {
		if slot.ready == nil {
			continue
		}
		if ready++; ready > most {
			delete(c.slots, id)
		}
	}
}

// gatherAll reads all messages of a set once. A panic in it fails the crowd, not the server.
func gatherAll(ctx context.Context, s *session, l lens, flows bool) (out *crowd, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	begin, end := bounds(l.solution)
	b := bundler{limit: crowdLimit, begin: begin, end: end + 1, columns: crowdColumns, hostRow: func(row uint32) uint32 { return row }, hosts: true, flows: flows}
	if flows {
		b.limit = crowdFlows
	}
	b.begun(0)
	for cellAt(end, b.shift)-cellAt(begin, b.shift) >= crowdColumns {
		b.shift++
	}
	err = s.set.EachMessage(ctx, begin, end+1, l.solution, func(m *match.Message, sent, received int64) bool {
		a := s.arrow(l, m, sent, received)
		a.From, a.To = s.rows.of(m.From, -1), s.rows.of(m.To, -1)
		b.put(bundleOf(a, sent, received), cellAt(sent, b.shift))
		b.limitCells()
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if b.flows != flows {
		return nil, nil // too many connections to be kept apart: they are read each time
	}
	return crowdOf(&b), nil
}

// crowdOf makes the levels from the cells of a bundler, until each pair of hosts has one; connections have one level.
func crowdOf(b *bundler) *crowd {
	out := &crowd{shift: b.shift}
	for {
		level := make([]crowdCell, 0, len(b.cells))
		for _, c := range slices.SortedFunc(maps.Keys(b.cells), cell.compare) {
			level = append(level, crowdCell{c.at, b.cells[c]})
		}
		out.levels = append(out.levels, level)
		if b.flows || len(level) == 0 || level[0].at == level[len(level)-1].at {
			break
		}
		b.shift++
		b.cells = make(map[cell]bundle, len(level))
		for _, x := range level {
			b.put(x.bundle, x.at>>1)
		}
	}
	var sum uint32
	out.before = append(out.before, sum)
	for _, x := range out.levels[0] {
		sum += x.Count
		out.before = append(out.before, sum)
	}
	return out
}

// bounds are those of all hosts, reference ns, as far as requests reach.
func bounds(s *network.Solution) (begin, end int64) {
	for i, h := range s.Hosts {
		b, e := h.Map.Reference(h.Begin), h.Map.Reference(h.End)
		if i == 0 {
			begin, end = b, e
		}
		begin, end = min(begin, b), max(end, e)
	}
	begin, end = max(begin, -wire.MaxTime), min(end, wire.MaxTime-1)
	return begin, max(begin, end)
}
