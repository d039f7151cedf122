package kernel

import (
	"synchroscope/state/varint"
	"synchroscope/trace"
)

// Recordings of some threads alone. A tracer that follows some processes (lttng track), or that filters, records what these do: of
// sched_switch where one of them leaves a CPU, and not where one takes it from another thread. No metadata says so. But on each CPU a thread
// leaves then that was not seen to take it, again and again.
//
// From there on a thread that is not followed is nowhere, for its leaving is not told, and one that is followed has a CPU from what shows it there
// until it leaves, and is Unknown otherwise. Which ones are followed shows as well: these leave the CPUs that they take.

// A sieve finds out whether only some threads were recorded.
type sieve struct {
	odds       // of switches on CPUs where somebody was believed to be: at a break another one leaves
	loose bool // that a thread was seen to leave once says little
}

// turn takes note of who leaves a CPU, where somebody was believed to be on it.
func (m *Model) turn(c *cpu, t *thread) {
	if c.current != nil && m.sieve.take(c.current != t, breakShare) {
		m.sift()
	}
}

// sift makes unknown what a recording of some threads does not tell.
func (m *Model) sift() {
	for _, c := range m.cpus {
		if c != nil {
			m.doubtCPU(c)
		}
	}
	m.doubtThreads()
	m.doubtDisks()
}

// sighted takes note that the event is one of t, where a context tells that: so t is on the event's CPU.
func (m *Model) sighted(ev *trace.Event, tid *trace.Field) {
	c := m.cpu(int64(ev.CPU))
	if c == nil || !ev.Has(tid) {
		return
	}
	t := m.thread(ev.Int(tid), c)
	if t == nil || c.current == t {
		return
	}
	m.witness(c, t)
}

// How often a thread must have been seen to leave the CPU that it had taken to be one that is followed. Where one did once and later left unseen,
// switches to threads that are followed are recorded as well, as by a filter on both ends, and others leave to these by chance.
const (
	enoughSeen = 2
	mostSeen   = 16
)

// follows reports whether it is recorded when t leaves a CPU.
func (m *Model) follows(t *thread) bool {
	if m.sieve.loose {
		return t.leftSeen >= mostSeen && !t.leftUnseen
	}
	return t.leftSeen >= enoughSeen && !t.leftUnseen && !t.idle()
}

// watch notes whether the thread that was last told to be on a CPU is the one that leaves it.
func (m *Model) watch(c *cpu, prev, next *thread) {
	switch t := m.awaited(c, prev); {
	case t == nil:
	case t != prev:
		t.leftUnseen = true
		if m.sieve.holds && t.leftSeen > 0 && !m.sieve.loose {
			m.sieve.loose = true
			m.sift()
		}
	case t.leftSeen < mostSeen:
		t.leftSeen++
	}
	if c.awaited = -1; next != nil {
		c.awaited = next.tid
	}
}

// awaited is the thread that was last told to be on a CPU, nil for none; prev is likely to be it.
func (m *Model) awaited(c *cpu, prev *thread) *thread {
	switch {
	case prev != nil && c.awaited == prev.tid:
		return prev
	case c.awaited == 0:
		return c.idle
	}
	return m.find(int64(c.awaited))
}

// missed makes unknown what t does after it has left a CPU, as nobody tells when it is on one again. One that another CPU has taken meanwhile stays there.
func (m *Model) missed(t *thread) {
	if m.sieve.holds && !t.runs() {
		m.doubt(t)
	}
}

// Sifted says that the recording is one of some threads alone. It returns false if that has not shown. It is asked before the history is finished.
func (m *Model) Sifted() (trace.Anomaly, bool) {
	if !m.sieve.holds {
		return trace.Anomaly{}, false
	}
	return trace.Anomaly{
		Kind:    "some-threads",
		Count:   1,
		Message: "threads leave CPUs that were not seen to take them, so the tracer followed some processes alone, or filtered sched_switch",
	}, true
}

func (s *sieve) append(b []byte) []byte {
	b = varint.AppendBool(b, s.holds)
	b = varint.AppendBool(b, s.loose)
	return s.odds.append(b)
}

func (s *sieve) restore(d *varint.Decoder) {
	s.holds, s.loose = d.Uint() != 0, d.Uint() != 0
	s.odds.restore(d)
}
