package ctf

import (
	"math"
	"slices"
	"time"
)

// What is missing between recordings.
//
// The kernel of a host can have been recorded twice, one after the other, or for less long than an application. When the last stream of
// the kernel's has ended nobody knows what the machine does, until the next one begins. Nothing was counted there, and nothing need have happened. So it is
// with applications where each user has one buffer for all of them (LTTng's usual way, --buffers-uid): it ends when the session is stopped. Other traces of
// applications begin and end with them, which says nothing of others.
//
// Within a recording a session can be stopped and started again (lttng stop, lttng start). That counts nothing either, and packets go on by their numbers: it shows by there being a time that
// no packet covers, of any CPU. Packets that are full follow each other without one. Those that a timer closes do not, and while nothing happens on a CPU none is begun; but where switches are
// recorded no machine does nothing at all for a second: to write down what was closed the tracer's own daemon runs, which is recorded. Of applications that cannot be told.

// over reports what is missing behind a lane that is at its end, where no other of the kernel's, or of applications, has begun and not ended then, and the host's others go on.
func (r *Reader) over(l *lane) {
	s := l.stream
	if len(r.heap) == 0 || !s.any || !r.ofKernel(l) && r.traces[l.trace].info.Env["tracer_buffering_scheme"] != "uid" {
		return
	}
	p := &s.prev
	at, next := max(s.last, p.begin), int64(math.MaxInt64)
	if p.hasLast && !p.cut && !s.torn {
		at = max(at, p.end)
	}
	for _, o := range r.heap {
		if r.ofKernel(o) != r.ofKernel(l) || l.switches() && !o.switches() { // of who is on a CPU that one tells nothing
			continue
		}
		begin := o.begin()
		if begin <= at || r.together(o, l) {
			return
		}
		next = min(next, begin)
	}
	r.loss(Loss{CPU: -1, Trace: l.trace, Begin: at, End: next})
}

// switches reports whether a lane is of a recording that can tell who is on a CPU.
func (l *lane) switches() bool { return l.stream.files[0].switches }

func (r *Reader) ofKernel(l *lane) bool { return r.traces[l.trace].info.Kind == "kernel" }

// together reports whether two lanes are of one recording: a stream of it may begin late, as of a CPU that is switched on.
func (r *Reader) together(a, b *lane) bool {
	p, q := r.traces[a.trace].plan, r.traces[b.trace].plan
	return a.trace == b.trace || p.hasUUID && q.hasUUID && p.uuid == q.uuid
}

// begin is when a lane that is not at its end begins, or the least time where it has gone on since and nobody knows.
func (l *lane) begin() int64 {
	if f := &l.stream.files[0]; f.known {
		return f.begin
	}
	if at := l.place(); at.file > 0 || at.off > 0 {
		return math.MinInt64
	}
	if p := l.within(); p.hasFirst {
		return p.begin
	}
	return l.time
}

// pausing is how long no packet covers where a session was stopped, at least.
const pausing = int64(time.Second)

// A pause is a time that no packet of a stream covers, of one that goes on behind it.
type pause struct {
	lane       *lane
	begin, end int64 // local ns
}

// rested reports, of a stream of a recording of all that CPUs do, the time between two packets if it is long.
func (s *stream) rested(p *packet) {
	prev := &s.prev
	begin := max(prev.end, s.last)
	if s.switches && s.any && p.hasFirst && prev.hasLast && !prev.cut && begin < p.begin && (begin < 0 && p.begin > 0 || p.begin-begin >= pausing) {
		s.sink.loss(Loss{Trace: s.trace, Begin: begin, End: p.begin, rest: true})
	}
}

// rest takes note that the first lane has rested. Of several packets that it came to at once, since the last.
func (r *Reader) rest(l Loss) {
	if len(r.heap) == 0 {
		return
	}
	r.rested = true
	p := pause{r.heap[0], l.Begin, l.End}
	if i := r.pauseOf(p.lane); i >= 0 {
		r.pauses[i] = p
		return
	}
	r.pauses = append(r.pauses, p)
}

// stopped reports the time in which all streams rested that tell of CPUs, when the last of them has come to it.
func (r *Reader) stopped() {
	first := r.pauseOf(r.heap[0])
	if !r.rested && first < 0 {
		return
	}
	r.rested = false
	begin, end := int64(math.MinInt64), int64(math.MaxInt64)
	for _, l := range r.heap {
		if !l.switches() {
			continue
		}
		if i := r.pauseOf(l); i >= 0 {
			begin, end = max(begin, r.pauses[i].begin), min(end, r.pauses[i].end)
		} else if p := l.within(); p.hasFirst {
			end = min(end, p.begin)
		} else {
			end = math.MinInt64
		}
		if end <= begin { // one has a packet there
			break
		}
	}
	if end > begin && end-begin >= pausing {
		r.loss(Loss{CPU: -1, Trace: r.pauses[0].lane.trace, Begin: begin, End: end})
		r.pauses = r.pauses[:0]
	} else if first >= 0 {
		r.pauses = slices.Delete(r.pauses, first, first+1)
	}
}

// pauseOf is which of the pauses is of a lane, -1 if none is.
func (r *Reader) pauseOf(l *lane) int {
	return slices.IndexFunc(r.pauses, func(p pause) bool { return p.lane == l })
}
