// Package declared turns events of user space into states: calls of a thread, one inside
// the other, and spans that begin and end with an id in common. Which events
// these are is declared, not compiled: LTTng's function entries and exits are
// built in, and users say more in a small file. docs/format/states.md has the format and the
// attributes.
//
// # How it is built
//
// A track is a row: a thread, or a place where spans of a kind are drawn. It has a
// stack of frames; the innermost is its state. Rows of threads come from the contexts
// vtid and vpid that LTTng adds to events, so a trace of user space alone has rows even where
// nothing is declared: a thread is Unknown there, from its first event on, but for the nanosecond
// of each event, when it runs.
//
// # What we chose not to do
//
// A declared state does not say whether the thread has a CPU: only kernel events do. Where a host has
// those, its threads' states are theirs, and what is declared is beside them.
//
// Nothing is guessed after lost events: any thread may have called and returned, so all
// stacks are empty until something begins anew.
package declared

import (
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/symbol"
	"synchroscope/trace"
)

// A Model feeds one host's user-space events into a history. All methods but Threads belong to the
// goroutine of the history's writer.
type Model struct {
	// Who, if it is set, tells which thread of the machine has recorded an event, as kernel.Model.Who does. Without it a thread is taken to be
	// called on the machine as it calls itself.
	Who func(kernel.Claim) (tid int32, only bool)

	// Sources say of the host's traces, in their order, where they were recorded.
	Sources []Source

	// Symbols are what functions of programs are called.
	Symbols *symbol.Table

	w        *history.Writer
	declared []*Declarations // the first that fits an event holds
	alone    bool            // no kernel model tells what threads do
	err      error           // the first the writer gave
	now      int64           // local ns of the newest change; never goes back

	bindings  []binding          // by Class.Index
	threads   map[int32]*track   // by tid
	placed    map[owner][]*track // the same by what they say of themselves; several can say the same
	strangers map[owner]*track   // threads of which nobody knows which ones they are
	rows      map[rowKey]*track  // of values of row=FIELD
	kinds     map[string]*group  // of spans and of rows, by name
	tracks    []*track           // all, in order of first sight
	lit       []*track           // threads with an event at litAt
	litAt     int64              // local ns
	newest    *track             // whose the newest event is; nil if unknown
	home      *home              // nil before the first event of a thread
	deep      int                // calls of all tracks that are deeper than what is shown
	names     names
	frames    lists[frame]           // of all tracks
	levels    lists[attribute.Quark] // likewise
	table     table
	modules   modules
	nameless  nameless
	crowded   bool    // there is no row for what the newest event tells
	leftOut   leftOut // events of which that was so

	pending []loss // that lie ahead, by their beginnings
	dark    int64  // until when events are being lost, local ns; bright if they are not
}

// A rowKey is a value of row=FIELD in a kind.
type rowKey struct {
	kind  string
	value int64
}

// New makes a model that feeds w. alone says that no kernel model feeds it too: then the model
// makes rows of threads and says what they do.
func New(w *history.Writer, d *Declarations, alone bool) *Model {
	m := &Model{
		w: w, alone: alone, dark: bright,
		threads: make(map[int32]*track), placed: make(map[owner][]*track), strangers: make(map[owner]*track),
		rows: make(map[rowKey]*track), kinds: make(map[string]*group),
		names:    names{known: make(map[uint64]struct{})},
		modules:  modules{of: make(map[process]*space)},
		nameless: nameless{files: make(map[string]int64)},
	}
	m.frames.space, m.levels.space = w.Space(), w.Space()
	if d != nil {
		m.declared = append(m.declared, d)
	}
	m.declared = append(m.declared, builtinDeclarations)
	m.now, _ = w.History().Bounds()
	return m
}

// Handle takes the next event in local time order. An event whose time lies before
// the newest is handled at the newest. The error is the writer's and final.
func (m *Model) Handle(ev *trace.Event) error {
	for len(m.bindings) <= ev.Class.Index {
		m.bindings = append(m.bindings, binding{})
	}
	b := &m.bindings[ev.Class.Index]
	if b.class != ev.Class {
		*b = m.bind(ev.Class)
	}
	m.applyLosses(ev.Time)
	if b.loading != nil {
		m.tell(ev, b)
	}
	if ev.Time > m.now {
		m.dim()
		m.now = ev.Time
	}
	m.crowded = false
	t, mixed := m.thread(ev, b)
	m.newest = t
	if m.dark == bright {
		if t != nil && t.row >= 0 {
			m.light(t)
			m.under(&t.quark.event, t.quark.status, "Event", b.name(m))
		}
		if mixed {
			t = nil
		}
		b.act(m, ev, t)
	}
	m.leftOut.count(m)
	return m.err
}

// Recorder is the number of the row whose the newest event handled is, 0 unknown.
func (m *Model) Recorder() int32 {
	if m.newest == nil {
		return 0
	}
	return m.newest.tid
}

// light shows that a thread runs at this nanosecond: it has recorded an event.
func (m *Model) light(t *track) {
	if !t.lit {
		t.lit, m.litAt = true, m.now
		m.lit = append(m.lit, t)
		m.settle(t, len(t.frames))
	}
}

// dim ends, after a nanosecond, what light has begun.
func (m *Model) dim() {
	if len(m.lit) == 0 {
		return
	}
	m.now = max(m.now, m.litAt+1)
	for _, t := range m.lit {
		t.lit = false
		m.settle(t, len(t.frames))
	}
	m.lit = m.lit[:0]
}

// Threads returns the rows that are new or changed since a version, and the version now.
// It may be called from any goroutine.
func (m *Model) Threads(since uint64) (threads []kernel.Thread, version uint64) {
	return m.table.since(since)
}

// set gives an attribute a value from now on.
func (m *Model) set(q attribute.Quark, v history.Value) {
	if err := m.w.Modify(m.now, q, v); err != nil && m.err == nil {
		m.err = err
	}
}

// under sets a child of an attribute, which is added the first time it has a
// value. q holds its quark, attribute.None before.
func (m *Model) under(q *attribute.Quark, parent attribute.Quark, name string, v history.Value) {
	if *q == attribute.None {
		if v.IsNull() {
			return
		}
		*q = m.w.Attributes().Add(parent, name)
	}
	m.set(*q, v)
}

func (m *Model) null(q attribute.Quark) {
	if q != attribute.None {
		m.set(q, history.Null())
	}
}
