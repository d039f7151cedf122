package ingest

import (
	"slices"
	"strings"

	"synchroscope/catalog"
	"synchroscope/ingest/declarations"
	"synchroscope/state/declared"
	"synchroscope/sync/network"
	"synchroscope/trace/ctf"
)

// A Hint names the events a view lacks and the command that would record them.
type Hint struct {
	View    string   `json:"view"`
	Without string   `json:"without"` // what is not known, a sentence
	Events  []string `json:"events"`
	Command string   `json:"command"`
}

// A need is what a view cannot do without: one event of each group.
type need struct {
	view    string
	without string
	groups  [][]string // the first of a group is what we advise to record; one that ends in * stands for all that begin so
	command string     // that records all groups, "" for lttng enable-event with those that are missing
	inside  bool       // asked for only where there is a kernel trace
}

const noMessages = "No message to or from the host is known, so its clock is related to no other."

var needs = []need{
	{view: "control flow", without: "Which threads had a CPU, and when, is not known.", groups: [][]string{{"sched_switch"}}},
	{view: "wake-ups", without: "Who woke a thread, and how long it then waited for a CPU, is not known: it counts as blocked until it runs.", groups: [][]string{{"sched_waking", "sched_wakeup"}}},
	{view: "communication", without: noMessages, groups: [][]string{{"net_dev_queue", "inet_sock_local_out"}, {"net_if_receive_skb", "netif_receive_skb", "inet_sock_local_in"}}},
	{view: "synchronization", without: noMessages, groups: [][]string{{"net_dev_queue", "inet_sock_local_out"}, {"net_if_receive_skb", "netif_receive_skb", "inet_sock_local_in"}}},
	{view: "system calls", without: "What threads asked of the kernel, and for how long, is not known.", groups: [][]string{{"syscall_entry_*", "sys_*", "compat_syscall_entry_*"}, {"syscall_exit_*", "exit_syscall", "sys_exit", "compat_syscall_exit_*"}}, command: "lttng enable-event -k --syscall --all", inside: true},
	{view: "interrupts", without: "Time that interrupts took is counted to the threads they interrupted.", groups: [][]string{{"irq_handler_entry"}, {"irq_handler_exit"}, {"irq_softirq_entry", "softirq_entry"}, {"irq_softirq_exit", "softirq_exit"}}, inside: true},
	{view: "names and parents of threads", without: "Threads that ran before the recording have a name only once they are seen on a CPU, and processes have no parents.", groups: [][]string{{"lttng_statedump_process_state"}}, command: "lttng enable-event -k 'lttng_statedump_*'", inside: true},
}

// What functions need to have names, where their entries are recorded.
const (
	functionEntries = "lttng_ust_cyg_profile*"
	wereLoaded      = "lttng_ust_statedump:bin_info"
	wereUnloaded    = "lttng_ust_lib:unload"
)

// namesLack says what lacks for functions to have names, by what is missing of that.
var namesLack = map[string]Hint{
	wereLoaded: {
		Without: "Functions are called by their addresses.",
		Events:  []string{wereLoaded}, Command: "lttng enable-event -u '" + declared.Loading + "'",
	},
	wereUnloaded: {
		Without: "Where a library is closed and another comes in its place, functions of this may be called as those of that.",
		Events:  []string{wereUnloaded, "liblttng-ust-dl.so preloaded"}, Command: "lttng enable-event -u 'lttng_ust_dl:*,lttng_ust_lib:*'",
	},
	declarations.Symbols.Name: {
		Without: "Functions are called by where they lie in their files.",
		Events:  []string{"the symbols of their programs, in a file " + declarations.Symbols.Name + " beside the traces"},
		Command: "nm -A -C -S --defined-only PROGRAM > " + declarations.Symbols.Name,
	},
}

// missing lists, of the events that views need, those that a trace of a host does not know; and, where it knows of functions, what these lack to be called by
// their names, of which any trace of the host may know. symbols tells whether what they are called is told.
func missing(info ctf.Info, host []*ctf.Trace, symbols bool) []string {
	var names []string
	for _, need := range needs {
		for _, group := range need.groups {
			has := info.Kind == "kernel" && slices.ContainsFunc(group, func(name string) bool { return knows(info.Classes, name) })
			if !has && !slices.Contains(names, group[0]) {
				names = append(names, group[0])
			}
		}
	}
	if !knows(info.Classes, functionEntries) {
		return names
	}
	told := func(event string) bool {
		return slices.ContainsFunc(host, func(t *ctf.Trace) bool { return knows(t.Info().Classes, event) })
	}
	if !told(wereLoaded) {
		return append(names, wereLoaded)
	}
	if !told(wereUnloaded) {
		names = append(names, wereUnloaded)
	}
	if !symbols {
		names = append(names, declarations.Symbols.Name)
	}
	return names
}

