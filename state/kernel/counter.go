package kernel

import (
	"encoding/binary"
	"math"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/varint"
	"synchroscope/trace"
)

// Counters go up with events, and would make an interval of each. So one is
// written at the first event in each cell of local time, and where there were more in the cell, at its end: an attribute
// lags behind by a cell at most. Where a thread ends, its process is up to date at once.

// cellLength is how far a counter's attribute may lag behind, local ns.
const cellLength = 10_000_000

// The counters of a CPU and of a process.
const (
	countSwitches = iota
	countCalls
	countFaults
	countWakeups
	countIRQs     // CPUs only
	countSoftIRQs // CPUs only
	cpuCounters
	countRead       = countIRQs     // processes only: bytes
	countWritten    = countSoftIRQs // processes only: bytes
	processCounters = cpuCounters
)

var cpuCounterNames = [cpuCounters]string{"Switches", "System_calls", "Page_faults", "Wakeups", "Interrupts", "Soft_interrupts"}
var processCounterNames = [processCounters]string{"Switches", "System_calls", "Page_faults", "Wakeups", "Bytes_read", "Bytes_written"}

// A counter is one.
type counter struct {
	value int64
	cell  int64 // of local time, in which it was written last
	lags  bool  // it is in Model.lag
	quark attribute.Quark
}

// counters are those of one CPU or process.
type counters struct {
	parent attribute.Quark // that they are below
	names  *[cpuCounters]string
	all    [cpuCounters]counter
}

func newCounters(parent attribute.Quark, names *[cpuCounters]string) *counters {
	c := &counters{parent: parent, names: names}
	for i := range c.all {
		c.all[i].quark = attribute.None
	}
	return c
}

// count adds n to a counter.
func (m *Model) count(cs *counters, which int, n int64) {
	c := &cs.all[which]
	c.value += n
	if cell := m.now / cellLength; cell != c.cell || c.quark == attribute.None {
		c.cell = cell
		m.under(&c.quark, cs.parent, cs.names[which], history.Int(c.value))
		return
	}
	m.lagging(c)
}

// lagging notes that what a counter has come to is not written.
func (m *Model) lagging(c *counter) {
	if !c.lags {
		c.lags = true
		m.lag = append(m.lag, c)
	}
}

// due is when the counters that lag are written; never, if none does.
func (m *Model) due() int64 {
	if len(m.lag) == 0 {
		return math.MaxInt64
	}
	return (m.lag[0].cell + 1) * cellLength
}

// catchUp writes the counters that lag, at the end of their cell.
func (m *Model) catchUp(t int64) {
	m.now = max(m.now, t)
	for _, c := range m.lag {
		if c.lags = false; c.value != 0 {
			m.set(c.quark, history.Int(c.value))
		}
	}
	m.lag = m.lag[:0]
}

// Conclude writes what counters have come to by the last event, at t, in local ns: the history ends right after it.
func (m *Model) Conclude(t int64) error {
	m.applyLosses(t)
	m.catchUp(t)
	return m.err
}

// countFor adds to a counter of the process of t.
func (m *Model) countFor(t *thread, which int, n int64) {
	if t == nil || t.idle() {
		return
	}
	if t.process == nil {
		t.process = m.processOf(t.processID())
	}
	m.count(t.process, which, n)
}

// processID is the id of the process of t, its own where nobody told.
func (t *thread) processID() int32 {
	if t.pid <= 0 || t.pid >= maxTID {
		return t.tid
	}
	return t.pid
}

// settleCounters writes what the counters of the process of t have come to.
func (m *Model) settleCounters(t *thread) {
	p, ok := m.processes[t.processID()]
	if !ok {
		return
	}
	for i := range p.all {
		if c := &p.all[i]; c.value != 0 {
			m.under(&c.quark, p.parent, p.names[i], history.Int(c.value))
		}
	}
}

// joinCounters gives what was counted for t alone, until its process was told, to that process.
func (m *Model) joinCounters(t *thread) {
	alone, ok := m.processes[t.tid]
	if !ok || t.processID() == t.tid {
		return
	}
	p := m.processOf(t.processID())
	for i := range alone.all {
		if n := alone.all[i].value; n != 0 {
			m.count(p, i, n)
		}
	}
	m.reset(t.tid)
}

// processOf are the counters of a process.
func (m *Model) processOf(pid int32) *counters {
	p, ok := m.processes[pid]
	if !ok {
		p = newCounters(m.w.Attributes().Add(m.root.processes, strconv.Itoa(int(pid))), &processCounterNames)
		m.processes[pid] = p
		m.pids = append(m.pids, pid)
	}
	return p
}

// reset begins to count anew, for another process with the same id.
func (m *Model) reset(pid int32) {
	if p, ok := m.processes[pid]; ok {
		for i := range p.all {
			m.null(p.all[i].quark)
			p.all[i].value = 0
		}
	}
}

// pageFault counts one, and takes note of when.
func pageFault(*trace.Class) handler {
	return func(m *Model, ev *trace.Event) {
		if c := m.cpu(int64(ev.CPU)); c != nil {
			c.faulted = m.now
			m.count(c.counters, countFaults, 1)
			m.countFor(m.caller(ev), countFaults, 1)
		}
	}
}

func (cs *counters) append(b []byte) []byte {
	for _, c := range cs.all {
		b = binary.AppendVarint(b, c.value)
		b = binary.AppendVarint(b, c.cell)
	}
	return b
}

func (m *Model) restoreCounters(cs *counters, d *varint.Decoder) {
	for i := range cs.all {
		c := &cs.all[i]
		c.value, c.cell = d.Int(), d.Int()
		c.quark = m.child(cs.parent, cs.names[i])
		if v, ok := m.ongoing(c.quark); c.quark != attribute.None && c.value != 0 && (!ok || v != c.value) {
			m.lagging(c)
		}
	}
}
