package ingest

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"synchroscope/state/declared"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// models turn a host's events into its history: those of the kernel by the kernel model, those of user space
// by what is declared of them.
type models struct {
	w        *history.Writer
	kernel   *kernel.Model // nil where the host has no kernel trace
	declared *declared.Model
	is       []bool // by trace: whether it is the kernel's
	full     bool   // the history takes no more names, so that it is told of no more events
}

func newModels(w *history.Writer, h *Host, d *declared.Declarations, o origins) *models {
	is, any := h.kernel()
	m := &models{w: w, is: is, declared: declared.New(w, d, !any)}
	m.declared.Sources = o.sources
	if any {
		m.kernel = kernel.New(w)
		m.kernel.Recorded(o.events)
		if o.cpus != nil {
			m.kernel.Streams(o.cpus)
		}
		m.kernel.Ended = m.declared.End
		m.declared.Who = m.kernel.Who
	}
	return m
}

// full tells that a history takes no more names. Tests have ones that take fewer.
var full = (*history.Writer).Full

// origins are what the metadata of a host's traces say of how they were recorded.
type origins struct {
	sources []declared.Source
	events  []string // names of all that the kernel's can hold
	cpus    []int32  // of which the kernel's have packets; nil where some do not say of which they are
}

// originsOf looks at the traces of one host: its name is that of the kernel's trace, or of the first.
func originsOf(traces []*ctf.Trace) (o origins) {
	home := ""
	for _, t := range slices.Backward(traces) {
		if i := t.Info(); i.Hostname != "" {
			home = i.Hostname
		}
	}
	all := true
	for _, t := range traces {
		if i := t.Info(); i.Kind == "kernel" {
			o.events = append(o.events, i.Classes...)
			cpus, ok := t.CPUs()
			o.cpus, all = append(o.cpus, cpus...), all && ok
			home = cmp.Or(i.Hostname, home)
		}
	}
	if !all {
		o.cpus = nil
	}
	o.sources = make([]declared.Source, len(traces))
	for n, t := range traces {
		i := t.Info()
		s := &o.sources[n]
		s.PID, _ = strconv.ParseInt(i.Env["vpid"], 10, 32) // of a process that has a trace to itself
		s.Name = i.Env["procname"]
		if i.Hostname != home {
			s.Place = i.Hostname
		}
	}
	return o
}

// handle takes an event; it reports whether it is one of the kernel. What is due before it in the states of the other model comes first, as a
// history is written in order of time.
func (m *models) handle(ev *trace.Event) (bool, error) {
	if m.full || full(m.w) {
		return m.is[ev.Trace], m.cease(ev.Time)
	}
	if err := m.inOrder(ev.Time); err != nil {
		return m.is[ev.Trace], err
	}
	if m.is[ev.Trace] {
		if err := m.declared.Advance(ev.Time); err != nil {
			return true, err
		}
		return true, m.kernel.Handle(ev)
	}
	if m.kernel != nil {
		if err := m.kernel.Advance(ev.Time); err != nil {
			return false, err
		}
	}
	return false, m.declared.Handle(ev)
}

// inOrder does what is due in the states of the kernel by t, local ns, each after what is due in those of applications until then: either can be first.
func (m *models) inOrder(t int64) error {
	if m.kernel == nil {
		return nil
	}
	for due := m.kernel.Due(); due <= t && due != math.MaxInt64; due = m.kernel.Due() {
		if err := m.declared.Advance(due); err != nil {
			return err
		}
		if err := m.kernel.Advance(due); err != nil {
			return err
		}
	}
	return nil
}

// cease makes all states unknown from a time on, local ns, for good, as the history has no room for what else there would be. The other
// views go on.
func (m *models) cease(t int64) error {
	if m.full {
		return nil
	}
	m.full = true
	if m.kernel != nil {
		if err := m.kernel.Lost(-1, t, math.MaxInt64); err != nil {
			return err
		}
	}
	if err := m.declared.Lost(t, math.MaxInt64); err != nil {
		return err
	}
	return m.advance(t)
}

// Running is that of the kernel model as long as it is told of events.
func (m *models) Running(cpu int32) (tid int32, irq bool) {
	if m.full {
		return -1, false
	}
	return m.kernel.Running(cpu)
}

// Delivered is that of the kernel model as long as it is told of events.
func (m *models) Delivered() int32 {
	if m.full {
		return -1
	}
	return m.kernel.Delivered()
}

