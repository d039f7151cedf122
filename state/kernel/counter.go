package kernel

import (
	"encoding/binary"
	"math"
	"slices"
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

// counters are those of one CPU or process. As very many processes can live at a time they may be in scratch memory, and have no pointer.
type counters struct {
	parent attribute.Quark // that they are below
	all    [cpuCounters]counter

	pid   int32 // of a process, 0 for a CPU
	place int32 // their number in Model.counted, of a process
	users int32 // threads at hand that count in it
	spent bool  // it is in Model.spent
}

// clear makes counters that have counted nothing.
func (cs *counters) clear(parent attribute.Quark, pid, place int32) {
	*cs = counters{parent: parent, pid: pid, place: place}
	for i := range cs.all {
		cs.all[i].quark = attribute.None
	}
}

// names are what the counters are called.
func (cs *counters) names() *[cpuCounters]string {
	if cs.pid != 0 {
		return &processCounterNames
	}
	return &cpuCounterNames
}

// count adds n to a counter.
func (m *Model) count(cs *counters, which int, n int64) {
	c := &cs.all[which]
	c.value += n
	if cell := m.now / cellLength; cell != c.cell || c.quark == attribute.None {
		c.cell = cell
		m.under(&c.quark, cs.parent, cs.names()[which], history.Int(c.value))
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
		return never
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

// Conclude writes what counters have come to by the last event, at t, in local ns, and decides what CPUs do: the history ends right after it.
func (m *Model) Conclude(t int64) error {
	m.applyLosses(t)
	m.catchUp(t)
	for _, c := range m.cpus {
		if c != nil {
			m.decide(c)
		}
	}
	return m.err
}

// countFor adds to a counter of the process of t.
func (m *Model) countFor(t *thread, which int, n int64) {
	if t == nil || t.idle() {
		return
	}
	if t.process == 0 {
		p := m.processOf(t.processID())
		p.users++
		t.process = p.place + 1
	}
	m.count(m.counted.at(t.process-1), which, n)
}

// processID is the id of the process of t, its own where nobody told.
func (t *thread) processID() int32 {
	if t.pid <= 0 || t.pid >= maxTID {
		return t.tid
	}
	return t.pid
}

// leaveProcess has t count in no process, until it is counted for.
func (m *Model) leaveProcess(t *thread) {
	if t.process == 0 {
		return
	}
	p := m.counted.at(t.process - 1)
	t.process = 0
	if p.users--; p.users == 0 {
		m.spend(p)
	}
}

// settleCounters writes what the counters of the process of t have come to. Those that are not at hand are written.
func (m *Model) settleCounters(t *thread) {
	p, ok := m.processes[t.processID()]
	if !ok {
		return
	}
	for i := range p.all {
		if c := &p.all[i]; c.value != 0 {
			m.under(&c.quark, p.parent, processCounterNames[i], history.Int(c.value))
		}
	}
}

// joinCounters gives what was counted for t alone, until its process was told, to that process.
func (m *Model) joinCounters(t *thread) {
	if t.processID() == t.tid {
		return
	}
	alone := m.recallProcess(t.tid)
	if alone == nil {
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
	p := m.recallProcess(pid)
	if p == nil {
		p = m.keepProcess(pid, m.w.Attributes().Add(m.root.processes, strconv.Itoa(int(pid))))
	}
	return p
}

// recallProcess are the counters of a process, nil if none was counted for: where they are not at hand, what was written of them.
func (m *Model) recallProcess(pid int32) *counters {
	if p, ok := m.processes[pid]; ok {
		return p
	}
	q := m.w.Attributes().Child(m.root.processes, strconv.Itoa(int(pid)))
	if q == attribute.None {
		return nil
	}
	p := m.keepProcess(pid, q)
	for i := range p.all {
		p.all[i].cell = math.MinInt64 // it is over
	}
	for q, name := range m.w.Attributes().Below(q) {
		if i := slices.Index(processCounterNames[:], name); i >= 0 {
			c := &p.all[i]
			c.quark = q
			c.value, _ = m.ongoing(q)
		}
	}
	return p
}

// keepProcess has counters of a process at hand, which have counted nothing. They are below an attribute.
func (m *Model) keepProcess(pid int32, parent attribute.Quark) *counters {
	p, place := m.counted.take()
	p.clear(parent, pid, place)
	m.processes[pid] = p
	m.spend(p)
	return p
}

// spend takes note that no thread counts in a process, now.
func (m *Model) spend(p *counters) {
	if !p.spent {
		p.spent = true
		m.spent = append(m.spent, p)
	}
}

// letGoOfProcesses drops the counters that no thread at hand counts in, oldest first, up to the first of which all is not yet written and in a
// cell that is over: of the others all that matters is in the history.
func (m *Model) letGoOfProcesses() {
	n := 0
	for ; n < len(m.spent); n++ {
		p := m.spent[n]
		if p.users == 0 && m.counting(p) {
			break
		}
		if p.spent = false; p.users == 0 {
			delete(m.processes, p.pid)
			m.counted.give(p.place)
		}
	}
	m.spent = append(m.spent[:0], m.spent[n:]...)
}

// counting reports whether something was counted in the cell of now, or is not written.
func (m *Model) counting(p *counters) bool {
	cell := m.now / cellLength
	for i := range p.all {
		if c := &p.all[i]; c.lags || c.cell == cell {
			return true
		}
	}
	return false
}

// reset begins to count anew, for another process with the same id.
func (m *Model) reset(pid int32) {
	if p := m.recallProcess(pid); p != nil {
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
		c.quark = m.child(cs.parent, cs.names()[i])
		if v, ok := m.ongoing(c.quark); c.quark != attribute.None && c.value != 0 && (!ok || v != c.value) {
			m.lagging(c)
		}
	}
}
