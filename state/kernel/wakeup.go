package kernel

import (
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/trace"
)

// Wake-ups. A wake-up is recorded where it is caused, so what that CPU does at the
// time tells what woke the thread: a timer or a device by its interrupt, otherwise the
// thread there, if it can be in the kernel. Chains of them say why a thread waited.
//
// sched_waking is recorded by whoever wakes. sched_wakeup follows where the thread
// is put on a queue, which can be another CPU; it counts only where there is no
// sched_waking. Where there is none a thread that sleeps can be moved to another CPU first, by whoever wakes it.

// sources are the words that are used often.
type sources struct {
	thread, interrupt, either, timer, packet history.Value
}

// shortly is for how long, local ns, a thread can be in the kernel yet, or again, of which an event has told that it leaves it, enters it by a fault, or
// takes its CPU. What a call puts off to its end, such as closing the file of a socket, is done after syscall_exit, and no event tells when a thread is back
// in its program. In the recordings that there are the wake-ups after close are within 8 µs, and the next ones spread over milliseconds, as of timers.
const shortly = 10_000

func (m *Model) sourceText(v *history.Value, s string) history.Value {
	if v.IsNull() {
		*v = m.w.Text([]byte(s))
	}
	return *v
}

// source tells what wakes t on a CPU now, in words, and which thread that is or may
// be; both are null where nobody knows.
func (m *Model) source(c *cpu, t *thread) (how, waker history.Value) {
	switch {
	case c == nil || m.isDark(c):
		return history.Null(), history.Null()
	case c.timer > len(c.serving) && c.vague:
		return history.Null(), history.Null()
	case c.timer > len(c.serving):
		return m.sourceText(&m.sources.timer, "timer"), history.Null()
	case len(c.serving) > 0:
		n := m.innermost(c, false)
		if n < 0 {
			n = m.innermost(c, true)
		}
		return m.lineText(n), history.Null()
	case c.current == nil:
		return history.Null(), history.Null()
	case m.inKernel(c.current):
		return m.sourceText(&m.sources.thread, "thread"), history.Int(int64(c.current.tid))
	case m.mayBeInKernel(c, t):
		return m.sourceText(&m.sources.either, Either), history.Int(int64(c.current.tid))
	}
	return m.sourceText(&m.sources.interrupt, "interrupt"), history.Null()
}

// Either is what the attribute Wakeup says where nobody knows whether the thread that Waker names woke the other, or an interrupt that was not recorded
// and came while it ran.
const Either = "thread or interrupt"

// inKernel reports whether t, on a CPU, is known to run in the kernel, where it can wake others.
func (m *Model) inKernel(t *thread) bool {
	return !t.idle() && (!t.call.IsNull() || t.kernel || m.exits(t))
}

// mayBeInKernel reports whether the thread on a CPU that wakes woken, and is in no call, can be in the kernel nevertheless: if it can be in a call, has just left
// one, or faults. A fault can wake those that wait for the memory of its process, and so does a thread that is killed.
func (m *Model) mayBeInKernel(c *cpu, woken *thread) bool {
	t := c.current
	switch {
	case t.idle():
		return false
	case !t.known || m.fewCalls || t.life == exiting:
		return true
	case t.pid != 0 && t.pid == woken.pid:
		return true
	}
	since := max(c.since, c.faulted)
	if t.quark.call != attribute.None {
		_, left := m.w.Ongoing(t.quark.call)
		since = max(since, left)
	}
	return m.now-since < shortly
}

// lineText is a line as a source: "irq 24", "softirq 3", "local_timer".
func (m *Model) lineText(n int) history.Value {
	l := m.lines.all[n]
	if l.source.IsNull() {
		name := l.name
		switch {
		case l.key.soft:
			name = "softirq " + strconv.FormatInt(l.key.nr, 10)
		case l.key.nr >= 0:
			name = "irq " + name
		}
		l.source = m.w.Text([]byte(name))
	}
	return l.source
}

// wokenBy notes what woke t, which waits: a packet, or what the CPU does.
func (m *Model) wokenBy(t *thread, c *cpu, packet bool) {
	how, waker := m.source(c, t)
	if packet {
		how = m.sourceText(&m.sources.packet, packetText)
	}
	m.under(&t.quark.wakeup, t.quark.status, "Wakeup", how)
	m.under(&t.quark.waker, t.quark.status, "Waker", waker)
	m.threads.markSure(t)
}

// hrtimer: high resolution timers are served in an interrupt that is not recorded
// as one by itself, or in a soft interrupt, which others interrupt. Where its end is not recorded it is served for as long as
// nothing shows that it is not, and whether a wake-up is the timer's nobody knows.
func hrtimer(serves bool) func(*trace.Class) handler {
	return func(*trace.Class) handler {
		return func(m *Model, ev *trace.Event) {
			if c := m.cpu(int64(ev.CPU)); c != nil {
				c.timer = 0
				if serves && !m.isDark(c) {
					c.timer, c.vague = 1+len(c.serving), m.endless
				}
			}
		}
	}
}
