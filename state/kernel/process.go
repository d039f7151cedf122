package kernel

import (
	"slices"
	"strings"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/trace"
)

// processFork: a thread is made. It is inside its maker's system call until it
// returns from there itself, under another name, for it did not call: one call would be counted as two.
// LTTng 2.1 does not record the pids.
func processFork(c *trace.Class) handler {
	parentTID, parentPID := c.Field("parent_tid"), c.Field("parent_pid")
	childTID, childPID, childComm := c.Field("child_tid"), c.Field("child_pid"), c.Field("child_comm")
	parentComm, names := c.Field("parent_comm"), forkInner(c)
	return func(m *Model, ev *trace.Event) {
		child := m.begin(ev.Int(childTID))
		if child == nil {
			return
		}
		c := m.cpu(int64(ev.CPU))
		parent := m.thread(ev.Int(parentTID), c)
		pid, ppid := ev.Int(childPID), ev.Int(parentPID)
		if parentPID == nil {
			ppid = ev.Int(parentTID)
		}
		if parent != nil {
			if pid != 0 && pid == ppid { // a thread beside its maker
				ppid = int64(parent.ppid)
			}
			m.witness(c, parent)
			if parent.tid == kthreaddTID {
				m.setName(parent, ev.Bytes(parentComm))
			}
			switch {
			case parent.kernel:
				m.bornOfKernel(child, parent)
			case m.makesWorkers(parent.call):
				m.toKernel(child)
			case parent.known:
				child.user = parent.user
				m.setCall(child, m.named(parent.call, ofChild))
			default:
				child.user = parent.user
			}
		}
		m.setFamily(child, pid, ppid)
		names(m, ev, parent, child)
		m.setName(child, ev.Bytes(childComm))
	}
}

// workers are the calls within which the kernel makes threads that work for it in the name of a process: those of
// io_uring, by their numbers where LTTng has no name for them, and of virtual machines. They never return from there.
var workers = []string{"io_uring_setup", "io_uring_enter", "io_uring_register", "system call 425", "system call 426", "system call 427", "ioctl",
	"syscall 425", "syscall 426", "syscall 427"} // as earlier versions had them

func (m *Model) makesWorkers(call history.Value) bool {
	return call.IsString() && slices.Contains(workers, m.w.History().String(call))
}

// What is behind the name of the call that a thread was made in, and of one that it goes on with where another called: a call is one, but
// its parts are states of two threads.
const (
	ofChild   = " (child)"
	continued = " (continued)"
)

// named is a call with something behind its name.
func (m *Model) named(call history.Value, suffix string) history.Value {
	if !call.IsString() {
		return call
	}
	name := m.w.History().String(call)
	if strings.HasSuffix(name, suffix) { // or threads that make each other had calls with names without end
		return call
	}
	return m.w.Text([]byte(name + suffix))
}

// processExec: a thread runs another program under a new name. Where not the first
// thread of a process does it, the thread goes on under the first one's id.
func processExec(c *trace.Class) handler {
	filename, tid, oldTID := c.Field("filename"), c.Field("tid"), c.Field("old_tid")
	if oldTID == nil { // LTTng 2.1
		tid, oldTID = c.Field("pid"), c.Field("old_pid")
	}
	return func(m *Model, ev *trace.Event) {
		t := m.thread(ev.Int(tid), nil)
		if t == nil {
			return
		}
		if old := m.thread(ev.Int(oldTID), nil); old != nil && old != t {
			call, known := old.call, old.known
			m.supersede(old, t)
			m.setCall(t, m.named(call, continued)) // null where it is not known
			t.known = known
		}
		m.toUser(t, t.known)
		m.over(t)
		m.witness(m.cpu(int64(ev.CPU)), t)
		if name := execComm(ev.Bytes(filename)); name != (comm{}) {
			m.rename(t, name)
		}
	}
}

