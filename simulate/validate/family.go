package validate

import (
	"bytes"

	"synchroscope/trace"
)

// processes is the handler of what a fork says of processes: a child is the first thread of a new one, or one more of
// its parent's. There is one namespace, in which threads have the numbers that they have.
func (m *machine) processes(c *trace.Class) func(*trace.Event) {
	parent, child := c.Field("parent_tid"), c.Field("child_tid")
	parentPID, childPID, inner := c.Field("parent_pid"), c.Field("child_pid"), c.Field("vtids")
	spaces := []*trace.Field{c.Field("parent_ns_inum"), c.Field("child_ns_inum")}
	return func(ev *trace.Event) {
		if parentPID == nil || childPID == nil {
			return
		}
		of, by, pid, fresh := int32(ev.Int(parentPID)), int32(ev.Int(parent)), int32(ev.Int(childPID)), int32(ev.Int(child))
		p := m.thread(by)
		if p.pid != 0 && p.pid != of {
			m.fail(m.life, "thread %d of process %d forks as one of process %d", by, p.pid, of)
		}
		if pid != fresh && pid != of {
			m.fail(m.life, "thread %d is forked as one of process %d, which is neither a new one nor that of its parent, %d", fresh, pid, of)
		}
		p.pid, m.thread(fresh).pid = of, pid
		if n := ev.Len(inner); n > 0 && int32(ev.At(inner, n-1)) != fresh {
			m.fail(m.life, "thread %d is forked, and has the number %d in its namespace", fresh, ev.At(inner, n-1))
		}
		for _, f := range spaces {
			space := ev.Int(f)
			if m.space != 0 && space != m.space {
				m.fail(m.life, "thread %d forks %d between namespaces: %d is not %d", by, fresh, space, m.space)
			}
			m.space = space
		}
	}
}

// forked is the system call of a fork returning, with the number of the child or, in the child, 0.
func (m *machine) forked(on, call int32, ret int64) {
	c := m.cpu(on)
	if c.current <= 0 {
		return
	}
	t := m.thread(c.current)
	switch {
	case t.child != 0 && ret != int64(t.child):
		m.fail(m.life, "thread %d has forked thread %d, but is told of %d", c.current, t.child, ret)
	case t.child == 0 && t.call == call && ret > 0 && m.recorded.forks && !m.unordered:
		m.fail(m.life, "thread %d is told of a child, %d, but has forked none", c.current, ret)
	}
	t.child = 0
}

// requested is a thread asking the kernel to make it a program.
func (m *machine) requested(on int32, file []byte) {
	if c := m.cpu(on); c.current > 0 {
		m.thread(c.current).program = string(file)
	}
}

// execution is the handler of threads having become programs.
func (m *machine) execution(c *trace.Class) func(*trace.Event) {
	tid, old, filename := c.Field("tid"), c.Field("old_tid"), c.Field("filename")
	return func(ev *trace.Event) {
		m.recorded.executions = true
		n, file := int32(ev.Int(tid)), ev.Bytes(filename)
		t := m.runs(ev.CPU, n, "executes a program")
		if old != nil && int32(ev.Int(old)) != n {
			m.fail(m.life, "thread %d executes a program, and was thread %d", n, ev.Int(old))
		}
		if t.program != "" && t.program != string(file) {
			m.fail(m.life, "thread %d executes %q, but has asked for %q", n, file, t.program)
		}
		t.program = ""
		t.naming.call(file[bytes.LastIndexByte(file, '/')+1:])
	}
}

// executed is the system call of that returning.
func (m *machine) executed(on int32, ret int64) {
	c := m.cpu(on)
	if c.current <= 0 {
		return
	}
	t := m.thread(c.current)
	switch {
	case t.program == "" || ret != 0:
	case m.recorded.executions:
		m.fail(m.life, "thread %d is told that it is the program %q, but has executed none", c.current, t.program)
	default:
		t.naming = naming{}
	}
	t.program = ""
}
