package kernel

import (
	"strings"

	"synchroscope/trace"
)

// handlers tells, for each event name that changes a state, how to make its
// handler for a class. LTTng renamed some; the handlers find out by themselves which
// fields a class has.
var handlers = map[string]func(*trace.Class) handler{
	"sched_switch":       schedSwitch,
	"sched_waking":       schedWaking,
	"sched_wakeup":       schedWakeup,
	"sched_wakeup_new":   schedWakeup,
	"sched_migrate_task": schedMigrateTask,
	"sched_pi_setprio":   schedSetPriority,

	"hrtimer_expire_entry":       hrtimer(true), // without timer_ in early versions
	"hrtimer_expire_exit":        hrtimer(false),
	"timer_hrtimer_expire_entry": hrtimer(true),
	"timer_hrtimer_expire_exit":  hrtimer(false),

	"sched_process_fork": processFork,
	"sched_process_exec": processExec,
	"sched_process_exit": processExit,
	"sched_process_free": processFree,

	"lttng_statedump_process_state":  processDump,
	"lttng_statedump_process_pid_ns": namespaceDump,

	"irq_handler_entry": irqEntry,
	"irq_handler_exit":  irqExit,
	"softirq_raise":     softIRQRaise, // without irq_ in early versions
	"softirq_entry":     softIRQEntry,
	"softirq_exit":      softIRQExit,
	"irq_softirq_raise": softIRQRaise,
	"irq_softirq_entry": softIRQEntry,
	"irq_softirq_exit":  softIRQExit,

	"net_if_receive_skb": netReceive,
	"netif_receive_skb":  netReceive, // in early versions
	"inet_sock_local_in": socketReceive,

	"power_cpu_frequency": cpuFrequency,
	"power_cpu_idle":      cpuIdle,

	"block_rq_insert":              diskInsert,
	"block_rq_issue":               diskIssue,
	"block_rq_requeue":             diskRequeue,
	"block_rq_complete":            diskComplete,
	"lttng_statedump_block_device": diskName,

	"page_fault_user":                  pageFault, // with x86_exceptions_ since 2.9
	"page_fault_kernel":                pageFault,
	"x86_exceptions_page_fault_user":   pageFault,
	"x86_exceptions_page_fault_kernel": pageFault,
}

// families are the events whose name ends in what they are about. The first
// prefix that fits is taken.
var families = []struct {
	prefix string
	bind   func(c *trace.Class, rest string) handler
}{
	{"syscall_entry_", syscallEntry},
	{"syscall_exit_", syscallExit},
	{"compat_syscall_entry_", syscallEntry},
	{"compat_syscall_exit_", syscallExit},
	{"exit_syscall", syscallExit}, // to 2.5: one event for all
	{"sys_", syscallEntry},
	{"compat_sys_", syscallEntry},
	{"x86_irq_vectors_", vector},
}

// bindClass returns the handler of a class, nil if its events change no state.
func bindClass(c *trace.Class) handler {
	if bind, ok := handlers[c.Name]; ok {
		return bind(c)
	}
	for _, f := range families {
		if rest, ok := strings.CutPrefix(c.Name, f.prefix); ok {
			return f.bind(c, rest)
		}
	}
	return nil
}
