package kernel_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
)

const twoThreads = `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
2 cpu=0 sched_waking comm="b" tid=11 prio=20 target_cpu=0
3 cpu=0 irq_handler_entry irq=3 name="x"
4 cpu=0 irq_handler_exit irq=3 ret=1
5 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="b" next_tid=11 next_prio=20
`

func TestRunningAndWoken(t *testing.T) {
	steps, _ := kerneltest.Parse(t, twoThreads)
	h := kerneltest.New(t, 0, history.Options{})
	if tid, irq := h.Model.Running(0); tid != -1 || irq {
		t.Errorf("before any event, running %d, irq %v", tid, irq)
	}
	want := []struct {
		tid int32
		irq bool
	}{{10, false}, {10, false}, {10, true}, {10, false}, {11, false}}
	for i, s := range steps {
		h.Take(t, s)
		if tid, irq := h.Model.Running(0); tid != want[i].tid || irq != want[i].irq {
			t.Errorf("after event %d: running %d, irq %v; want %d, %v", i+1, tid, irq, want[i].tid, want[i].irq)
		}
	}
	for _, cpu := range []int32{-1, 1, 1 << 20} {
		if tid, irq := h.Model.Running(cpu); tid != -1 || irq {
			t.Errorf("CPU %d, which no event named, runs %d, irq %v", cpu, tid, irq)
		}
	}
}

