package ctf

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"synchroscope/trace"
)

// What is missing behind the last packet of a stream.
//
// A tracer closes all its packets when it stops, so the streams of a trace end together: in recordings of LTTng 2.1 to 2.13 within 0.2 ms.
// One that ends before others do has lost its last packets, or nothing happened on its CPU any more:
// where packets are closed by a timer (a live session), empty ones are not written. The two can be told apart
// by why the packet was closed. If it is full, that was because another event did not fit, and there was a packet that began with it.
//
// A file that is cut short, or that cannot be read to its end, has lost what followed in any case. One of which nothing can be read
// has lost everything; an empty one is what a tracer writes of a CPU on which nothing happened.
//
// How many packets are missing nobody knows: at least the one that the next event would have begun, or the rest of the one that is cut. So the loss is told as one packet.
//
// That others go on shows by the packets they are in when the stream ends, or by the first event that is later by so much. One that is a little later may be of
// a CPU that was closed last, or not: nobody knows, which is told, and counts nothing.
// What we chose not to do is to look for the ends of all streams before reading: without an
// index that means to read through every file.

// together is how far the ends of streams that were closed at one time may lie apart.
const together = int64(time.Millisecond)

// fullShare is how much of the largest packet is left free, at most, by an event that did not fit: one of so many parts.
const fullShare = 16

// A tail is a stream that may have lost its end.
type tail struct {
	lane *lane
	at   int64 // what is missing begins here, local ns
	off  int64 // of the last packet
	cpu  int32

	doubted bool // an event later than at was returned, so it has been told that something may be missing
}

// tail reports whether the stream, which is at its end, must have had more than there is.
func (s *stream) tail() (t tail, ok bool) {
	p := &s.prev
	t = tail{at: p.end, off: p.off, cpu: p.cpu}
	switch {
	case s.torn && s.any:
		t.at = max(s.last, p.begin)
		return t, true
	case !s.any || !p.hasLast || p.class.endClock == nanoseconds:
		return t, false
	case p.cut:
		t.at = max(s.last, p.begin)
		return t, true
	case s.skipped:
		return t, true
	}
	return t, s.full > 0 && p.size >= s.full && int64(p.content/8) > p.size-p.size/fullShare
}

// cpuFile is how LTTng names the files of a CPU: the channel, the CPU, and which one it is of several.
var cpuFile = regexp.MustCompile(`^(.+?)_(\d{1,5})(?:_\d+)?$`)

// unread reports whether a lane that is at its end had something and none of it could be read. Of which CPU it is nobody knows then
// but by its name, which counts where the trace has other streams of its channel: else it may be no stream at all.
func (r *Reader) unread(l *lane) (cpu int32, ok bool) {
	if l.stream.any || !l.stream.skipped {
		return 0, false
	}
	named := func(l *lane) []string { return cpuFile.FindStringSubmatch(filepath.Base(l.stream.files[0].path)) }
	m := named(l)
	alike := func(o *lane) bool {
		n := named(o)
		return o != l && o.trace == l.trace && n != nil && n[1] == m[1] && (o.ahead != nil || o.stream.any)
	}
	if m == nil || !slices.ContainsFunc(r.lanes, alike) {
		return 0, false
	}
	n, err := strconv.Atoi(m[2])
	return int32(n), err == nil
}

// within is the packet in which the head is.
func (l *lane) within() *packet {
	if l.ahead != nil {
		return &l.ahead.shown.packet
	}
	return &l.stream.packet
}

// ended takes note of a lane without further events.
func (r *Reader) ended(l *lane) {
	l.over = true
	if cpu, ok := r.unread(l); ok {
		x := Loss{CPU: cpu, Trace: l.trace, Begin: math.MinInt64, End: math.MaxInt64, Packets: 1}
		r.loss(x)
		if len(r.heap) > 0 { // where nothing is known of any time, none can be told
			x.Begin = r.heap[0].time
			x.At = x.Begin
			r.placed(x)
		}
		return
	}
	t, ok := l.stream.tail()
	if !ok {
		return
	}
	t.lane = l
	for _, o := range r.heap {
		if p := o.within(); o.trace == l.trace && p.hasLast && p.end-together > t.at {
			r.cutOff(t, p.end)
			return
		}
	}
	r.tails = append(r.tails, t)
}

// doubt reports, before the first event behind the end of a stream, that something may be missing there for as long as nobody knows. When it is known it
// is too late: others have gone on meanwhile. An application's streams may as well end with it, which says nothing of others.
func (r *Reader) doubt(t *tail) {
	if t.doubted || len(r.heap) == 0 || max(r.time, r.heap[0].time) <= t.at || r.heap[0].time-together > t.at { // or it is known by now
		return
	}
	t.doubted = true
	if r.traces[t.lane.trace].info.Kind != "ust" && slices.ContainsFunc(r.heap, func(o *lane) bool { return o.trace == t.lane.trace }) {
		r.loss(Loss{CPU: t.cpu, Trace: t.lane.trace, Begin: t.at, End: after(t.at, together)})
	}
}

// after is a time so much later, or the latest that there is.
func after(t, by int64) int64 { return t + min(by, math.MaxInt64-max(t, 0)) }

// goOn reports the streams that may have lost their ends, and those that have, now that the first head is where it is.
func (r *Reader) goOn() {
	for i := range r.tails {
		r.doubt(&r.tails[i])
	}
	r.tails = slices.DeleteFunc(r.tails, func(t tail) bool {
		if len(r.heap) > 0 && r.heap[0].time-together <= t.at {
			return false
		}
		if i := slices.IndexFunc(r.heap, func(l *lane) bool { return l.trace == t.lane.trace }); i >= 0 {
			r.cutOff(t, r.heap[i].time)
		}
		return true
	})
}

// lookAt is the time from which on a head tells something of tails.
func (r *Reader) lookAt() int64 {
	next := int64(math.MaxInt64)
	for _, t := range r.tails {
		if t.doubted {
			next = min(next, after(t.at, together))
		} else {
			next = min(next, after(t.at, 1))
		}
	}
	return next
}

// cutOff reports that the end of a stream is missing, where another of its trace goes on to a time.
func (r *Reader) cutOff(t tail, to int64) {
	r.anomaly(trace.Anomaly{
		Kind: "lost-packets", Stream: t.lane.stream.current().name, Offset: t.off, Count: 1,
		Message: fmt.Sprintf("no packet follows this one, but others of the trace go on for %d ms: what followed is missing", (to-t.at)/int64(time.Millisecond)),
	})
	x := Loss{CPU: t.cpu, Trace: t.lane.trace, Begin: t.at, End: math.MaxInt64, Packets: 1}
	r.loss(x)
	x.At = x.Begin
	r.placed(x)
}
