package query_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/attribute"
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
	efforts, err := query.Efforts(context.Background(), h, threads, 0, 8e9)
	if err != nil {
		t.Fatal(err)
	}
	if efforts[0].CPU != 4e9 || efforts[1].CPU != 2e9 {
		t.Errorf("the threads were on a CPU for %d and %d ns", efforts[0].CPU, efforts[1].CPU)
	}
	all, err := query.Of(context.Background(), h, threads, 0, 8e9)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(all[0].CPUs, all[1].CPUs); got != "[{0 0 4000000000 1}] [{0 0 2000000000 1}]" {
		t.Errorf("the statistics say that threads were on CPUs %s", got)
	}
}
