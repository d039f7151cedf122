package kernel_test

import (
	"strings"
	"testing"

	"synchroscope/simulate/scenario"
	"synchroscope/state/kernel"
)

// Whichever kinds of events a tracer was not told to record, nothing is wrong, but for what the statuses are said to take in then: docs/kernel-model.md.
func TestTruthUnrecorded(t *testing.T) {
	said := func(really, said kernel.Status) map[[2]kernel.Status]bool {
		return map[[2]kernel.Status]bool{{really, said}: true}
	}
	exact := said(gone, gone)
	waits, made := said(kernel.WaitCPU, kernel.Blocked), said(kernel.WaitCPU, kernel.Forked)
	calls, own := said(kernel.Syscall, kernel.User), said(kernel.Kernel, kernel.User)
	under := map[[2]kernel.Status]bool{{kernel.Interrupted, kernel.User}: true, {kernel.Interrupted, kernel.Syscall}: true, {kernel.Interrupted, kernel.Kernel}: true}
	for omit, alike := range map[string]map[[2]kernel.Status]bool{
		"sched_waking": waits, "sched_wakeup": exact, "sched_waking sched_wakeup": waits, "sched_wakeup_new": made,
		"sched_switch": exact, "sched_migrate_task": exact, "sched_pi_setprio": exact,
		"sched_process_fork": exact, "sched_process_exec": exact, "sched_process_exit": exact, "sched_process_free": exact, "sched_process_*": exact, "lttng_statedump_*": own,
		"irq_handler_entry": under, "irq_handler_exit": under, "irq_softirq_raise": exact, "irq_softirq_entry": under, "irq_softirq_exit": under, "irq_*": under,
		"power_cpu_idle": exact, "page_fault_*": exact,
		"syscall_*": calls, "syscall_entry_*": calls, "syscall_exit_*": exact, "syscall_entry_futex": calls, "syscall_exit_futex": exact, "syscall_exit_e*": exact,
	} {
		t.Run(omit, func(t *testing.T) {
			really := make(lives)
			for _, traces := range seeded(t, "web", 3, func(s *scenario.Scenario) {
				spared(s)
				s.Duration = 2e9
				for i := range s.Hosts {
					s.Hosts[i].Tracing.Omit = strings.Fields(omit)
				}
			}, really) {
				h := build(t, traces, 0).Writer.History()
				got := (&comparison{looks: lookAt(t, h), lossy: true, alike: alike}).all(really[traces.Name])
				t.Logf("%s: %+v, %d wrong", traces.Name, got.tally, got.wrong)
				if got.right == 0 {
					t.Errorf("%s: exact is known", traces.Name)
				}
			}
		})
	}
}
