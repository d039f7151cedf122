package filter

import "synchroscope/trace"

// A Matcher applies a filter to the events of one reader, whose classes it compiles as it meets
// them. It belongs to one goroutine.
type Matcher struct {
	filter   *Filter
	host     string
	programs []*Program // by the index of the class
}

// Matcher makes a matcher for a host.
func (f *Filter) Matcher(host string) *Matcher { return &Matcher{filter: f, host: host} }

// Match reports whether the event is wanted; time is what the filter's "time" is.
func (m *Matcher) Match(e *trace.Event, time int64) bool {
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
	m.programs[c.Index] = m.filter.Compile(c, m.host)
}