// processExit: a thread will leave its CPU for good at its next switch.
func processExit(c *trace.Class) handler {
	tid := c.Field("tid")
	return func(m *Model, ev *trace.Event) {
		t := m.thread(ev.Int(tid), nil)
		if t == nil {
			return
		}
		m.witness(m.cpu(int64(ev.CPU)), t)
		if t.life == alive || t.life == exiting && !m.exits(t) {
			t.life = exiting
			m.setExit(t, Exiting)
		}
	}
}

// processFree: nothing of a thread is left but its row.
func processFree(c *trace.Class) handler {
	tid := c.Field("tid")
	return func(m *Model, ev *trace.Event) {
		if t := m.find(ev.Int(tid)); t != nil {
			m.free(t)
		}
	}
}

// The status of a thread in lttng_statedump_process_state.
const (
	dumpWaitFork = 1 // never run yet, it says; but it writes this of all that wait for a CPU, or run
	dumpWaitCPU  = 2 // on a run queue, or on a CPU: the tracer cannot tell
	dumpExit     = 3
	dumpZombie   = 4
	dumpWait     = 5 // asleep
	dumpDead     = 7
)

// isOver reports whether a status is that of a thread that ends or has ended.
func isOver(status int64) bool {
	return status == dumpExit || status == dumpZombie || status == dumpDead
}

// processDump: at the start of a trace the tracer walks the list of threads. The
// walk takes milliseconds beside a running system, so it tells only what no event
// has told. Up to 2.12 a thread has one record for each pid namespace it is in.
func processDump(c *trace.Class) handler {
	tid, pid, ppid := c.Field("tid"), c.Field("pid"), c.Field("ppid")
	name, status, cpuID, kind := c.Field("name"), c.Field("status"), c.Field("cpu"), c.Field("type")
	inside := dumpInner(c)
	return func(m *Model, ev *trace.Event) {
		t := m.thread(ev.Int(tid), nil)
		if t == nil {
			return
		}
		if m.doubted {
			m.metAgain(t, ev.Bytes(name), ev.Int(pid), ev.Int(ppid), isOver(ev.Int(status)))
		}
		if t.quark.name == attribute.None {
			m.setName(t, ev.Bytes(name))
		}
		if t.pid == 0 {
			m.setFamily(t, ev.Int(pid), ev.Int(ppid))
		}
		inside(m, ev, t)
		if kind != nil && !isOver(ev.Int(status)) {
			m.dumpedAs(t, ev.Int(kind))
		}
		if t.status != Unknown || t.runs() {
			return
		}
		switch s := ev.Int(status); {
		case s == dumpWaitFork, s == dumpWaitCPU:
			if cpuID != nil && m.otherRuns(ev.Int(cpuID), t) {
				m.setStatus(t, WaitCPU)
				m.setThreadCPU(t, ev.Int(cpuID))
			}
		case s == dumpWait:
			m.setStatus(t, Blocked)
			t.slept = true
		case isOver(s):
			m.end(t)
		default:
			m.setStatus(t, Wait)
		}
	}
}

// metAgain takes from a state dump who t is, where events were lost before, or nothing was recorded for a time: its id can have come to another thread meanwhile. Of one of another
// process that is so.
func (m *Model) metAgain(t *thread, name []byte, pid, ppid int64, over bool) {
	if t.life >= ended && !over {
		m.forget(t)
		m.revive(t)
	}
	m.setName(t, name)
	if t.pid == 0 || pid <= 0 || pid >= maxTID || t.pid == int32(pid) && t.ppid == int32(ppid) {
		return
	}
	if t.pid != int32(pid) {
		m.leaveProcess(t)
	}
	t.pid, t.ppid = int32(pid), int32(ppid)
	m.under(&t.quark.pid, t.quark.status, "PID", history.Int(pid))
	m.under(&t.quark.ppid, t.quark.status, "PPID", some(int(max(ppid, 0))))
	m.updateRow(t)
}

// otherRuns reports whether a CPU is known to run another thread than t.
func (m *Model) otherRuns(id int64, t *thread) bool {
	c := m.cpu(id)
	return c != nil && c.current != nil && c.current != t
}
