package kernel

import (
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/trace"
)

// syscallEntry: the thread on the CPU enters a system call. The name in the history
// is that of the event without prefix, so it is the same for all versions.
func syscallEntry(c *trace.Class, name string) handler {
	if c.Payload("id") != nil { // the kernel's own tracepoints, in the first LTTng 2
		switch c.Name {
		case "sys_enter":
			return syscallEntryByNumber(c)
		case "sys_exit":
			return syscallExit(c, "")
		}
	}
	switch name {
	case "unknown":
		return syscallEntryByNumber(c)
	case "rt_sigreturn", "sigreturn":
		return func(m *Model, ev *trace.Event) { m.enter(ev, history.Null()) }
	}
	var call history.Value
	args := argumentsOf(c)
	return func(m *Model, ev *trace.Event) {
		if call.IsNull() {
			call = m.w.Text([]byte(name))
		}
		m.enter(ev, call)
		if t := m.caller(ev); t != nil {
			m.enterWith(t, ev, args)
		}
	}
}

// caller is the thread that runs on the CPU of an event, nil if nobody knows. Where switches are not recorded a context can tell.
func (m *Model) caller(ev *trace.Event) *thread {
	if m.noSwitches {
		if tid := m.bindings[ev.Class.Index].tid; tid != nil {
			return m.thread(ev.Int(tid), nil)
		}
		return nil
	}
	if c := m.cpu(int64(ev.CPU)); c != nil {
		return c.current
	}
	return nil
}

// maxCallNumber bounds the numbers that are kept as names.
const maxCallNumber = 1024

// syscallEntryByNumber: LTTng records some system calls by number alone. Which
// architecture the number is of, the event does not tell.
func syscallEntryByNumber(c *trace.Class) handler {
	id := c.Field("id")
	calls := make(map[int64]history.Value)
	return func(m *Model, ev *trace.Event) {
		n := ev.Int(id)
		if n < 0 || n >= maxCallNumber || neverReturns(n) {
			m.enter(ev, history.Null())
			return
		}
		call, ok := calls[n]
		if !ok {
			call = m.w.Text(strconv.AppendInt([]byte("system call "), n, 10))
			calls[n] = call
		}
		m.enter(ev, call)
		if t := m.caller(ev); t != nil {
			m.enterWith(t, ev, arguments{})
		}
	}
}

// neverReturns tells the numbers of the calls that return from a signal handler, on
// x86-64, 32-bit x86 and arm64. The thread goes on where the signal met it and no exit is
// recorded; elsewhere these numbers are calls that take no time.
func neverReturns(n int64) bool { return n == 15 || n == 119 || n == 173 || n == 139 }

// enter puts the thread on the event's CPU into a system call, or into none if that is null, as where it goes back from a signal handler.
func (m *Model) enter(ev *trace.Event, call history.Value) { m.goInto(ev, call, false, "") }

// goInto puts the thread on the event's CPU into a system call, or into none. leaves tells
// that it was in one until now, and left which, "" if the event does not say.
func (m *Model) goInto(ev *trace.Event, call history.Value, leaves bool, left string) {
	c := m.cpu(int64(ev.CPU))
	if c == nil {
		return
	}
	if len(m.calls) < manyCalls && !slices.Contains(m.calls, int32(ev.Class.Index)) {
		m.calls = append(m.calls, int32(ev.Class.Index))
	}
	if !call.IsNull() {
		m.count(c.counters, countCalls, 1)
		m.countFor(m.caller(ev), countCalls, 1)
	}
	if m.isDark(c) {
		return
	}
	m.calm(c)
	if m.noSwitches {
		if t := m.caller(ev); t != nil {
			m.revive(t)
			m.meet(t, leaves)
			m.putInto(t, call)
		}
		m.leaveUnseen(c)
		return
	}
	if c.current != nil && c.current.idle() {
		m.doubt(c.current) // an idle thread makes no calls: someone else is there
		m.seat(c, nil)
	}
	if t := c.current; t != nil {
		if t.kernel {
			t.kernel, t.user, t.known = false, true, false // it makes calls: it runs a program, and nothing told so
		}
		if m.meet(t, leaves); !t.known && !m.headless && !m.mayHide() {
			m.recall(c, t, leaves, left)
		}
	}
	c.told = CPUSyscall
	switch {
	case m.lasts(call):
		c.told = CPUUnknown
	case call.IsNull():
		c.told = CPUUser
	}
	if c.current != nil {
		m.putInto(c.current, call)
	}
	m.settle(c)
}

