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
	handlers []handler        // by index of the class
	numbers  map[string]int32 // of system calls
	kinds    []callKinds      // by number
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
	timers   map[uint64]bool // those that went off or were set: is it set?
	space    int64           // the namespace of processes, 0 if it is not known
	recorded recorded

	schedule, waking, placing, life, names, calls, nesting, raising, timing, disks, sending, sequence *Check
}

// recorded are kinds of events that there are in the trace: of others, nothing is missed.
type recorded struct {
	switches, calls, forks, exits, wakings, wakeups, migrations, raises, timers, transmissions, issues, executions bool
}

// callKinds are which of the two kinds of events of a system call there are in the trace.
type callKinds struct{ entries, exits bool }

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
	idle    naming  // of its idle thread
	soft    asked
	sends   sending
	disk    asking
}

// A thread is what is known of a thread, in an era.
type thread struct {
	era     int
	cpu     int32 // that it runs on, unknown, or none
	call    int32 // that it is in: a number of machine.numbers, unknown, or none
	place   int32 // the CPU on whose queue it is, or where it sleeps; unknown
	wake    wakeState
	naming  naming
	pid     int32  // the process that it is of, 0 if it is not known
	child   int32  // that it has forked in this call, 0 for none
	program string // that it has asked for in this call, and has not become
	told    bool   // by the state dump, or by a fork
	exiting bool   // it has said that it exits
	gone    bool   // and has left its CPU
}

const (
	unknown = -2
	none    = -1
)

func newMachine(path string, r *Report, g *gaps) *machine {
	return &machine{
		path: path, report: r, gaps: g, numbers: make(map[string]int32), threads: make(map[int32]*thread), flows: make(map[flow]*direction), timers: make(map[uint64]bool),
		schedule: r.check(Schedule), waking: r.check(Waking), placing: r.check(Placing), life: r.check(Life), names: r.check(Names), calls: r.check(Calls),
		nesting: r.check(Nesting), raising: r.check(Raising), timing: r.check(Timers), disks: r.check(Disks), sending: r.check(Sending), sequence: r.check(Sequence),
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
		m.forgetShared()
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

// forgetShared forgets what events of any CPU could have changed.
func (m *machine) forgetShared() {
	m.era++
	m.complete = false
	clear(m.flows)
	clear(m.timers)
}

// forgetCPU forgets all that events of a CPU could have changed.
func (m *machine) forgetCPU(index int32) {
	m.forgetShared()
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
		*t = thread{era: m.era, cpu: unknown, call: unknown, place: unknown}
	}
	return t
}

func (m *machine) fail(c *Check, format string, args ...any) {
	c.fail(Problem{Trace: m.path, Time: m.now, Text: fmt.Sprintf(format, args...)})
}

// number is one for each name.
func (m *machine) number(name string) int32 {
	n, ok := m.numbers[name]
	if !ok {
		n = int32(len(m.numbers))
		m.numbers[name], m.kinds = n, append(m.kinds, callKinds{})
	}
	return n
}

func (m *machine) name(number int32) string {
	for name, n := range m.numbers {
		if n == number {
			return name
		}
	}
	return "nothing"
}
