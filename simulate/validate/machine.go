package validate

import (
	"fmt"

	"synchroscope/trace"
)

// A machine follows the events of one trace, in the order of time.
//
// It assumes nothing about what was before the trace began, and forgets what it knew where events are missing.
type machine struct {
	path     string
	report   *Report
	gaps     *gaps
	handlers []handler // by index of the class
	names    map[string]int32
	cpus     []cpu
	threads  map[int32]*thread
	era      int // of what is known about threads
	flows    map[flow]*direction
	network  func(ev *trace.Event, received bool, p *packet) // told of every packet; may be nil
	now      int64
	last     int32 // CPU of the last event
	// The order of what different CPUs recorded is not known: each is followed by itself.
	unordered bool
	// All threads are known: the state dump told which there were, and no event is missing since.
	complete bool
	forked   bool // forks are recorded
	exited   bool // exits are recorded

	schedule, waking, life, calls, nesting, sequence *Check
}

// A handler takes the events of a class.
type handler struct {
	class *trace.Class
	do    func(ev *trace.Event)
}

// A cpu is what is known of a CPU.
type cpu struct {
	current int32   // thread that runs, unknown if it is not known
	stack   []frame // of interrupts
	sure    bool    // the stack is all there is
}

// A thread is what is known of a thread, in an era.
type thread struct {
	era     int
	cpu     int32 // that it runs on, unknown, or none
	call    int32 // that it is in: a number of machine.names, unknown, or none
	asleep  bool
	told    bool // by the state dump, or by a fork
	exiting bool // it has said that it exits
	gone    bool // and has left its CPU
}

const (
	unknown = -2
	none    = -1
)

func newMachine(path string, r *Report, g *gaps) *machine {
	return &machine{
		path: path, report: r, gaps: g, names: make(map[string]int32), threads: make(map[int32]*thread), flows: make(map[flow]*direction),
		schedule: r.check(Schedule), waking: r.check(Waking), life: r.check(Life), calls: r.check(Calls), nesting: r.check(Nesting), sequence: r.check(Sequence),
	}
}

// take takes the next event.
func (m *machine) take(ev *trace.Event) {
	if m.unordered && (ev.Time != m.now || ev.CPU != m.last) {
		m.era++
	}
	m.now, m.last = ev.Time, ev.CPU
	c := m.cpu(ev.CPU)
	if m.gaps.at(ev.Time, m.forgetCPU) {
		m.era++
		m.complete = false
		clear(m.flows)
		if m.gaps.covers(ev.CPU) {
			*c = cpu{current: unknown, stack: c.stack[:0]}
		}
	}
	i := ev.Class.Index
	for len(m.handlers) <= i {
		m.handlers = append(m.handlers, handler{})
	}
	if m.handlers[i].class != ev.Class {
		m.handlers[i] = handler{ev.Class, m.handler(ev.Class)}
	}
	if do := m.handlers[i].do; do != nil {
		do(ev)
	}
}

// forgetCPU forgets all that events of a CPU could have changed.
func (m *machine) forgetCPU(index int32) {
	m.era++
	m.complete = false
	clear(m.flows)
	if index >= 0 {
		*m.cpu(index) = cpu{current: unknown}
		return
	}
	for i := range m.cpus {
		m.cpus[i] = cpu{current: unknown}
	}
}

func (m *machine) cpu(index int32) *cpu {
	index = max(index, 0)
	for len(m.cpus) <= int(index) {
		m.cpus = append(m.cpus, cpu{current: unknown})
	}
	return &m.cpus[index]
}

// thread is what is known of a thread, which is not an idle one.
func (m *machine) thread(tid int32) *thread {
	t := m.threads[tid]
	if t == nil {
		t = &thread{era: m.era - 1}
		m.threads[tid] = t
	}
	if t.era != m.era {
		*t = thread{era: m.era, cpu: unknown, call: unknown}
	}
	return t
}

func (m *machine) fail(c *Check, format string, args ...any) {
	c.fail(Problem{Trace: m.path, Time: m.now, Text: fmt.Sprintf(format, args...)})
}

// number is one for each name.
func (m *machine) number(name string) int32 {
	n, ok := m.names[name]
	if !ok {
		n = int32(len(m.names))
		m.names[name] = n
	}
	return n
}

func (m *machine) name(number int32) string {
	for name, n := range m.names {
		if n == number {
			return name
		}
	}
	return "nothing"
}
