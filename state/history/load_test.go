package history_test

import (
	"fmt"
	"math/rand/v2"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A load is a machine as the kernel model sees it: 8 CPUs, and events of which
// a quarter each are context switches, entries of system calls, exits from
// them and wake-ups, over threads chosen at random.
type load struct {
	rand    *rand.Rand
	now     int64
	cpus    [8]cpu
	threads []thread
	calls   []history.Value
	modify  func(t int64, q attribute.Quark, v history.Value) error
}

type cpu struct {
	status, current attribute.Quark
	running         int
}

type thread struct {
	status, call, cpu, priority attribute.Quark
}

const (
	blocked = 1 + iota
	user
	syscall
	waiting
)

func newLoad(w *history.Writer, threads int) *load {
	l := &load{rand: rand.New(rand.NewPCG(1, 2)), threads: make([]thread, threads), modify: w.Modify}
	tree := w.Attributes()
	for i := range l.cpus {
		q := tree.Path("CPUs", fmt.Sprint(i))
		l.cpus[i] = cpu{tree.Add(q, "Status"), tree.Add(q, "Current_thread"), i % threads}
	}
	for i := range l.threads {
		q := tree.Path("Threads", fmt.Sprint(1000+i))
		l.threads[i] = thread{tree.Add(q, "Status"), tree.Add(q, "System_call"), tree.Add(q, "CPU"), tree.Add(q, "Priority")}
	}
	for i := range 300 {
		l.calls = append(l.calls, w.Text(fmt.Appendf(nil, "syscall_%d", i)))
	}
	return l
}

// event makes the changes of one event.
func (l *load) event() (err error) {
	modify := func(q attribute.Quark, v history.Value) {
		if e := l.modify(l.now, q, v); e != nil {
			err = e
		}
	}
	l.now += 200 + l.rand.Int64N(1600)
	i := l.rand.IntN(len(l.cpus))
	c := &l.cpus[i]
	t := &l.threads[c.running]
	switch l.rand.IntN(4) {
	case 0:
		modify(t.status, history.Int(blocked))
		c.running = l.rand.IntN(len(l.threads))
		t = &l.threads[c.running]
		modify(t.status, history.Int(user))
		modify(t.cpu, history.Int(int64(i)))
		modify(t.priority, history.Int(20))
		modify(c.current, history.Int(int64(1000+c.running)))
		modify(c.status, history.Int(user))
	case 1:
		modify(t.status, history.Int(syscall))
		modify(t.call, l.calls[int(l.rand.ExpFloat64()*20)%len(l.calls)])
		modify(c.status, history.Int(syscall))
	case 2:
		modify(t.status, history.Int(user))
		modify(t.call, history.Null())
		modify(c.status, history.Int(user))
	case 3:
		modify(l.threads[l.rand.IntN(len(l.threads))].status, history.Int(waiting))
	}
	return err
}
