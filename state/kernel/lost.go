package kernel

import (
	"cmp"
	"slices"

	"synchroscope/state/history"
)

// Losses. Events lost on a CPU may have been any. What could they have changed?
//
//   - The CPU: which thread is on it, what it serves, how fast it runs. All of that
//     is unknown.
//   - The thread that ran there: anything.
//   - A thread that does not run: it may have been woken there, moved there, have run
//     there and gone back to sleep. Which CPUs a thread may use the events do not
//     tell, so this holds for every one of them.
//   - A thread that runs on another CPU: nothing. Whatever takes it off that CPU, or
//     changes what it does there, is recorded on that CPU.
//
// So after a loss only the threads that run on other CPUs keep their state, and
// each of the others is Unknown until the next event about it: a daemon that sleeps
// through the rest of the trace stays so. That is much, and it is what is known. The
// names and parents of threads stand.
//
// A loss is a stretch of time, and some events inside it may have been recorded. They
// tell about their own instant only, so the doubt is applied when the stretch begins
// and again when it ends.

// A doubt is one end of a loss that lies ahead.
type doubt struct {
	time int64 // local ns
	cpu  int32 // -1: any
}

// maxPending bounds the losses that lie ahead. Past it the earliest is applied at
// once: unknown sooner than need be.
const maxPending = 4096

// Lost tells that events were lost on a CPU (-1: any) in [begin, end) local ns. What
// lies before the newest event handled is doubted from that event on.
func (m *Model) Lost(cpu int32, begin, end int64) error {
	m.pend(doubt{begin, cpu})
	m.pend(doubt{max(begin, end), cpu})
	m.applyLosses(m.now)
	for len(m.pending) > maxPending {
		m.applyFirst()
	}
	return m.err
}

// Advance tells that no event before t, in local ns, will come. It is called before
// the history is published or finished at t, so that a loss after the last event
// is in it.
func (m *Model) Advance(t int64) error {
	m.applyLosses(t)
	m.now = max(m.now, t)
	return m.err
}

// pend keeps pending in order of time.
func (m *Model) pend(d doubt) {
	i, _ := slices.BinarySearchFunc(m.pending, d, func(a, b doubt) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.cpu, b.cpu))
	})
	m.pending = slices.Insert(m.pending, i, d)
}

// applyLosses applies the losses that begin or end by t.
func (m *Model) applyLosses(t int64) {
	for len(m.pending) > 0 && m.pending[0].time <= t {
		m.applyFirst()
	}
}

func (m *Model) applyFirst() {
	d := m.pending[0]
	m.pending = slices.Delete(m.pending, 0, 1)
	m.now = max(m.now, d.time)
	if d.cpu >= 0 {
		m.cpu(int64(d.cpu)) // a CPU not heard of before has lost its first events
	}
	for _, c := range m.cpus {
		if c != nil && (d.cpu < 0 || c.id == d.cpu) {
			m.doubtCPU(c)
		}
	}
	for _, t := range m.threads.takeSure() {
		m.doubt(t)
	}
}

// doubtCPU makes all that a CPU does unknown. The thread on it is left without one.
func (m *Model) doubtCPU(c *cpu) {
	if c.current != nil {
		c.current.on = nil
	}
	if c.idle != nil {
		m.doubt(c.idle)
	}
	m.seat(c, nil)
	m.silence(c)
	if c.quark.frequency >= 0 {
		m.set(c.quark.frequency, history.Null())
	}
	m.settle(c)
}
