package validate

import (
	"bytes"

	"synchroscope/trace"
)

// A naming is what is known of the name and the priority of a thread.
type naming struct {
	comm             [16]byte
	prio             int32
	hasComm, hasPrio bool
}

// changing are the system calls by which threads change one of the two.
var changing = map[string]bool{"prctl": true, "setpriority": true, "sched_setscheduler": true, "sched_setattr": true, "sched_setparam": true}

// named has the events of a class checked for what they say of a thread, by the names of fields. prio may be "". Where
// a trace does not have what is done by which thread, a thread may have changed its name.
func (m *machine) named(c *trace.Class, comm, tid, prio string) func(*trace.Event) {
	name, thread, priority := c.Field(comm), c.Field(tid), c.Field(prio)
	if name == nil || thread == nil || m.unordered {
		return func(*trace.Event) {}
	}
	return func(ev *trace.Event) {
		n := int32(ev.Int(thread))
		known := &m.cpu(ev.CPU).idle
		if n != 0 {
			if !m.recorded.switches || !m.recorded.calls {
				return
			}
			t := m.thread(n)
			if known = &t.naming; t.program != "" && !m.recorded.executions {
				*known = naming{}
			}
		}
		m.names.Done++
		text := ev.Bytes(name)
		if i := bytes.IndexByte(text, 0); i >= 0 {
			text = text[:i]
		}
		if known.hasComm && !bytes.Equal(text, known.name()) {
			m.fail(m.names, "thread %d is called %q, but was %q", n, text, known.name())
		}
		known.call(text)
		if priority == nil {
			return
		}
		p := int32(ev.Int(priority))
		if known.hasPrio && p != known.prio {
			m.fail(m.names, "thread %d has priority %d, but had %d", n, p, known.prio)
		}
		known.prio, known.hasPrio = p, true
	}
}

func (n *naming) name() []byte {
	if i := bytes.IndexByte(n.comm[:], 0); i >= 0 {
		return n.comm[:i]
	}
	return n.comm[:]
}

// call takes down a name, of which the kernel keeps 15 bytes.
func (n *naming) call(text []byte) {
	n.comm, n.hasComm = [16]byte{}, true
	copy(n.comm[:15], text)
}

// renamed is a thread that can have changed its name or its priority.
func (m *machine) renamed(on int32) {
	if c := m.cpu(on); c.current > 0 {
		m.thread(c.current).naming = naming{}
	}
}
