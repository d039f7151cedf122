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
type bundler struct {
	limit   int
	columns int
	hostRow func(row uint32) uint32

	arrows []placed // while they are few
	cells  map[cell]bundle
	shift  int           // cells are 1<<shift columns wide
	hosts  bool          // hosts stand for their threads
	flows  bool          // connections are told apart
	kept   map[cell]bool // those that are, at column 0; nil for all
}

// Widths of cells in columns, as powers of two.
const (
	firstCell  = 3
	threadCell = 5
)

type placed struct {
	wire.Arrow
	column int32
}

// A cell is where a bundle lies.
type cell struct {
	from, to uint32
	column   int32
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
	return cmp.Or(cmp.Compare(c.column, d.column), cmp.Compare(c.from, d.from), cmp.Compare(c.to, d.to), c.flow.compare(d.flow))
}

// A bundle is an arrow whose times and bytes are sums. The sums are taken in the same
// order for the same messages, so that rounding does not show.
type bundle struct {
	wire.Arrow
	bytes float64
}

// add takes an arrow that leaves in a column.
func (b *bundler) add(a wire.Arrow, column int32) {
	if b.cells != nil {
		b.gather(bundle{a, float64(a.Bytes)}, column)
		return
	} else if b.arrows = append(b.arrows, placed{a, column}); len(b.arrows) <= b.limit {
		return
	} else {
		b.cells, b.shift = make(map[cell]bundle), firstCell
		for _, p := range b.arrows {
			b.put(bundle{p.Arrow, float64(p.Bytes)}, p.column>>b.shift)
		}
		b.arrows = nil
	}
	b.limitCells()
}

// gather takes a bundle whose mean message leaves in a column, when cells are there.
func (b *bundler) gather(n bundle, column int32) {
	b.put(n, column>>b.shift)
	b.limitCells()
}

func (b *bundler) limitCells() {
	for len(b.cells) > b.limit && b.coarsen() {
	}
}

// put adds an arrow or a bundle to its cell.
func (b *bundler) put(n bundle, column int32) {
	if b.hosts {
		n.From, n.To = b.hostRow(n.From), b.hostRow(n.To)
	}
	c := cell{from: n.From, to: n.To, column: column}
	if b.flows {
		of := cell{from: b.hostRow(n.From), to: b.hostRow(n.To), flow: flow{n.Protocol, n.FromPort, n.ToPort}}
		if b.kept == nil || b.kept[of] {
			c.flow = of.flow
		}
	}
	if old, ok := b.cells[c]; ok {
		n.Sent += old.Sent
		n.Received += old.Received
		n.Count += old.Count
		n.bytes += old.bytes
		n.ErrorFrom = worse(n.ErrorFrom, old.ErrorFrom)
		n.ErrorTo = worse(n.ErrorTo, old.ErrorTo)
		n.Flags |= old.Flags
		n.Backward += old.Backward
		if n.FromPort != old.FromPort || n.ToPort != old.ToPort {
			n.FromPort, n.ToPort = 0, 0
		}
		if n.Protocol != old.Protocol {
			n.Protocol = 0
		}
	}
	b.cells[c] = n
}

// worse is the larger bound; an unknown one has no limit.
func worse(a, b float32) float32 {
	if a < 0 || b < 0 {
		return -1
	}
	return max(a, b)
}

// coarsen makes the cells coarser by one step and reports whether it could.
func (b *bundler) coarsen() bool {
	wider, step := 1<<b.shift < b.columns, 0
	switch {
	case wider && b.shift < threadCell:
		step = 1
	case !b.hosts:
		b.hosts = true
	case wider:
		step = 1
	case b.flows:
		b.flows = false
	default:
		return false
	}
	b.shift += step
	fine := b.cells
	b.cells = make(map[cell]bundle, len(fine)/2)
	for _, c := range slices.SortedFunc(maps.Keys(fine), cell.compare) {
		b.put(fine[c], c.column>>step)
	}
	return true
}

// drawn returns what is to be drawn: arrows in order of arrival, bundles from left to right.
func (b *bundler) drawn() []wire.Arrow {
	var out []wire.Arrow
	for _, p := range b.arrows {
		out = append(out, p.Arrow)
	}
	for _, c := range slices.SortedFunc(maps.Keys(b.cells), cell.compare) {
		n := b.cells[c]
		if n.Count > 1 {
			n.Flags |= wire.Bundle
			n.Sent /= float64(n.Count)
			n.Received /= float64(n.Count)
			n.Arrow.Bytes = float32(n.bytes)
		}
		out = append(out, n.Arrow)
	}
	return out
}

// columnOf is the column of a time in a request's range: -1 before it, its number of
// columns after it.
func columnOf(t int64, r wire.Request) int32 {
	switch {
	case t < r.Begin:
		return -1
	case t >= r.End:
		return int32(r.Columns)
	}
	hi, lo := bits.Mul64(uint64(t-r.Begin), uint64(r.Columns))
	column, _ := bits.Div64(hi, lo, uint64(r.End-r.Begin))
	return int32(column)
}
