package filter

import "synchroscope/trace"

// Threads tells which thread was on the CPU that recorded an event, for a filter that asks for it. It is shown all events of a host in order,
// for some of them say who comes next.
type Threads interface {
	// Pass goes on to an event.
	Pass(e *trace.Event)
	// Thread is the thread of the event passed last, -1 where nobody knows.
	Thread(e *trace.Event) int32
}

// A Matcher applies a filter to the events of one reader, whose classes it compiles as it meets
// them. It belongs to one goroutine.
type Matcher struct {
	filter   *Filter
	host     string
	threads  Threads    // nil: nobody knows any
	programs []*Program // by the index of the class
}

// Matcher makes a matcher for a host. Its events have no thread unless threads knows them.
func (f *Filter) Matcher(host string, threads Threads) *Matcher {
	if !f.AsksThread() {
		threads = nil
	}
	return &Matcher{filter: f, host: host, threads: threads}
}

// Match reports whether the event is wanted; time is what the filter's "time" is.
func (m *Matcher) Match(e *trace.Event, time int64) bool {
	if m.threads != nil {
		m.threads.Pass(e)
	}
	i := e.Class.Index
	if i >= len(m.programs) || m.programs[i] == nil || m.programs[i].class != e.Class {
		m.compile(e.Class)
	}
	return m.programs[i].Match(e, time)
}

func (m *Matcher) compile(c *trace.Class) {
	if n := c.Index + 1 - len(m.programs); n > 0 {
		m.programs = append(m.programs, make([]*Program, n)...)
	}
	m.programs[c.Index] = m.filter.compile(c, m.host, m.threads)
}
