package live

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

const (
	crowdLeast   = 10_000  // messages of a request from which on it is answered from a crowd
	crowdLimit   = 1 << 17 // bundles of a crowd
	crowdColumns = 1 << 14 // cells in time, at most
	crowdSets    = 4       // crowds that are kept
)

// A crowd is all messages of a set whose clocks are final, as bundles between hosts, or of single connections, by
// when they were sent. A view of very many messages shows no more than that, and reading
// it instead of them bounds what the view costs.
type crowd struct {
	version int64 // of the solution
	begin   int64 // reference ns, of column 0
	width   int64 // ns of a column

	cells  []crowdCell // by column
	counts []uint32    // messages by column
	wrong  []uint32    // those received before they were sent
}

type crowdCell struct {
	column int32
	bundle // times are sums of ns after begin
}

func (x crowdCell) cell() cell {
	return cell{from: x.From, to: x.To, column: x.column, flow: flow{x.Protocol, x.FromPort, x.ToPort}}
}

// inside returns the columns that lie within [begin, end).
func (c *crowd) inside(begin, end int64) (from, to int32) {
	n := int64(len(c.counts))
	from = int32(min(n, max(0, (begin-c.begin+c.width-1)/c.width)))
	to = int32(min(n, max(0, (end-c.begin)/c.width)))
	return from, max(from, to)
}

// covers returns the columns that lie within [begin, end), and whether their messages are so many that they are
// taken from here.
func (c *crowd) covers(begin, end int64) (first, last int32, yes bool) {
	if c == nil {
		return 0, 0, false
	}
	first, last = c.inside(begin, end)
	return first, last, sum(c.counts[first:last]) >= crowdLeast
}

// at is when a column begins.
func (c *crowd) at(column int32) int64 { return c.begin + int64(column)*c.width }

func sum(ns []uint32) (total uint32) {
	for _, n := range ns {
		total += n
	}
	return total
}

// crowds are those of the sets that are looked at.
type crowds struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	slots map[crowdKey]*crowdSlot
}

// A crowdKey names a set, and whether its connections are told apart.
type crowdKey struct {
	set   string
	flows bool
}

type crowdSlot struct {
	version int64
	ready   *crowd // nil while it is made
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
	for _, flows := range []bool{false, true} {
		if slot := c.slots[crowdKey{set, flows}]; slot != nil {
			slot.stop()
			delete(c.slots, crowdKey{set, flows})
		}
	}
}

// suits tells whether a request can be answered from a crowd: by final clocks, of all pairs.
func (l lens) suits(r wire.Request, status ingest.Status) bool {
	return !r.Raw && r.A == r.B && l.solution != nil && l.solution.Final && status.State == ingest.Ready
}

// get returns the crowd of a session's set, nil if there is none by these clocks.
func (c *crowds) get(s *session, l lens, flows bool) *crowd {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot := c.slots[crowdKey{s.set.ID(), flows}]; slot != nil && slot.version == l.solution.Version {
		return slot.ready
	}
	return nil
}

// want begins to make the crowd of a session's set, unless that has begun. It stops for newer clocks, with the
// set and with the hub, which waits for it.
func (c *crowds) want(s *session, l lens, flows bool) {
	id, version := crowdKey{s.set.ID(), flows}, l.solution.Version
	c.mu.Lock()
	defer c.mu.Unlock()
	slot := c.slots[id]
	if c.ctx.Err() != nil || slot != nil && slot.version >= version {
		return
	}
	if slot != nil {
		slot.stop()
	}
	ctx, stop := context.WithCancel(c.ctx)
	slot = &crowdSlot{version: version, stop: stop}
	for other, old := range c.slots {
		if other != id && old.ready != nil && len(c.slots) >= crowdSets {
			delete(c.slots, other)
		}
	}
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
			slot.ready = made
		} else if c.slots[id] == slot {
			delete(c.slots, id)
		}
	}()
}

// gatherAll reads all messages of a set once. A panic in it fails the crowd, not the server.
func gatherAll(ctx context.Context, s *session, l lens, flows bool) (out *crowd, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	begin, end := bounds(l.solution)
	out = &crowd{version: l.solution.Version, begin: begin, width: 1}
	for (end-begin)/out.width >= crowdColumns {
		out.width *= 2
	}
	columns := int((end-begin)/out.width) + 1
	out.counts, out.wrong = make([]uint32, columns), make([]uint32, columns)
	b := bundler{limit: crowdLimit, columns: columns, hostRow: func(row uint32) uint32 { return row }, hosts: true, flows: flows, cells: make(map[cell]bundle)}
	err = s.set.Messages(ctx, begin, end+1, false, func(m match.Message) bool {
		a, sent := s.arrow(l, m, begin)
		a.From, a.To = s.rows.of(m.From, -1), s.rows.of(m.To, -1)
		column := int32(min(max(sent-begin, 0)/out.width, int64(columns-1)))
		out.counts[column]++
		if a.Flags&wire.Violation != 0 {
			out.wrong[column]++
		}
		b.add(a, column)
		return ctx.Err() == nil
	})
	if err != nil {
		return nil, err
	}
	if b.flows != flows {
		return nil, nil // too many connections to be kept apart: they are read each time
	}
	for c, n := range b.cells {
		out.cells = append(out.cells, crowdCell{c.column, n})
	}
	slices.SortFunc(out.cells, func(x, y crowdCell) int {
		return x.cell().compare(y.cell())
	})
	out.width <<= b.shift
	out.counts, out.wrong = fold(out.counts, b.shift), fold(out.wrong, b.shift)
	return out, ctx.Err()
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

// fold adds up each 1<<shift numbers.
func fold(ns []uint32, shift int) []uint32 {
	out := make([]uint32, (len(ns)-1)>>shift+1)
	for i, n := range ns {
		out[i>>shift] += n
	}
	return out
}
