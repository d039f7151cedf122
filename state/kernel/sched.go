package kernel

import (
	"math"

	"synchroscope/trace"
)

// schedSwitch: one thread leaves a CPU, another takes it.
func schedSwitch(c *trace.Class) handler {
	prevComm, prevTID, prevPrio := c.Field("prev_comm"), c.Field("prev_tid"), c.Field("prev_prio")
	prevState := c.Field("prev_state")
	nextComm, nextTID, nextPrio := c.Field("next_comm"), c.Field("next_tid"), c.Field("next_prio")
	return func(m *Model, ev *trace.Event) {
		c := m.cpu(int64(ev.CPU))
		if c == nil {
			return
		}
		m.calm(c)
		m.count(c.counters, countSwitches, 1)
		prev, next := m.thread(ev.Int(prevTID), c), m.thread(ev.Int(nextTID), c)
		m.turn(c, prev)
		m.watch(c, prev, next)
		if c.current != nil && c.current != prev {
			m.doubt(c.current)
		}
		if prev != nil {
			m.revive(prev)
			m.setName(prev, ev.Bytes(prevComm))
			m.setPriority(prev, ev.Int(prevPrio))
			m.leave(c, prev, ev.Int(prevState))
			m.missed(prev)
		}
		if next != nil {
			m.revive(next)
			m.setName(next, ev.Bytes(nextComm))
			m.setPriority(next, ev.Int(nextPrio))
		}
		if m.sieve.holds {
			m.silence(c)
		}
		if m.sieve.holds && next != nil && !m.follows(next) {
			m.doubt(next)
			m.seat(c, nil)
		} else {
			m.seat(c, next)
		}
		m.settle(c)
		m.countFor(next, countSwitches, 1)
	}
}

// leave takes a thread off a CPU.
//
// A wake-up that has begun and not ended before ends the sleep at once: the kernel
// records its beginning while the thread is still on its way off the CPU. And
// streams of two CPUs can be out of step by less than their clocks' skew: a
// thread that runs elsewhere by now stays there.
func (m *Model) leave(c *cpu, t *thread, state int64) {
	if t.runs() && !t.runsOn(c) {
		return
	}
	if c.current == t {
		m.decide(c)
	}
	t.on = 0
	m.modern = m.modern || modernState(state)
	if t.idle() {
		m.setStatus(t, WaitCPU)
		return
	}
	how := depart(state, t.life == exiting, m.modern)
	if t.life == exiting && how != depart(state, false, m.modern) && !m.exits(t) {
		m.doubt(t)
		t.waking = false
		return
	}
	if how != dead {
		m.setThreadCPU(t, int64(c.id))
	}
	switch how {
	case runnable:
		m.setStatus(t, WaitCPU)
	case asleep:
		t.slept = true
		if t.waking {
			m.setStatus(t, WaitCPU)
			break
		}
		m.setStatus(t, Blocked)
		m.setSleep(t, sleepOf(state))
	case held:
		m.setStatus(t, Wait)
		m.setSleep(t, sleepOf(state))
	case dead:
		m.end(t)
	}
	t.waking = false
}

// schedWaking: a thread is about to be put on a run queue; which one is not decided.
func schedWaking(c *trace.Class) handler {
	tid, comm, from := c.Field("tid"), c.Field("comm"), leftOf(c)
	return func(m *Model, ev *trace.Event) {
		if t := m.thread(ev.Int(tid), nil); t != nil {
			if from != nil {
				m.cameFrom(ev.Int(from), int64(t.cpu), false)
			}
			m.waking = true
			t.waking = t.runs() && !m.noWakeups
			m.wake(t, ev.Bytes(comm))
			m.causes(t, m.cpu(int64(ev.CPU)))
		}
	}
}

