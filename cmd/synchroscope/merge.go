package main

import (
	"container/heap"
	"errors"
	"fmt"
	"io"
	"math"

	"synchroscope/state/occupant"
	"synchroscope/sync/clock"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/filter"
)

// A source is the event stream of one host, standing on an event.
type source struct {
	index              int
	host               ctf.HostTraces
	hostText, hostJSON []byte     // the host's name as it stands in a line
	clock              *clock.Map // nil: local time
	reader             *ctf.Reader
	filter             *filter.Matcher // nil: all are wanted
	event              *trace.Event
	time               int64 // of event, never decreasing
	recorded           int64 // of event, as it is shown
}

// A merge yields the events of several hosts by time, ties by host. A clock
// map is increasing, so each host stays in order whichever time is shown.
type merge struct {
	begin, end int64 // as of [eventsOptions]
	unreadable func(ctf.HostTraces, error)

	sources []*source  // all, to close
	ahead   sourceHeap // those that stand on an event
	given   bool       // the first of them has been given out
	total   int64      // bytes of all traces
	steps   int64
	shown   *progress
}

// newMerge opens the hosts at the first events that o asks for. clocks, by host
// name, give the time that is shown; hosts without one show their own. A host that cannot be
// read, or not be read on, is told to unreadable, and the merge goes on without it.
func newMerge(hosts []ctf.HostTraces, clocks map[string]*clock.Map, o eventsOptions, unreadable func(ctf.HostTraces, error)) *merge {
	m := &merge{shown: newProgress("reading"), unreadable: unreadable}
	if !o.count {
		m.shown.besidesOutput()
	}
	first := int64(math.MaxInt64)
	for i, h := range hosts {
		s := &source{index: i, host: h, clock: clocks[h.Name]}
		s.hostText = trace.AppendName([]byte(" "), h.Name)
		s.hostJSON = trace.AppendJSONString(nil, h.Name)
		if o.where != nil {
			s.filter = o.where.Matcher(h.Name, threadsOf(h))
		}
		m.sources = append(m.sources, s)
		for _, t := range h.Traces {
			m.total += t.Info().Bytes
		}
		if o.begin.relative || o.end.relative {
			first = min(first, m.first(s))
		}
	}
	m.begin, m.end = o.begin.from(first), o.end.from(first)
	for _, s := range m.sources {
		if err := m.open(s); err != nil {
			m.unreadable(s.host, err)
		}
	}
	heap.Init(&m.ahead)
	return m
}

// threadsOf tells who recorded the events of a host: who was on their CPU, by its switches, or without a trace of the kernel what they say of themselves.
func threadsOf(h ctf.HostTraces) filter.Threads {
	for _, t := range h.Traces {
		if t.Info().Kind == "kernel" {
			return new(occupant.Switches)
		}
	}
	return new(occupant.Said)
}

// first is the time of the host's first event, as it is shown.
func (m *merge) first(s *source) int64 {
	r, err := ctf.NewReader(s.host.Traces, ctf.Options{Ahead: -1})
	if err != nil {
		return math.MaxInt64 // told when it is opened
	}
	defer r.Close()
	ev, err := r.Next()
	if err != nil {
		return math.MaxInt64
	}
	return s.shown(ev.Time)
}

// open opens a host at its first event that is wanted.
func (m *merge) open(s *source) (err error) {
	if s.reader, err = ctf.NewReader(s.host.Traces, ctf.Options{}); err != nil {
		return err
	}
	if begin := m.begin; begin > math.MinInt64 {
		if s.clock != nil {
			begin = s.clock.Local(begin)
			begin -= min(2, begin-math.MinInt64) // rounding
		}
		if err := s.reader.SeekTime(begin); err != nil {
			return err
		}
	}
	there, err := m.step(s)
	if there {
		m.ahead = append(m.ahead, s)
	}
	return err
}

// next returns the source that stands on the next event, valid until the call
// after, nil behind the last event.
func (m *merge) next() *source {
	if m.given {
		s := m.ahead[0]
		switch there, err := m.step(s); {
		case !there:
			heap.Pop(&m.ahead)
			if err != nil {
				m.unreadable(s.host, err)
			}
		case len(m.ahead) > 1:
			heap.Fix(&m.ahead, 0)
		}
	}
	if m.given = len(m.ahead) > 0; !m.given {
		return nil
	}
	return m.ahead[0]
}

// step moves s to its next event that is wanted; false if there is none.
func (m *merge) step(s *source) (bool, error) {
	for {
		ev, err := s.reader.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
		if m.steps++; m.steps%progressStep == 0 {
			s.reader.Losses() // not shown here, and not kept
			m.progress()
		}
		s.event, s.time, s.recorded = ev, s.shown(ev.Time), ev.Recorded
		if s.time >= m.end && m.end != math.MaxInt64 {
			return false, nil
		}
		if s.clock != nil {
			s.recorded = s.clock.Reference(ev.Recorded)
		}
		if s.time >= m.begin && (s.filter == nil || s.filter.Match(ev, s.recorded)) {
			return true, nil
		}
	}
}

// shown is a time of the host as it is shown.
func (s *source) shown(local int64) int64 {
	if s.clock == nil {
		return local
	}
	return s.clock.Reference(local)
}

func (m *merge) progress() {
	var done int64
	for _, s := range m.sources {
		if s.reader != nil {
			done += s.reader.Bytes()
		}
	}
	m.shown.show(done, m.total)
}

func (m *merge) close() {
	m.shown.end()
	for _, s := range m.sources {
		if s.reader != nil {
			s.reader.Close()
		}
	}
}

// renamed names the host and speaks of paths as the user knows them.
func (o *opened) renamed(h ctf.HostTraces, err error) error {
	for _, t := range h.Traces {
		err = renamed{err, t.Dir(), o.shown[t]}
	}
	return fmt.Errorf("host %s cannot be read on: %w", h.Name, err)
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
