// Package kernel turns Linux kernel events into the state of threads, CPUs
// and interrupts: a table of handlers by event name. docs/kernel-model.md lists
// the attributes, what their values mean and what each event changes.
//
// # How it is built
//
// A handler never writes the status of a running thread. It changes facts: who is
// on the CPU, which system call a thread is in, which interrupt lines are served. One
// function, settle, derives from them the status of the CPU and of the thread on
// it. Eight kinds of event can begin or end a state, in any nesting and with any of
// them lost; deriving the states in one place is what keeps them consistent: a
// thread is interrupted exactly while its CPU serves an interrupt, runs on one CPU
// at most, and a CPU runs one thread at most.
//
// Facts can contradict events, because events get lost and tracers have quirks. The
// event is right then: what the model believed becomes unknown, never the other way round.
//
// # What we chose not to do
//
// The model does not go back, but for what a thread does on its CPU now (amend) and what it is called. When an event shows that a thread was alive before it
// was first seen, the time before becomes Unknown, not a guess at what it did; when a
// loss is reported late, doubt begins at the report. History is appended to.
//
// There is no status for a thread that has ended but is not yet waited for: it is
// null from its last switch on, though its name and parents stand until
// sched_process_free.
package kernel

import (
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/trace"
)

// Version is that of this model and of state/declared: it goes up with each change by which a trace comes to other states. Of histories
// from before it was counted it is 0.
const Version = 11

// A Model feeds one host's kernel events into a history. All methods but
// Threads belong to the goroutine of the history's writer.
type Model struct {
	w     *history.Writer
	err   error // the first the writer gave
	now   int64 // local ns of the newest change; never goes back
	begun int64 // local ns of the beginning of the history

	// Ended, if it is set, is told when a thread's program has ended, with the thread or since it runs another: at is local ns.
	// What was to be known of that program alone, such as the calls it was in, holds no longer.
	Ended func(tid int32, at int64)

	bindings []binding // by Class.Index

	cpus    []*cpu // by number; nil where not seen
	threads threadTable
	lines   lineTable
	rows    rows
	comms   map[comm]history.Value // names by their bytes

	pending    []loss  // that lie ahead, by their beginnings
	dark       []*cpu  // whose events are being lost
	darkAll    int64   // until when those of all CPUs are, local ns; bright if they are not
	doubted    bool    // there was a loss
	calls      []int32 // classes of the system calls met, the first manyCalls
	fewCalls   bool    // few sorts of calls can be recorded, or none, so a thread that is in none of them may be in another
	someCalls  bool    // some can be recorded, as far as is told
	openCalls  bool    // of some calls only the beginning is recorded, so a thread that is in none that is known of may be in one
	halves     halves
	waking     bool  // there was a sched_waking
	modern     bool  // the kernel is 4.14 or later
	delivered  int32 // woken by the newest event for a packet, or may be; -1 none
	noWakeups  bool  // sched_wakeup was not recorded, so nothing tells when a wake-up that has begun is over
	noFrees    bool  // sched_process_free was not recorded, so nothing tells that somebody has waited for a thread that has ended
	noSwitches bool  // sched_switch was not recorded: which thread takes a CPU no event tells
	sieve      sieve
	events     map[string]bool // that the traces can hold; nil if nobody told
	heard      []bool          // by CPU: it has recorded an event
	streams    map[int32]bool  // the CPUs of which there are packets; nil if nobody told
	unheard    []unheard       // in order of time
	missing    []int32         // CPUs of which there is no stream
	endless    bool            // the end of what the newest event begins is not recorded
	headless   bool            // nor the beginning of what it ends
	nested     bool            // a thread was told of that is in a pid namespace other than the machine's

	sureAway    []int32             // the rows of threads that a loss can put in doubt and that are not at hand, and some others; each once
	zombies     []int32             // the rows of threads that nobody was seen to wait for, and some others
	zombiesLeft int                 // after the last trimming
	passing     thread              // one at a time that is not to be at hand
	parting     []*thread           // that may soon be let go of, oldest first; each once
	mostParting int                 // of them
	disks       map[int64]*disk     // by device number
	processes   map[int32]*counters // by process id, those at hand
	counted     slab[counters]      // those in processes
	spent       []*counters         // of them, that no thread at hand counts in, and some others; each once
	lag         []*counter          // that have come further in their cell, the newest, than is written
	fitting     []*thread           // of claimants, which uses it again
	paths       map[uint64]struct{} // the file names kept, by hash
	inside      map[int32][]int32   // the ids of those in pid namespaces other than the machine's, by their ids there
	sources     sources
	awaits      map[history.Value]bool // by system call: whether one can sleep in it for a packet

	root struct{ threads, cpus, irqs, softIRQs, disks, processes attribute.Quark }
}

