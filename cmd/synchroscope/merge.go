package main

import (
	"container/heap"
	"errors"
	"io"
	"math"

	"synchroscope/sync/clock"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A source is the event stream of one host, standing on an event.
type source struct {
	index    int
	host     ctf.HostTraces
	hostJSON []byte
	clock    *clock.Map // nil: local time
	reader   *ctf.Reader
	classes  []uint8 // answers of wanted
	event    *trace.Event
	time     int64 // of event, never decreasing
	recorded int64 // of event, as it is shown
}

// A merge yields the events of several hosts by time, ties by host. A clock
// map is increasing, so each host stays in order whichever time is shown.
type merge struct {
	o       eventsOptions
	sources []*source  // all, to close
	ahead   sourceHeap // those that stand on an event
	current *source    // the one whose event was given out last
	total   int64      // bytes of all traces
	steps   int64
	shown   *progress
}

// newMerge opens the hosts at the first events that o asks for. clocks, by host
// name, give the time that is shown; hosts without one show their own.
func newMerge(hosts []ctf.HostTraces, clocks map[string]*clock.Map, o eventsOptions) (*merge, error) {
	m := &merge{o: o, shown: newProgress("reading")}
	for i, h := range hosts {
		s := &source{index: i, host: h, hostJSON: appendJSONString(nil, h.Name), clock: clocks[h.Name]}
		var err error
		if s.reader, err = ctf.NewReader(h.Traces, ctf.Options{}); err != nil {
			m.close()
			return nil, err
		}
		m.sources = append(m.sources, s)
		for _, t := range h.Traces {
			m.total += t.Info().Bytes
		}
		if o.begin > math.MinInt64 {
			begin := o.begin
			if s.clock != nil {
				begin = s.clock.Local(begin) - 1 // rounding
			}
			if err := s.reader.SeekTime(begin); err != nil {
				m.close()
				return nil, err
			}
		}
		if err := m.step(s); err != nil {
			m.close()
			return nil, err
		}
	}
	return m, nil
}

// next returns the source that stands on the next event, valid until the call
// after. Its error is io.EOF after the last event.
func (m *merge) next() (*source, error) {
	if s := m.current; s != nil {
		m.current = nil
		if err := m.step(s); err != nil {
			return s, err
		}
	}
	if len(m.ahead) == 0 {
		return nil, io.EOF
	}
	m.current = heap.Pop(&m.ahead).(*source)
	return m.current, nil
}

// step moves s to its next event that is wanted and puts it on the heap.
func (m *merge) step(s *source) error {
	for {
		ev, err := s.reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if m.steps++; m.steps%progressStep == 0 {
			s.reader.Losses() // not shown here, and not kept
			m.progress()
		}
		s.event, s.time, s.recorded = ev, ev.Time, ev.Recorded
		if s.clock != nil {
			s.time, s.recorded = s.clock.Reference(ev.Time), s.clock.Reference(ev.Recorded)
		}
		if s.time >= m.o.end {
			return nil
		}
		if s.time >= m.o.begin && wanted(&s.classes, ev.Class, m.o.name) {
			heap.Push(&m.ahead, s)
			return nil
		}
	}
}

func (m *merge) progress() {
	var done int64
	for _, s := range m.sources {
		done += s.reader.Bytes()
	}
	m.shown.show(done, m.total)
}

func (m *merge) close() {
	m.shown.end()
	for _, s := range m.sources {
		s.reader.Close()
	}
}

// A sourceHeap has the source with the earliest event on top.
type sourceHeap []*source

func (h sourceHeap) Len() int { return len(h) }
func (h sourceHeap) Less(i, j int) bool {
	return h[i].time < h[j].time || h[i].time == h[j].time && h[i].index < h[j].index
}
func (h sourceHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *sourceHeap) Push(s any)   { *h = append(*h, s.(*source)) }
func (h *sourceHeap) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	*h = (*h)[:last]
	return s
}
