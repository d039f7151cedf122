package historytest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A Load is a machine as the kernel model sees it: 8 CPUs, and events of which
// a quarter each are context switches, entries of system calls, exits from
// them and wake-ups, over threads chosen at random. It is the one that Trace
// Compass's tree was driven with (docs/performance.md). With counters it also
// counts events of each kind, as statistics do.
type Load struct {
	Now      int64 // of the event at hand, ns
	Threads  []Thread
	Recorder history.Recorder // that takes the changes

	source   *rand.PCG
	rand     *rand.Rand
	cpus     [8]cpu
	counters []attribute.Quark
	calls    []history.Value
}

type cpu struct {
	status, current attribute.Quark
	running         int
}

// A Thread has the attributes of one.
type Thread struct {
	Status, Call, CPU, Priority attribute.Quark
}

const (
	blocked = 1 + iota
	user
	calling
	waiting
)

// NewLoad makes a load for a recorder that has nothing yet: the same for the same arguments.
func NewLoad(r history.Recorder, threads int, counting bool) *Load {
	source := rand.NewPCG(1, 2)
	l := &Load{source: source, rand: rand.New(source), Threads: make([]Thread, threads), Recorder: r}
	tree := r.Attributes()
	for i := range l.cpus {
		q := tree.Path("CPUs", fmt.Sprint(i))
		l.cpus[i] = cpu{tree.Add(q, "Status"), tree.Add(q, "Current_thread"), i % threads}
	}
	for i := range l.Threads {
		q := tree.Path("Threads", fmt.Sprint(1000+i))
		l.Threads[i] = Thread{tree.Add(q, "Status"), tree.Add(q, "System_call"), tree.Add(q, "CPU"), tree.Add(q, "Priority")}
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

// Event moves to the next event and makes its changes.
func (l *Load) Event() error {
	l.Next()
	return l.Apply()
}

// Next moves to the next event.
func (l *Load) Next() { l.Now += 200 + l.rand.Int64N(1600) }

// Apply makes the changes of the event at hand.
func (l *Load) Apply() (err error) {
	modify := func(q attribute.Quark, v history.Value) {
		if e := l.Recorder.Modify(l.Now, q, v); e != nil {
			err = e
		}
	}
	i := l.rand.IntN(len(l.cpus))
	c := &l.cpus[i]
	t := &l.Threads[c.running]
	kind := l.rand.IntN(4)
	switch kind {
	case 0:
		modify(t.Status, history.Int(blocked))
		c.running = l.rand.IntN(len(l.Threads))
		t = &l.Threads[c.running]
		modify(t.Status, history.Int(user))
		modify(t.CPU, history.Int(int64(i)))
		modify(t.Priority, history.Int(20))
		modify(c.current, history.Int(int64(1000+c.running)))
		modify(c.status, history.Int(user))
	case 1:
		modify(t.Status, history.Int(calling))
		modify(t.Call, l.calls[int(l.rand.ExpFloat64()*20)%len(l.calls)])
		modify(c.status, history.Int(calling))
	case 2:
		modify(t.Status, history.Int(user))
		modify(t.Call, history.Null())
		modify(c.status, history.Int(user))
	case 3:
		modify(l.Threads[l.rand.IntN(len(l.Threads))].Status, history.Int(waiting))
	}
	if l.counters != nil {
		if e := history.Increment(l.Recorder, l.Now, l.counters[kind], 1); e != nil {
			err = e
		}
	}
	return err
}

// Position is where a replay goes on: the state of chance, the time, and what runs.
func (l *Load) Position() []byte {
	b, err := l.source.MarshalBinary()
	if err != nil {
		panic(err) // it has no way to fail
	}
	b = append([]byte{byte(len(b))}, b...)
	b = binary.AppendVarint(b, l.Now)
	for i := range l.cpus {
		b = binary.AppendUvarint(b, uint64(l.cpus[i].running))
	}
	return b
}

// Resume moves to a position that Position gave.
func (l *Load) Resume(b []byte) error {
	n := int(b[0])
	if err := l.source.UnmarshalBinary(b[1 : 1+n]); err != nil {
		return err
	}
	b = b[1+n:]
	now, n := binary.Varint(b)
	l.Now, b = now, b[n:]
	for i := range l.cpus {
		running, n := binary.Uvarint(b)
		l.cpus[i].running, b = int(running), b[n:]
	}
	return nil
}
