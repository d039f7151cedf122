package ctf

import (
	"errors"
	"fmt"

	"synchroscope/trace"
)

// A packet is what its header and context say. It is data; the cursor is in stream.
type packet struct {
	off     int64 // where in its file it begins
	class   *streamClass
	header  uint64 // bits before the first event
	content uint64 // bits with events in them
	size    int64  // bytes to the next packet

	first, last       uint64 // cycles at begin and end
	hasFirst, hasLast bool
	cut               bool  // the file ends before the content does, which has been reported
	bounded           bool  // the clock of the events goes from first to last
	begin, end        int64 // the same as local time

	discarded, sequence       uint64
	hasDiscarded, hasSequence bool
	cpu                       int32

	lost lostIn
}

// lostIn is what was lost by the end of a packet, between two times, as it says; nothing if the count is 0.
type lostIn struct{ count, begin, end int64 }

// A fault is what is wrong with a packet.
type fault struct {
	kind, message string
	fatal         bool // where the packet ends is not known
}

func (f *fault) Error() string { return f.message }

// magicNumber begins every packet of CTF that has a magic field.
const magicNumber = 0xc1fc1fc1

// maxPacket is the largest packet believed, in bits.
const maxPacket = 1 << 43

// maxHead bounds packet header and context, in bytes.
const maxHead = 64 << 10

// readPacket reads header and context of the packet at off into p. The fields stay in ev, and
// their bytes in the second result, which is keep if it is large enough. An error that is a *fault
// leaves in p what is known.
func (pl *plan) readPacket(w *window, off int64, p *packet, ev *trace.Event, keep []byte) ([]byte, error) {
	return pl.readHead(w, off, p, ev, keep, maxHead)
}

// readHead is readPacket with header and context of no more than most bytes.
func (pl *plan) readHead(w *window, off int64, p *packet, ev *trace.Event, keep []byte, most int64) ([]byte, error) {
	*p = packet{off: off, cpu: -1}
	rest := w.size - off
	if _, err := pl.walkHead(w, off, &pl.head, ev, most); err != nil {
		return keep, err
	}
	if f := pl.checkHead(ev); f != nil {
		return keep, f
	}
	if p.class = pl.classOf(ev); p.class == nil {
		return keep, &fault{fatal: true, kind: "unknown-stream", message: fmt.Sprintf("a packet belongs to stream %d, which the metadata does not declare", uint64(ev.Int(pl.class)))}
	}
	c := p.class
	head, err := pl.walkHead(w, off, &c.layout, ev, most)
	if err != nil {
		return keep, err
	}
	n := int(head+7) / 8
	keep = append(append(keep[:0], w.buf[off-w.base:][:n]...), make([]byte, trace.Spare)...)
	if _, err = ev.DecodePacket(&c.layout, keep, head); err != nil {
		return keep, err
	}
	p.header = head
	p.context(ev)
	return keep, p.sizes(ev, rest)
}

// walkHead finds where packet header and context end, loading more where they go on.
func (pl *plan) walkHead(w *window, off int64, l *trace.Layout, ev *trace.Event, most int64) (uint64, error) {
	for least := 512; ; least *= 4 {
		if err := w.ensure(off, least); err != nil {
			return 0, err
		}
		have := min(w.reach()-off, w.size-off, most)
		head, err := ev.DecodePacket(l, w.buf[off-w.base:], uint64(have)*8)
		switch {
		case err == nil:
			return head, nil
		case errors.Is(err, trace.ErrShort) && have < w.size-off && have < most:
		case errors.Is(err, trace.ErrShort) && have < w.size-off:
			return 0, &fault{fatal: true, kind: "bad-packet", message: fmt.Sprintf("a packet header is larger than the %d bytes that are read of one", most)}
		default:
			return 0, &fault{fatal: true, kind: "truncated", message: fmt.Sprintf("a packet header is cut short: %d bytes are left", w.size-off)}
		}
	}
}

