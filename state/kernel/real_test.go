package kernel_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace"
	"synchroscope/trace/archive"
	"synchroscope/trace/ctf"
)

// demo is the recording that the program shows by itself; the others lie beside the project.
const demo = "shop-4hosts.tar.gz"

// recorded extracts an archive of real traces and returns its hosts, or those of a folder in it: ARCHIVE!FOLDER.
func recorded(t *testing.T, name string) []ctf.HostTraces {
	t.Helper()
	name, folder, _ := strings.Cut(name, "!")
	path := filepath.Join("..", "..", "..", "shared", "traces", name)
	if name == demo {
		path = filepath.Join("..", "..", "cmd", "synchroscope", "demo", name)
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("the recording %s is not beside the project", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := archive.Extract(context.Background(), root, name, f, info.Size(), archive.Limits{}, nil); err != nil {
		t.Fatal(err)
	}
	return hosts(t, filepath.Join(dir, folder))
}

// hosts opens the traces in a directory.
func hosts(t *testing.T, dir string) []ctf.HostTraces {
	t.Helper()
	dirs, err := ctf.Discover(dir)
	if err != nil {
		t.Fatal(err)
	}
	var traces []*ctf.Trace
	for _, d := range dirs {
		tr, err := ctf.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tr.Close() })
		traces = append(traces, tr)
	}
	return ctf.Group(traces)
}

// build runs the model over all events of a host, and restarts it after every so
// many events unless that is 0.
func build(t *testing.T, traces ctf.HostTraces, restart int) *kerneltest.Host {
	t.Helper()
	return buildBut(t, traces, restart, func(*trace.Event) bool { return false })
}

// buildBut is build without the events that are left out.
func buildBut(t *testing.T, traces ctf.HostTraces, restart int, out func(*trace.Event) bool) *kerneltest.Host {
	t.Helper()
	r, err := ctf.NewReader(traces.Traces, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var h *kerneltest.Host
	var last int64
	for n := 1; ; n++ {
		ev, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			h = kerneltest.New(t, ev.Time, history.Options{})
			h.Recorded(strings.Join(eventsOf(traces.Traces), " "))
			if cpus := cpusOf(traces.Traces); cpus != nil {
				h.Streams(cpus)
				foresee(t, h, traces.Traces)
			}
		}
		for _, l := range r.Losses() {
			h.Take(t, kerneltest.Step{CPU: l.CPU, Begin: l.Begin, End: l.End})
		}
		if !out(ev) {
			h.Take(t, kerneltest.Step{Event: ev})
		}
		last = ev.Time
		if restart > 0 && n%restart == 0 {
			h = h.Restart(t)
		}
	}
	h.Finish(t, last+1)
	return h
}

// eventsOf are the names of the events that traces can hold.
func eventsOf(traces []*ctf.Trace) (names []string) {
	for _, t := range traces {
		names = append(names, t.Info().Classes...)
	}
	return names
}

