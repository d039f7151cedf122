package kernel

import (
	"slices"
	"strings"
)

// Recorded tells the names of all events that the traces can hold, before the first one. Where it is not told, all
// that matters is taken to be recorded.
func (m *Model) Recorded(names []string) {
	m.events = make(map[string]bool, len(names))
	for _, name := range names {
		m.events[name] = true
	}
	m.noSwitches = !m.events["sched_switch"]
	m.noWakeups = !m.events["sched_wakeup"]
	m.noFrees = !m.events["sched_process_free"]
	sorts := callSorts(names)
	m.fewCalls, m.someCalls = sorts < manyCalls, sorts > 0
	m.openCalls = slices.ContainsFunc(names, func(name string) bool { return callEnd(name) != "" && m.isEndless(name) })
}

// ends are, for events that begin something, that which ends it, or follows on it.
var ends = map[string]string{
	"hrtimer_expire_entry":       "hrtimer_expire_exit",
	"timer_hrtimer_expire_entry": "timer_hrtimer_expire_exit",
	"irq_handler_entry":          "irq_handler_exit",
	"softirq_raise":              "softirq_entry",
	"softirq_entry":              "softirq_exit",
	"irq_softirq_raise":          "irq_softirq_entry",
	"irq_softirq_entry":          "irq_softirq_exit",
	"block_rq_insert":            "block_rq_issue",
	"block_rq_issue":             "block_rq_complete",
}

// isEndless reports whether the end of what events of a name begin is not recorded: of a state that would begin nobody knows for
// how long it lasts.
func (m *Model) isEndless(name string) bool {
	if m.events == nil {
		return false
	}
	if vector, ok := strings.CutSuffix(name, "_entry"); ok && strings.HasPrefix(name, "x86_irq_vectors_") {
		return !m.events[vector+"_exit"]
	}
	end := ends[name]
	if end == "" {
		end = callEnd(name)
	}
	return end != "" && !m.events[end]
}

// isHeadless reports whether the beginning of the system calls that events of a name end is not recorded: of a thread that comes to one nobody knows since
// when it was in a call.
func (m *Model) isHeadless(name string) bool {
	if m.events == nil {
		return false
	}
	switch name {
	case "exit_syscall":
		return !m.someCalls
	case "sys_exit": // which in LTTng 2.0 to 2.5 is the beginning of the call exit
		return !m.events["sys_enter"] && !m.events["exit_syscall"]
	}
	for _, of := range callsByName {
		if call, ok := strings.CutPrefix(name, of.end); ok {
			return !m.events[of.begin+call]
		}
	}
	return false
}

// callsByName are the prefixes of events that begin and end system calls, where there is one of each for every call.
var callsByName = []struct{ begin, end string }{
	{"syscall_entry_", "syscall_exit_"},
	{"compat_syscall_entry_", "compat_syscall_exit_"},
}

// callEnd is the event that tells that a call is over which one of a name tells of; "" for what begins none, and for calls that threads do not come back from.
func callEnd(name string) string {
	for _, of := range callsByName {
		if call, ok := strings.CutPrefix(name, of.begin); ok {
			if slices.Contains(last, call) {
				return ""
			}
			return of.end + call
		}
	}
	if name == "sys_enter" {
		return "sys_exit"
	}
	call, ok := strings.CutPrefix(strings.TrimPrefix(name, "compat_"), "sys_")
	if !ok || slices.Contains(last, call) {
		return ""
	}
	return "exit_syscall"
}

// last are the calls that a thread does not come back from, or elsewhere.
var last = []string{"exit", "exit_group", "rt_sigreturn", "sigreturn"}

// callSorts counts the names of events that tell that a thread enters a system call.
func callSorts(names []string) (n int) {
	for _, name := range names {
		if strings.Contains(name, "sys_enter") { // which tells of all, by number
			return manyCalls
		}
		if strings.Contains(name, "syscall_entry_") || strings.HasPrefix(name, "sys_") || strings.HasPrefix(name, "compat_sys_") {
			n++
		}
	}
	return n
}
