package machine

import "strconv"

func itoa(n int) string { return strconv.Itoa(n) }

// weight is the part of the CPU that a thread gets, by its nice value: a quarter more for each step.
func (t *Thread) weight() int64 {
	w := int64(1024)
	for n := t.nice; n > 0; n-- {
		w = w * 4 / 5
	}
	for n := t.nice; n < 0; n++ {
		w = w * 5 / 4
	}
	return max(w, 15)
}

// account adds the time since the thread got the CPU, or since this was done last.
func (c *cpu) account() {
	t := c.cur
	if t == c.idle {
		return
	}
	d := max(c.now-t.since, 0)
	t.v += d * 1024 / t.weight()
	t.since = c.now
	least := t.v
	if c.queue.Len() > 0 {
		least = min(least, c.queue.threads[0].v)
	}
	c.least = max(c.least, least)
}

// schedule gives the CPU to the thread whose turn it is.
func (c *cpu) schedule() {
	c.resched = false
	c.account()
	prev, why := c.cur, int64(0)
	switch {
	case prev == c.idle:
		c.wakeUp()
	case prev.state == running:
		prev.state = runnable
		if prev.inside {
			why = preempted
		}
		prev.readyAt = c.now
		c.queue.push(prev)
	default:
		why = prev.away
	}
	if c.queue.Len() == 0 {
		c.pull()
	}
	next := c.idle
	if c.queue.Len() > 0 {
		next = c.queue.pop()
		next.state = running
	}
	if next == prev {
		c.back()
		return
	}
	c.m.stats.Switches++
	c.lift(next.readyAt)
	c.spend(300 + int64(c.dice.Uint64()&511))
	if at := c.mark(); c.rec != nil {
		c.rec.SchedSwitch(at, &prev.Task, why, &next.Task)
	}
	prev.readyAt = c.now
	c.cur, next.cpu, next.since, next.got = next, c, c.now, c.now
	c.m.observe(prev, c.now)
	c.observe()
	c.spend(150)
	if prev.state == ended {
		c.bury(prev)
	}
	c.startTick()
	c.back()
}

// pull takes a thread that waits for another CPU.
func (c *cpu) pull() {
	var from *cpu
	for _, o := range c.m.cpus {
		if o != c && o.queue.Len() > 0 && (from == nil || o.queue.Len() > from.queue.Len()) {
			from = o
		}
	}
	if from == nil {
		return
	}
	for i, t := range from.queue.threads {
		if t.pinned {
			continue
		}
		from.queue.remove(i)
		c.lift(t.readyAt)
		c.migrate(t, c)
		c.queue.push(t)
		return
	}
}

// migrate moves a thread that does not run to another CPU; this one says so.
func (c *cpu) migrate(t *Thread, to *cpu) {
	if at := c.mark(); c.rec != nil {
		c.rec.SchedMigrateTask(at, &t.Task, t.cpu.id, to.id)
	}
	t.v += to.least - t.cpu.least
	t.cpu = to
	t.readyAt = max(t.readyAt, c.now)
}

// wake puts a thread that is blocked on a queue.
func (m *Machine) wake(t *Thread) {
	if t.state != blocked {
		return
	}
	c := m.on
	c.lift(t.readyAt)
	if at := c.mark(); c.rec != nil {
		c.rec.SchedWaking(at, &t.Task, t.cpu.id)
	}
	t.state = waking
	m.observe(t, c.now)
	c.spend(200)
	m.place(t, false)
}

// place chooses a CPU for a thread and puts it on its queue.
func (m *Machine) place(t *Thread, fresh bool) {
	c := m.on
	to := m.choose(t)
	if to != t.cpu {
		if fresh {
			t.cpu = to
		} else {
			c.migrate(t, to)
		}
	}
	at := c.mark()
	if c.rec != nil {
		if fresh {
			c.rec.SchedWakeupNew(at, &t.Task, to.id)
		} else {
			c.rec.SchedWakeup(at, &t.Task, to.id)
		}
	}
	t.state, t.readyAt = runnable, c.now
	m.observe(t, c.now)
	t.v = max(t.v, to.least-m.opt.Kernel.Slice)
	to.queue.push(t)
	if cur := to.cur; cur == to.idle || t.Prio < 0 && (cur.Prio >= 0 || t.Prio < cur.Prio) ||
		t.Prio >= 0 && cur.Prio >= 0 && t.v+1_000_000 < cur.v+max(c.now-cur.since, 0) {
		to.kick()
	}
}

// choose is a CPU for a thread that is about to wait for one: the one where it was, if
// that is idle, or an idle one.
func (m *Machine) choose(t *Thread) *cpu {
	if t.pinned || len(m.cpus) == 1 {
		return t.cpu
	}
	free := func(c *cpu) bool { return c.cur == c.idle && c.queue.Len() == 0 }
	away := m.opt.Kernel.Migrate > 0 && m.dice.Bool(m.opt.Kernel.Migrate)
	if !away && free(t.cpu) {
		return t.cpu
	}
	first := t.cpu.id + 1
	for i := range m.cpus {
		if c := m.cpus[(first+i)%len(m.cpus)]; free(c) && (!away || c != t.cpu) {
			return c
		}
	}
	least := t.cpu
	for _, c := range m.cpus {
		if c.queue.Len() < least.queue.Len() {
			least = c
		}
	}
	return least
}
