package validate

import "synchroscope/trace"

// at checks that a thread is where something happens to it: on the CPU where it ran last, was woken, or
// to which it has been moved since.
func (m *machine) at(t *thread, tid, on int32, does string) {
	if t.place == unknown || !m.recorded.migrations || m.unordered {
		return
	}
	m.placing.Done++
	if t.place != on {
		m.fail(m.placing, "thread %d %s on CPU %d, but is on CPU %d, and nobody moved it", tid, does, on, t.place)
	}
}

// migrate is the handler of threads going to another CPU.
func (m *machine) migrate(c *trace.Class) func(*trace.Event) {
	tid, from, to := c.Field("tid"), c.Field("orig_cpu"), c.Field("dest_cpu")
	named := m.named(c, "comm", "tid", "prio")
	return func(ev *trace.Event) {
		m.recorded.migrations = true
		n := int32(ev.Int(tid))
		named(ev)
		t := m.thread(n)
		m.at(t, n, int32(ev.Int(from)), "is moved")
		t.place = int32(ev.Int(to))
	}
}
