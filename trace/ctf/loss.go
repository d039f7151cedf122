package ctf

import (
	"errors"
	"fmt"
	"math"

	"synchroscope/trace"
)

// A Loss says what is missing on a CPU between Begin and End, local ns: Count events, or
// as many whole Packets, of which nobody knows how many events they held (Count is 0 then). Packets is 1, at least, for what followed
// behind a stream that has lost its last packets or the end of its file (End is the latest time there is), and of a stream of which nothing can be read. Both are 0 for what
// nobody knows to have held any: what was before a stream that does not begin with its first packet (Begin is the least time),
// what could not be read of a packet, what may be behind a stream that ends a millisecond or less before others go on or end, where the count of events runs backwards, and behind the last stream of the kernel's or of applications
// while the host's others go on (CPU is -1, and End where the next one begins). End is the latest time
// as well where a packet that counts events does not say when it was closed, and none follows.
type Loss struct {
	CPU        int32
	Trace      int32
	Begin, End int64
	Count      int64
	Packets    int64

	// At is for a [Reader.Placed] loss behind which event it is told, by its time: the last of the packet that counts the events, for tracers
	// write them to a packet as long as there is room, or the last before the missing packets. It is between Begin and End or before.
	At int64

	rest bool // between a Reader and its streams: it is no loss, but a time that no packet of the stream covers
}

// lost reports what is missing between the packet before and p.
//
// Tracers count discarded events from the beginning of a stream, and write the
// count into each packet when it is full: the difference was lost between the
// ends of two packets. Packets are numbered, and what a full disk or a
// flight recorder dropped shows as a gap. Of a stream that does not begin with
// its first packet (a rotated or a snapshot one, or one the first packets of which were dropped) nobody knows what was before, nor when it began.
func (s *stream) lost(p *packet) {
	s.place()
	prev := &s.prev
	first := !s.any
	if first {
		prev = &packet{hasDiscarded: !p.hasSequence || p.sequence == 0, end: p.begin}
	}
	if p.hasDiscarded && prev.hasDiscarded {
		bits := p.class.discarded.Type().Size
		n := (p.discarded - prev.discarded) << (64 - bits) >> (64 - bits)
		begin := prev.end
		if !first && (!prev.hasLast || prev.last == 0) {
			begin = max(s.last, prev.begin)
		}
		switch {
		case n>>(bits-1) != 0: // it ran backwards
			s.report("bad-count", p.off, fmt.Sprintf("the count of discarded events falls from %d to %d", prev.discarded, p.discarded))
			end := s.closed(p)
			s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: min(begin, end), End: max(begin, end)})
		case n > 0:
			end := s.closed(p)
			message := "an event was lost by the end of this packet"
			if n > 1 {
				message = fmt.Sprintf("%d events were lost by the end of this packet", n)
			}
			s.report("lost-events", p.off, message)
			p.lost = lostIn{int64(n), min(begin, end), max(begin, end)}
			s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: p.lost.begin, End: p.lost.end, Count: p.lost.count})
		}
	}
	switch {
	case !p.hasSequence:
	case first && p.sequence > 0:
		s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: math.MinInt64, End: s.unknownTo(p)})
	case !first && prev.hasSequence:
		s.missing(p, prev)
	}
	numbered := p.hasSequence && (first || prev.hasSequence)
	switch {
	case !p.hasFirst:
	case s.torn || prev.cut:
		s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: min(max(s.last, prev.begin), p.begin), End: p.begin})
	case !s.skipped || numbered:
	case first:
		s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: math.MinInt64, End: p.begin})
	case prev.hasLast:
		s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: min(prev.end, p.begin), End: p.begin})
	}
	s.skipped, s.torn = false, false
}

// unknownTo is up to when events may be missing of a stream that begins with p and not with its first packet. Those that p counts as
// discarded were so before it or in it.
func (s *stream) unknownTo(p *packet) int64 {
	if !p.hasDiscarded || p.discarded == 0 {
		return p.begin
	}
	return s.closed(p)
}