// schedWakeup: a thread was put on a run queue. Its prio is not taken: LTTng 2.1
// counts it from another zero than sched_switch does.
func schedWakeup(c *trace.Class) handler {
	tid, comm, targetCPU := c.Field("tid"), c.Field("comm"), c.Field("target_cpu")
	first := c.Name == "sched_wakeup_new"
	return func(m *Model, ev *trace.Event) {
		t := m.thread(ev.Int(tid), nil)
		if t == nil {
			return
		}
		if targetCPU != nil {
			m.queued(ev.Int(targetCPU))
		}
		fresh := first || t.status == Forked
		t.waking = false
		m.wake(t, ev.Bytes(comm))
		if !t.runs() && targetCPU != nil {
			m.setThreadCPU(t, ev.Int(targetCPU))
		}
		if fresh || !m.waking && !t.moved {
			m.causes(t, m.cpu(int64(ev.CPU)))
		}
		t.moved = false
	}
}

// wake makes t runnable, unless it runs.
func (m *Model) wake(t *thread, name []byte) {
	if !t.runs() {
		m.revive(t)
		m.setStatus(t, WaitCPU)
	}
	m.setName(t, name)
}

// causes counts a wake-up where it is caused, and notes that with the thread woken.
func (m *Model) causes(t *thread, c *cpu) {
	if c != nil {
		m.count(c.counters, countWakeups, 1)
	}
	m.countFor(t, countWakeups, 1)
	packet := m.takes(t, c)
	if !m.hidden(t) {
		m.wokenBy(t, c, packet)
	}
}

// schedMigrateTask: a thread moves to another run queue. It is runnable or being woken, and then the CPU that wakes it moves it;
// sched_wakeup follows, often from another.
func schedMigrateTask(c *trace.Class) handler {
	tid, from, destCPU := c.Field("tid"), leftOf(c), c.Field("dest_cpu")
	return func(m *Model, ev *trace.Event) {
		t := m.thread(ev.Int(tid), nil)
		if t != nil && from != nil {
			m.cameFrom(ev.Int(from), int64(t.cpu), false)
		}
		if t == nil || t.runs() || t.life >= ended {
			return
		}
		m.queued(ev.Int(destCPU))
		if (t.status == Blocked || t.status == Wait) && !m.waking {
			t.moved = true
			m.causes(t, m.cpu(int64(ev.CPU)))
		}
		if t.status != Forked {
			m.setStatus(t, WaitCPU)
		}
		m.setThreadCPU(t, ev.Int(destCPU))
	}
}

// schedSetPriority: a thread inherits the priority of one that waits for it, or gives it back.
func schedSetPriority(c *trace.Class) handler {
	tid, newPrio := c.Field("tid"), c.Field("newprio")
	return func(m *Model, ev *trace.Event) {
		if t := m.thread(ev.Int(tid), nil); t != nil && t.life < ended {
			m.setPriority(t, ev.Int(newPrio))
		}
	}
}

// cpuFrequency: kHz in the event, Hz in the history. The CPU is the one that the
// event is about, which need not be the one that recorded it.
func cpuFrequency(c *trace.Class) handler {
	state, cpuID := c.Field("state"), c.Field("cpu_id")
	return func(m *Model, ev *trace.Event) {
		if c := m.cpu(ev.Int(cpuID)); c != nil {
			m.setFrequency(c, ev.Int(state)*1000)
		}
	}
}

// awake is the state in a power_cpu_idle that ends a sleep.
const awake = math.MaxUint32

// cpuIdle: only an idle thread puts its CPU to sleep, so it tells who is there
// before the first sched_switch does. Where there is none it is there until it wakes its CPU up.
func cpuIdle(c *trace.Class) handler {
	state := c.Field("state")
	return func(m *Model, ev *trace.Event) {
		c := m.cpu(int64(ev.CPU))
		leaves := c != nil && m.noSwitches && uint32(ev.Int(state)) == awake
		if c == nil || c.current != nil && !leaves {
			return
		}
		idle := m.thread(0, c)
		if leaves {
			m.doubt(idle)
			idle = nil
		}
		m.seat(c, idle)
		m.settle(c)
	}
}
