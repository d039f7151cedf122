package kernel

import (
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// Lives. An id is given to one thread after another, and events about the old one
// can come after the new one's first: sched_process_free waits for a grace period,
// the id does not.

// begin starts a new life of an id, made at this instant.
func (m *Model) begin(tid int64) *thread {
	t := m.find(tid)
	switch {
	case tid <= 0 || tid >= maxTID:
		return nil
	case t == nil:
		t = m.addThread(int32(tid), strconv.FormatInt(tid, 10))
	default:
		m.owe(t)
		m.vacate(t)
		m.forget(t)
		m.over(t)
	}
	t.born = true
	t.life = alive
	m.reset(t.tid)
	m.setStatus(t, Forked)
	return t
}

// revive takes back an end that an event has refuted, or begins a life whose
// beginning was not recorded.
func (m *Model) revive(t *thread) {
	if t.life < ended {
		return
	}
	m.owe(t)
	t.heir = 0
	t.known = t.kernel // what the one before was in says nothing of this one
	m.setExit(t, 0)
	t.life = alive
	t.born = true
	m.setStatus(t, Unknown)
	m.updateRow(t)
}

// owe notes that a new life of t begins whose sched_process_free is not the next to come, but after that of the one before. Where
// events were lost since that one was seen last, its own can be among them.
func (m *Model) owe(t *thread) {
	t.owed = t.life < freed
	t.owedMaybe = m.doubted && (t.life == ended && !t.listed || t.life < ended && t.status == Unknown)
}

// late reports whether the sched_process_free of t that comes now is an earlier life's. One that can have been lost is not
// waited for once that of this life can come.
func (t *thread) late() bool {
	return t.owed && (!t.owedMaybe || t.life == alive && t.status != Unknown)
}

// witness takes note that t runs on the CPU that an event was recorded on. Where
// another was believed to, its end there was lost. Where no switches are recorded nothing tells until when.
func (m *Model) witness(c *cpu, t *thread) {
	if m.sieve.holds && c != nil {
		c.awaited = t.tid
	}
	if m.noSwitches || m.sieve.holds && !m.follows(t) {
		m.revive(t)
		return
	}
	if c == nil || c.current == t {
		return
	}
	if c.current != nil {
		m.doubt(c.current)
	}
	m.revive(t)
	m.seat(c, t)
	m.settle(c)
}

// end takes a thread off the CPU for good.
func (m *Model) end(t *thread) {
	if t.idle() || t.life >= ended {
		return
	}
	m.vacate(t)
	t.life = ended
	t.cpu = -1
	m.setStatus(t, absent)
	m.settleEnd(t)
	m.settleCounters(t)
	m.setExit(t, Zombie)
	m.updateRow(t)
	m.over(t)
	m.part(t)
}

// over tells that a thread's program has ended.
func (m *Model) over(t *thread) {
	if m.Ended != nil {
		m.Ended(t.tid, m.now)
	}
}

// free forgets a thread. One that took the id over from the one meant stays.
func (m *Model) free(t *thread) {
	if heir := m.find(int64(t.heir)); heir != nil {
		heir.owed = false
		t.heir = 0
	}
	switch {
	case t.late():
		t.owed = false
		return
	case t.idle() || t.life == freed:
		return
	}
	m.end(t)
	m.forget(t)
	t.life, t.owed = freed, false
}

// supersede tells that a thread goes on under the id of the first of its process, t, whose
// own end is not told again but by a sched_process_free: it has that id before 5.8, and since then
// the one given up, old's, which nobody waits for.
func (m *Model) supersede(old, t *thread) {
	priority := old.priority
	m.end(old)
	m.forget(old)
	old.life = freed
	old.heir = t.tid
	m.revive(t)
	if t.life == exiting {
		t.life = alive
		m.setExit(t, 0)
	}
	t.owed, t.owedMaybe = true, false
	if priority != noPriority {
		m.setPriority(t, int64(priority))
	}
}

// forget nulls what outlives the last switch.
func (m *Model) forget(t *thread) {
	m.settleEnd(t)
	m.setExit(t, 0)
	m.null(t.quark.name)
	m.null(t.quark.pid)
	m.null(t.quark.ppid)
	m.null(t.quark.priority)
	t.cpu, t.priority, t.heir = -1, noPriority, 0
	t.known, t.kernel, t.user, t.slept = false, false, false, false
	t.comm, t.pid, t.ppid = comm{}, 0, 0
	m.leaveProcess(t)
	t.leftSeen, t.leftUnseen = 0, false
	m.leaveInside(t)
	t.inner = inner{}
}

// settleEnd nulls what a thread does not have that runs no more.
func (m *Model) settleEnd(t *thread) {
	m.noCall(t)
	m.null(t.quark.cpu)
	m.null(t.quark.sleep)
	m.doubtDetails(t)
}

// doubtDetails nulls what events told of the last call and the last wake-up.
func (m *Model) doubtDetails(t *thread) {
	m.null(t.quark.waker)
	m.null(t.quark.wakeup)
	m.null(t.quark.argument)
	m.null(t.quark.file)
	m.null(t.quark.failed)
}

func (m *Model) null(q attribute.Quark) {
	if q != attribute.None {
		m.set(q, history.Null())
	}
}

// doubt makes what t does unknown. Who it is stands.
func (m *Model) doubt(t *thread) {
	if t.life < ended {
		m.blank(t)
		m.part(t)
	}
}

// blank makes unknown what t does, which lives.
func (m *Model) blank(t *thread) {
	t.on = 0
	m.setStatus(t, Unknown)
	m.noCall(t)
	t.known = t.kernel
	m.null(t.quark.sleep)
	m.doubtDetails(t)
	t.cpu = -1
	m.null(t.quark.cpu)
	if t.life == exiting {
		m.setExit(t, 0)
	}
}
