package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A load is a machine as the kernel model sees it: 8 CPUs, and events of which
// a quarter each are context switches, entries of system calls, exits from
// them and wake-ups, over threads chosen at random. It is the one that Trace
// Compass's tree was driven with (docs/performance.md). With counters it also
// counts events of each kind, as statistics do.
type load struct {
	source   *rand.PCG
	rand     *rand.Rand
	now      int64
	cpus     [8]cpu
	threads  []thread
	counters []attribute.Quark
	calls    []history.Value
	r        history.Recorder
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
	calling
	waiting
)

func newLoad(r history.Recorder, threads int, counting bool) *load {
	source := rand.NewPCG(1, 2)
	l := &load{source: source, rand: rand.New(source), threads: make([]thread, threads), r: r}
	tree := r.Attributes()
	for i := range l.cpus {
		q := tree.Path("CPUs", fmt.Sprint(i))
		l.cpus[i] = cpu{tree.Add(q, "Status"), tree.Add(q, "Current_thread"), i % threads}
	}
	for i := range l.threads {
		q := tree.Path("Threads", fmt.Sprint(1000+i))
		l.threads[i] = thread{tree.Add(q, "Status"), tree.Add(q, "System_call"), tree.Add(q, "CPU"), tree.Add(q, "Priority")}
	}
	for i := range 300 {
		l.calls = append(l.calls, r.Text(fmt.Appendf(nil, "syscall_%d", i)))
	}
	if counting {
		for i := range 4 {
			l.counters = append(l.counters, tree.Path("Statistics", fmt.Sprint(i)))
		}
	}
	return l
}

// next moves to the next event; apply makes its changes.
func (l *load) next() { l.now += 200 + l.rand.Int64N(1600) }

func (l *load) apply() (err error) {
	modify := func(q attribute.Quark, v history.Value) {
		if e := l.r.Modify(l.now, q, v); e != nil {
			err = e
		}
	}
	i := l.rand.IntN(len(l.cpus))
	c := &l.cpus[i]
	t := &l.threads[c.running]
	kind := l.rand.IntN(4)
	switch kind {
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
		modify(t.status, history.Int(calling))
		modify(t.call, l.calls[int(l.rand.ExpFloat64()*20)%len(l.calls)])
		modify(c.status, history.Int(calling))
	case 2:
		modify(t.status, history.Int(user))
		modify(t.call, history.Null())
		modify(c.status, history.Int(user))
	case 3:
		modify(l.threads[l.rand.IntN(len(l.threads))].status, history.Int(waiting))
	}
	if l.counters != nil {
		if e := history.Increment(l.r, l.now, l.counters[kind], 1); e != nil {
			err = e
		}
	}
	return err
}

// position is where a replay goes on: the state of chance, the time, and what runs.
func (l *load) position() []byte {
	b, err := l.source.MarshalBinary()
	if err != nil {
		panic(err) // it has no way to fail
	}
	b = append([]byte{byte(len(b))}, b...)
	b = binary.AppendVarint(b, l.now)
	for i := range l.cpus {
		b = binary.AppendUvarint(b, uint64(l.cpus[i].running))
	}
	return b
}

// resume moves to a position.
func (l *load) resume(b []byte) error {
	n := int(b[0])
	if err := l.source.UnmarshalBinary(b[1 : 1+n]); err != nil {
		return err
	}
	b = b[1+n:]
	now, n := binary.Varint(b)
	l.now, b = now, b[n:]
	for i := range l.cpus {
		running, n := binary.Uvarint(b)
		l.cpus[i].running, b = int(running), b[n:]
	}
	return nil
}
