package kernel_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/kernel/kerneltest"
)

// load is a second of a busy machine: four CPUs, threads that make system calls,
// block, are woken and interrupted.
func load() string {
	var b strings.Builder
	for cpu := range 4 {
		for i := range 200 {
			at := func(step int) string { return fmt.Sprintf("0.%06d cpu=%d", i*1000+step*10+cpu, cpu) }
			tid, next := 100+cpu*50+i%50, 100+cpu*50+(i+1)%50
			for call := range 8 {
				fmt.Fprintf(&b, "%s syscall_entry_read fd=3\n", at(call*2))
				fmt.Fprintf(&b, "%s syscall_exit_read ret=3\n", at(call*2+1))
			}
			fmt.Fprintf(&b, "%s irq_softirq_entry vec=1\n", at(20))
			fmt.Fprintf(&b, "%s sched_waking comm=\"worker-%d\" tid=%d prio=20 target_cpu=%d\n", at(21), next, next, cpu)
			fmt.Fprintf(&b, "%s sched_wakeup comm=\"worker-%d\" tid=%d prio=20 target_cpu=%d\n", at(22), next, next, cpu)
			fmt.Fprintf(&b, "%s irq_softirq_exit vec=1\n", at(23))
			fmt.Fprintf(&b, "%s syscall_entry_futex uaddr=0\n", at(24))
			fmt.Fprintf(&b, "%s sched_switch prev_comm=\"worker-%d\" prev_tid=%d prev_prio=20 prev_state=1 next_comm=\"worker-%d\" next_tid=%d next_prio=20\n",
				at(25), tid, tid, next, next)
			fmt.Fprintf(&b, "%s syscall_exit_futex ret=0\n", at(26))
		}
	}
	return b.String()
}

// BenchmarkHandle is the model with the history behind it, per event.
func BenchmarkHandle(b *testing.B) {
	steps, _ := kerneltest.Parse(b, load())
	h := kerneltest.New(b, 0, history.Options{})
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		s := steps[i%len(steps)]
		s.Event.Time = int64(i) * 100
		if err := h.Model.Handle(s.Event); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
	b.ReportMetric(float64(h.File.Size())/float64(b.N), "B/event")
}
