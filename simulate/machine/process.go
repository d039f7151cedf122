package machine

import "slices"

// Fork makes a process that runs another program: fork, and exec of it.
func (t *Thread) Fork(name string, p Program) *Thread {
	child := t.clone(name, 0x1200011, nil, func(c *Thread) {
		c.callText("execve", "/usr/bin/"+name, 0, stackOf(c), stackOf(c)+64)
		c.work(120_000 + c.dice.Exp(80_000))
		c.SetComm(name)
		if at := c.cpu.mark(); c.cpu.rec != nil {
			c.cpu.rec.ProcessExec(at, "/usr/bin/"+name, &c.Task)
		}
		c.work(60_000)
		c.ret(0)
		for range 3 {
			c.fault()
		}
		p(c)
	})
	return child
}

// Spawn makes another thread of the process.
func (t *Thread) Spawn(name string, p Program) *Thread {
	return t.clone(name, 0x3d0f00, t.proc, func(c *Thread) {
		if c.Comm != t.Comm || name != c.Name() {
			c.call("prctl", 15, stackOf(c))
			c.work(500)
			c.SetComm(name)
			c.ret(0)
		}
		p(c)
	})
}

func (t *Thread) clone(name string, flags uint64, proc *process, p Program) *Thread {
	t.call("clone", flags, 0, 0, stackOf(t))
	t.work(40_000 + t.dice.Exp(15_000))
	child := t.m.newThread(name, t, func(c *Thread) {
		c.work(1_000)
		c.args.Int = [8]uint64{}
		c.ret(0)
		p(c)
	})
	if child.proc = proc; proc == nil {
		child.proc = &process{leader: child, parent: t.proc.leader, fds: t.proc.fds}
		child.PID, child.Parent = child.TID, t.PID
	} else {
		child.PID, child.Parent = t.PID, t.Parent
	}
	child.proc.members = append(child.proc.members, child)
	c := t.cpu
	child.cpu, child.v = c, t.v
	child.state, child.inside, child.calling = made, true, t.calling
	if at := c.mark(); c.rec != nil {
		c.rec.ProcessFork(at, &t.Task, &child.Task)
	}
	t.m.observe(child, c.now)
	c.spend(1_500)
	t.m.place(child, true)
	t.work(2_000)
	t.ret(int64(child.TID))
	return child
}

// finish is the end of a program: of the process if it is that of its first thread.
func (t *Thread) finish() {
	if t == t.proc.leader {
		t.call("exit_group", 0)
		t.work(20_000 + t.dice.Exp(10_000))
		for _, o := range t.proc.members {
			if o != t && o.state != ended && o.state != reaped {
				o.killed = true
				t.m.wake(o)
			}
		}
	} else {
		t.call("exit", 0)
		t.work(5_000)
	}
	t.die()
}

// die is the task ending, on its CPU. Its process is told of.
func (t *Thread) die() {
	c := t.cpu
	if at := c.mark(); c.rec != nil {
		c.rec.ProcessExit(at, &t.Task)
	}
	t.inside = true
	c.observe()
	c.spend(4_000)
	t.state, t.away = ended, dead
	p := t.proc
	if t != p.leader || t.kernel {
		if t.waiter != nil {
			t.m.wake(t.waiter)
		}
		return
	}
	t.away = zombie
	for _, f := range p.files {
		f.release()
	}
	p.files = nil
	for _, z := range p.zombies {
		t.m.orphan(z)
	}
	p.zombies = nil
	switch {
	case t.waiter != nil:
		t.m.wake(t.waiter)
	case p.parent == nil || p.parent == t.m.init.t || p.parent.state >= ended:
		t.m.orphan(t)
	default:
		q := p.parent.proc
		if q.zombies = append(q.zombies, t); len(q.zombies) > mostZombies {
			t.m.orphan(q.zombies[0])
			q.zombies = q.zombies[1:]
		}
	}
}

// mostZombies is how many ended children a process has that it may still wait for.
const mostZombies = 64

// orphan leaves a task that has ended to the first process.
func (m *Machine) orphan(t *Thread) {
	m.init.dead = append(m.init.dead, t)
	m.wake(m.init.t)
}

// bury is the CPU having left a thread that has ended.
func (c *cpu) bury(t *Thread) {
	p := t.proc
	if i := slices.Index(p.members, t); i >= 0 {
		p.members = slices.Delete(p.members, i, i+1)
	}
	if t.away == dead {
		t.reap(c)
	}
}

// reap has nothing left of a thread but its number, which goes a little later.
func (t *Thread) reap(c *cpu) {
	if t.state == reaped {
		return
	}
	t.state = reaped
	t.m.observe(t, c.now)
	c.frees = append(c.frees, t.Task)
	c.startTick()
	m := t.m
	last := m.threads[len(m.threads)-1]
	m.threads[t.place], last.place = last, t.place
	m.threads = m.threads[:len(m.threads)-1]
}

// Wait waits for the end of a child, a process or a thread.
func (t *Thread) Wait(child *Thread) {
	if child.proc == t.proc {
		t.call("futex", stackOf(child), 0, uint64(child.TID), 0, 0, 0)
		t.work(800)
		for child.state < ended {
			child.waiter = t
			t.block(interruptible)
		}
		t.cpu.lift(child.readyAt)
		t.ret(0, stackOf(child))
		return
	}
	t.waitFor(child)
}

// waitFor is wait4.
func (t *Thread) waitFor(child *Thread) {
	t.call("wait4", uint64(uint32(child.TID)), 0)
	t.work(600)
	c := t.cpu
	if at := c.mark(); c.rec != nil {
		c.rec.ProcessWait(at, &t.Comm, child.TID, t.Prio)
	}
	for child.state < ended {
		child.waiter = t
		t.block(interruptible)
	}
	t.cpu.lift(child.readyAt)
	t.work(3_000)
	child.reap(t.cpu)
	if i := slices.Index(t.proc.zombies, child); i >= 0 {
		t.proc.zombies = slices.Delete(t.proc.zombies, i, i+1)
	}
	t.ret(int64(child.TID), stackOf(t))
}

// SetNice changes the weight of the thread: 19 has least, -20 most.
func (t *Thread) SetNice(nice int) {
	t.call("setpriority", 0, uint64(uint32(t.TID)), uint64(int64(nice)))
	t.work(900)
	t.nice = min(max(nice, -20), 19)
	t.Prio = 20 + int32(t.nice)
	t.ret(0)
}

// SetRealTime makes the thread go ahead of all that are not, and of those with less; 1 to 99.
func (t *Thread) SetRealTime(priority int) {
	t.call("sched_setscheduler", uint64(uint32(t.TID)), 1, stackOf(t))
	t.work(1_500)
	t.Prio = -1 - int32(min(max(priority, 1), 99))
	t.ret(0)
}
