package query_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

// Thread 10 slept when the trace began, in whichever system call, and is not seen to return from it: that it has a CPU is known
// all the same.
func TestEffortUnknown(t *testing.T) {
	var trace strings.Builder
	trace.WriteString("1 cpu=0 lttng_statedump_process_state tid=10 pid=10 ppid=1 name=\"a\" status=5 type=0\n")
	trace.WriteString("2 cpu=0 sched_switch prev_comm=\"swapper/0\" prev_tid=0 prev_prio=20 prev_state=0 next_comm=\"b\" next_tid=11 next_prio=20\n")
	for i := range 10 {
		fmt.Fprintf(&trace, "3 cpu=0 syscall_entry_call%d\n3 cpu=0 syscall_exit_call%[1]d ret=0\n", i)
	}
	trace.WriteString("4 cpu=0 sched_switch prev_comm=\"b\" prev_tid=11 prev_prio=20 prev_state=1 next_comm=\"a\" next_tid=10 next_prio=20\n")
	trace.WriteString("5 cpu=0 irq_handler_entry irq=24 name=\"ahci\"\n6 cpu=0 irq_handler_exit irq=24 ret=1\n")
	trace.WriteString("9 cpu=0 sched_switch prev_comm=\"a\" prev_tid=10 prev_prio=20 prev_state=1 next_comm=\"swapper/0\" next_tid=0 next_prio=20\n")
	h := kerneltest.Run(t, trace.String()).Writer.History()
	tree := h.Attributes()
	threads := []attribute.Quark{tree.Lookup("Threads", "10"), tree.Lookup("Threads", "11")}
	efforts, err := query.NewGauge(h, 0, 8e9).Efforts(context.Background(), threads)
	if err != nil {
		t.Fatal(err)
	}
	if efforts[0].CPU != 4e9 || efforts[1].CPU != 2e9 {
		t.Errorf("the threads were on a CPU for %d and %d ns", efforts[0].CPU, efforts[1].CPU)
	}
	busy, err := query.NewGauge(h, 65e8, 8e9).Busy(context.Background(), threads) // after the interrupt, as long as its status is not known
	if err != nil || !busy[0] || busy[1] {
		t.Errorf("the threads were busy: %v, %v", busy, err)
	}
	all, err := query.Of(context.Background(), h, threads, 0, 8e9)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(all[0].CPUs, all[1].CPUs); got != "[{0 0 4000000000 1}] [{0 0 2000000000 1}]" {
		t.Errorf("the statistics say that threads were on CPUs %s", got)
	}
}

// In an hour one thread runs for 3 µs and one waits for a CPU for 1 µs, one is made just before the end. That is too little for any share, and
// no less than to run. Others sleep, wait for what no event tells, and begin and end without having run.
func TestBusyHoweverShort(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const hour = int64(3600e9)
	type turn struct {
		at int64
		to history.Value
	}
	is := func(s kernel.Status) history.Value { return history.Int(int64(s)) }
	threads := []struct {
		name  string
		turns []turn
		busy  bool
	}{
		{"runs", []turn{{0, is(kernel.Blocked)}, {hour / 2, is(kernel.User)}, {hour/2 + 3000, is(kernel.Blocked)}}, true},
		{"runs interrupted", []turn{{0, is(kernel.Wait)}, {hour / 3, is(kernel.Interrupted)}, {hour/3 + 1, is(kernel.Wait)}}, true},
		{"runs in the kernel", []turn{{0, is(kernel.Unknown)}, {hour - 1, is(kernel.Kernel)}}, true},
		{"runs in a call", []turn{{0, is(kernel.Syscall)}, {11, is(kernel.Blocked)}}, true},
		{"waits for a CPU", []turn{{0, is(kernel.Blocked)}, {hour / 7, is(kernel.WaitCPU)}, {hour/7 + 1000, is(kernel.Blocked)}}, true},
		{"is made", []turn{{hour - 5, is(kernel.Forked)}}, true},
		{"sleeps", []turn{{0, is(kernel.Blocked)}}, false},
		{"waits", []turn{{0, is(kernel.Wait)}, {hour / 5, is(kernel.Blocked)}, {hour / 4, is(kernel.Wait)}}, false},
		{"becomes known", []turn{{0, is(kernel.Unknown)}, {hour / 5, is(kernel.Blocked)}}, false},
		{"begins and ends", []turn{{hour / 5, is(kernel.Blocked)}, {hour / 4, history.Null()}}, false},
		{"ran before", []turn{{0, is(kernel.User)}, {10, is(kernel.Blocked)}}, false},
	}
	turns := make(map[attribute.Quark][]turn)
	var quarks []attribute.Quark
	for i, thread := range threads {
		q := w.Attributes().Path("Threads", fmt.Sprint(100+i))
		quarks, turns[q] = append(quarks, q), thread.turns
	}
	for len(turns) > 0 {
		next := attribute.None
		for q, left := range turns {
			if next == attribute.None || left[0].at < turns[next][0].at {
				next = q
			}
		}
		if err := w.Modify(turns[next][0].at, next, turns[next][0].to); err != nil {
			t.Fatal(err)
		}
		if turns[next] = turns[next][1:]; len(turns[next]) == 0 {
			delete(turns, next)
		}
	}
	if err := w.Finish(hour); err != nil {
		t.Fatal(err)
	}
	busy, err := query.NewGauge(w.History(), 10, hour).Busy(t.Context(), quarks)
	if err != nil {
		t.Fatal(err)
	}
	for i, is := range busy {
		if is != threads[i].busy {
			t.Errorf("a thread that %s: busy is %v", threads[i].name, is)
		}
	}
}
