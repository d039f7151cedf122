package occupant

import "synchroscope/trace"

// mostThreads bounds the numbers that are believed: Linux has none from here on.
const mostThreads = 1 << 22

// Said tells the threads of events by what these say of themselves, on a host of whose CPUs nobody knows anything, as without a trace of the kernel.
// It is a filter.Threads, and the zero value is ready.
type Said struct{ classes []saying }

// A saying is where the events of a class say who recorded them, if they do.
type saying struct {
	class  *trace.Class
	thread *trace.Field
}

// Pass goes on to an event.
func (*Said) Pass(*trace.Event) {}

// Thread is the thread that recorded an event, -1 where it does not say.
func (s *Said) Thread(e *trace.Event) int32 {
	if n := e.Class.Index + 1 - len(s.classes); n > 0 {
		s.classes = append(s.classes, make([]saying, n)...)
	}
	c := &s.classes[e.Class.Index]
	if c.class != e.Class {
		*c = saying{e.Class, e.Class.Context("vtid")}
		if c.thread == nil {
			c.thread = e.Class.Context("tid")
		}
		if c.thread != nil && c.thread.Type().Kind != trace.Integer {
			c.thread = nil
		}
	}
	if c.thread == nil || !e.Has(c.thread) {
		return -1
	}
	if tid := e.Int(c.thread); tid > 0 && tid < mostThreads {
		return int32(tid)
	}
	return -1
}
