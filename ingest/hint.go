package ingest

import (
	"slices"
	"strings"

	"synchroscope/catalog"
	"synchroscope/trace/ctf"
)

// A Hint names the events a view lacks and the command that would record them.
type Hint struct {
	View    string   `json:"view"`
	Events  []string `json:"events"`
	Command string   `json:"command"`
}

// needs lists what views cannot do without: one event of each group.
var needs = []struct {
	view   string
	groups [][]string // the first of a group is what we advise to record
}{
	{"control flow", [][]string{{"sched_switch"}, {"sched_waking", "sched_wakeup"}}},
	{"communication", [][]string{{"net_dev_queue", "inet_sock_local_out"}, {"net_if_receive_skb", "netif_receive_skb", "inet_sock_local_in"}}},
	{"synchronization", [][]string{{"net_dev_queue", "inet_sock_local_out"}, {"net_if_receive_skb", "netif_receive_skb", "inet_sock_local_in"}}},
}

// missing lists, of the events that views need, those that a trace does not know.
func missing(info ctf.Info) []string {
	var names []string
	for _, need := range needs {
		for _, group := range need.groups {
			has := info.Kind == "kernel" && slices.ContainsFunc(group, func(name string) bool { return slices.Contains(info.Classes, name) })
			if !has && !slices.Contains(names, group[0]) {
				names = append(names, group[0])
			}
		}
	}
	return names
}

// hints says what the views of a host lack: what none of its traces has.
func (h *Host) hints() []Hint {
	hints := []Hint{}
	for _, need := range needs {
		var lack []string
		for _, group := range need.groups {
			has := slices.ContainsFunc(h.row.Traces, func(t catalog.Trace) bool { return !slices.Contains(t.Missing, group[0]) })
			if !has {
				lack = append(lack, group[0])
			}
		}
		if len(lack) > 0 {
			hints = append(hints, Hint{need.view, lack, "lttng enable-event -k " + strings.Join(lack, ",")})
		}
	}
	if _, kernel := h.kernel(); kernel {
		return hints
	}
	if threads, _ := h.Threads(0); len(threads) == 0 {
		hints = append(hints, Hint{"rows for the threads of applications", []string{"the contexts vtid, vpid and procname"}, "lttng add-context -u -t vtid -t vpid -t procname"})
	} else if len(hints) > 0 && hints[0].View == needs[0].view {
		hints[0].View = beyond
	}
	return append(hints, Hint{View: "kernel trace: this host has none", Events: []string{}, Command: "lttng create && lttng enable-event -k --all && lttng start"})
}

// beyond is what the control flow view lacks where it has rows from user space alone.
const beyond = "whether threads have a CPU, and what they wait for,"
