package kernel

import (
	"cmp"
	"math"
	"slices"
)

// Losses. Events lost on a CPU may have been any. What could they have changed?
//
//   - The CPU: which thread is on it and what it serves. All of that is unknown.
//   - The thread that ran there: anything.
//   - A thread that does not run: it may have been woken there, moved there, have run
//     there and gone back to sleep. Which CPUs a thread may use the events do not
//     tell, so this holds for every one of them.
//   - A thread that runs on another CPU: nothing. Whatever takes it off that CPU, or
//     changes what it does there, is recorded on that CPU.
//   - The frequency of any CPU: whichever CPU sets it records that.
//   - The priority of any thread: who waits for it, there, gives it its own.
//
// A loss is a stretch of time: the tracer counts what it dropped between two
// packets, not when. Events inside the stretch may have been recorded, but between
// any two of them there may have been others. So as long as it lasts, a CPU is
// dark: what its events tell holds for their own instants, and no state follows
// from it; nor does any of a thread that runs on no bright CPU. When the stretch is
// over, each of these stays Unknown until the next event about it: a daemon that
// sleeps through the rest of the trace stays so. That is much, and it is what is
// known. The names and parents of threads stand.
//
// In which system call a thread is, is unknown after a loss as well. A
// thread that gets a CPU then is Unknown until it enters or leaves a system call.

// A loss is a stretch of time that lies ahead, or has begun and not been applied.
type loss struct {
	begin, end int64 // local ns
	cpu        int32 // -1: any
}

// bright is the end of the darkness of what is not dark.
const bright = math.MinInt64

// never is the end of a darkness that no event ends, and when something is due that is not. The last time there is may be that of an event.
const never = int64(math.MaxInt64)

// maxPending bounds the losses that lie ahead. Past it the earliest is applied at
// once: unknown sooner than need be.
const maxPending = 4096

// Lost tells that events were lost on a CPU (-1: any) in [begin, end) local ns. What
// lies before the newest event handled is doubted from that event on.
func (m *Model) Lost(cpu int32, begin, end int64) error {
	if cpu >= maxCPU {
		cpu = -1
	}
	l := loss{begin, max(begin, end), max(cpu, -1)}
	i, _ := slices.BinarySearchFunc(m.pending, l, func(a, b loss) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.cpu, b.cpu), cmp.Compare(a.end, b.end))
	})
	m.pending = slices.Insert(m.pending, i, l)
	m.applyLosses(m.now)
	if len(m.pending) > maxPending {
		m.darken(m.now)
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

// Due is when the model has something to write next that no event tells of, or that a loss is over, local ns; the last time there is, if nothing is.
func (m *Model) Due() int64 {
	due := min(m.due(), m.dawn())
	if len(m.pending) > 0 {
		due = min(due, m.pending[0].begin)
	}
	return due
}

// applyLosses applies what begins or ends by t, and writes the counters whose cell has ended by then.
func (m *Model) applyLosses(t int64) {
	for {
		begin, end := never, m.dawn()
		if len(m.pending) > 0 {
			begin = m.pending[0].begin
		}
		due := m.due()
		switch {
		case due != never && due <= t && due <= begin && due <= end:
			m.catchUp(due)
		case len(m.pending) > 0 && begin <= t && begin <= end:
			m.darken(begin)
		case end != never && end <= t:
			m.lighten(end)
		default:
			return
		}
	}
}

// dawn is when the first of the dark CPUs is dark no longer; never, if none is.
func (m *Model) dawn() int64 {
	first := never
	if m.darkAll != bright {
		first = m.darkAll
	}
	for _, c := range m.dark {
		first = min(first, c.dark)
	}
	return first
}

// darken applies the beginning of the loss that begins first.
func (m *Model) darken(t int64) {
	l := m.pending[0]
	m.pending = slices.Delete(m.pending, 0, 1)
	m.now = max(m.now, t)
	m.doubted = true
	if l.cpu < 0 {
		m.darkAll = max(m.darkAll, l.end)
	} else {
		c := m.cpu(int64(l.cpu)) // one not heard of before has lost its first events
		if c.dark == bright {
			m.dark = append(m.dark, c)
		}
		c.dark = max(c.dark, l.end)
	}
	for _, c := range m.cpus {
		if c != nil && m.isDark(c) {
			m.doubtCPU(c)
		}
	}
	for _, c := range m.cpus {
		if c != nil {
			m.null(c.quark.frequency)
		}
	}
	m.doubtThreads()
	m.doubtPriorities()
	m.forgetZombies()
	m.doubtDisks()
}

// doubtThreads makes unknown what the threads do that run on no CPU, in order of first sight. Those that are not at hand are so one at a time.
func (m *Model) doubtThreads() {
	off := m.threads.takeSure(m.sureAway)
	m.sureAway = nil
	slices.Sort(off)
	for _, n := range off {
		r := m.rows.at(n)
		r.facts &^= factSureAway
		t := m.threads.get(int64(r.tid))
		switch {
		case t != nil && !t.runs():
			m.doubt(t)
		case t == nil && r.facts.life() < ended:
			m.passing.clear(r.tid, -1)
			m.readRow(&m.passing, n)
			m.blank(&m.passing)
			r.facts = m.passing.facts()
		}
	}
}

// lighten ends the stretches that end at t. Nothing was believed of a dark CPU, so
// there is nothing to doubt.
func (m *Model) lighten(t int64) {
	m.now = max(m.now, t)
	if m.darkAll <= t {
		m.darkAll = bright
	}
	m.dark = slices.DeleteFunc(m.dark, func(c *cpu) bool {
		if c.dark > t {
			return false
		}
		c.dark = bright
		return true
	})
}

// anyDark reports whether events are being lost somewhere.
func (m *Model) anyDark() bool { return len(m.dark) > 0 || m.darkAll != bright }

// isDark reports whether events of a CPU are being lost.
func (m *Model) isDark(c *cpu) bool { return c.dark != bright || m.darkAll != bright }

// hidden reports whether lost events could be changing what t does.
func (m *Model) hidden(t *thread) bool {
	switch {
	case !m.anyDark():
		return false
	case t.idle():
		return m.isDark(m.cpus[t.home])
	}
	return !t.runs() || m.isDark(m.cpuOf(t))
}

// doubtCPU makes all that a CPU does unknown. The thread on it is left without one.
func (m *Model) doubtCPU(c *cpu) {
	for _, t := range []*thread{c.current, c.idle} {
		if t != nil {
			m.doubt(t)
		}
	}
	m.seat(c, nil)
	m.silence(c)
	c.timer, c.awaited = 0, -1
	m.settle(c)
}
