package ctf

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A HostTraces is the traces that share a clock: by clock uuid, else by host name, else each its own.
type HostTraces struct {
	Name, ID string
	Traces   []*Trace
}

// Group orders traces into hosts; names are made unique ("web", "web (2)") and the order is that of names.
// A trace without a host name is called after its directory (for LTTng's .../kernel and .../ust/uid/... the session's).
func Group(traces []*Trace) []HostTraces {
	byID := make(map[string]int)
	var hosts []HostTraces
	for _, t := range traces {
		id := hostID(t)
		i, ok := byID[id]
		if !ok {
			i = len(hosts)
			byID[id] = i
			hosts = append(hosts, HostTraces{ID: id})
		}
		hosts[i].Traces = append(hosts[i].Traces, t)
	}
	for i := range hosts {
		h := &hosts[i]
		slices.SortStableFunc(h.Traces, func(a, b *Trace) int { return cmp.Compare(a.dir, b.dir) })
		h.Name = hostName(h.Traces)
	}
	slices.SortStableFunc(hosts, func(a, b HostTraces) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Traces[0].dir, b.Traces[0].dir))
	})
	distinguish(hosts)
	return hosts
}

func hostID(t *Trace) string {
	switch i := t.info; {
	case i.ClockID != "":
		return "clock:" + i.ClockID
	case i.Hostname != "":
		return "host:" + i.Hostname
	}
	return "trace:" + t.dir
}

func hostName(traces []*Trace) string {
	for _, t := range traces {
		if t.info.Hostname != "" {
			return t.info.Hostname
		}
	}
	return sessionName(traces[0].dir)
}

// sessionName is the last element of a path that is not part of LTTng's own layout:
// SESSION/kernel, SESSION/ust/uid/0/64-bit, SESSION/ust/pid/name-1234-20260101-120000.
func sessionName(dir string) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(dir)), "/")
	for i, p := range parts {
		if i > 0 && p == "ust" && (i+1 == len(parts) || parts[i+1] == "uid" || parts[i+1] == "pid") {
			return parts[i-1]
		}
	}
	if n := len(parts); n > 1 && parts[n-1] == "kernel" {
		return parts[n-2]
	}
	return parts[len(parts)-1]
}

// distinguish numbers hosts of the same name.
func distinguish(hosts []HostTraces) {
	used := make(map[string]bool)
	for i := range hosts {
		name := hosts[i].Name
		for n := 2; used[hosts[i].Name]; n++ {
			hosts[i].Name = fmt.Sprintf("%s (%d)", name, n)
		}
		used[hosts[i].Name] = true
	}
}