// recorder is the row of the thread that recorded the newest event, one of user space: what it says of itself or, where it says
// nothing, what runs on its CPU. It is -1 where nobody knows.
func (m *models) recorder(ev *trace.Event) int32 {
	if m.full {
		return -1
	}
	if tid := m.declared.Recorder(); tid > 0 {
		return tid
	}
	if m.kernel != nil {
		if tid, irq := m.kernel.Running(ev.CPU); tid > 0 && !irq {
			return tid
		}
	}
	return -1
}

func (m *models) lost(l ctf.Loss) error {
	switch {
	case l.Trace < 0 || int(l.Trace) >= len(m.is), m.full:
		return nil
	case m.is[l.Trace]:
		return m.kernel.Lost(l.CPU, l.Begin, l.End)
	}
	return m.declared.Lost(l.Begin, l.End)
}

func (m *models) advance(t int64) error {
	if err := m.inOrder(t); err != nil {
		return err
	}
	if m.kernel != nil {
		if err := m.kernel.Advance(t); err != nil {
			return err
		}
	}
	return m.declared.Advance(t)
}

// end tells when the last event was and that the history ends at end.
func (m *models) end(last, end int64) error {
	if err := m.advance(last); err != nil {
		return err
	}
	if m.kernel != nil {
		if err := m.kernel.Conclude(last); err != nil {
			return err
		}
	}
	return m.advance(end)
}

// doubts are what is to be told of a history that ends here.
func (m *models) doubts() (all []trace.Anomaly) {
	if m.full || full(m.w) { // which one that goes on from a checkpoint, and comes to no event, has not seen yet
		return []trace.Anomaly{{Kind: "full-history", Count: 1, Message: fmt.Sprintf(
			"the threads, processes and all else that states are kept of came to %d names and %d texts, nearly the most that a history holds", m.w.Attributes().Len(), m.w.History().Stats().Strings)}}
	}
	all = append(thoseOf(m.declared.LeftOut), m.declared.Nameless()...)
	if m.kernel != nil {
		all = append(all, thoseOf(m.kernel.Sifted, m.kernel.Halved, m.kernel.Missing, m.kernel.Doubted)...)
	}
	return all
}

// thoseOf are the anomalies, of some that there may be, that there are.
func thoseOf(doubts ...func() (trace.Anomaly, bool)) (all []trace.Anomaly) {
	for _, doubt := range doubts {
		if a, ok := doubt(); ok {
			all = append(all, a)
		}
	}
	return all
}

func (m *models) describe(c *checkpoint) {
	if m.kernel != nil {
		c.model.from = m.kernel.State()
	}
	c.declared.from = m.declared.State()
}

func (m *models) restore(c *checkpoint) error {
	if m.kernel != nil {
		if err := m.kernel.Restore(c.model.open()); err != nil {
			return err
		}
	}
	return m.declared.Restore(c.declared.open())
}

// threads is Host.Threads.
func (m *models) threads(since uint64) ([]kernel.Thread, uint64) {
	var threads []kernel.Thread
	var version uint64
	if m.kernel != nil {
		threads, version = m.kernel.Threads(since >> 32)
	}
	more, low := m.declared.Threads(since & (1<<32 - 1))
	return append(threads, more...), both(version, low)
}

// both is the version of the rows of both models.
func both(kernel, declared uint64) uint64 { return kernel<<32 | declared&(1<<32-1) }

// mostRows is how many threads of the kernel's trace a host has in memory that is read to its end. Of one with more their few bytes in a
// checkpoint are kept, and read whenever somebody asks for all.
var mostRows = 1 << 16

// rowsOf reads the rows out of a checkpoint.
func rowsOf(c *checkpoint) (*rows, error) {
	r := new(rows)
	if c.model.open().Size() > 0 {
		count, version, err := kernel.CountRows(c.model.open())
		if err != nil {
			return nil, err
		}
		r.version = both(version, 0)
		if count > mostRows {
			r.model = make([]byte, c.model.open().Size())
			if _, err = io.ReadFull(c.model.open(), r.model); err != nil {
				return nil, err
			}
		} else if r.threads, _, err = kernel.Rows(c.model.open()); err != nil {
			return nil, err
		}
	}
	if c.declared.open().Size() > 0 {
		threads, version, err := declared.Rows(c.declared.open())
		if err != nil {
			return nil, err
		}
		r.threads, r.version = append(r.threads, threads...), r.version|both(0, version)
	}
	return r, nil
}

// all are the rows of both models.
func (r *rows) all() []kernel.Thread {
	if r.model == nil {
		return r.threads
	}
	threads, _, _ := kernel.Rows(bytes.NewReader(r.model)) // it was read before
	return append(threads, r.threads...)
}
