package validate

// preempted is the state of a thread that could go on but for others (TASK_REPORT_MAX of Linux 4.14 and later).
const preempted = 0x100

// switches: a CPU goes from one thread to another.
func (m *machine) switches(on int32, prev int32, state int64, next int32) {
	c := m.cpu(on)
	m.schedule.Done++
	m.recorded.switches = true
	m.settled(on)
	if m.unordered {
		m.era++
	}
	if len(c.stack) > 0 && c.sure {
		m.fail(m.nesting, "CPU %d switches from thread %d to %d in %s", on, prev, next, c.stack[len(c.stack)-1])
	}
	c.stack, c.sure = c.stack[:0], true
	if c.current != unknown && c.current != prev {
		m.fail(m.schedule, "CPU %d switches from thread %d, but thread %d runs on it", on, prev, c.current)
	}
	if prev != 0 {
		t := m.thread(prev)
		if t.cpu >= 0 && t.cpu != on {
			m.fail(m.schedule, "thread %d leaves CPU %d, but runs on CPU %d", prev, on, t.cpu)
		}
		m.at(t, prev, on, "leaves")
		t.cpu = none
		t.wake = queued
		if state != 0 && state != preempted {
			t.wake = sleeping
		}
		t.gone = t.exiting
	}
	c.current = next
	if next == 0 {
		return
	}
	t := m.thread(next)
	if m.complete && m.recorded.forks && !t.told {
		m.fail(m.life, "thread %d runs on CPU %d, but was not there when tracing began, and nobody forked it", next, on)
		t.told = true
	}
	switch {
	case t.cpu >= 0:
		m.fail(m.schedule, "thread %d runs on CPU %d and begins to run on CPU %d", next, t.cpu, on)
	case t.gone:
		m.fail(m.life, "thread %d runs on CPU %d after it has exited", next, on)
	default:
		m.at(t, next, on, "begins to run")
		m.wakes(t, next, wakeRuns)
	}
	t.cpu, t.place, t.wake = on, on, queued
}

// runs checks that a thread that says something is the one that runs.
func (m *machine) runs(on, tid int32, does string) *thread {
	m.life.Done++
	if c := m.cpu(on); c.current != unknown && c.current != tid {
		m.fail(m.life, "thread %d %s on CPU %d, but thread %d runs there", tid, does, on, c.current)
	}
	return m.thread(tid)
}

// fork: the child begins in the system call of its parent, and is woken for the first time soon.
func (m *machine) fork(on, parent, child int32) {
	p := m.runs(on, parent, "forks")
	old, known := m.threads[child]
	if known && old.era == m.era && !old.gone {
		m.fail(m.life, "thread %d is forked, but there is one of that number", child)
	}
	m.recorded.forks = true
	*m.thread(child) = thread{era: m.era, cpu: none, call: p.call, place: unknown, wake: fresh, told: true}
	p.child = child
}

// dump: the state dump tells of a thread; when it ends it has told of all that there were.
func (m *machine) dump(tid, pid int32) {
	if tid != 0 {
		t := m.thread(tid)
		t.told, t.pid = true, pid
	}
}

func (m *machine) dumped() { m.complete = !m.unordered && m.era == 0 }

func (m *machine) exit(on, tid int32) {
	t := m.runs(on, tid, "exits")
	if t.exiting {
		m.fail(m.life, "thread %d exits a second time", tid)
	}
	t.exiting, m.recorded.exits = true, true
}

// free: nothing is left of a thread.
func (m *machine) free(tid int32) {
	m.life.Done++
	t := m.threads[tid]
	switch {
	case t == nil || t.era != m.era:
	case t.cpu >= 0 && t.exiting:
		m.fail(m.life, "thread %d is freed while it runs on CPU %d", tid, t.cpu)
	case t.gone:
		delete(m.threads, tid)
	case m.complete && m.recorded.exits && t.told && !t.exiting:
		m.fail(m.life, "thread %d is freed, but has not exited", tid)
	}
}

// enter and leave: a system call of the thread that runs on a CPU.
func (m *machine) enter(on, call int32) {
	m.kinds[call].entries = true
	if t := m.caller(on, call); t != nil {
		if t.call >= 0 && m.kinds[t.call].exits {
			m.fail(m.calls, "thread %d enters %s, but is in %s", m.cpu(on).current, m.name(call), m.name(t.call))
		}
		t.call = call
	}
}

func (m *machine) leave(on, call int32) {
	m.kinds[call].exits = true
	if t := m.caller(on, call); t != nil {
		if t.call != unknown && t.call != call && m.kinds[call].entries {
			m.fail(m.calls, "thread %d leaves %s, but is in %s", m.cpu(on).current, m.name(call), m.name(t.call))
		}
		t.call = none
	}
}

// caller is the thread that runs on a CPU, nil if that is not known.
func (m *machine) caller(on, call int32) *thread {
	c := m.cpu(on)
	m.recorded.calls = true
	m.calls.Done++
	m.settled(on)
	if len(c.stack) > 0 && c.sure {
		m.fail(m.nesting, "CPU %d enters or leaves %s in %s", on, m.name(call), c.stack[len(c.stack)-1])
	}
	switch c.current {
	case unknown:
		return nil
	case 0:
		m.fail(m.calls, "the idle thread of CPU %d enters or leaves %s", on, m.name(call))
		return nil
	}
	t := m.thread(c.current)
	if t.exiting {
		m.fail(m.life, "thread %d enters or leaves %s after it has exited", c.current, m.name(call))
	}
	return t
}
