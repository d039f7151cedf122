package kernel

import (
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// maxCPU bounds the CPU numbers that are believed: Linux is built for 8192 at most.
const maxCPU = 8192

// A cpu is what is known of one CPU.
type cpu struct {
	id      int32
	current *thread   // nil if unknown
	idle    *thread   // nil until an event names it
	status  CPUStatus // as stored
	told    CPUStatus // what system call events tell while the thread is unknown
	awaited int32     // the id of who was last told to be here, -1 for nobody; if that is not the one to leave, it left unseen
	since   int64     // when current took it, local ns
	faulted int64     // when a thread last met a page fault here, local ns
	dark    int64     // until when its events are being lost, local ns; bright if they are not

	lines    cpuLines
	serving  []int // the numbers of the lines served now, each inside those before it
	vague    bool  // what that is, or whether it is served still, is not known
	timer    int   // 1 more than the lines that were served when a high resolution timer began to be; 0 for none
	packets  int   // received in the newest soft interrupt that receives, and that woke nobody yet
	counters *counters

	quark struct {
		status, current, frequency, irqs, softIRQs attribute.Quark
	}
}

// cpu returns the CPU with a number, nil for what cannot be one.
func (m *Model) cpu(id int64) *cpu {
	if id < 0 || id >= maxCPU {
		return nil
	}
	for int(id) >= len(m.cpus) {
		m.cpus = append(m.cpus, nil)
	}
	if m.cpus[id] == nil {
		m.cpus[id] = m.addCPU(int32(id))
		m.assume(m.cpus[id].quark.status, history.Int(int64(CPUUnknown)))
	}
	return m.cpus[id]
}

// met is the CPU with a number, nil if no event has told of it.
func (m *Model) met(id int32) *cpu {
	if id < 0 || int(id) >= len(m.cpus) {
		return nil
	}
	return m.cpus[id]
}

func (m *Model) addCPU(id int32) *cpu {
	c := &cpu{id: id, dark: bright, awaited: -1}
	c.quark.status = m.w.Attributes().Add(m.root.cpus, strconv.Itoa(int(id)))
	c.quark.current, c.quark.frequency = attribute.None, attribute.None
	c.quark.irqs, c.quark.softIRQs = attribute.None, attribute.None
	c.counters = new(counters)
	c.counters.clear(c.quark.status, 0, -1)
	return c
}

// settle derives the status of a CPU, and of the thread on it, from the facts.
func (m *Model) settle(c *cpu) {
	s, running := c.told, User
	if t := c.current; t != nil {
		switch {
		case t.idle():
			s, running = CPUIdle, Kernel
		case m.obscure(t):
			s, running = CPUUnknown, Unknown
		case !t.call.IsNull():
			s, running = CPUSyscall, Syscall
		case t.kernel:
			s, running = CPUKernel, Kernel
		default:
			s = CPUUser
		}
	}
	switch {
	case m.innermost(c, false) >= 0:
		s, running = CPUIRQ, Interrupted
	case len(c.serving) > 0:
		s, running = CPUSoftIRQ, Interrupted
	}
	if c.current != nil && running != User {
		m.decide(c)
	}
	if c.status != s {
		c.status = s
		m.set(c.quark.status, history.Int(int64(s)))
	}
	if c.current != nil {
		m.setStatus(c.current, running)
	}
}

// manyCalls is how many sorts of system calls show that all are recorded.
const manyCalls = 10

// obscure reports whether t, on a CPU, can as well be in a system call as not. It can where events
// were lost, unless no calls are recorded, where it slept before anything was told of it, and where ends of calls are not recorded. Where few sorts
// of calls are recorded a thread that makes none of them is in none that the events tell of.
func (m *Model) obscure(t *thread) bool {
	if t.known {
		return false
	}
	return m.mayHide() || m.doubted && (len(m.calls) > 0 || m.someCalls) || t.user && t.slept && len(m.calls) >= manyCalls
}

// seat puts t on a CPU, or nobody knows whom if t is nil. Whoever was there before
// must have been dealt with.
func (m *Model) seat(c *cpu, t *thread) {
	c.told = CPUUnknown
	v := history.Null()
	if t != nil && m.isDark(c) {
		m.vacate(t) // it is here, for an instant at least
		m.doubt(t)
		t = nil
	}
	if t != nil {
		if !t.runsOn(c) {
			m.vacate(t)
			t.waking, t.moved = false, false // whichever wake-up began before is over
		}
		t.putOn(c)
		m.setThreadCPU(t, int64(c.id))
		v = history.Int(int64(t.tid))
	}
	if c.current != t {
		c.current, c.since = t, m.now
		m.under(&c.quark.current, c.quark.status, "Current_thread", v)
	}
}

// vacate takes t off the CPU it was believed to run on; who runs there is unknown then.
func (m *Model) vacate(t *thread) {
	c := m.cpuOf(t)
	if c == nil {
		return
	}
	m.decide(c)
	t.on = 0
	m.seat(c, nil)
	m.settle(c)
}

func (m *Model) setFrequency(c *cpu, hertz int64) {
	if m.anyDark() {
		return
	}
	m.under(&c.quark.frequency, c.quark.status, "Frequency", history.Int(hertz))
}

// Running is the thread on a CPU now, -1 if unknown; irq says that an interrupt or
// soft interrupt is being served on it.
func (m *Model) Running(cpu int32) (tid int32, irq bool) {
	c := m.met(cpu)
	if c == nil {
		return -1, false
	}
	if c.current == nil {
		return -1, len(c.serving) > 0
	}
	return c.current.tid, len(c.serving) > 0
}
