package validate

import "synchroscope/trace"

// A wakeState is how a thread stands between sleeping and running.
type wakeState uint8

const (
	unheard  wakeState = iota // nothing is known
	sleeping                  // it went to sleep
	waking                    // somebody began to wake it
	queued                    // it waits for a CPU, or has one
	fresh                     // it was forked, and is on no queue yet
)

// A wakeStep is what brings a thread from one state to the next.
type wakeStep uint8

const (
	wakeBegins wakeStep = iota // sched_waking
	wakeEnds                   // sched_wakeup
	wakeFirst                  // sched_wakeup_new
	wakeRuns                   // sched_switch to it
)

// wrong is what is wrong with a step in a state; "" is nothing.
var wrong = [...][5]string{
	wakeBegins: {
		waking: "is woken, but somebody has begun to wake it",
		queued: "is woken, but does not sleep",
		fresh:  "is woken, but is new and on no queue",
	},
	wakeEnds: {
		sleeping: "is put on a queue, but nobody began to wake it",
		queued:   "is put on a queue, but does not sleep",
		fresh:    "is put on a queue as if it were not new",
	},
	wakeFirst: {
		sleeping: "is put on a queue as if it were new, but slept",
		waking:   "is put on a queue as if it were new, but slept",
		queued:   "is put on a queue as if it were new, but is on one",
	},
	wakeRuns: {
		sleeping: "runs, but slept, and nobody woke it",
		waking:   "runs, but whoever began to wake it has not put it on a queue",
		fresh:    "runs, but is new and on no queue",
	},
}

// wakes takes a step. Where a trace does not have both events of a wake-up, one is enough. Where the order is not
// known, others may have done more in between.
func (m *machine) wakes(t *thread, tid int32, step wakeStep) {
	m.waking.Done++
	switch {
	case step == wakeFirst && t.wake == unheard && m.recorded.forks && m.era == 0:
		m.fail(m.life, "thread %d is put on a queue as if it were new, but nobody forked it", tid)
	case !m.recorded.switches: // it may have slept
	case m.unordered && (step != wakeRuns || t.wake != sleeping):
	case t.wake == waking && !m.recorded.wakeups, t.wake == sleeping && step == wakeEnds && !m.recorded.wakings:
	case wrong[step][t.wake] != "":
		m.fail(m.waking, "thread %d %s", tid, wrong[step][t.wake])
	}
	t.wake = queued
	if step == wakeBegins {
		t.wake = waking
	}
}

// wake is the handler of a class of events about a thread being woken.
func (m *machine) wake(c *trace.Class, step wakeStep, kind *bool) func(*trace.Event) {
	tid, target := c.Field("tid"), c.Field("target_cpu")
	named := m.named(c, "comm", "tid", "prio")
	return func(ev *trace.Event) {
		*kind = true
		n := int32(ev.Int(tid))
		if n == 0 {
			return
		}
		named(ev)
		t := m.thread(n)
		m.wakes(t, n, step)
		if target == nil {
			return
		}
		on := int32(ev.Int(target))
		if step != wakeFirst {
			m.at(t, n, on, "is woken")
		}
		t.place = on
	}
}
