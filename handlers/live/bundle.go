package live

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"synchroscope/handlers/wire"
)

// A bundler keeps arrows while they are no more than limit. After that, those
// that leave one row for one other within a few columns become one bundle. When
// the bundles are too many too, the cells get coarser, in this order: wider cells
// up to threadCell, then hosts in place of their threads (short-lived threads
// seldom send twice, wider cells alone would smear them over the whole range), then
// wider cells again, and, where connections are told apart, one for all of them in the end.
//
// Cells are a power of two of ns wide and begin at multiples of that, so that they stay where they
// are when the window moves. What was sent before or after the range counts to the cell
// at that end. The sums of a cell are exact, so that what is drawn follows from the
// messages alone, and not from the order in which they came or the bundles that they came in.
type bundler struct {
	limit      int
	begin, end int64 // ns
	columns    int
	hostRow    func(row uint32) uint32

	arrows []placed // while they are few
	cells  map[cell]bundle
	shift  int           // cells are 1<<shift ns wide
	hosts  bool          // hosts stand for their threads
	flows  bool          // connections are told apart
	kept   map[cell]bool // those that are, at cell 0; nil for all
}

// Widths of cells in columns, as powers of two.
const (
	firstCell  = 3
	threadCell = 5
)

type placed struct {
	wire.Arrow
	sent, received int64
}

// A cell is where a bundle lies.
type cell struct {
	from, to uint32
	at       uint64 // number of the cell, counted from -wire.MaxTime
	flow     flow
}

// A flow is one way of a connection, between two hosts; zero where connections are not told apart.
type flow struct {
	protocol uint8
	from, to uint16
}

func (f flow) compare(g flow) int {
	return cmp.Or(cmp.Compare(f.protocol, g.protocol), cmp.Compare(f.from, g.from), cmp.Compare(f.to, g.to))
}

func (c cell) compare(d cell) int {
	return cmp.Or(cmp.Compare(c.at, d.at), cmp.Compare(c.from, d.from), cmp.Compare(c.to, d.to), c.flow.compare(d.flow))
}

// A bundle is an arrow with the sums of times and bytes of its messages; of Arrow these are not used, and its ends are
// times, not after any base.
type bundle struct {
	wire.Arrow
	sent, received moment
	bytes          uint64
}

func bundleOf(a wire.Arrow, sent, received int64) bundle {
	a.Ends = wire.Ends{SentFirst: sent, SentLast: sent, ReceivedFirst: received, ReceivedLast: received}
	return bundle{a, momentOf(sent), momentOf(received), uint64(a.Bytes)}
}

// cellAt is the number of the cell of a time.
func cellAt(t int64, shift int) uint64 { return (uint64(t) + wire.MaxTime) >> shift }

// finest is the width of the narrowest cells, as a power of two.
func (b *bundler) finest() int {
	column := max(1, uint64(b.end-b.begin)/uint64(b.columns))
	return firstCell + bits.Len64(column-1)
}

// add takes a message; the times of a are not used.
func (b *bundler) add(a wire.Arrow, sent, received int64) {
	if b.cells != nil {
		b.gather(bundleOf(a, sent, received), sent)
		return
	}
	if b.arrows = append(b.arrows, placed{a, sent, received}); len(b.arrows) <= b.limit {
		return
	}
	b.begun(b.finest())
	for _, p := range b.arrows {
		b.put(bundleOf(p.Arrow, p.sent, p.received), b.cellOf(p.sent))
	}
	b.arrows = nil
	b.limitCells()
}

// begun goes over from arrows to cells.
func (b *bundler) begun(shift int) {
	b.cells, b.shift = make(map[cell]bundle), shift
}

func (b *bundler) cellOf(sent int64) uint64 {
	return cellAt(min(max(sent, b.begin), b.end-1), b.shift)
}

// gather takes a bundle of messages that lie in one cell, when cells are there; sent is of any of them.
func (b *bundler) gather(n bundle, sent int64) {
	b.put(n, b.cellOf(sent))
	b.limitCells()
}

func (b *bundler) limitCells() {
	for len(b.cells) > b.limit && b.coarsen() {
	}
}