// checkHead compares the magic number and the uuid.
func (pl *plan) checkHead(ev *trace.Event) *fault {
	if pl.magic != nil && uint32(ev.Int(pl.magic)) != magicNumber {
		return &fault{fatal: true, kind: "bad-magic", message: fmt.Sprintf("a packet begins with %#08x instead of %#08x", uint32(ev.Int(pl.magic)), uint32(magicNumber))}
	}
	if pl.id != nil && pl.hasUUID && ev.Len(pl.id) == len(pl.uuid) {
		for i := range pl.uuid {
			if byte(ev.At(pl.id, i)) != pl.uuid[i] {
				return &fault{fatal: true, kind: "wrong-trace", message: "a packet carries the uuid of another trace"}
			}
		}
	}
	return nil
}

// classOf finds the stream class of a packet. What does not say belongs to class 0, or to the only one.
func (pl *plan) classOf(ev *trace.Event) *streamClass {
	if pl.class == nil && len(pl.streams) == 1 {
		return pl.streams[0]
	}
	id := uint64(ev.Int(pl.class))
	for _, c := range pl.streams {
		if c.id == id {
			return c
		}
	}
	return nil
}

// context reads what the packet context says beside the sizes.
func (p *packet) context(ev *trace.Event) {
	c := p.class
	if p.hasFirst = ev.Has(c.begin); p.hasFirst {
		p.first = uint64(ev.Int(c.begin))
		p.begin = c.beginClock.time(p.first)
	}
	if p.hasLast = ev.Has(c.end); p.hasLast {
		p.last = uint64(ev.Int(c.end))
		p.end = c.endClock.time(p.last)
	}
	p.bounded = p.hasFirst && p.hasLast && p.first <= p.last && c.begins
	p.discarded, p.hasDiscarded = uint64(ev.Int(c.discarded)), ev.Has(c.discarded)
	p.sequence, p.hasSequence = uint64(ev.Int(c.sequence)), ev.Has(c.sequence)
	if ev.Has(c.cpu) {
		p.cpu = int32(ev.Int(c.cpu))
	}
}

// sizes checks the sizes against each other and against what is left of the file.
func (p *packet) sizes(ev *trace.Event, rest int64) error {
	c, left := p.class, uint64(rest)*8
	size := left
	switch {
	case ev.Has(c.size):
		size = uint64(ev.Int(c.size))
	case ev.Has(c.content):
		size = (uint64(ev.Int(c.content)) + 7) &^ 7
	}
	p.content = size
	if ev.Has(c.content) {
		p.content = uint64(ev.Int(c.content))
	}
	switch {
	case size > maxPacket:
		return &fault{fatal: true, kind: "bad-packet", message: fmt.Sprintf("a packet claims a size of %d bits; %d are left in the file", size, left)}
	case size%8 != 0:
		return &fault{fatal: true, kind: "bad-packet", message: fmt.Sprintf("a packet claims a size of %d bits, which is not a number of bytes", size)}
	case size < p.header:
		return &fault{fatal: true, kind: "bad-packet", message: fmt.Sprintf("a packet claims a size of %d bits, its header alone has %d", size, p.header)}
	}
	p.size = min(int64(size/8), rest)
	switch {
	case p.content > size:
		f := &fault{kind: "bad-packet", message: fmt.Sprintf("a packet claims a content of %d bits in a size of %d", p.content, size)}
		p.content = min(size, left)
		return f
	case p.content < p.header:
		f := &fault{kind: "bad-packet", message: fmt.Sprintf("a packet claims a content of %d bits, its header alone has %d", p.content, p.header)}
		p.content = p.header
		return f
	case p.content > left:
		f := &fault{kind: "truncated", message: fmt.Sprintf("the file ends %d bytes before its last packet does", (p.content-left+7)/8)}
		p.content, p.cut = left, true
		return f
	}
	return nil
}

// extend completes a timestamp of which the low n bits were recorded, by the clock's
// value at the event before. A step back looks like a wrap; it is taken for one
// unless the wrap would lead out of the packet and the step back, which is the lesser
// leap of both, does not. (A clock that wraps shortly before it is set back, so that the end of
// its packet lies before the wrap, leaps back by nearly all that n bits count.) An end that
// the event before lies behind is no end: the header of a packet that was cut may have its begin there.
func (p *packet) extend(last, low uint64, n uint32) uint64 {
	v := extend(last, low, n)
	if v > p.last && last <= p.last && n < 64 && v>>n != last>>n && p.bounded {
		if back := v - 1<<n; back >= p.first && last-back <= v-last {
			return back
		}
	}
	return v
}
