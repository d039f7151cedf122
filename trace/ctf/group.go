package ctf

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"synchroscope/internal/natural"
	"synchroscope/trace"
)

// A HostTraces is the traces that share a clock: by clock uuid, else by host name, else by LTTng session, else each its own. Kernels of one clock uuid that ran side by
// side under several names are as many hosts: machines that go on from one snapshot.
// A trace without a clock uuid belongs to the clock whose traces have its host name, if there is one such clock, or
// one with traces in its session.
type HostTraces struct {
	Name, ID string
	Traces   []*Trace
}

// Ordered reports whether the clock of a host can be seen to go back wherever it did: by an event that stands behind a later one. All that is there of
// the host is one recording of its kernel, which has events of each CPU all the time. What it did between several recordings nobody knows.
func (h HostTraces) Ordered() bool { return len(h.Traces) == 1 && h.Traces[0].info.Kind == "kernel" }

// Group orders traces into hosts, and has those of one clock tell times in its order (see align); names are made unique ("web", "web (2)") and the order is that of names, node-2 before node-10.
// A trace without a host name is called after its directory (for LTTng's .../kernel and .../ust/uid/... the session's).
func Group(traces []*Trace) []HostTraces {
	byID := make(map[string]int)
	var hosts []HostTraces
	clocks := make(map[string][]*Trace) // by host name
	for _, t := range traces {
		if name := t.info.Hostname; name != "" && t.info.ClockID != "" {
			clocks[name] = append(clocks[name], t)
		}
	}
	copies := copied(traces)
	clones := clonesOf(traces)
	for k, t := range traces {
		like := t
		if j, ok := copies[k]; ok {
			like = traces[j]
		}
		id := hostID(like)
		if like.info.ClockID == "" {
			id = cmp.Or(onlyClock(clocks[like.info.Hostname], sessionPath(like.dir)), id)
		}
		if clock, ok := strings.CutPrefix(id, "clock:"); ok && slices.Contains(clones[clock], like.info.Hostname) {
			id += " " + like.info.Hostname
		}
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
		h.Name = trace.Printable(hostName(h.Traces))
		align(h.Traces)
	}
	slices.SortStableFunc(hosts, func(a, b HostTraces) int {
		return cmp.Or(natural.Compare(a.Name, b.Name), cmp.Compare(a.Traces[0].dir, b.Traces[0].dir))
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

// onlyClock is the id of the host of the traces, or of those in a session, "" if they have several clocks.
func onlyClock(traces []*Trace, session string) string {
	if len(traces) == 0 {
		return ""
	}
	other := func(t *Trace) bool { return t.info.ClockID != traces[0].info.ClockID }
	if !slices.ContainsFunc(traces, other) {
		return hostID(traces[0])
	}
	own := slices.DeleteFunc(slices.Clone(traces), func(t *Trace) bool { return sessionPath(t.dir) != session })
	if len(own) == 0 || len(own) == len(traces) {
		return ""
	}
	return onlyClock(own, session)
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