// closed is by when p was closed, and all that it counts as discarded were so. Where it does not say that, it was when the next packet begins, if there is one, and may
// have been at the latest time there is otherwise. The header of a packet that is cut has what was true when it was written, mostly the begin for its end, and one that
// ends before it begins has nothing there.
func (s *stream) closed(p *packet) int64 {
	if p.hasLast && !p.cut && !(p.hasFirst && p.end < p.begin) {
		return p.end
	}
	next, ok := s.following(p)
	if !ok {
		return math.MaxInt64
	}
	return max(p.begin, next)
}

// following is when the packet behind p, which is being entered, begins. It reports false where nobody knows.
func (s *stream) following(p *packet) (begin int64, ok bool) {
	off := p.off + p.size
	if off >= s.win.size || p.cut {
		if s.file+1 >= len(s.files) {
			return 0, false
		}
		begin = s.files[s.file+1].begin
		return begin, begin > p.begin
	}
	w := window{file: s.open, size: s.win.size, own: make([]byte, minWindow+trace.Spare), lender: &lender{}}
	var q packet
	var ev trace.Event
	_, err := s.plan.readPacket(&w, off, &q, &ev, nil)
	if f := (*fault)(nil); err != nil && (!errors.As(err, &f) || f.fatal) {
		return 0, false // what is wrong is told where it is read
	}
	return q.begin, q.hasFirst
}

// leave reports what could not be read of the packet at hand. Where it does not say when it ends, that is known with the next one.
func (s *stream) leave() {
	p := &s.packet
	s.torn = !p.hasLast
	if begin := max(s.last, p.begin); p.hasLast && !p.cut && begin < p.end {
		s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: begin, End: p.end})
	}
}

// lastNumber is the greatest that a packet can have: they wrap at the width of the field.
func (p *packet) lastNumber() uint64 { return uint64(1)<<(p.class.sequence.Type().Size-1)<<1 - 1 }

// stepFrom is by how much the number of p is ahead of that of prev.
func (p *packet) stepFrom(prev *packet) uint64 { return (p.sequence - prev.sequence) & p.lastNumber() }

// follows reports whether it is ahead at all, and not behind.
func (p *packet) follows(prev *packet) bool {
	step := p.stepFrom(prev)
	return step != 0 && step <= p.lastNumber()>>1
}

// missing reports the packets missing between prev and p.
func (s *stream) missing(p, prev *packet) {
	mask, step := p.lastNumber(), p.stepFrom(prev)
	switch {
	case step == 1:
	case !p.follows(prev): // it ran backwards
		s.report("bad-count", p.off, fmt.Sprintf("packet %d follows packet %d", p.sequence, prev.sequence))
	default:
		message := fmt.Sprintf("packet %d is missing", (p.sequence-1)&mask)
		if step > 2 {
			message = fmt.Sprintf("packets %d to %d are missing", (prev.sequence+1)&mask, (p.sequence-1)&mask)
		}
		s.report("lost-packets", p.off, message)
		l := Loss{CPU: p.cpu, Trace: s.trace, Begin: min(prev.end, p.begin), End: max(prev.end, p.begin), Packets: int64(step - 1)}
		s.sink.loss(l)
		l.At = s.behind(l.Begin, l.End)
		s.sink.placed(l)
	}
}

// place reports where events were lost by the end of the packet that has been read.
func (s *stream) place() {
	p := &s.prev
	if !s.any || p.lost.count == 0 {
		return
	}
	s.sink.placed(Loss{CPU: p.cpu, Trace: s.trace, Begin: p.lost.begin, End: p.lost.end, Count: p.lost.count, At: s.behind(p.lost.begin, p.lost.end)})
	p.lost = lostIn{}
}

// behind is the time of the last event that was read, where a loss is told between two times; its begin where there was none.
func (s *stream) behind(begin, end int64) int64 {
	if s.last == math.MinInt64 {
		return begin
	}
	return min(s.last, end)
}
