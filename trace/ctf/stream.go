package ctf

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"synchroscope/trace"
)

// A stream is the cursor over one stream: over one file, or over the several
// files that tracers split a stream into. It stands on an event (its head), or at the end.
//
// Positions within a packet are counted in bits from the packet's beginning.
type stream struct {
	part        // of the current file
	index int32 // index into the streams of the first file's trace
	files []file

	sink sink // what the reader is told

	file   int // into files
	open   *os.File
	win    window
	packet packet
	packed []byte // packet header and context
	view   view
	class  []*trace.Class
	prev   packet // the packet before, for what was lost in between
	any    bool   // there was one
	full   int64  // size of the largest packets, as far as is known without reading on, or 0

	skipped bool   // there was something behind prev that could not be read
	torn    bool   // the rest of prev could not be read, and it does not say when it ends
	limit   uint64 // cycles past which no event of the packet can be, see lateness

	start  uint64 // of the head
	body   uint64 // of the head, behind its event header; in the view
	kind   int32  // of the head, into class
	next   uint64 // where the event behind the head begins
	before uint64 // cycles before the head
	cycles uint64 // at the head
	within int64  // how far from 0 times may be, 0 for any
	far    bool   // the head is not within, and is passed over
	last   int64  // recorded time of the event before, for time going back

	resting bool // the head is larger than the window, which has been given back

	repeat *repeat // of another file, see find
	scouts *lender // of buffers for larger events to cursors ahead, see comesBack; one of its own if nil

	mistaken int // what was taken for the next packet, see search

	event trace.Event
	done  int64 // bytes of the current file that have been consumed
}

// A file is one of those a stream is read from.
type file struct {
	part
	path  string
	name  string // in messages
	begin int64  // of its first packet, where it is known which stream it is of
	known bool   // it is
}

// A part is what a trace gives to those of its streams that a reader reads.
type part struct {
	trace int32 // index into the reader's traces
	plan  *plan
	own   map[*streamClass][]*trace.Class // with the reader's indices

	switches bool // it is the kernel's, and has all that CPUs do
}

// A view is what the window shows of a packet: b begins with its bit low and shows it up to high.
type view struct {
	b         []byte
	low, high uint64
}

// A sink is told what a stream meets on its way.
type sink interface {
	anomaly(a trace.Anomaly)
	loss(l Loss)
	placed(l Loss)
	consumed(n int64) // bytes
	looked(s *stream) // at another part of the stream
}

// report tells of an anomaly at a byte of the current file.
func (s *stream) report(kind string, off int64, message string) {
	s.sink.anomaly(trace.Anomaly{Kind: kind, Stream: s.current().name, Offset: off, Message: message, Count: 1})
}

// current is the file at hand, or the last one.
func (s *stream) current() *file { return &s.files[min(s.file, len(s.files)-1)] }

// errEnd says that a stream has no more events.
var errEnd = errors.New("end of stream")

// advance moves the head to the next event. It returns errEnd behind the last
// one; other errors mean that a file cannot be read.
func (s *stream) advance() error {
	s.pass()
	err := s.toNext()
	if err != nil {
		s.win.giveBack()
	}
	return err
}

func (s *stream) toNext() error {
	for {
		if s.next >= s.packet.content {
			if err := s.nextPacket(); err != nil {
				return err
			}
			continue
		}
		ok, err := s.decode()
		if ok && s.far {
			continue
		}
		if ok || err != nil {
			return err
		}
		s.next = s.packet.content // what is left of the packet cannot be read
	}
}

// decode reads the event at next. It reports false where there is none to be had.
func (s *stream) decode() (bool, error) {
	for {
		if s.next < s.view.low || s.next >= s.view.high {
			if err := s.slide(0); err != nil {
				return false, err
			}
		}
		v, c := &s.view, s.packet.class
		pos, end := s.next-v.low, v.high-v.low
		head, err := c.header.Read(&s.event, v.b, pos, end)
		stop := head.End
		if err == nil {
			if n := c.find(head.ID); uint(n) < uint(len(s.class)) {
				s.body, s.kind = stop, int32(n)
				stop, err = s.event.DecodeBody(s.class[n], v.b, stop, end)
			} else {
				err = unknownEvent(head.ID)
			}
		}
		if err == nil && stop != pos {
			s.start = s.next
			if err = s.stamp(&head); err == nil {
				s.next = stop + v.low
				return true, nil
			}
		}
		if errors.Is(err, trace.ErrShort) && s.view.high < s.packet.content && stop <= s.packet.content-s.view.low {
			high, base := s.view.high, s.win.base
			if err := s.slide(1); err != nil {
				return false, err
			}
			if s.view.high > high || s.win.base > base { // it may show less, from the event on, and then more
				continue
			}
			err = errTooLarge
		}
		if ahead := (scoutError{}); errors.As(err, &ahead) {
			return false, ahead.error
		}
		s.complain(err)
		return false, nil
	}
}

