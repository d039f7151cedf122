package ingest

import (
	"container/heap"
	"context"
	"io"
	"math"

	"synchroscope/sync/network"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// An EventQuery says which events are meant.
type EventQuery struct {
	Begin, End int64 // [Begin, End), reference ns unless Raw
	Raw        bool
	Host       string // "" all
}

// Events yields decoded events of all hosts merged by reference (or raw local)
// time, equal times by host. They are read from the traces again: an event is kept nowhere else.
func (s *Set) Events(ctx context.Context, q EventQuery, yield func(host *Host, reference int64, ev *trace.Event) bool) error {
	var m eventMerge
	defer func() {
		for _, c := range m {
			c.reader.Close()
		}
	}()
	solution := s.Solution()
	for _, h := range s.Hosts() {
		if q.Host != "" && q.Host != h.Name() {
			continue
		}
		c, err := openCursor(h, solution, &q)
		if err != nil {
			return err
		}
		if ok, err := c.next(); err != nil {
			c.reader.Close()
			return err
		} else if !ok {
			c.reader.Close()
			continue
		}
		m = append(m, c)
	}
	heap.Init(&m)
	for n := 0; len(m) > 0; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c := m[0]
		if c.at >= q.End {
			return nil
		}
		if c.at >= q.Begin && !yield(c.host, c.at, c.ev) {
			return nil
		}
		ok, err := c.next()
		if err != nil {
			return err
		}
		if !ok {
			c.reader.Close()
			heap.Pop(&m)
			continue
		}
		heap.Fix(&m, 0)
	}
	return nil
}

// Classes are the kinds of events that the metadata of the hosts' traces, "" all, know.
func (s *Set) Classes(host string) ([]*trace.Class, error) {
	var all []*trace.Class
	for _, h := range s.Hosts() {
		if host != "" && host != h.Name() {
			continue
		}
		r, err := h.reader()
		if err != nil {
			return nil, err
		}
		all = append(all, r.Classes()...)
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// reader opens the host's traces at their begin; the caller closes it.
func (h *Host) reader() (*ctf.Reader, error) {
	traces, err := h.open()
	if err != nil {
		return nil, err
	}
	return ctf.NewReader(traces, ctf.Options{Within: farthest})
}

// A cursor stands at an event of a host.
type cursor struct {
	host   *Host
	reader *ctf.Reader
	ev     *trace.Event
	at     int64 // its time by the clock of the query
	time   func(local int64) int64
}

func openCursor(h *Host, solution *network.Solution, q *EventQuery) (*cursor, error) {
	r, err := h.reader()
	if err != nil {
		return nil, err
	}
	c := &cursor{host: h, reader: r, time: func(local int64) int64 { return local }}
	begin := q.Begin
	if !q.Raw && solution != nil {
		m := solution.Hosts[h.index].Map
		c.time = m.Reference
		begin = m.Local(q.Begin)
		begin -= min(2, begin-math.MinInt64) // rounding; what is before q.Begin is left out below
	}
	if err := r.SeekTime(begin); err != nil {
		r.Close()
		return nil, err
	}
	return c, nil
}

// next goes to the next event; false at the end.
func (c *cursor) next() (bool, error) {
	ev, err := c.reader.Next()
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.reader.Losses() // they are kept elsewhere, see [Host.Losses]
	c.ev, c.at = ev, c.time(ev.Time)
	return true, nil
}

// eventMerge is a heap of hosts by their next event.
type eventMerge []*cursor

func (m eventMerge) Len() int      { return len(m) }
func (m eventMerge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m eventMerge) Less(i, j int) bool {
	if m[i].at != m[j].at {
		return m[i].at < m[j].at
	}
	return m[i].host.index < m[j].host.index
}
func (m *eventMerge) Push(x any) { *m = append(*m, x.(*cursor)) }
func (m *eventMerge) Pop() any {
	last := len(*m) - 1
	c := (*m)[last]
	*m = (*m)[:last]
	return c
}