// foresee tells a model what comes first of traces.
func foresee(t *testing.T, h *kerneltest.Host, traces []*ctf.Trace) {
	t.Helper()
	r, err := ctf.NewReader(traces, ctf.Options{Ahead: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h.Foresee(t, r)
}

// cpusOf are the CPUs of which traces have packets, nil where one does not say.
func cpusOf(traces []*ctf.Trace) []int32 {
	all := []int32{}
	for _, t := range traces {
		if t.Info().Kind == "ust" {
			continue
		}
		cpus, ok := t.CPUs()
		if !ok {
			return nil
		}
		all = append(all, cpus...)
	}
	return all
}

// intervals yields all intervals of some attributes.
func intervals(t *testing.T, h *history.History, yield func(history.Interval), qs ...attribute.Quark) {
	t.Helper()
	begin, end := h.Bounds()
	err := h.Range(context.Background(), qs, begin, end, func(iv history.Interval) bool {
		yield(iv)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// onCPU is the time in ns that a thread ran within [begin, end).
func onCPU(t *testing.T, h *history.History, th kernel.Thread, begin, end int64) (ns int64) {
	t.Helper()
	intervals(t, h, func(iv history.Interval) {
		if s, ok := iv.Value.Int(); ok && kernel.Status(s).OnCPU() {
			ns += max(0, min(iv.End, end)-max(iv.Start, begin))
		}
	}, attribute.Quark(th.Quark))
	return ns
}

// checkInvariants holds a history against what must be true of any: a thread is
// on one CPU at most, and runs exactly while it is some CPU's current thread, or is
// unknown meanwhile. (That a CPU has one current thread at most lies in the form.)
func checkInvariants(t *testing.T, h *history.History, threads []kernel.Thread) {
	t.Helper()
	type stay struct {
		begin, end int64
		cpu        string
	}
	stays := make(map[int64][]stay)
	tree := h.Attributes()
	for _, q := range tree.Match("CPUs/*/Current_thread") {
		intervals(t, h, func(iv history.Interval) {
			if tid, ok := iv.Value.Int(); ok && tid != 0 {
				stays[tid] = append(stays[tid], stay{iv.Start, iv.End, tree.Name(tree.Parent(q))})
			}
		}, q)
	}
	begin, end := h.Bounds()
	for _, th := range threads {
		runs := stays[int64(th.TID)]
		slices.SortFunc(runs, func(a, b stay) int { return cmp.Compare(a.begin, b.begin) })
		var current int64
		for i, s := range runs {
			current += s.end - s.begin
			if i > 0 && s.begin < runs[i-1].end {
				t.Fatalf("thread %d is on two CPUs: %+v, %+v", th.TID, runs[i-1], s)
			}
		}
		obscure := int64(0)
		intervals(t, h, func(iv history.Interval) {
			if s, ok := iv.Value.Int(); ok && kernel.Status(s) == kernel.Unknown {
				for _, s := range runs {
					obscure += max(0, min(iv.End, s.end)-max(iv.Start, s.begin))
				}
			}
		}, attribute.Quark(th.Quark))
		if ran := onCPU(t, h, th, begin, end); ran+obscure != current {
			t.Errorf("thread %d runs for %d ns and does nobody knows what for %d ns, but is current for %d ns", th.TID, ran, obscure, current)
		}
	}
}

// TestRecordings holds what becomes of every recording with kernel events against
// testdata/recordings.txt, and against what must be true of any. The numbers of
// threads in there were counted from the text of the traces.
//
// Those whose tracer writes what the oracle can read are held against it, too.
func TestRecordings(t *testing.T) {
	path := filepath.Join("testdata", "recordings.txt")
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for line := range strings.Lines(string(golden)) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			want[name] = rest
		}
	}
	for _, c := range []struct {
		archive string
		oracle  bool
	}{
		{"shop-4hosts.tar.gz", true}, {"http-3hosts.tar.gz", true}, {"drift-3hosts.tar.gz", true}, {"stress-1host.tar.xz", true},
		{"many-threads.tar.gz", false}, {"scp.tar.gz", false}, {"uneven-streams.tar.gz", false}, {"multi-domains.tar.gz", false},
		{"lttng-tracefile-rotation.tar.gz", false}, {"ctf-conformance.tar.gz!regression/stream/pass/lttng-modules-trace", false},
	} {
		t.Run(c.archive, func(t *testing.T) {
			if testing.Short() && (c.archive == demo || c.archive == "stress-1host.tar.xz") {
				t.Skip("one goroutine reads four million events")
			}
			for _, traces := range recorded(t, c.archive) {
				h := build(t, traces, 0)
				threads, _ := h.Model.Threads(0)
				checkInvariants(t, h.Writer.History(), threads)
				name := c.archive + " " + traces.Name
				if got := figures(t, h.Writer.History(), threads); *update {
					want[name] = got
				} else if got != want[name] {
					t.Errorf("%s: %s, want %s", name, got, want[name])
				}
				if !c.oracle || testing.Short() && c.archive != demo {
					continue
				}
				got := consult(t, h.Writer.History(), ask(t, traces))
				t.Logf("%s: %+v", traces.Name, got)
				if few := got.right / 1000; got.right == 0 || got.unknown > few || got.untold > few {
					t.Errorf("%s: %+v, want nearly all right", traces.Name, got)
				}
			}
		})
	}
	if *update {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(want)) {
			fmt.Fprintf(&b, "%s: %s\n", name, want[name])
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// figures sums up a history: threads, those that ended, the ms that threads and CPUs spent in each
// status, and what woke threads how often.
func figures(t *testing.T, h *history.History, threads []kernel.Thread) string {
	t.Helper()
	ended := 0
	times := make(map[string]int64)
	for _, th := range threads {
		if th.Last != 0 {
			ended++
		}
		intervals(t, h, func(iv history.Interval) {
			if s, ok := iv.Value.Int(); ok {
				times["threads "+kernel.Status(s).String()] += iv.End - iv.Start
			}
		}, attribute.Quark(th.Quark))
	}
	tree := h.Attributes()
	intervals(t, h, func(iv history.Interval) {
		if s, ok := iv.Value.Int(); ok {
			times["CPUs "+kernel.CPUStatus(s).String()] += iv.End - iv.Start
		}
	}, tree.Match("CPUs/*")...)
	woken := make(map[string]int64)
	intervals(t, h, func(iv history.Interval) {
		if iv.Value.IsString() {
			woken[h.String(iv.Value)]++
		}
	}, tree.Match("Threads/*/Wakeup")...)
	out := fmt.Sprintf("%d threads, %d ended", len(threads), ended)
	for _, k := range slices.Sorted(maps.Keys(times)) {
		out += fmt.Sprintf("; %s %d ms", k, times[k]/1e6)
	}
	for _, k := range slices.Sorted(maps.Keys(woken)) {
		out += fmt.Sprintf("; woken by %s %d", k, woken[k])
	}
	return out
}

// A model that is stopped and restored on its way writes the same history.
func TestRecordingRestarted(t *testing.T) {
	for _, traces := range recorded(t, demo) {
		if traces.Name != "db" {
			continue
		}
		if want, got := digest(t, build(t, traces, 0)), digest(t, build(t, traces, 7919)); got != want {
			t.Errorf("%s: the history of a restarted model differs", traces.Name)
		}
	}
}

// digest sums up every interval of every attribute, and the rows.
func digest(t *testing.T, h *kerneltest.Host) uint64 {
	t.Helper()
	sum := fnv.New64a()
	hist := h.Writer.History()
	for _, q := range hist.Attributes().Match("") {
		io.WriteString(sum, hist.Attributes().Full(q))
		intervals(t, hist, func(iv history.Interval) {
			fmt.Fprint(sum, iv.Start, iv.End, iv.Value, hist.String(iv.Value))
		}, q)
	}
	io.WriteString(sum, h.Rows())
	return sum.Sum64()
}
