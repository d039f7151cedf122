package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"synchroscope/trace"
	"synchroscope/trace/ctf/writer"
)

// headerBytes are those of LTTng's packet header and packet context. The size of a packet is a multiple of pageBytes.
const (
	headerBytes = 4 + 16 + 4 + 8 + 6*8 + 4
	pageBytes   = 1 << 12
)

// A Stream is the events of one CPU. Times of events are true ns and do not go back.
//
// The methods named after kinds of events say whether the event stands in the trace:
// not if it was discarded, or is in a packet that is lost.
type Stream struct {
	r    *Recorder
	out  *writer.Stream // of packets without events: it writes the header of each
	head header
	file *os.File

	buf  []byte // the open sub-buffer: room for the header, and events
	room int    // bytes that fit
	last uint64 // cycles of the event before, or of the packet's beginning

	events int64 // in the open sub-buffer
	doomed bool  // the open packet will be lost

	done  []int64 // when the consumer has read each sub-buffer, true ns
	slot  int     // the open one
	until int64   // nothing is recorded from then on
	told  told
	sum   Summary
	err   error
}

// told is what packets that stand in the trace say of events that were discarded: each has the number of all before its
// end. Where the first packet is lost, a reader does not know how much of that of the next is news.
type told struct{ first, last int64 }

// A header is that of the packet that was closed last.
type header []byte

func (h *header) Write(b []byte) (int, error) {
	*h = append((*h)[:0], b...)
	return len(b), nil
}

func (r *Recorder) stream(at int64, cpu int) (*Stream, error) {
	f, err := os.OpenFile(filepath.Join(r.opt.Dir, fmt.Sprintf("channel0_%d", cpu)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	s := &Stream{r: r, file: f, room: r.opt.SubBuffer, done: make([]int64, r.opt.SubBuffers), until: r.opt.End}
	if s.until == 0 {
		s.until = math.MaxInt64
	}
	s.out, err = r.writer.NewStream(&s.head, writer.StreamOptions{CPU: int32(cpu), Instance: uint64(cpu), PacketSize: headerBytes})
	if err != nil {
		return nil, err
	}
	s.open(r.opt.Clock.Cycles(at))
	return s, nil
}

// open begins a packet.
func (s *Stream) open(cycles uint64) {
	s.out.Open(cycles)
	s.last, s.events = cycles, 0
	s.buf = append(s.buf[:0], make([]byte, headerBytes)...)
	s.doomed = s.r.opt.Loss > 0 && s.r.opt.Chance.Bool(s.r.opt.Loss)
}

// begin is the bytes of the open sub-buffer with the header of an event behind them, nil
// if the event is discarded or of a kind that is not recorded. The event has at most size bytes more.
func (s *Stream) begin(t int64, id uint16, size int) []byte {
	if s.r.omitted != nil && s.r.omitted[id] || t >= s.until {
		return nil
	}
	c := s.r.opt.Clock.Cycles(t)
	if len(s.buf)+size+18 > s.room && !s.turn(t, c) {
		s.sum.Discarded++
		s.out.Discard(1)
		return nil
	}
	s.grow()
	b := s.buf
	if c-s.last < 1<<32 {
		b = append(b, byte(id), byte(id>>8), byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
	} else {
		b = append(b, 0xff, 0xff)
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
		b = binary.LittleEndian.AppendUint64(b, c)
	}
	s.last = c
	return b
}

// grow makes room for the whole sub-buffer once a part of it is full, so that what a CPU takes of memory does not
// depend on how long it has been traced.
func (s *Stream) grow() {
	if len(s.buf) >= s.room/8 && cap(s.buf) < s.room+pageBytes {
		s.buf = append(make([]byte, 0, s.room+pageBytes), s.buf...)
	}
}

// end takes the bytes of begin with those of the event. It says whether the event will stand in the trace.
func (s *Stream) end(b []byte) bool {
	s.buf = b
	s.events++
	return !s.doomed
}

// turn goes to the next sub-buffer, if the consumer has read it.
func (s *Stream) turn(t int64, c uint64) bool {
	next := (s.slot + 1) % len(s.done)
	if t < s.done[next] {
		return false
	}
	content := len(s.buf)
	s.close(c)
	s.done[s.slot] = s.r.consumer.read(t, content)
	s.slot = next
	s.open(c)
	return true
}

// close writes the packet.
func (s *Stream) close(c uint64) {
	s.write(0, func() error { return s.out.FlushAt(c) })
}

// write writes the packet but for its last bytes, unless it is one that is lost. Its header is what end makes.
func (s *Stream) write(cut int, end func() error) {
	content := len(s.buf)
	size := (content + pageBytes - 1) &^ (pageBytes - 1)
	s.out.Claim(trace.ContentSize, uint64(content)*8)
	s.out.Claim(trace.PacketSize, uint64(size)*8)
	err := end()
	copy(s.buf, s.head)
	if cut == 0 {
		s.buf = append(s.buf, zeros[:size-content]...)
	}
	if err == nil && !s.doomed {
		_, err = s.file.Write(s.buf[:len(s.buf)-cut])
	}
	if err != nil && s.err == nil {
		s.err = err
	}
	s.account()
}

var zeros [pageBytes]byte

func (s *Stream) account() {
	if s.doomed {
		s.sum.Lost++
		s.sum.Missing += s.events
		return
	}
	if s.sum.Packets == 0 && s.sum.Lost > 0 {
		s.told.first = s.sum.Discarded
	}
	s.told.last = s.sum.Discarded
	s.sum.Packets++
	s.sum.Events += s.events
}

// finish writes what is left.
func (s *Stream) finish(at int64) error {
	c := max(s.r.opt.Clock.Cycles(at), s.last)
	if s.r.opt.Cut && !s.doomed {
		s.cut(at)
	} else {
		s.close(c)
	}
	if err := s.file.Close(); s.err == nil {
		s.err = err
	}
	all := s.sum.Discarded
	s.sum.Discarded = s.told.last - s.told.first
	s.sum.Untold = all - s.sum.Discarded
	if s.err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), s.err)
	}
	return nil
}

// cut writes the open packet but for its end: half of one more event.
func (s *Stream) cut(at int64) {
	var nobody Task
	before := len(s.buf)
	s.room, s.until = len(s.buf)+1<<10, math.MaxInt64
	omitted := s.r.omitted
	s.r.omitted = nil
	s.SchedSwitch(at, &nobody, 0, &nobody)
	s.r.omitted = omitted
	s.events--
	s.write((len(s.buf)-before)/2, func() error { return s.out.Cut(0) })
}
