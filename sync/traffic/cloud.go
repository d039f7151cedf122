package traffic

import (
	"cmp"
	"maps"
	"slices"
)

// A Cloud is messages as dots of time and latency. While they are few each is a dot; when they are many,
// those in a cell of the drawing are one dot. Cells get coarser until they are no more than the limit, so that the same
// messages give the same dots in whatever order they come.
type Cloud struct {
	limit int
	begin int64
	span  uint64
	width uint64 // of the finest cells, ns
	steps int    // by which cells were made coarser
	cells map[cell]Dot
}

// A Dot is messages that are drawn as one.
type Dot struct {
	Sent, Received       int64 // of the one that was sent first, ns of the axis
	From, To             int32
	FromThread, ToThread int32
	Count                int64
}

type cell struct {
	from    int32
	column  uint64
	latency int32
	sent    int64 // only while each message is a dot
	other   int64
}

// single is the step at which cells hold equal messages only.
const single = 0

// NewCloud returns an empty cloud over [begin, end) of an axis; its cells are columns wide at first.
func NewCloud(begin, end int64, columns, limit int) *Cloud {
	span := uint64(end - begin)
	return &Cloud{limit: limit, begin: begin, span: span, width: max(1, span/uint64(columns)), cells: make(map[cell]Dot)}
}

// Add adds a message that was sent in the range.
func (c *Cloud) Add(p *Passage) {
	if !p.Related {
		return
	}
	c.put(Dot{p.SentAt, p.ReceivedAt, p.From, p.To, p.FromThread, p.ToThread, 1})
	for len(c.cells) > c.limit && c.coarsen() {
	}
}

func (c *Cloud) put(d Dot) {
	key := c.cellOf(d)
	if old, ok := c.cells[key]; ok {
		n := d.Count + old.Count
		if d.compare(old) > 0 {
			d = old
		}
		d.Count = n
	}
	c.cells[key] = d
}

func (c *Cloud) cellOf(d Dot) cell {
	if c.steps == single {
		return cell{from: d.From, sent: d.Sent, other: d.Received, latency: d.FromThread}
	}
	ns := d.Received - d.Sent
	bucket := int32(bucketOf(max(ns, -1-ns)) >> ((c.steps - 1) / 2))
	if ns < 0 {
		bucket = -1 - bucket
	}
	return cell{from: d.From, column: uint64(d.Sent-c.begin) / c.width >> (c.steps / 2), latency: bucket}
}

// coarsen makes cells twice as wide or as high and reports whether they could be.
func (c *Cloud) coarsen() bool {
	if c.width<<(c.steps/2) >= c.span {
		return false
	}
	c.steps++
	cells := c.cells
	c.cells = make(map[cell]Dot, len(cells)/2)
	for _, d := range cells {
		c.put(d)
	}
	return true
}

// Single reports whether each dot is one message.
func (c *Cloud) Single() bool { return c.steps == single }

// Dots are the dots by time.
func (c *Cloud) Dots() []Dot {
	return slices.SortedFunc(maps.Values(c.cells), Dot.compare)
}

func (d Dot) compare(e Dot) int {
	return cmp.Or(cmp.Compare(d.Sent, e.Sent), cmp.Compare(d.From, e.From), cmp.Compare(d.Received, e.Received), cmp.Compare(d.FromThread, e.FromThread), cmp.Compare(d.ToThread, e.ToThread))
}