// maxEvent is the largest event read, in bytes: how far a window may grow.
const maxEvent = 16 << 20

var errTooLarge = fmt.Errorf("an event is larger than the %d MiB that are read of one", maxEvent>>20)

// slide moves the window so that it begins just before next; with grow it is made
// larger if it begins there already.
func (s *stream) slide(grow int) error {
	step := int64(s.packet.class.layout.Align() / 8)
	at := s.packet.off + int64(s.next/8)/step*step
	least := 0
	if at == s.win.base && grow > 0 {
		least = min(2*s.win.n, maxEvent)
	}
	s.consume(at)
	err := s.win.load(at, least, s.packet.off+int64(s.packet.content+7)/8)
	s.look()
	return err
}

// pass returns to the stream's own window if the head did not fit into it.
func (s *stream) pass() {
	if s.win.lent || s.resting {
		s.win.giveBack()
		s.forget()
		s.resting = false
	}
}

// rest gives back what the stream has been lent for its head; wake makes up for it.
func (s *stream) rest() {
	if s.win.lent {
		s.win.giveBack()
		s.resting = true
	}
}

// wake reads the head again, once it is wanted.
func (s *stream) wake() error {
	s.resting = false
	w, n := &s.win, s.win.n
	w.buf, w.lent, w.n = w.lender.take(n+trace.Spare), true, 0
	if err := w.fill(int64(n)); err != nil {
		return s.wrap(err)
	}
	if w.n < n {
		return s.wrap(fmt.Errorf("the file has become shorter than %d bytes while it was read", w.base+int64(n)))
	}
	s.see()
	v := &s.view
	end := v.high - v.low
	if _, err := s.packet.class.header.Read(&s.event, v.b, s.start-v.low, end); err != nil {
		return s.wrap(err)
	}
	_, err := s.event.DecodeBody(s.class[s.kind], v.b, s.body, end)
	return s.wrap(err)
}

// look notes what the window shows of the packet. Events are aligned from the
// beginning of their packet, so the view begins there, or at a boundary that slide has chosen.
func (s *stream) look() {
	s.see()
	s.sink.looked(s)
}

func (s *stream) see() {
	w, off := &s.win, s.packet.off
	begin := max(w.base, min(off, w.reach()))
	s.view.b, s.view.low = w.buf[begin-w.base:], uint64(max(begin-off, 0))*8
	s.view.high = min(s.packet.content, uint64(max(w.reach()-off, 0))*8)
}

// forget makes the next event load the window anew.
func (s *stream) forget() {
	s.win.n, s.view.high = 0, 0
}

type unknownEvent uint64

func (u unknownEvent) Error() string {
	return fmt.Sprintf("event id %d is not declared in the metadata", uint64(u))
}

// lateness is how far behind the end of its packet an event may be, as a part of a second: tracers were seen to read the clock
// for the end before they wrote the last event. What is later is no event, such as the zeros that a crash leaves in a file.
const lateness = 100

// noLimit is the limit of a packet any event may be behind the end of.
const noLimit = math.MaxUint64

var errLate = fmt.Errorf("an event would be more than %d ms later than the end of its packet", 1000/lateness)

// stamp computes the time of the head.
func (s *stream) stamp(h *trace.Head) error {
	before := s.cycles
	t := s.packet.begin
	if h.Which >= 0 {
		m := &s.packet.class.stamps[h.Which]
		if low := s.cycles & m.mask; low <= h.Stamp && h.Stamp <= m.mask {
			s.cycles += h.Stamp - low
		} else {
			s.cycles = s.packet.extend(s.cycles, h.Stamp, m.bits)
		}
		if s.cycles > s.limit && before <= s.packet.last {
			back, err := s.comesBack(before)
			if err == nil && !back {
				err = errLate
			}
			if err != nil {
				s.cycles = before
				return err
			}
			s.limit = noLimit
		}
		t = m.clock.time(s.cycles)
	}
	s.before = before
	s.event.Recorded = t
	if s.far = s.within > 0 && (t > s.within || t < -s.within); s.far {
		s.cycles = before // those behind it may be where they should
		s.report("far-time", s.packet.off+int64(s.start/8), fmt.Sprintf("in the packet at byte %d an event has the time %d ns, of the year %d, and is left out", s.packet.off, t, time.Unix(0, t).UTC().Year()))
		return nil
	}
	if t == math.MaxInt64 {
		s.report("clock-range", s.packet.off+int64(s.start/8), "an event is later than 64 bits of nanoseconds hold; it is held at the latest time there is")
	}
	if t < s.last {
		s.report("time-back", s.packet.off+int64(s.start/8), fmt.Sprintf("an event is %d ns earlier than the one ahead of it", s.last-t))
	}
	s.last = t
	return nil
}