// Threads tells what changed since a version, and nothing else.
func TestThreadsSince(t *testing.T) {
	steps, _ := kerneltest.Parse(t, twoThreads+`
6 cpu=0 sched_process_exec filename="/bin/c" tid=11 old_tid=11
`)
	h := kerneltest.New(t, 0, history.Options{})
	var version uint64
	var told []string
	for _, s := range steps {
		h.Take(t, s)
		var threads []kernel.Thread
		threads, version = h.Model.Threads(version)
		for _, th := range threads {
			told = append(told, strconv.FormatInt(s.Event.Time/1e9, 10)+th.Name)
		}
	}
	if want := []string{"1a", "2b", "6c"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if threads, _ := h.Model.Threads(version + 7); len(threads) != 2 {
		t.Errorf("since a version of the future: %d threads, want all", len(threads))
	}
}

// Rows reads the threads back without a model.
func TestRows(t *testing.T) {
	h := kerneltest.Run(t, twoThreads)
	want, wantVersion := h.Model.Threads(0)
	got, version, err := kernel.Rows(bytes.NewReader(h.Model.AppendState(nil)))
	if err != nil || version != wantVersion || !slices.Equal(got, want) {
		t.Errorf("rows %+v, version %d, %v; want %+v, %d", got, version, err, want, wantVersion)
	}
}

// A damaged state is refused, whatever is damaged, and never panics.
func TestRestoreDamaged(t *testing.T) {
	state := kerneltest.Run(t, twoThreads).Model.AppendState(nil)
	for n := range state {
		for _, damaged := range [][]byte{state[:n], flip(state, n)} {
			fresh := kerneltest.New(t, 0, history.Options{})
			if err := fresh.Model.Restore(bytes.NewReader(damaged)); err == nil && len(damaged) < len(state) {
				t.Errorf("a state cut after %d of %d bytes was taken", n, len(state))
			} else if err != nil && !strings.Contains(err.Error(), "checkpoint") {
				t.Errorf("the error %q does not name the checkpoint", err)
			}
			if _, _, err := kernel.Rows(bytes.NewReader(damaged)); err != nil && !strings.Contains(err.Error(), "checkpoint") {
				t.Errorf("the error %q does not name the checkpoint", err)
			}
		}
	}
}

// A damaged state over a sound history is refused, or what follows is handled: it never panics.
func TestRestoreDamagedGoesOn(t *testing.T) {
	steps, end := kerneltest.Parse(t, strange)
	h := kerneltest.New(t, 0, history.Options{NodeSize: 1024})
	half := len(steps) / 2
	for _, s := range steps[:half] {
		h.Take(t, s)
	}
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	state := h.Model.AppendState(nil)
	goesOn := func(state []byte) error {
		next := &kerneltest.Host{File: h.File.Clone()}
		if next.Writer, err = history.Resume(next.File, checkpoint); err != nil {
			t.Fatal(err)
		}
		next.Model = kernel.New(next.Writer)
		if err := next.Model.Restore(bytes.NewReader(state)); err != nil {
			return err
		}
		for _, s := range steps[half:] {
			handle := func() error { return next.Model.Handle(s.Event) }
			if s.Event == nil {
				handle = func() error { return next.Model.Lost(s.CPU, s.Begin, s.End) }
			}
			if handle() != nil {
				return nil // the writer's, of times that go back
			}
		}
		next.Model.Advance(end)
		return nil
	}
	kerneltest.Damage(t, state, goesOn)
}

// strange has some of everything: its middle is within interrupts, losses and an exec.
const strange = `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="multi" next_tid=40 next_prio=20
1.1 cpu=1 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=30 next_prio=20
1.2 cpu=1 sched_process_exit comm="a" tid=30 prio=20
1.3 cpu=1 sched_switch prev_comm="a" prev_tid=30 prev_prio=20 prev_state=32 next_comm="b" next_tid=31 next_prio=20
2 cpu=0 sched_process_exit comm="multi" tid=40 prio=20
3 cpu=0 sched_switch prev_comm="multi" prev_tid=40 prev_prio=20 prev_state=32 next_comm="multi" next_tid=41 next_prio=20
4 cpu=0 syscall_entry_execve filename="/bin/ls"
5 cpu=0 sched_process_exec filename="/bin/ls" tid=40 old_tid=41
5.1 cpu=0 block_rq_insert dev=8388608 sector=10 nr_sector=8 rwbs=4
5.2 cpu=0 block_rq_issue dev=8388608 sector=10 nr_sector=8 rwbs=4
5.3 cpu=0 irq_handler_entry irq=24 name="ahci"
5.4 cpu=0 irq_handler_entry irq=25 name="nvme"
5.5 cpu=0 timer_hrtimer_expire_entry hrtimer=1 now=6 function=2
5.6 cpu=0 irq_softirq_raise vec=3
lost cpu=2 5 20
lost cpu=1 8 9
5.8 cpu=0 sched_waking comm="c" tid=50 prio=20 target_cpu=1
5.9 cpu=0 timer_hrtimer_expire_exit hrtimer=1
6 cpu=0 irq_handler_exit irq=25 ret=1
6.1 cpu=0 sched_waking comm="d" tid=51 prio=20 target_cpu=1
6.2 cpu=0 irq_handler_exit irq=24 ret=1
6.3 cpu=0 irq_softirq_entry vec=3
6.4 cpu=0 sched_waking comm="e" tid=52 prio=20 target_cpu=1
6.5 cpu=0 irq_softirq_exit vec=3
6.6 cpu=0 block_rq_complete dev=8388608 sector=10 nr_sector=8 rwbs=4
6.7 cpu=0 syscall_exit_execve ret=0
7 cpu=0 sched_process_free comm="multi" tid=41 prio=20
8 cpu=0 sched_process_exit comm="ls" tid=40 prio=20
9 cpu=0 sched_switch prev_comm="ls" prev_tid=40 prev_prio=20 prev_state=32 next_comm="swapper/0" next_tid=0 next_prio=20
10 cpu=0 sched_process_free comm="ls" tid=40 prio=20
21 cpu=1 sched_switch prev_comm="b" prev_tid=31 prev_prio=20 prev_state=1 next_comm="swapper/1" next_tid=0 next_prio=20
22 cpu=2 sched_switch prev_comm="swapper/2" prev_tid=0 prev_prio=20 prev_state=0 next_comm="b" next_tid=31 next_prio=20
`

func flip(b []byte, n int) []byte {
	b = slices.Clone(b)
	b[n] ^= 0xff
	return b
}

// Rows are read while the model runs; the race detector watches.
func TestThreadsMeanwhile(t *testing.T) {
	steps, _ := kerneltest.Parse(t, load())
	h := kerneltest.New(t, 0, history.Options{})
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		seen := make(map[int32]kernel.Thread)
		var version uint64
		for last := false; ; {
			var threads []kernel.Thread
			threads, version = h.Model.Threads(version)
			for _, th := range threads {
				seen[th.TID] = th
			}
			if last {
				stopped <- len(seen)
				return
			}
			select {
			case <-stop:
				last = true
			default:
			}
		}
	}()
	for _, s := range steps {
		h.Take(t, s)
	}
	close(stop)
	threads, _ := h.Model.Threads(0)
	if got := <-stopped; got != len(threads) || got == 0 {
		t.Errorf("by changes %d threads, at once %d", got, len(threads))
	}
}

