package ctf

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A HostTraces is the traces that share a clock: by clock uuid, else by host name, else by LTTng session, else each its own.
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
	return "session:" + sessionPath(t.dir)
}

func hostName(traces []*Trace) string {
	for _, t := range traces {
		if t.info.Hostname != "" {
			return t.info.Hostname
		}
	}
	return sessionName(traces[0].dir)
}

// sessionName is the last element of a path that is not part of LTTng's own layout of
// sessions, SESSION/kernel, and of chunks, SESSION/archives/CHUNK/kernel.
func sessionName(dir string) string { return path.Base(sessionPath(dir)) }

func sessionPath(dir string) string {
	dir = filepath.ToSlash(filepath.Clean(dir))
	dir = strings.TrimSuffix(strings.TrimSuffix(dir, domainPath(dir)), "/")
	if chunks := path.Dir(dir); path.Base(chunks) == "archives" {
		dir = path.Dir(chunks)
	}
	return dir
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