// A binding is a handler with its fields resolved for one class of events.
// handle is nil for events that change no state.
type binding struct {
	class  *trace.Class
	handle handler
	tid    *trace.Field // the context that tells which thread recorded the event

	endless  bool // no event ends what one of these begins
	headless bool // no event begins the call that one of these ends
}

// A handler applies one event to the model. The event's time is m.now.
type handler func(m *Model, ev *trace.Event)

// New makes a model that feeds w. It adds the attributes of the first level.
func New(w *history.Writer) *Model {
	m := &Model{
		w: w, delivered: -1, darkAll: bright, comms: make(map[comm]history.Value),
		disks: make(map[int64]*disk), processes: make(map[int32]*counters), paths: make(map[uint64]struct{}),
		inside: make(map[int32][]int32), mostParting: mostParting,
	}
	m.rows.space, m.threads, m.counted = w.Space(), newThreadTable(w.Space()), newSlab[counters](w.Space())
	m.begun, _ = w.History().Bounds()
	m.now = m.begun
	tree := w.Attributes()
	m.root.cpus = tree.Add(attribute.Root, "CPUs")
	m.root.threads = tree.Add(attribute.Root, "Threads")
	m.root.irqs = tree.Add(attribute.Root, "IRQs")
	m.root.softIRQs = tree.Add(attribute.Root, "Soft_IRQs")
	m.root.disks = tree.Add(attribute.Root, "Disks")
	m.root.processes = tree.Add(attribute.Root, "Processes")
	return m
}

// Handle takes the next event in local time order. An event whose time lies before
// the newest is handled at the newest. The error is the writer's and final.
func (m *Model) Handle(ev *trace.Event) error {
	m.delivered = -1
	if uint(ev.Class.Index) >= uint(len(m.bindings)) || m.bindings[ev.Class.Index].class != ev.Class {
		m.bind(ev.Class)
	}
	handle := m.bindings[ev.Class.Index].handle
	m.endless, m.headless = m.bindings[ev.Class.Index].endless, m.bindings[ev.Class.Index].headless
	if handle == nil {
		return m.err
	}
	if len(m.pending) > 0 || m.anyDark() || len(m.lag) > 0 && m.due() <= ev.Time {
		m.applyLosses(ev.Time)
	}
	m.now = max(m.now, ev.Time)
	m.hear(ev.CPU)
	if len(m.unheard) > 0 {
		m.giveUp()
	}
	if len(m.parting) > m.mostParting {
		m.letGo()
	}
	if tid := m.bindings[ev.Class.Index].tid; tid != nil && m.sieve.holds {
		m.sighted(ev, tid)
	}
	handle(m, ev)
	return m.err
}

// bind resolves the handler of a class, once for each.
func (m *Model) bind(c *trace.Class) {
	for len(m.bindings) <= c.Index {
		m.bindings = append(m.bindings, binding{})
	}
	b := binding{class: c, handle: bindClass(c), endless: m.isEndless(c.Name), headless: m.isHeadless(c.Name)}
	if c.Name != "sched_switch" { // which tells it by itself, and ends it
		b.tid = c.Context("tid")
	}
	m.bindings[c.Index] = b
}

// Threads returns the threads that are new or changed since a version, and the version now.
// It may be called from any goroutine.
func (m *Model) Threads(since uint64) (threads []Thread, version uint64) {
	return m.rows.since(since)
}

// set gives an attribute a value from now on.
func (m *Model) set(q attribute.Quark, v history.Value) {
	if err := m.w.Modify(m.now, q, v); err != nil && m.err == nil {
		m.err = err
	}
}

// assume gives an attribute, instead of the value it has had, another one.
func (m *Model) assume(q attribute.Quark, v history.Value) {
	if err := m.w.Update(q, v); err != nil && m.err == nil {
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
