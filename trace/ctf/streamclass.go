package ctf

import (
	"fmt"
	"slices"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

// A plan is the metadata of a trace, laid out.
type plan struct {
	uuid    [16]byte
	hasUUID bool

	head    trace.Layout // the packet header alone, to find the class of a packet
	magic   *trace.Field // each nil if the header has it not
	id      *trace.Field // the uuid
	class   *trace.Field
	inst    *trace.Field
	mark    []byte // what packets begin with, nil if that says nothing
	streams []*streamClass
	clock   *clock   // the one that tells which host a trace is of; nil where there is none, or none whose origin is known
	notes   []oddity // what is odd about the metadata
}

// An oddity is an anomaly of metadata.
type oddity struct{ kind, message string }

// A streamClass is one kind of stream, laid out.
type streamClass struct {
	id      uint64
	says    *schema.Stream
	layout  trace.Layout
	classes []*trace.Class
	dense   []int32        // event id to index into classes, -1 where there is none
	sparse  map[uint64]int // the same for ids too far apart
	slots   int            // that an event of any class needs

	// Of the packet context; nil where it has them not.
	size, content, begin, end, discarded, sequence, cpu *trace.Field
	beginClock, endClock                                *clock

	header *trace.Header // reads event headers
	stamps []stamp       // their timestamps
	begins bool          // all are of the clock that the begin of packets is of
	serves bool          // a body may depend on its header
}

// A stamp is how a timestamp of an event header is understood.
type stamp struct {
	bits  uint32 // that are recorded
	mask  uint64 // of these
	clock *clock
}

// newPlan lays out all packets, headers and events of a trace.
func newPlan(t *schema.Trace) (*plan, error) {
	p := &plan{}
	p.head.Verbatim = t.Verbatim
	p.uuid, p.hasUUID = parseUUID(t.UUID)
	if err := p.head.Packet(t.PacketHeader, nil); err != nil {
		return nil, &layoutError{t.Place, err}
	}
	p.mark = packetMark(t)
	p.magic = p.head.Field(trace.PacketHeader, trace.Magic)
	p.id = only(p.head.Fields(trace.PacketHeader, trace.TraceID))
	p.class = p.head.Field(trace.PacketHeader, trace.StreamClass)
	p.inst = p.head.Field(trace.PacketHeader, trace.StreamInstance)
	room := maxFields
	for _, s := range t.Streams {
		c, err := newStreamClass(t, s, &room)
		if err != nil {
			return nil, &layoutError{s.Place, fmt.Errorf("stream %d: %w", s.ID, err)}
		}
		p.streams = append(p.streams, c)
	}
	p.take(t.Clocks)
	return p, nil
}

// of is the plan of a trace that is laid out like this one's.
func (p *plan) of(t *schema.Trace) *plan {
	q := *p
	q.uuid, q.hasUUID = parseUUID(t.UUID)
	q.streams = make([]*streamClass, len(p.streams))
	for i, c := range p.streams {
		own := *c
		q.streams[i] = &own
	}
	q.take(t.Clocks)
	return &q
}

// take has all times be of the clocks of a trace.
func (p *plan) take(all []schema.Clock) {
	clocks := make(map[string]*clock)
	p.notes, p.clock = nil, nil
	for i, c := range all {
		k, message := newClock(c)
		clocks[k.name] = k
		switch {
		case message != "":
			p.notes = append(p.notes, oddity{"clock-range", message})
		case i == 0:
			p.clock = k
		}
	}
	// Where a timestamp names no clock, and there is one, it is that one.
	if len(all) == 1 {
		clocks[""] = clocks[all[0].Name]
	}
	for _, c := range p.streams {
		c.take(clocks)
	}
}

func only(fields []*trace.Field) *trace.Field {
	if len(fields) == 0 {
		return nil
	}
	return fields[0]
}

// maxFields bounds the fields of all events of a trace; a kernel with all its
// events has about 15 000.
const maxFields = 1 << 20

// newStreamClass lays out one kind of stream, and takes its fields from room.
func newStreamClass(t *schema.Trace, s *schema.Stream, room *int) (*streamClass, error) {
	c := &streamClass{id: s.ID, says: s, sparse: make(map[uint64]int)}
	c.layout.Verbatim = t.Verbatim
	near := uint64(16*len(s.Events) + 1024)
	if err := c.layout.Packet(t.PacketHeader, s.PacketContext); err != nil {
		return nil, err
	}
	if err := c.layout.Header(s.EventHeader); err != nil {
		return nil, err
	}
	c.slots = c.layout.Slots()
	for i, e := range s.Events {
		class, err := c.layout.Class(e.Name, i, s.EventContext, e.Context, e.Payload)
		if err != nil {
			return nil, &layoutError{e.Place, fmt.Errorf("event %q: %w", e.Name, err)}
		}
		c.classes = append(c.classes, class)
		c.index(e.ID, i, near)
		c.slots = max(c.slots, class.Slots())
		if c.layout.Count() > *room {
			break
		}
	}
	if len(s.Events) == 1 && len(c.layout.Fields(trace.EventHeader, trace.EventClass)) == 0 {
		c.index(0, 0, near) // events that do not say are of the only class
	}
	if *room -= c.layout.Count(); *room < 0 {
		return nil, fmt.Errorf("the metadata declares more than %d fields", maxFields)
	}
	for r, f := range map[trace.Role]**trace.Field{
		trace.PacketSize: &c.size, trace.ContentSize: &c.content, trace.PacketBegin: &c.begin, trace.PacketEnd: &c.end,
		trace.Discarded: &c.discarded, trace.Sequence: &c.sequence, trace.CPU: &c.cpu,
	} {
		*f = c.layout.Field(trace.PacketContext, r)
	}
	c.header = c.layout.HeaderReader()
	c.serves = slices.ContainsFunc(c.classes, c.header.Serves)
	return c, nil
}

// take has all times of the streams be of some clocks, by name.
func (c *streamClass) take(clocks map[string]*clock) {
	c.beginClock, c.endClock = clockOf(c.begin, c.says, clocks), clockOf(c.end, c.says, clocks)
	c.stamps = nil
	for _, f := range c.layout.Fields(trace.EventHeader, trace.Timestamp) {
		c.stamps = append(c.stamps, stamp{f.Type().Size, 1<<f.Type().Size - 1, clockOf(f, c.says, clocks)})
	}
	c.begins = !slices.ContainsFunc(c.stamps, func(s stamp) bool { return s.clock != c.beginClock })
}

// index notes the class of an event id. A table serves the ids up to near, so that its
// size stays in proportion to the number of classes: tracers give ids out in a row.
func (c *streamClass) index(id uint64, i int, near uint64) {
	if id > near {
		c.sparse[id] = i
		return
	}
	for uint64(len(c.dense)) <= id {
		c.dense = append(c.dense, -1)
	}
	c.dense[id] = int32(i)
}

// find returns the index of the class of an event id, -1 if there is none.
func (c *streamClass) find(id uint64) int {
	if id < uint64(len(c.dense)) {
		return int(c.dense[id])
	}
	return c.far(id)
}

// far finds the ids that the table does not serve.
func (c *streamClass) far(id uint64) int {
	if i, ok := c.sparse[id]; ok {
		return i
	}
	return -1
}

// clockOf is the clock of a time: the one that its type names, else that of its stream, else the only one.
func clockOf(f *trace.Field, s *schema.Stream, clocks map[string]*clock) *clock {
	if s.HasClock {
		return clocks[s.Clock]
	}
	if f != nil {
		if k := clocks[f.Type().Clock]; k != nil {
			return k
		}
	}
	if k := clocks[""]; k != nil {
		return k
	}
	return nanoseconds
}

// parseUUID reads the canonical form.
func parseUUID(s string) (id [16]byte, ok bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		d := int8(-1)
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			d = int8(c - '0')
		case 'a' <= c && c <= 'f':
			d = int8(c-'a') + 10
		}
		if d < 0 || n == 32 {
			continue
		}
		id[n/2] = id[n/2]<<4 | byte(d)
		n++
	}
	return id, n == 32
}
