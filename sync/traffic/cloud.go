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
	Error                int64 // bound of that one's latency, ns; -1 where none is known
}

type cell struct {
	from    int32
	column  int64
	latency int32
	sent    int64 // only while each message is a dot
	other   int64
}

// single is the step at which cells hold equal messages only.
const single = 0

// NewCloud returns an empty cloud over [begin, end) of an axis, the stretch in which the messages were sent; its cells are columns wide at first.
func NewCloud(begin, end int64, columns, limit int) *Cloud {
	span := uint64(end - begin)
	return &Cloud{limit: limit, begin: begin, span: span, width: max(1, (span+uint64(columns)-1)/uint64(columns)), cells: make(map[cell]Dot)}
}

// Add adds a message. One that was sent outside of the stretch, as may come while more of it is read, is in a cell beside the others.
func (c *Cloud) Add(p *Passage) {
	if !p.Related {
		return
	}
	c.put(Dot{p.SentAt, p.ReceivedAt, p.From, p.To, p.FromThread, p.ToThread, 1, p.Error})
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
	return cell{from: d.From, column: floor(d.Sent-c.begin, int64(c.wide())), latency: bucket}
}

// floor is a / b rounded down.
func floor(a, b int64) int64 {
	if a < 0 {
		return -1 - (-1-a)/b
	}
	return a / b
}

// wide is how wide cells are, ns.
func (c *Cloud) wide() uint64 { return c.width << (c.steps / 2) }

// Cells are from where on and until where the cells reach, and how wide each is, ns of the axis; 0 while each dot is one message.
func (c *Cloud) Cells() (begin, end, wide int64) {
	if c.Single() {
		return c.begin, c.begin + int64(c.span), 0
	}
	return c.begin, c.begin + int64(c.span), int64(c.wide())
}

// coarsen makes cells twice as wide or as high and reports whether they could be.
func (c *Cloud) coarsen() bool {
	if w := c.wide(); w >= c.span || w >= 1<<61 { // columns are signed
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

// compare orders by time. Of two that are the same that with the larger error is first, and one without a bound before all.
func (d Dot) compare(e Dot) int {
	return cmp.Or(cmp.Compare(d.Sent, e.Sent), cmp.Compare(d.From, e.From), cmp.Compare(d.Received, e.Received), cmp.Compare(d.FromThread, e.FromThread), cmp.Compare(d.ToThread, e.ToThread), cmp.Compare(uint64(e.Error), uint64(d.Error)))
}