// leaveUnseen takes the idle thread, which makes no calls, off a CPU where one was made.
func (m *Model) leaveUnseen(c *cpu) {
	if c.current != nil {
		m.doubt(c.current)
	}
	m.seat(c, nil)
	m.settle(c)
}

// recall corrects what a thread has done since it got its CPU, or was interrupted
// there last, now that it leaves or enters a system call: before that, it was in
// one, or in none. Where events were lost, and the name of the call cannot be told of that time
// alone, because it is longer unknown, what the thread did stays so too: in a call without a name it was not.
func (m *Model) recall(c *cpu, t *thread, leaves bool, left string) {
	if !leaves {
		m.amend(c, t, User, CPUUser)
		return
	}
	named := false
	if left != "" && t.quark.call != attribute.None && t.call.IsNull() {
		_, unnamed := m.w.Ongoing(t.quark.call)
		_, since := m.w.Ongoing(t.quark.status)
		named = unnamed >= since
	}
	if m.doubted && !named || !m.amend(c, t, Syscall, CPUSyscall) {
		return
	}
	if named {
		t.call = m.w.Text([]byte(left))
		m.assume(t.quark.call, t.call)
	}
}

// amend corrects what a thread has done, in no call that was told of, since it got its CPU, or was interrupted there last: s, and its CPU cs.
// It reports false if of that time it is told already.
func (m *Model) amend(c *cpu, t *thread, s Status, cs CPUStatus) bool {
	if _, since := m.w.Ongoing(t.quark.status); since < c.since || t.status != User && t.status != Unknown && t.status != Kernel {
		return false
	}
	t.status = s
	m.assume(t.quark.status, s.value())
	m.threads.markSure(t)
	if _, since := m.w.Ongoing(c.quark.status); since >= c.since && c.status != CPUIdle {
		c.status = cs
		m.assume(c.quark.status, history.Int(int64(cs)))
	}
	return true
}

// syscallExit: the thread on the CPU is back from its system call, whichever it was.
func syscallExit(c *trace.Class, name string) handler {
	ret := c.Field("ret")
	bytes := transfersOf(name)
	left := name
	if name == "unknown" {
		left = ""
	}
	return func(m *Model, ev *trace.Event) {
		call := history.Null()
		if t := m.caller(ev); t != nil {
			call = t.call
		}
		m.goInto(ev, history.Null(), true, left)
		t := m.caller(ev)
		if t == nil || ret == nil {
			return
		}
		n := ev.Int(ret)
		m.returned(t, n)
		if bytes := bytes(m, call); bytes != 0 && n > 0 {
			m.countFor(t, bytes, n)
		}
	}
}

// transfersOf tells what calls that end with an event of a name transfer: where all end with
// the same, it is known by the call that a thread was in.
func transfersOf(name string) func(m *Model, call history.Value) int {
	if name != "" {
		which := transfers[name]
		return func(*Model, history.Value) int { return which }
	}
	known := make(map[history.Value]int)
	return func(m *Model, call history.Value) int {
		which, ok := known[call]
		if !ok && call.IsString() {
			which = transfers[m.w.History().String(call)]
			known[call] = which
		}
		return which
	}
}

// transfers are the calls that return a number of bytes, by whether they are read or written.
var transfers = map[string]int{
	"read": countRead, "readv": countRead, "pread64": countRead, "preadv": countRead, "preadv2": countRead,
	"recvfrom": countRead, "recvmsg": countRead,
	"write": countWritten, "writev": countWritten, "pwrite64": countWritten, "pwritev": countWritten, "pwritev2": countWritten,
	"sendto": countWritten, "sendmsg": countWritten, "sendfile": countWritten, "sendfile64": countWritten,
}
