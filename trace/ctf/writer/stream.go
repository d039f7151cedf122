package writer

import (
	"errors"
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

// Open begins a packet at a time, which must not be behind that of its first event. An open
// packet is closed before.
func (s *Stream) Open(cycles uint64) {
	if s.open {
		s.Flush()
	}
	if s.over {
		s.fail("a packet begins behind the end of a stream that has been cut")
	}
	if s.err != nil {
		return
	}
	s.open, s.events, s.full = true, 0, 0
	s.claims = s.claims[:0]
	s.auto[place(trace.PacketBegin)] = cycles
	if s.class.begins {
		s.last = cycles
	}
	s.marks = s.marks[:0]
	s.pos = 0
	s.run(stagePacket, s.class.packet)
	if s.opt.Packet != nil && s.err == nil {
		s.opt.Packet(s)
	}
	if s.err == nil && s.at.code != opEnd {
		s.fail("packet: no value for field %q", s.at.name)
	}
	s.stage = stageNone
}

// Flush closes the open packet, at the time of its last event.
func (s *Stream) Flush() error {
	s.auto[place(trace.PacketEnd)] = s.last
	if !s.class.begins {
		s.auto[place(trace.PacketEnd)] = max(s.last, s.auto[place(trace.PacketBegin)])
	}
	return s.close(0)
}

// FlushAt closes the open packet at a time that is not before that of its last event.
func (s *Stream) FlushAt(cycles uint64) error {
	s.auto[place(trace.PacketEnd)] = cycles
	return s.close(0)
}

// Cut closes the open packet and leaves out its last bytes, as a crash would. The stream is
// not written to any more.
func (s *Stream) Cut(bytes int) error {
	s.auto[place(trace.PacketEnd)] = s.last
	err := s.close(bytes)
	s.over = true
	return err
}

// close writes the packet but for its last bytes.
func (s *Stream) close(cut int) error {
	if s.stage != stageNone {
		s.fail("a packet ends before %s", s.missing())
	}
	if !s.open || s.err != nil {
		return s.err
	}
	s.open = false
	content := s.pos
	size := max(roundUp(content, 8), s.full)
	align := uint64(s.opt.PacketAlign) * 8
	size = (size + align - 1) / align * align
	s.auto[place(trace.ContentSize)], s.auto[place(trace.PacketSize)] = content, size
	if !s.room(size) {
		return s.err
	}
	s.patch()
	n := int(size / 8)
	b := s.buf[:max(n-cut, 0)]
	if _, err := s.out.Write(b); err != nil {
		s.err = err
		return err
	}
	if s.opt.Index != nil && cut == 0 {
		s.index(s.auto[:])
	}
	s.written += size / 8
	clear(s.buf[:n+slack])
	s.auto[place(trace.Sequence)]++
	return s.err
}

// patch writes what is known only now into packet header and context.
func (s *Stream) patch() {
	for _, m := range s.marks {
		v := s.auto[place(m.op.role)]
		for _, c := range s.claims {
			if c.role&m.op.role != 0 {
				v = c.value
			}
		}
		if !m.op.whole && !m.op.variable {
			v ^= m.value
		}
		store(s.buf, m.pos, m.op, v)
	}
}

// Close closes the open packet. It does not close the file.
func (s *Stream) Close() error {
	if s.open {
		return s.Flush()
	}
	return s.err
}

// Discard counts n events as discarded; the packet closed next says so.
func (s *Stream) Discard(n uint64) { s.auto[place(trace.Discarded)] += n }

// Lose closes the open packet and leaves out the numbers of n packets, as if they were lost.
func (s *Stream) Lose(n uint64) error {
	err := s.Close()
	s.auto[place(trace.Sequence)] += n
	return err
}

// Set sets what packets say from the one that is closed next on: the CPU, the instance, the number of the
// packet, which counts on from there, or that of discarded events.
func (s *Stream) Set(r trace.Role, value uint64) {
	s.auto[place(r)] = value
}

// Claim makes the open packet say something, true or not, in all fields that have the role.
func (s *Stream) Claim(r trace.Role, value uint64) {
	s.claims = append(s.claims, claim{r, value})
}

// Pad makes the open packet at least that many bytes long.
func (s *Stream) Pad(bytes int) { s.full = uint64(bytes) * 8 }

// Content is how many bits of the open packet are written, its header included.
func (s *Stream) Content() uint64 { return s.pos }

// Raw appends bytes to the content of the open packet, from the next whole byte on.
func (s *Stream) Raw(b []byte) {
	switch {
	case s.err != nil:
	case !s.open || s.stage != stageNone:
		s.err = errors.New("raw bytes stand between the events of a packet")
	default:
		s.pos = roundUp(s.pos, 8)
		if end := s.pos + uint64(len(b))*8; s.room(end) {
			copy(s.buf[s.pos>>3:], b)
			s.pos = end
		}
	}
}