// knows tells whether a name, or one that begins like a name with a * at its end, is among those of classes.
func knows(classes []string, name string) bool {
	prefix, many := strings.CutSuffix(name, "*")
	if !many {
		return slices.Contains(classes, name)
	}
	return slices.ContainsFunc(classes, func(class string) bool { return strings.HasPrefix(class, prefix) })
}

// exchanged tells of which directions messages of a host are known, whatever told of them.
func exchanged(solution *network.Solution, host int) (sent, received bool) {
	if solution == nil {
		return false, false
	}
	for i := range solution.Links {
		l := &solution.Links[i]
		sent = sent || int(l.A) == host && l.AToB > 0 || int(l.B) == host && l.BToA > 0
		received = received || int(l.A) == host && l.BToA > 0 || int(l.B) == host && l.AToB > 0
	}
	return sent, received
}

// records tells whether any trace of the host knows an event of the group that begins with this one.
func (h *Host) records(first string) bool {
	return slices.ContainsFunc(h.row.Traces, func(t catalog.Trace) bool { return !slices.Contains(t.Missing, first) })
}

// lacks tells whether any trace of the host lacks what only some traces need.
func (h *Host) lacks(name string) bool {
	return slices.ContainsFunc(h.row.Traces, func(t catalog.Trace) bool { return slices.Contains(t.Missing, name) })
}

// CPUParts tells which parts of the time of its CPUs the traces of the host tell apart: where one is not recorded, its
// time is that of what goes on around it.
func (h *Host) CPUParts() (syscalls, softIRQs, irqs bool) {
	return h.records("syscall_entry_*") && h.records("syscall_exit_*"),
		h.records("irq_softirq_entry") && h.records("irq_softirq_exit"),
		h.records("irq_handler_entry") && h.records("irq_handler_exit")
}

// hints says what the views of a host lack: what none of its traces has, and nothing else tells either.
func (h *Host) hints(sent, received bool) []Hint {
	hints := []Hint{}
	_, kernel := h.kernel()
	for _, need := range needs {
		if need.without == noMessages && sent && received {
			continue // applications tell of them
		}
		if need.without == noMessages && sent {
			need.without = "No message to the host is known."
		} else if need.without == noMessages && received {
			need.without = "No message from the host is known."
		}
		if need.inside && !kernel {
			continue
		}
		var lack []string
		for _, group := range need.groups {
			if !h.records(group[0]) {
				lack = append(lack, group[0])
			}
		}
		if len(lack) > 0 {
			hints = append(hints, need.hint(lack))
		}
	}
	for _, lack := range []string{wereLoaded, wereUnloaded, declarations.Symbols.Name} {
		if h.lacks(lack) {
			hint := namesLack[lack]
			hint.View = "names of functions"
			hints = append(hints, hint)
		}
	}
	if kernel {
		return hints
	}
	if threads, _ := h.Threads(0); len(threads) == 0 {
		hints = append(hints, Hint{
			View: "rows for the threads of applications", Without: "Which thread an event of an application is of is not known.",
			Events: []string{"the contexts vtid, vpid and procname"}, Command: "lttng add-context -u -t vtid -t vpid -t procname",
		})
	} else if len(hints) > 0 && hints[0].View == needs[0].view {
		hints[0].View = beyond
	}
	return append(hints, Hint{
		View: "kernel trace", Without: "What the machine itself did is not known.",
		Events: []string{}, Command: "lttng create && lttng enable-event -k --all && lttng start",
	})
}

func (n *need) hint(lack []string) Hint {
	command := n.command
	if command == "" {
		command = "lttng enable-event -k " + strings.Join(lack, ",")
	}
	return Hint{View: n.view, Without: n.without, Events: lack, Command: command}
}

// beyond is what the control flow view lacks where it has rows from user space alone.
const beyond = "whether threads have a CPU, and what they wait for,"
