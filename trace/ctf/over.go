package ctf

import "math"

// What is missing between recordings.
//
// The kernel of a host can have been recorded twice, one after the other, or for less long than an application. When the last stream of
// the kernel's has ended nobody knows what the machine does, until the next one begins. Nothing was counted there, and nothing need have happened. Traces of applications
// begin and end with them, which says nothing of others.

// over reports what is missing behind a lane that is at its end, where it is the last of the kernel's for now and the host's others go on.
func (r *Reader) over(l *lane) {
	s := l.stream
	if len(r.heap) == 0 || !s.any || !r.ofKernel(l) {
		return
	}
	p := &s.prev
	at, next := max(s.last, p.begin), int64(math.MaxInt64)
	if p.hasLast && !p.cut && !s.torn {
		at = max(at, p.end)
	}
	for _, o := range r.heap {
		if !r.ofKernel(o) {
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
