package writer

import (
	"fmt"
	"io"
	"math/bits"

	"synchroscope/trace"
)

// defaultPacket is the size at which a packet is closed, in bytes.
const defaultPacket = 256 << 10

// StreamOptions say how a stream is written. The zero value is ready.
type StreamOptions struct {
	Class    uint64 // which kind of stream; that of the first one in the metadata by default
	Instance uint64 // which of the streams of its kind
	CPU      int32  // that its events are recorded on

	PacketSize  int // bytes at which a packet is closed, 256 KiB if 0
	PacketAlign int // bytes that the size of a packet is a multiple of, 1 if 0

	// Packet gives the fields of packet header and context that have no role, in their order; it
	// is called whenever a packet begins. Nil if there are none.
	Packet func(s *Stream)
	// Index takes LTTng's index of the stream; nil for none.
	Index io.Writer
}

// A Stream writes the packets and events of one stream. It belongs to one goroutine.
//
// Times are values of the stream's clock, in cycles. Where packets carry no time
// of their beginning, times of few bits are counted on from packet to packet.
type Stream struct {
	w     *Writer
	class *streamClass
	opt   StreamOptions
	out   io.Writer

	buf     []byte // the packet
	pos     uint64 // where in it the next field is written, in bits
	limit   uint64 // bits at which the packet is closed
	full    uint64 // bits that it has at least, with padding
	open    bool
	written uint64 // bytes of the stream
	marks   []mark // what is known only when the packet is closed
	claims  []claim
	auto    [roles]uint64
	events  int

	// The program that is run, and what it has met.
	stage stage
	prog  []op
	pc    int
	at    *op // the op that waits for a value; opEnd if none does
	vals  []uint64
	there []bool // which of them have a value; nil where nothing asks
	n     uint64 // elements of the array that waits, and how many it has
	i     uint64
	empty bool // an array without elements has been passed since the last value
	loops []loop
	given int // values so far
	body  []op
	spare []byte // a text in another encoding

	last uint64 // time of the event before, or of the packet's beginning
	over bool   // the stream has been cut
	err  error
}

type stage uint8

const (
	stageNone stage = iota
	stagePacket
	stageHeader
	stageBody
)

// roles is the number of roles; the value of each has the place of its bit.
const roles = 16

func place(r trace.Role) int { return bits.TrailingZeros16(uint16(r)) & (roles - 1) }

// A mark is an integer of the packet header or context that has a role.
type mark struct {
	pos   uint64
	op    *op
	value uint64 // that was written when the packet began
}

// A claim is what a packet says whatever is true.
type claim struct {
	role  trace.Role
	value uint64
}

// A loop is over the elements of an array: how many are left, and where the one that is written began.
type loop struct {
	left, begin uint64
	given       int
}

const magicNumber = 0xc1fc1fc1

// NewStream begins a stream that is written to out, one packet at a time.
func (w *Writer) NewStream(out io.Writer, o StreamOptions) (*Stream, error) {
	if o.PacketSize == 0 {
		o.PacketSize = defaultPacket
	}
	if o.PacketAlign == 0 {
		o.PacketAlign = 1
	}
	s := &Stream{w: w, opt: o, out: out, at: &op{}, limit: uint64(o.PacketSize) * 8}
	for _, c := range w.streams {
		if c.model.ID == o.Class || s.class == nil && o.Class == 0 {
			s.class = c
		}
	}
	if s.class == nil {
		return nil, fmt.Errorf("the metadata declares no stream %d", o.Class)
	}
	s.vals = make([]uint64, s.class.slots)
	if s.class.alternatives {
		s.there = make([]bool, s.class.slots)
	}
	s.buf = make([]byte, min(o.PacketSize, defaultPacket)+4096)
	s.auto[place(trace.Magic)] = magicNumber
	s.auto[place(trace.StreamClass)] = s.class.model.ID
	s.auto[place(trace.StreamInstance)] = o.Instance
	s.auto[place(trace.CPU)] = uint64(o.CPU)
	if o.Index != nil {
		s.index(nil)
	}
	return s, s.err
}

// Err is the first error of the stream.
func (s *Stream) Err() error { return s.err }

func (s *Stream) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
	s.at, s.stage = &op{}, stageNone
}

// Begin begins an event, and a packet if none is open. Its values follow in the order of its fields: those
// of the event header that have no role, of the contexts, and of the payload.
func (s *Stream) Begin(c *Class, cycles uint64) {
	if s.stage != stageNone {
		s.fail("an event begins before %s", s.missing())
	}
	if !s.open {
		s.Open(cycles)
	}
	if c.stream != s.class && s.err == nil {
		s.fail("event %q is not of stream %d", c.Name, s.class.model.ID)
	}
	if s.err != nil {
		return
	}
	f := s.form(c.ID, cycles)
	if f == nil {
		s.fail("no form of the event header can say id %d and time %d behind %d", c.ID, cycles, s.last)
		return
	}
	s.last = cycles
	s.auto[place(trace.EventClass)], s.auto[place(trace.Timestamp)] = c.ID, cycles
	s.forget(s.class.header)
	if s.there != nil {
		clear(s.there[s.class.header[1]:])
	}
	s.run(stageHeader, f.ops)
	if s.stage == stageHeader && s.at.code == opEnd {
		s.run(stageBody, c.body)
	} else {
		s.body = c.body
	}
}

// form finds how the header is written.
func (s *Stream) form(id, cycles uint64) *form {
	for _, f := range s.class.forms {
		if f.says(id, cycles, s.last) {
			return f
		}
	}
	return nil
}

// End ends an event. It returns the first error of the stream.
func (s *Stream) End() error {
	if s.stage != stageBody || s.at.code != opEnd {
		if s.err == nil && s.stage == stageNone {
			s.fail("an event ends that has not begun")
		}
		s.fail("an event ends before %s", s.missing())
		return s.err
	}
	s.stage = stageNone
	s.events++
	if s.pos >= s.limit {
		s.Flush()
	}
	return s.err
}

// missing says what the program waits for.
func (s *Stream) missing() string {
	if s.at.code == opEnd {
		return "the one ahead of it has ended"
	}
	return fmt.Sprintf("field %q has a value", s.at.name)
}
