package machine

import (
	"fmt"
	"iter"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/record"
	"synchroscope/simulate/transport"
)

// A Program is what a thread does, as straight code: each method of Thread returns
// when, in simulated time, it is done. Returning ends the thread, and with it the process
// if it is the main thread. A program may call methods of its own thread only.
type Program func(t *Thread)

// A Thread is one thread of a process.
type Thread struct {
	record.Task
	m    *Machine
	proc *process
	cpu  *cpu // where it is, or was last
	dice *chance.Source

	state   threadState
	away    int64           // why it is blocked, in the kernel's bits
	left    int64           // ns of CPU time until the program goes on
	inside  bool            // it is in the kernel
	calling *record.Syscall // that it is in
	kernel  bool            // it is a thread of the kernel's
	pinned  bool
	killed  bool
	nice    int
	v       int64 // CPU time it had, by its weight
	since   int64 // up to when that is counted
	got     int64 // when it got the CPU
	readyAt int64 // when it was put on a queue, or left its CPU: nobody can go on with it before
	order   uint64
	place   int // in the machine's list

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	timer   uint64 // counts up with each time it sets its timer, so that old ones are known
	expired bool
	toFault int64   // ns of computing until the next page fault
	waiter  *Thread // who waits for its end
	args    record.Args
	request request
	echo    *transport.Echo
	echoFD  int

	observed bool   // an observer was told of it
	seen     Change // last
}

type threadState uint8

const (
	runnable threadState = iota
	running
	blocked
	made   // it has not been on a queue yet
	waking // it is about to be put on one
	ended
	reaped
)

// Why threads are blocked.
const (
	interruptible   = 1
	uninterruptible = 2
	dead            = 16
	zombie          = 32
	idling          = 128 // of threads of the kernel
	preempted       = 256
)

// process is what threads share.
type process struct {
	leader  *Thread
	parent  *Thread
	members []*Thread
	zombies []*Thread // children that have ended and nobody has waited for
	files   []file    // that are closed with it
	fds     int
	free    []int
}

// A file is what the kernel closes when a process ends.
type file interface{ release() }

func (p *process) fd() int {
	if n := len(p.free); n > 0 {
		fd := p.free[n-1]
		p.free = p.free[:n-1]
		return fd
	}
	p.fds++
	return p.fds - 1
}

func (p *process) close(fd int) { p.free = append(p.free, fd) }

// stopped is what a program's code is left with when the thread is gone.
type stopped struct{}

// newThread is a thread that does not run yet. It has the parent's name.
func (m *Machine) newThread(name string, parent *Thread, p Program) *Thread {
	t := &Thread{m: m, state: blocked}
	t.TID, t.Prio = m.tid(), 20
	if t.SetComm(name); parent != nil {
		t.Comm = parent.Comm
		t.Prio, t.nice = parent.Prio, parent.nice
	}
	m.names[name]++
	t.dice = chance.New(m.opt.Seed, fmt.Sprintf("thread/%s/%s/%d", m.opt.Name, name, m.names[name]))
	t.place = len(m.threads)
	m.threads = append(m.threads, t)
	if p != nil {
		t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
			t.yield = yield
			defer func() {
				if r := recover(); r != nil && r != (stopped{}) {
					panic(r)
				}
			}()
			p(t)
			t.finish()
		})
	}
	return t
}

// abandon ends the program's code without anything being seen.
func (t *Thread) abandon() {
	if t.stop != nil {
		t.stop()
		t.next, t.stop, t.yield = nil, nil, nil
	}
}

// pause hands the CPU's time back to the agenda until the scheduler goes on with the thread and it has had
// the CPU time it wanted.
func (t *Thread) pause() {
	if !t.yield(struct{}{}) {
		panic(stopped{})
	}
}

// work is d ns of CPU time.
func (t *Thread) work(d int64) {
	c := t.cpu
	if c.soft == 0 && !c.resched && t.m.agenda.Advance(c.now+d) {
		c.now += d
		return
	}
	t.left = d
	t.pause()
}

// block gives the CPU up until somebody wakes the thread.
func (t *Thread) block(why int64) {
	t.state, t.away = blocked, why
	t.pause()
}

// Now is the true time, ns.
func (t *Thread) Now() int64 { return t.cpu.now }

// Chance is the thread's own dice.
func (t *Thread) Chance() *chance.Source { return t.dice }

// Machine is where it runs.
func (t *Thread) Machine() *Machine { return t.m }
