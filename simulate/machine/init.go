package machine

import "synchroscope/simulate/record"

// initTask is the first process: it starts those that the machine runs by itself, and
// takes care of those whose parent has ended.
type initTask struct {
	t      *Thread
	starts []*launch
	dead   []*Thread
}

// launch has the first process start a program.
func (m *Machine) launch(name string, p Program) {
	m.init.starts = append(m.init.starts, &launch{m: m, name: name, p: p})
	m.rouse(m.init.t)
}

// rouse wakes a thread from outside, by a timer of its CPU.
func (m *Machine) rouse(t *Thread) {
	if t.state == blocked {
		t.cpu.interrupt(irq{kind: irqTimer, thread: t, timer: t.timer})
	}
}

// runInit is the program of the first process.
func (m *Machine) runInit(t *Thread) {
	for {
		for len(m.init.starts) > 0 {
			l := m.init.starts[0]
			m.init.starts = m.init.starts[1:]
			t.work(20_000 + t.dice.Exp(20_000))
			t.Fork(l.name, l.p)
		}
		for len(m.init.dead) > 0 {
			d := m.init.dead[0]
			m.init.dead = m.init.dead[1:]
			t.waitFor(d)
		}
		t.call("epoll_wait", 4, 64, all)
		t.work(700)
		for len(m.init.starts)+len(m.init.dead) == 0 {
			t.block(interruptible)
		}
		t.ret(1, 4)
		t.work(2_000)
	}
}

// all is -1 as an argument.
const all = 1<<64 - 1

// kernelThreads are what the kernel runs by itself.
func (m *Machine) kernelThreads() {
	at := func(name string, parent int32, p Program, c *cpu) *Thread {
		t := m.newThread(name, nil, p)
		t.PID, t.Parent = t.TID, parent
		t.proc = &process{leader: t, members: []*Thread{t}, fds: 3}
		t.kernel, t.away, t.cpu = p == nil || parent == 2, interruptible, c
		t.pinned = t.kernel && c != nil
		if c == nil {
			t.cpu = m.cpus[int(t.TID)%len(m.cpus)]
		}
		m.observe(t, m.agenda.Now())
		return t
	}
	m.init.t = at("systemd", 0, m.runInit, nil)
	m.init.t.kernel = false
	m.init.t.inside = true
	at("kthreadd", 0, nil, nil)
	for _, name := range []string{"rcu_gp", "rcu_par_gp", "slub_flushwq", "netns", "mm_percpu_wq", "rcu_tasks_kthre"} {
		at(name, 2, nil, nil)
	}
	var begin []*Thread
	for _, c := range m.cpus {
		n := itoa(c.id)
		for _, name := range []string{"cpuhp/" + n, "migration/" + n, "ksoftirqd/" + n} {
			at(name, 2, nil, c)
		}
		begin = append(begin, at("kworker/"+n+":1", 2, housekeeping, c))
	}
	begin = append(begin, at("rcu_preempt", 2, gracePeriods, nil))
	for _, name := range []string{"kdevtmpfs", "kauditd", "khungtaskd", "oom_reaper", "kcompactd0", "khugepaged", "kswapd0", "scsi_eh_0", "jbd2/sda1-8"} {
		at(name, 2, nil, nil)
	}
	m.lastTID = max(m.lastTID, 300)
	for _, t := range append(begin, m.init.t) {
		t.away, t.expired = idling, false
		t.start(m.agenda.Now() + m.dice.Exp(1_000_000))
	}
}

// housekeeping is what a CPU's worker does for the kernel now and then.
func housekeeping(t *Thread) {
	for {
		t.doze(t.dice.Exp(2_000_000_000))
		t.work(t.dice.LogNormal(8_000, 0.6))
	}
}

// gracePeriods is the thread that ends them.
func gracePeriods(t *Thread) {
	for {
		t.doze(50_000_000 + t.dice.Exp(250_000_000))
		t.work(t.dice.LogNormal(4_000, 0.4))
		t.doze(4_000_000)
		t.work(t.dice.LogNormal(3_000, 0.4))
	}
}

// doze lets a thread of the kernel sleep until a tick at least d ns from now.
func (t *Thread) doze(d int64) {
	c := t.cpu
	t.expired = false
	t.timer++
	if at := c.mark(); c.rec != nil {
		now := t.m.jiffies(at)
		c.rec.TimerStart(at, t.address(), record.ProcessTimer, now+uint64(d/t.m.opt.Kernel.Tick)+1, now, 0)
	}
	t.start(c.now + d)
	for !t.expired {
		t.block(idling)
	}
}

// start has a thread woken at a tick from t on.
func (t *Thread) start(at int64) {
	t.m.agenda.At(t.m.onTick(at), (*alarm)(t), t.m.ticket(t.timer))
}

// ticket is what tells an entry of the agenda that still counts from one of the past.
func (m *Machine) ticket(timer uint64) uint64 { return uint64(m.boot)<<40 | timer&(1<<40-1) }

// alarm is the time of a thread having come, in ticks.
type alarm Thread

// Do puts the thread among those that the timers of its CPU wake.
func (x *alarm) Do(now int64, ticket uint64) {
	t := (*Thread)(x)
	if ticket != t.m.ticket(t.timer) || t.state == ended || t.state == reaped {
		return
	}
	c := t.cpu
	c.sleepers = append(c.sleepers, t)
	c.interrupt(irq{kind: irqTick})
}

// onTick is the first tick from a time on.
func (m *Machine) onTick(at int64) int64 {
	tick := m.opt.Kernel.Tick
	return (at + tick - 1) / tick * tick
}

// jiffies are ticks since the machine began, by its own count.
func (m *Machine) jiffies(at int64) uint64 {
	return 4294892296 + uint64(at/m.opt.Kernel.Tick)
}