// Losses that lie ahead do not pile up: past some thousands the first count from now on, until they are over.
func TestManyLosses(t *testing.T) {
	steps, _ := kerneltest.Parse(t, twoThreads)
	h := kerneltest.New(t, 0, history.Options{})
	for _, s := range steps {
		h.Take(t, s)
	}
	const most = 4096
	for i := range int64(2 * most) {
		h.Take(t, kerneltest.Step{CPU: 0, Begin: 100e9 + 2*i, End: 100e9 + 2*i + 1})
	}
	if tid, _ := h.Model.Running(0); tid != -1 {
		t.Errorf("thread %d runs, want none known", tid)
	}
	if n := len(h.Model.AppendState(nil)); n > 32*most {
		t.Errorf("the state has %d bytes", n)
	}
	ev := *steps[0].Event
	ev.Time = 101e9
	h.Take(t, kerneltest.Step{Event: &ev})
	if tid, _ := h.Model.Running(0); tid != 10 {
		t.Errorf("after the losses thread %d runs, want 10", tid)
	}
}

// The last time there is may be that of an event: nothing that never comes is due then.
func TestLastTime(t *testing.T) {
	steps, _ := kerneltest.Parse(t, twoThreads)
	for _, lost := range []bool{false, true} {
		h := kerneltest.New(t, 0, history.Options{})
		for _, s := range steps {
			h.Take(t, s)
		}
		if lost {
			h.Take(t, kerneltest.Step{CPU: 0, Begin: 100e9, End: math.MaxInt64})
		}
		ev := *steps[0].Event
		ev.Time = math.MaxInt64
		h.Take(t, kerneltest.Step{Event: &ev})
		if err := h.Model.Conclude(math.MaxInt64); err != nil {
			t.Fatal(err)
		}
		want := int32(10)
		if lost {
			want = -1
		}
		if tid, _ := h.Model.Running(0); tid != want {
			t.Errorf("lost %v: thread %d runs, want %d", lost, tid, want)
		}
	}
}

// Process ids that Linux does not give make no processes, and do not keep an import from going on.
func TestProcessIDs(t *testing.T) {
	var b strings.Builder
	fmt.Fprintln(&b, `1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20`)
	for i, pid := range []int64{-1, 1 << 22, math.MaxInt32, math.MinInt32} {
		fmt.Fprintf(&b, "%d cpu=0 sched_process_fork parent_comm=\"a\" parent_tid=10 parent_pid=10 child_comm=\"b\" child_tid=%d child_pid=%d\n", 2+i, 20+i, pid)
		fmt.Fprintf(&b, "%d.5 cpu=0 sched_wakeup comm=\"b\" tid=%d prio=20 target_cpu=0\n", 2+i, 20+i)
	}
	h := kerneltest.Run(t, b.String())
	tree := h.Writer.Attributes()
	for _, q := range tree.Match("Processes/*") {
		if n, err := strconv.Atoi(tree.Name(q)); err != nil || n < 10 || n > 23 {
			t.Errorf("there is a process %s", tree.Name(q))
		}
	}
	steps, _ := kerneltest.Parse(t, b.String())
	h = kerneltest.New(t, 0, history.Options{})
	for _, s := range steps {
		h.Take(t, s)
	}
	h.Restart(t)
}
