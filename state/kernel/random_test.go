package kernel_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace/tracetest"
)

const cpus = 3

// drawEvent draws an event that need not make sense after those before it.
func drawEvent(t *rapid.T) string {
	tid := func(name string) int64 { return rapid.Int64Range(0, 6).Draw(t, name) }
	nr := rapid.Int64Range(0, 2).Draw(t, "nr")
	state := rapid.SampledFrom([]int64{0, 1, 2, 4, 16, 32, 64, 128, 130, 256, 2048}).Draw(t, "state")
	return rapid.SampledFrom([]string{
		fmt.Sprintf(`sched_switch prev_comm="t" prev_tid=%d prev_prio=20 prev_state=%d next_comm="t" next_tid=%d next_prio=20`, tid("prev"), state, tid("next")),
		fmt.Sprintf(`sched_wakeup comm="t" tid=%d prio=20 target_cpu=%d`, tid("tid"), nr),
		fmt.Sprintf(`sched_migrate_task comm="t" tid=%d prio=20 orig_cpu=0 dest_cpu=%d`, tid("tid"), nr),
		fmt.Sprintf(`sched_process_fork parent_comm=%q parent_tid=%d parent_pid=1 child_comm="t" child_tid=%d child_pid=1`, rapid.SampledFrom([]string{"t", "kthreadd"}).Draw(t, "maker"), tid("parent"), tid("child")),
		fmt.Sprintf(`sched_process_exec filename="/t" tid=%d old_tid=%d`, tid("tid"), tid("old")),
		fmt.Sprintf(`sched_process_exit comm="t" tid=%d prio=20`, tid("tid")),
		fmt.Sprintf(`sched_process_free comm="t" tid=%d prio=20`, tid("tid")),
		fmt.Sprintf(`lttng_statedump_process_state tid=%d pid=1 ppid=1 name="t" type=%d status=%d cpu=%d`, tid("tid"), rapid.Int64Range(0, 1).Draw(t, "type"), rapid.Int64Range(0, 7).Draw(t, "dumped"), nr),
		`syscall_entry_read fd=0`,
		`syscall_exit_read ret=0`,
		fmt.Sprintf(`irq_handler_entry irq=%d name="i"`, nr),
		fmt.Sprintf(`irq_handler_exit irq=%d ret=1`, nr),
		fmt.Sprintf(`irq_softirq_raise vec=%d`, nr),
		fmt.Sprintf(`irq_softirq_entry vec=%d`, nr),
		fmt.Sprintf(`irq_softirq_exit vec=%d`, nr),
		`power_cpu_idle state=1 cpu_id=0`,
	}).Draw(t, "event")
}

// Whatever comes in whatever order, the states fit together after every event.
func TestRandomEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var source tracetest.Source
		h := kerneltest.New(t, 0, history.Options{NodeSize: 512})
		lost := false
		for cpu := range cpus { // each has a stream
			ev, err := source.Event(fmt.Sprintf("0 cpu=%d page_fault_kernel address=0", cpu))
			if err != nil {
				rt.Fatal(err)
			}
			h.Take(t, kerneltest.Step{Event: ev})
		}
		for i := range rapid.IntRange(1, 60).Draw(rt, "steps") {
			now := int64(i) * 1e9
			cpu := rapid.Int32Range(0, cpus-1).Draw(rt, "cpu")
			switch rapid.IntRange(0, 15).Draw(rt, "step") {
			case 0:
				h.Take(t, kerneltest.Step{CPU: cpu, Begin: now - 1e9, End: now})
				if err := h.Model.Advance(now); err != nil {
					rt.Fatal(err)
				}
				checkLost(rt, h, cpu)
				lost = true
			case 1:
				h = h.Restart(t)
			default:
				ev, err := source.Event(fmt.Sprintf("%d cpu=%d %s", i, cpu, drawEvent(rt)))
				if err != nil {
					rt.Fatal(err)
				}
				h.Take(t, kerneltest.Step{Event: ev})
			}
			checkNow(rt, h, lost)
		}
	})
}

// now is the integer an attribute holds; otherwise if there is none.
func now(h *kerneltest.Host, otherwise int64, path ...string) int64 {
	q := h.Writer.Attributes().Lookup(path...)
	if q == attribute.None {
		return otherwise
	}
	v, _ := h.Writer.Ongoing(q)
	if n, ok := v.Int(); ok {
		return n
	}
	return otherwise
}