// put adds a bundle to its cell.
func (b *bundler) put(n bundle, at uint64) {
	if b.hosts {
		n.From, n.To = b.hostRow(n.From), b.hostRow(n.To)
	}
	c := cell{from: n.From, to: n.To, at: at}
	if b.flows {
		of := cell{from: b.hostRow(n.From), to: b.hostRow(n.To), flow: flow{n.Protocol, n.FromPort, n.ToPort}}
		if b.kept == nil || b.kept[of] {
			c.flow = of.flow
		}
	}
	if old, ok := b.cells[c]; ok {
		n.join(&old)
	}
	b.cells[c] = n
}

// join adds the messages of another bundle.
func (n *bundle) join(m *bundle) {
	n.sent, n.received = n.sent.plus(m.sent), n.received.plus(m.received)
	n.Count += m.Count
	n.bytes += m.bytes
	n.ErrorFrom = worse(n.ErrorFrom, m.ErrorFrom)
	n.ErrorTo = worse(n.ErrorTo, m.ErrorTo)
	n.Flags |= m.Flags
	n.Backward += m.Backward
	n.Ends = wire.Ends{
		SentFirst: min(n.Ends.SentFirst, m.Ends.SentFirst), SentLast: max(n.Ends.SentLast, m.Ends.SentLast),
		ReceivedFirst: min(n.Ends.ReceivedFirst, m.Ends.ReceivedFirst), ReceivedLast: max(n.Ends.ReceivedLast, m.Ends.ReceivedLast),
	}
	if n.FromPort != m.FromPort || n.ToPort != m.ToPort {
		n.FromPort, n.ToPort = 0, 0
	}
	if n.Protocol != m.Protocol {
		n.Protocol = 0
	}
}

// worse is the larger bound; an unknown one has no limit.
func worse(a, b float32) float32 {
	if a < 0 || b < 0 {
		return -1
	}
	return max(a, b)
}

// wider tells whether the range has more than one cell.
func (b *bundler) wider() bool { return cellAt(b.begin, b.shift) != cellAt(b.end-1, b.shift) }

// coarsen makes the cells coarser by one step and reports whether it could.
func (b *bundler) coarsen() bool {
	step := 0
	switch {
	case b.wider() && b.shift < b.finest()+threadCell-firstCell:
		step = 1
	case !b.hosts:
		b.hosts = true
	case b.wider():
		step = 1
	case b.flows:
		b.flows = false
	default:
		return false
	}
	b.shift += step
	fine := b.cells
	b.cells = make(map[cell]bundle, len(fine)/2)
	for c, n := range fine {
		b.put(n, c.at>>step)
	}
	return true
}

// drawn returns what is to be drawn, times after base: arrows in order of sending, bundles from left to right.
func (b *bundler) drawn(base int64) []wire.Arrow {
	slices.SortFunc(b.arrows, placed.compare)
	var out []wire.Arrow
	for _, p := range b.arrows {
		p.Sent, p.Received = float64(p.sent-base), float64(p.received-base)
		out = append(out, p.Arrow)
	}
	for _, c := range slices.SortedFunc(maps.Keys(b.cells), cell.compare) {
		out = append(out, b.cells[c].drawn(base))
	}
	return out
}

func (n bundle) drawn(base int64) wire.Arrow {
	if e := n.Ends; n.Count > 1 {
		n.Flags |= wire.Bundle
		n.Arrow.Ends = wire.Ends{SentFirst: e.SentFirst - base, SentLast: e.SentLast - base, ReceivedFirst: e.ReceivedFirst - base, ReceivedLast: e.ReceivedLast - base}
	} else {
		n.Arrow.Ends = wire.Ends{}
	}
	n.Sent, n.Received = n.sent.after(base, n.Count), n.received.after(base, n.Count)
	n.Arrow.Bytes = float32(n.bytes)
	return n.Arrow
}

// compare orders arrows by when they were sent, equal times by everything else, so that it is the same order wherever they come from.
func (p placed) compare(q placed) int {
	return cmp.Or(
		cmp.Compare(p.sent, q.sent), cmp.Compare(p.From, q.From), cmp.Compare(p.To, q.To), cmp.Compare(p.received, q.received),
		cmp.Compare(p.Bytes, q.Bytes), cmp.Compare(p.Protocol, q.Protocol), cmp.Compare(p.FromPort, q.FromPort), cmp.Compare(p.ToPort, q.ToPort),
	)
}
