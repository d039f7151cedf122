package kernel

import "time"

// Threads of the kernel's own run in the kernel and never in user space. Which ones are, the state dump says and forks do: the kernel has one
// thread make them, kthreadd. What such a thread makes is the kernel's as well, until it runs a program, as the helpers do that the kernel
// starts in user space (modprobe): kworkers make these, and they have kthreadd for their parent (ppid), so that proves nothing.

// kthreaddTID is the id of kthreadd on every machine, whatever pid namespaces there are: it is the second that the kernel starts.
const kthreaddTID = 2

var kthreadd = makeComm([]byte("kthreadd"))

// The type of a thread in lttng_statedump_process_state.
const (
	dumpUser   = 0
	dumpKernel = 1
)

// toKernel takes t for a thread of the kernel's own, from now on and since it got its CPU, or was interrupted there last.
func (m *Model) toKernel(t *thread) {
	if t.kernel || t.idle() {
		return
	}
	t.kernel, t.user, t.known = true, false, true
	m.threads.markSure(t)
	if c := m.cpuOf(t); c != nil {
		if t.call.IsNull() {
			m.amend(c, t, Kernel, CPUKernel)
		}
		m.settle(c)
	}
}

// toUser takes t for a thread that runs in user space, from now on. known tells whether it is known in which call it is, or that it is in none.
func (m *Model) toUser(t *thread, known bool) {
	was := t.kernel
	t.kernel, t.user, t.known = false, true, known
	m.threads.markSure(t)
	if c := m.cpuOf(t); was && c != nil {
		m.settle(c)
	}
}

// bornOfKernel says what a thread is that one of the kernel's makes. Where programs are run unseen only what kthreadd makes stays the kernel's.
func (m *Model) bornOfKernel(child, parent *thread) {
	m.toKernel(child)
	if parent.tid != kthreaddTID && m.events != nil && !m.events["sched_process_exec"] {
		child.kernel = false
	}
}

// dumpedAs takes note of the type that the state dump says t has, which does not end. The tracer tells the type by whether the thread has memory
// of a program. One that exits in a call has given it up; and one of the kernel's can have it for a while, but where events were lost it may
// as well run a program.
func (m *Model) dumpedAs(t *thread, kind int64) {
	switch {
	case kind == dumpKernel && t.life == alive && t.call.IsNull():
		m.toKernel(t)
	case kind == dumpUser && !t.kernel:
		t.user = true
	case kind == dumpUser && m.doubted:
		m.toUser(t, false)
	}
}

// dumpTime is for how long after the beginning of a recording, ns, lines of the state dump are waited for: a tracer begins with them, and walks the list of threads in ms.
const dumpTime = int64(time.Second)

// undecided reports whether t may be the kernel's own as well as not, although that will be told: nothing did so far, and its line of the state dump is still to come.
// That it has made no system call where all are recorded is not enough: what computes all the time makes none either, and would never be seen to work.
func (m *Model) undecided(t *thread) bool {
	return !t.known && !t.user && !t.kernel && !t.idle() && m.awaitsDump()
}

// awaitsDump reports whether the state dump can still tell of threads.
func (m *Model) awaitsDump() bool {
	return m.events["lttng_statedump_process_state"] && !m.doubted && m.now-m.begun < dumpTime
}

// decide is called when what the thread on a CPU does is over and cannot be corrected any more. It was taken to run in user space until something shows whose it is;
// where nothing did it is not known.
func (m *Model) decide(c *cpu) {
	if t := c.current; t != nil && t.status == User && m.undecided(t) {
		m.amend(c, t, Unknown, CPUUnknown)
	}
}
