package kernel

import (
	"slices"

	"synchroscope/trace"
)

// Namespaces. In a container a thread has another id than the machine calls it by, and applications record that one. The same id
// is in use in many containers, so which thread is meant follows from what the kernel told of them, and from who
// runs on the CPU that recorded the event. Where that does not decide, nobody is meant.

// MachineNS is the number of the pid namespace of the machine itself, the same in all kernels since 3.8.
const MachineNS = 0xEFFFFFFC

// maxLevel bounds how deep namespaces are inside each other: Linux has no more than 32.
const maxLevel = 32

// An inner is what a thread is called in its own pid namespace, the innermost of those that it is in.
type inner struct {
	ns    int64 // 0 unknown
	tid   int32 // 0 unknown
	level int32 // of the namespace: 0 is that of the machine
}

// A Claim is what an event of user space tells of the thread that recorded it. What was not recorded is 0.
type Claim struct {
	CPU      int32 // that recorded it, -1 unknown
	TID, PID int64 // as the thread itself knows them
	NS       int64 // its pid namespace
	Name     []byte
	Foreign  bool // recorded by what has another host name than the machine, as containers do
}

// Who is the thread that recorded an event of user space now, 0 where that cannot be told. only says that no two threads can say the same
// of themselves at one time.
func (m *Model) Who(c Claim) (tid int32, only bool) {
	only = c.NS != 0 || c.Foreign || !m.nested
	if c.TID > 0 && c.TID < maxTID {
		if t := m.who(c); t != nil {
			tid = t.tid
		}
	}
	return tid, only
}

func (m *Model) who(c Claim) *thread {
	if c.NS == MachineNS {
		return m.thread(c.TID, nil)
	}
	var on *thread
	if cpu := m.met(c.CPU); cpu != nil {
		on = cpu.current
	}
	fit := m.claimants(c)
	home := c.NS == 0 && !c.Foreign
	switch {
	case slices.Contains(fit, on):
		return on
	case on != nil && m.stranger(on, c):
		if slices.ContainsFunc(fit, m.mayRun) {
			return nil
		}
		return on
	case len(fit) == 0 && home && !m.nested && on == nil && m.rows.find(c.TID) < 0:
		return m.thread(c.TID, nil)
	case len(fit) != 1:
		return nil
	case c.NS != 0 && fit[0].inner.ns == c.NS,
		home && (m.mayRun(fit[0]) || !m.nested && (on == nil || on.idle() || on.inner.tid != 0)),
		c.Foreign && fit[0].inner.level > 0 && fit[0].comm == makeComm(c.Name) && m.mayRun(fit[0]):
		return fit[0]
	}
	return nil
}

// claimants are the threads of which it is known that they are called as an event says. One of which nothing is known is
// taken to be called in its own namespace as on the machine.
func (m *Model) claimants(c Claim) []*thread {
	fit := m.fitting[:0]
	for _, tid := range m.inside[int32(c.TID)] {
		if t := m.find(int64(tid)); m.fits(t, c) {
			fit = append(fit, t)
		}
	}
	t := m.find(c.TID)
	outside := t != nil && t.inner.level == 0 && (t.inner.tid != 0 || t.inner.ns == 0 && c.NS == 0)
	if outside && m.fits(t, c) {
		fit = append(fit, t)
	}
	m.fitting = fit
	return fit
}

// fits reports whether nothing that is known of t but its id contradicts an event.
func (m *Model) fits(t *thread, c Claim) bool {
	if t.life >= ended || t.kernel || c.NS != 0 && t.inner.ns != 0 && t.inner.ns != c.NS {
		return false
	}
	pid := m.innerPID(t)
	return pid == 0 || c.PID == 0 || pid == c.PID
}

// innerPID is what the process of t is called in the namespace of t, 0 unknown.
func (m *Model) innerPID(t *thread) int64 {
	if t.inner.level == 0 {
		return int64(t.pid)
	}
	if first := m.find(int64(t.pid)); first != nil {
		return int64(first.inner.tid)
	}
	return 0
}

