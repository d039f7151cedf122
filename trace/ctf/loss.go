package ctf

import (
	"fmt"
	"math"
)

// A Loss says what is missing on a CPU between Begin and End, local ns: Count events, or
// as many whole Packets, of which nobody knows how many events they held (Count is 0 then). Both are 0 for what
// nobody knows to have held any: what was before a stream that does not begin with its first packet (Begin is the least time there is), what followed
// behind one that has lost its last packets (End is the latest), and what could not be read of a packet.
type Loss struct {
	CPU        int32
	Trace      int32
	Begin, End int64
	Count      int64
	Packets    int64

	// At is for a [Reader.Placed] loss behind which event it is told, by its time: the last of the packet that counts the events, for tracers
	// write them to a packet as long as there is room, or the last before the missing packets. It is between Begin and End or before.
	At int64
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
		switch {
		case n>>(bits-1) != 0: // it ran backwards
			s.report("bad-count", p.off, fmt.Sprintf("the count of discarded events falls from %d to %d", prev.discarded, p.discarded))
		case n > 0:
			begin := prev.end
			if !first && !prev.hasLast {
				begin = s.last
			}
			end := p.end
			if !p.hasLast {
				end = p.begin
			}
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
	case s.torn:
		s.sink.loss(Loss{CPU: p.cpu, Trace: s.trace, Begin: min(s.last, p.begin), End: p.begin})
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
	if !p.hasDiscarded || p.discarded == 0 || !p.hasLast {
		return p.begin
	}
	return p.end
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