// complain reports why the rest of a packet is left out.
func (s *stream) complain(err error) {
	s.leave()
	off := s.packet.off + int64(s.next/8)
	if err == nil {
		s.report("empty-event", off, "an event takes no space at all; there would be no end of them")
		return
	}
	kind := "bad-event"
	var unknown unknownEvent
	switch {
	case errors.As(err, &unknown):
		kind = "unknown-event"
	case err == errTooLarge:
		kind = "large-event"
	case errors.Is(err, trace.ErrShort) && s.packet.cut:
		return // of which the end of the file has been told
	case errors.Is(err, trace.ErrShort):
		kind = "truncated"
	}
	left := (s.packet.content - s.next) / 8
	s.report(kind, off, fmt.Sprintf("%v; the %d bytes left of the packet are left out", err, left))
}

// nextPacket opens the next packet that has events, in this file or the next.
func (s *stream) nextPacket() error {
	off := s.packet.off + s.packet.size
	for {
		if s.open == nil || off >= s.win.size {
			s.consume(s.win.size)
			if err := s.nextFile(); err != nil {
				return err
			}
			off = 0
			continue
		}
		err := s.meet(off)
		var f *fault
		switch {
		case errors.As(err, &f) && f.fatal:
			if err := s.skip(off, f); err != nil {
				return err
			}
		case f != nil:
			s.report(f.kind, off, f.message)
			if s.packet.content <= s.next {
				s.leave()
			}
		case err != nil:
			return err
		}
		off = s.packet.off + s.packet.size
		if s.packet.content > s.next {
			return nil
		}
	}
}

// meet enters the packet at off, unless it is left out because it is elsewhere too: it has no content then.
func (s *stream) meet(off int64) error { return s.read(off, true) }

// enter reads the packet at off and prepares for its first event.
func (s *stream) enter(off int64) error { return s.read(off, false) }

func (s *stream) read(off int64, once bool) error {
	s.consume(off)
	var p packet
	keep, err := s.plan.readPacket(&s.win, off, &p, &s.event, s.packed)
	s.packed = keep
	var f *fault
	if err != nil && (!errors.As(err, &f) || f.fatal) {
		return err
	}
	if once && (f == nil || p.cut) && s.elsewhere(&p) {
		p.content = 0
		s.packet, s.next, s.view = p, 0, view{}
		return err
	}
	s.settle(&p)
	s.packet = p
	s.look()
	return err
}

// oneClock tells whether the end of prev and the begin of p are said by one clock. What is said by
// none that the metadata declare are numbers whose scale nobody gave.
func oneClock(prev, p *packet) bool {
	return prev.class.endClock == p.class.beginClock && p.class.beginClock != nanoseconds
}

// settle compares a packet with the one before, and makes it the one before.
func (s *stream) settle(p *packet) {
	s.lost(p)
	s.rested(p)
	if s.any && p.hasFirst && s.prev.hasLast && p.begin < s.prev.end && oneClock(&s.prev, p) {
		s.report("packet-overlap", p.off, fmt.Sprintf("a packet begins %d ns before the one ahead of it ends", s.prev.end-p.begin))
	}
	s.prev, s.any = *p, true
	s.next, s.limit = p.header, noLimit
	if p.bounded && p.first < p.last && !p.cut && oneClock(p, p) {
		s.limit = p.last + min(p.class.endClock.freq/lateness, noLimit-p.last)
	}
	if p.hasFirst && p.class.begins {
		s.cycles = p.first
	}
	s.event.CPU, s.event.Trace, s.event.Stream = p.cpu, s.trace, s.index
	s.event.Prepare(p.class.slots)
	s.class = s.own[p.class]
}

// nextFile opens the next file of the stream.
func (s *stream) nextFile() error {
	if s.open != nil {
		s.shut()
		s.file++
	}
	if s.file >= len(s.files) {
		s.place()
		return errEnd
	}
	return s.openFile()
}

// shut closes the current file.
func (s *stream) shut() {
	s.unrepeat()
	if s.open != nil {
		s.open.Close()
		s.open, s.done = nil, 0
	}
}

func (s *stream) openFile() error {
	s.part = s.files[s.file].part
	f, err := os.Open(s.files[s.file].path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	s.open = f
	s.win.file, s.win.size, s.win.base, s.win.n = f, info.Size(), 0, 0
	s.packet = packet{}
	s.start, s.next, s.view = 0, 0, view{}
	return nil
}

// consume notes that the current file has been read up to off.
func (s *stream) consume(off int64) {
	if n := min(off, s.win.size) - s.done; n > 0 {
		s.sink.consumed(n)
		s.done += n
	}
}