// stranger reports whether t, of which nobody told what it is called in its own namespace, can have recorded an event on its CPU. A name
// in common keeps out threads that the event has moved to another CPU than it names.
func (m *Model) stranger(t *thread, c Claim) bool {
	switch {
	case t.idle(), t.kernel, t.inner.tid != 0, t.inner.ns == MachineNS, c.NS != 0 && t.inner.ns != 0 && t.inner.ns != c.NS:
		return false
	case t.pid != 0 && c.PID != 0 && (t.pid == t.tid) != (c.PID == c.TID):
		return false
	}
	return t.comm != comm{} && t.comm == makeComm(c.Name)
}

// mayRun reports whether nothing tells that t has no CPU now.
func (m *Model) mayRun(t *thread) bool { return t.runs() || t.status == Unknown }

// setInner notes what t is called in a pid namespace, the innermost where several are told.
func (m *Model) setInner(t *thread, in inner) {
	if t.idle() || in.tid <= 0 || in.tid >= maxTID || t.inner.tid != 0 && in.level < t.inner.level {
		return
	}
	m.leaveInside(t)
	t.inner = in
	m.enterInside(t)
}

func (m *Model) enterInside(t *thread) {
	if t.inner.level > 0 {
		m.nested = true
		m.inside[t.inner.tid] = append(m.inside[t.inner.tid], t.tid)
	}
}

func (m *Model) leaveInside(t *thread) {
	if t.inner.level == 0 {
		return
	}
	list := m.inside[t.inner.tid]
	if i := slices.Index(list, t.tid); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if m.inside[t.inner.tid] = list; len(list) == 0 {
		delete(m.inside, t.inner.tid)
	}
}

// forkInner reads the ids that a new thread has in the namespaces it is in, outermost first, and the namespace of its maker.
func forkInner(c *trace.Class) func(m *Model, ev *trace.Event, parent, child *thread) {
	vtids, childNS, parentNS := c.Payload("vtids"), c.Payload("child_ns_inum"), c.Payload("parent_ns_inum")
	return func(m *Model, ev *trace.Event, parent, child *thread) {
		if n := ev.Len(vtids); n > 0 {
			m.setInner(child, inner{ev.Int(childNS), int32(ev.At(vtids, n-1)), int32(min(n-1, maxLevel))})
		}
		if parent == nil || parent.idle() || parent.inner.tid != 0 {
			return
		}
		switch ns := ev.Int(parentNS); ns {
		case 0:
		case MachineNS:
			m.setInner(parent, inner{ns, parent.tid, 0})
		default:
			m.nested = true
			parent.inner.ns = ns
		}
	}
}

// dumpInner reads what the state dump tells of a thread in one of the namespaces it is in: it tells the innermost first. Where events are being lost that
// can be lost as well.
func dumpInner(c *trace.Class) func(m *Model, ev *trace.Event, t *thread) {
	vtid, level, ns := c.Payload("vtid"), c.Payload("ns_level"), c.Payload("ns_inum")
	if vtid == nil || level == nil {
		return func(*Model, *trace.Event, *thread) {}
	}
	return func(m *Model, ev *trace.Event, t *thread) {
		if c := m.met(ev.CPU); m.darkAll == bright && (c == nil || c.dark == bright) {
			m.setInner(t, inner{ev.Int(ns), int32(ev.Int(vtid)), int32(max(0, min(ev.Int(level), maxLevel)))})
		}
	}
}

// namespaceDump: since LTTng 2.12 the namespaces of a thread are events of their own.
func namespaceDump(c *trace.Class) handler {
	tid, tell := c.Field("tid"), dumpInner(c)
	return func(m *Model, ev *trace.Event) {
		if t := m.thread(ev.Int(tid), nil); t != nil {
			tell(m, ev, t)
		}
	}
}
