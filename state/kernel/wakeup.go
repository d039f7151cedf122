package kernel

import (
	"strconv"

	"synchroscope/state/history"
	"synchroscope/trace"
)

// Wake-ups. A wake-up is recorded where it is caused, so what that CPU does at the
// time tells what woke the thread: a timer or a device by its interrupt, another
// thread otherwise. Chains of them say why a thread waited.
//
// sched_waking is recorded by whoever wakes. sched_wakeup follows where the thread
// is put on a queue, which can be another CPU; it counts only where there is no
// sched_waking. Where there is none a thread that sleeps can be moved to another CPU first, by whoever wakes it.

// sources are the words that are used often.
type sources struct {
	thread, idle, timer history.Value
}

func (m *Model) sourceText(v *history.Value, s string) history.Value {
	if v.IsNull() {
		*v = m.w.Text([]byte(s))
	}
	return *v
}

// source tells what wakes threads on a CPU now, in words, and which thread that
// is; both are null where nobody knows.
func (m *Model) source(c *cpu) (how, waker history.Value) {
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
	case c.current.idle():
		return m.sourceText(&m.sources.idle, "interrupt"), history.Null()
	}
	return m.sourceText(&m.sources.thread, "thread"), history.Int(int64(c.current.tid))
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

// wokenBy notes what woke t, which waits.
func (m *Model) wokenBy(t *thread, c *cpu) {
	how, waker := m.source(c)
	m.under(&t.quark.wakeup, t.quark.status, "Wakeup", how)
	m.under(&t.quark.waker, t.quark.status, "Waker", waker)
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
