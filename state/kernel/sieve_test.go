package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace/tracetest"
)

// Of a machine on which some threads alone are recorded, as with lttng track, nothing wrong is said once that has shown: no thread is on a CPU that
// is not, none sleeps that does not, and no call is another's. Where a context says whose events are, they are known to have a CPU.
func TestSomeThreadsAlone(t *testing.T) {
	for _, context := range []bool{false, true} {
		for _, both := range []bool{false, true} {
			t.Run(fmt.Sprintf("context %t, both ends %t", context, both), func(t *testing.T) {
				for seed := range uint64(40) {
					someThreadsAlone(t, rand.New(rand.NewPCG(seed, 7)), seed, context, both)
				}
			})
		}
	}
}

// both says that switches to a thread that is followed are recorded as well, as by a filter on prev_tid and next_tid.
func someThreadsAlone(t *testing.T, r *rand.Rand, seed uint64, context, both bool) {
	const cpus, threads = 3, 8
	tracked := func(tid int) bool { return tid == 1 || tid == 2 }
	type truth struct {
		cpu  int // -1: none
		call bool
	}
	all := make([]truth, threads+1)
	for i := range all {
		all[i].cpu = -1
	}
	on := make([]int, cpus) // 0: idle
	var source tracetest.Source
	h := kerneltest.New(t, 0, history.Options{})
	at, known := 0, 0
	take := func(cpu int, text string, to int) {
		if context {
			text += fmt.Sprintf(" | tid=%d", on[cpu])
		}
		ev, err := source.Event(fmt.Sprintf("%d cpu=%d %s", at, cpu, text))
		if err != nil {
			t.Fatal(err)
		}
		if tracked(on[cpu]) || both && tracked(to) {
			h.Take(t, kerneltest.Step{Event: ev})
		}
	}
	for step := range 1200 {
		at++
		cpu := r.IntN(cpus)
		tid := on[cpu]
		switch {
		case tid > 0 && r.IntN(3) == 0:
			if all[tid].call = !all[tid].call; all[tid].call {
				take(cpu, "syscall_entry_read fd=0", 0)
			} else {
				take(cpu, "syscall_exit_read ret=0", 0)
			}
		case tid > 0 && r.IntN(6) == 0:
			take(cpu, fmt.Sprintf(`sched_waking comm="t" tid=%d prio=20 target_cpu=0`, 1+r.IntN(threads)), 0)
		default:
			next := r.IntN(threads + 1)
			if next == tid || next > 0 && all[next].cpu >= 0 {
				continue
			}
			take(cpu, fmt.Sprintf(`sched_switch prev_comm="t" prev_tid=%d prev_prio=20 prev_state=%d next_comm="t" next_tid=%d next_prio=20`, tid, r.IntN(3), next), next)
			if tid > 0 {
				all[tid].cpu = -1
			}
			if on[cpu] = next; next > 0 {
				all[next].cpu = cpu
			}
		}
		if step%97 == 0 {
			h = h.Restart(t)
		}
		if step < 800 {
			continue
		}
		for tid := 1; tid <= threads; tid++ {
			name := strconv.Itoa(tid)
			is := kernel.Status(now(h, int64(kernel.Unknown), "Threads", name))
			switch {
			case is == kernel.Unknown:
			case !is.OnCPU():
				t.Fatalf("seed %d, step %d: thread %d is said to be %s", seed, step, tid, is)
			case all[tid].cpu < 0:
				t.Fatalf("seed %d, step %d: thread %d is said to be on a CPU (%s)", seed, step, tid, is)
			case now(h, -1, "CPUs", strconv.Itoa(all[tid].cpu), "Current_thread") != int64(tid):
				t.Fatalf("seed %d, step %d: thread %d is said to be on another CPU than %d", seed, step, tid, all[tid].cpu)
			case is == kernel.Syscall && !all[tid].call:
				t.Fatalf("seed %d, step %d: thread %d is said to be in a call", seed, step, tid)
			default:
				known++
			}
		}
		for cpu := range cpus {
			if tid := now(h, -1, "CPUs", strconv.Itoa(cpu), "Current_thread"); tid >= 0 && tid != int64(on[cpu]) {
				t.Fatalf("seed %d, step %d: CPU %d is said to run thread %d, it runs %d", seed, step, cpu, tid, on[cpu])
			}
		}
	}
	if context && known == 0 {
		t.Errorf("seed %d: nothing is known of the threads that were recorded", seed)
	}
}

// In such a recording an event can be without a CPU, or have one that there cannot be.
func TestSomeThreadsAloneOnNoCPU(t *testing.T) {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "%d cpu=0 sched_switch prev_comm=\"a\" prev_tid=%d prev_prio=20 prev_state=1 next_comm=\"b\" next_tid=%d next_prio=20\n", i, 10+2*i, 11+2*i)
	}
	for _, cpu := range []string{"", " cpu=100000"} {
		fmt.Fprintf(&b, "9%s sched_process_fork parent_comm=\"a\" parent_tid=10 parent_pid=10 child_comm=\"c\" child_tid=40 child_pid=40\n", cpu)
	}
	h := kerneltest.Run(t, b.String())
	if _, some := h.Model.Sifted(); !some {
		t.Error("the recording is not taken for one of some threads alone")
	}
}
