package live

import (
	"cmp"
	"context"
	"fmt"
	"math"
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
	crowdSets    = 4       // sets whose crowds are kept
)

// A crowd is all messages of a set whose clocks are final, as bundles between hosts by when they
// were sent. A view of very many messages shows no more than that, and reading
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

// inside returns the columns that lie within [begin, end).
func (c *crowd) inside(begin, end int64) (from, to int32) {
	n := int64(len(c.counts))
	from = int32(min(n, max(0, (begin-c.begin+c.width-1)/c.width)))
	to = int32(min(n, max(0, (end-c.begin)/c.width)))
	return from, max(from, to)
}

// answer adds the messages of a request to a bundler and counts them. Those in the columns that lie
// within come from the crowd, where they are very many; those before and after are
// read, as are all without a crowd.
func (c *crowd) answer(r wire.Request, b *bundler, out *wire.Messages, read func(begin, end, from, to int64) error) error {
	if c == nil {
		return read(r.Begin, r.End, math.MinInt64, math.MaxInt64)
	}
	first, last := c.inside(r.Begin, r.End)
	total := sum(c.counts[first:last])
	if total < crowdLeast {
		return read(r.Begin, r.End, math.MinInt64, math.MaxInt64)
	}
	b.hosts, b.cells, b.shift = true, make(map[cell]bundle), firstCell
	if err := read(r.Begin, c.at(first), math.MinInt64, c.at(first)); err != nil {
		return err
	}
	at, _ := slices.BinarySearchFunc(c.cells, first, func(x crowdCell, column int32) int { return cmp.Compare(x.column, column) })
	later := float64(c.begin - r.Begin)
	for _, x := range c.cells[at:] {
		if x.column >= last {
			break
		}
		n := x.bundle
		n.Sent += later * float64(n.Count)
		n.Received += later * float64(n.Count)
		b.gather(n, columnOf(r.Begin+int64(n.Sent/float64(n.Count)), r))
	}
	out.Total += total
	out.Violations += sum(c.wrong[first:last])
	return read(c.at(last), r.End, c.at(last), math.MaxInt64)
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
	bySet map[string]*crowdSlot
}

type crowdSlot struct {
	version int64
	ready   *crowd // nil while it is made
	stop    context.CancelFunc
}

func newCrowds() *crowds {
	c := &crowds{bySet: make(map[string]*crowdSlot)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

func (c *crowds) forget(set string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot := c.bySet[set]; slot != nil {
		slot.stop()
		delete(c.bySet, set)
	}
}

// suits tells whether a request can be answered from a crowd: by final clocks, of all pairs.
func (l lens) suits(r wire.Request, status ingest.Status) bool {
	return !r.Raw && r.A == r.B && l.solution != nil && l.solution.Final && status.State == ingest.Ready
}

// get returns the crowd of a session's set, nil if there is none by these clocks.
func (c *crowds) get(s *session, l lens) *crowd {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot := c.bySet[s.set.ID()]; slot != nil && slot.version == l.solution.Version {
		return slot.ready
	}
	return nil
}

// want begins to make the crowd of a session's set, unless that has begun. It stops for newer clocks, with the
// set and with the hub, which waits for it.
func (c *crowds) want(s *session, l lens) {
	id, version := s.set.ID(), l.solution.Version
	c.mu.Lock()
	defer c.mu.Unlock()
	slot := c.bySet[id]
	if c.ctx.Err() != nil || slot != nil && slot.version >= version {
		return
	}
	if slot != nil {
		slot.stop()
	}
	ctx, stop := context.WithCancel(c.ctx)
	slot = &crowdSlot{version: version, stop: stop}
	for other, old := range c.bySet {
		if other != id && old.ready != nil && len(c.bySet) >= crowdSets {
			delete(c.bySet, other)
		}
	}
	c.bySet[id] = slot
	s.hub.running.Add(1) // by a session, which runs
	go func() {
		defer s.hub.running.Done()
		defer stop()
		made, err := gatherAll(ctx, s, l)
		if err != nil && ctx.Err() == nil {
			s.hub.log.Error("the messages of a set could not be gathered", "set", id, "err", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			slot.ready = made
		} else if c.bySet[id] == slot {
			delete(c.bySet, id)
		}
	}()
}

// gatherAll reads all messages of a set once. A panic in it fails the crowd, not the server.
func gatherAll(ctx context.Context, s *session, l lens) (out *crowd, err error) {
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
	b := bundler{limit: crowdLimit, columns: columns, hostRow: func(row uint32) uint32 { return row }, hosts: true, cells: make(map[cell]bundle)}
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
	for c, n := range b.cells {
		out.cells = append(out.cells, crowdCell{c.column, n})
	}
	slices.SortFunc(out.cells, func(x, y crowdCell) int {
		return cell{from: x.From, to: x.To, column: x.column}.compare(cell{from: y.From, to: y.To, column: y.column})
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