// checkNow holds what the CPUs say against what the threads say. After a loss a thread on
// a CPU may be unknown, for want of knowing whether it is in a system call.
func checkNow(t *rapid.T, h *kerneltest.Host, lost bool) {
	on := make(map[string]string) // thread, by the CPU it must be on
	var irqs, softs [cpus]int64
	for c := range cpus {
		cpu := fmt.Sprint(c)
		for nr := range 3 {
			irqs[c] |= now(h, 0, "CPUs", cpu, "IRQs", fmt.Sprint(nr)) & int64(kernel.Served)
			softs[c] |= now(h, 0, "CPUs", cpu, "Soft_IRQs", fmt.Sprint(nr)) & int64(kernel.Served)
		}
		status := kernel.CPUStatus(now(h, 0, "CPUs", cpu))
		if (status == kernel.CPUIRQ) != (irqs[c] != 0) || (status == kernel.CPUSoftIRQ) != (irqs[c] == 0 && softs[c] != 0) {
			t.Fatalf("CPU %d is %v, serving interrupts %d, soft interrupts %d", c, status, irqs[c], softs[c])
		}
		current := now(h, -1, "CPUs", cpu, "Current_thread")
		if tid, irq := h.Model.Running(int32(c)); int64(tid) != current || irq != (irqs[c]|softs[c] != 0) {
			t.Fatalf("CPU %d runs %d by the model, irq %v, and %d by the history", c, tid, irq, current)
		}
		if current < 0 {
			continue
		}
		name := fmt.Sprint(current)
		if current == 0 {
			name = "0_" + cpu
		}
		if other, twice := on[name]; twice {
			t.Fatalf("thread %s is on CPU %s and on CPU %s", name, other, cpu)
		}
		on[name] = cpu
		thread := kernel.Status(now(h, 255, "Threads", name))
		if interrupted := irqs[c]|softs[c] != 0; !thread.OnCPU() && !(lost && thread == kernel.Unknown) || (thread == kernel.Interrupted) != interrupted {
			t.Fatalf("thread %s on CPU %s is %v", name, cpu, thread)
		}
		if want, told := beside[status]; told && thread != want {
			t.Fatalf("CPU %s is %v, and thread %s on it %v", cpu, status, name, thread)
		}
	}
	for _, q := range h.Writer.Attributes().Match("Threads/*") {
		name := h.Writer.Attributes().Name(q)
		if _, ok := on[name]; !ok && kernel.Status(now(h, 255, "Threads", name)).OnCPU() {
			t.Fatalf("thread %s runs on no CPU", name)
		}
	}
	for nr := range 3 {
		for _, group := range []string{"IRQs", "Soft_IRQs"} {
			var union int64
			for c := range cpus {
				union |= now(h, 0, "CPUs", fmt.Sprint(c), group, fmt.Sprint(nr))
			}
			if total := now(h, 0, group, fmt.Sprint(nr)); total != union {
				t.Fatalf("%s/%d is %d in total, %d on all CPUs", group, nr, total, union)
			}
		}
	}
}

// beside are, by what a CPU does for the thread on it, what that does.
var beside = map[kernel.CPUStatus]kernel.Status{
	kernel.CPUIdle: kernel.Kernel, kernel.CPUUser: kernel.User, kernel.CPUSyscall: kernel.Syscall, kernel.CPUKernel: kernel.Kernel, kernel.CPUUnknown: kernel.Unknown,
}

// checkLost tells what must be unknown right after a loss.
func checkLost(t *rapid.T, h *kerneltest.Host, cpu int32) {
	name := fmt.Sprint(cpu)
	if s := kernel.CPUStatus(now(h, 0, "CPUs", name)); s != kernel.CPUUnknown {
		t.Fatalf("after a loss CPU %d is %v", cpu, s)
	}
	if tid := now(h, -1, "CPUs", name, "Current_thread"); tid != -1 {
		t.Fatalf("after a loss CPU %d runs %d", cpu, tid)
	}
	elsewhere := make(map[int64]bool)
	for c := range cpus {
		elsewhere[now(h, -1, "CPUs", fmt.Sprint(c), "Current_thread")] = true
	}
	for tid := int64(1); tid <= 6; tid++ {
		if elsewhere[tid] {
			continue
		}
		s := kernel.Status(now(h, 255, "Threads", fmt.Sprint(tid)))
		if s != kernel.Unknown && s != 255 {
			t.Fatalf("after a loss thread %d, on no CPU, is %v", tid, s)
		}
	}
}
