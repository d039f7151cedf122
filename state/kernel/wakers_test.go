package kernel_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"synchroscope/simulate/machine"
	"synchroscope/simulate/scenario"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/trace/ctf"
)

// Nobody is said to have woken another while its program ran, though timers do that then which are not recorded.
func TestTruthOfWakers(t *testing.T) {
	really := make(lives)
	omit := func(s *scenario.Scenario) {
		spared(s)
		for i := range s.Hosts {
			s.Hosts[i].Tracing.Omit = append(s.Hosts[i].Tracing.Omit, "timer_hrtimer_expire_*")
		}
	}
	for _, traces := range seeded(t, "web", 3, omit, really) {
		h := build(t, traces, 0).Writer.History()
		tree := h.Attributes()
		inside, either := 0, 0
		for _, q := range tree.Match("Threads/*/Waker") {
			how := tree.Child(tree.Parent(q), "Wakeup")
			intervals(t, h, func(iv history.Interval) {
				waker, ok := iv.Value.Int()
				if !ok {
					return
				}
				said, err := h.Point(context.Background(), how, iv.Start)
				if err != nil {
					t.Fatal(err)
				}
				if h.String(said.Value) != "thread" {
					either++
					return
				}
				moments := really[traces.Name][int32(waker)]
				n, met := slices.BinarySearchFunc(moments, iv.Start, func(m moment, at int64) int { return cmp.Compare(m.at, at) })
				for met && n+1 < len(moments) && moments[n+1].at == iv.Start {
					n++
				}
				if !met {
					n--
				}
				if n < 0 || moments[n].state != machine.InKernel && moments[max(n-1, 0)].state != machine.InKernel {
					t.Errorf("%s: %s at %d is %d, which is not in the kernel", traces.Name, tree.Full(q), iv.Start, waker)
					return
				}
				inside++
			}, q)
		}
		t.Logf("%s: %d wakers in the kernel, %d that may be", traces.Name, inside, either)
		if inside == 0 {
			t.Errorf("%s: nobody wakes anybody", traces.Name)
		}
	}
}

// A wakeup is the end of a sleep.
type wakeup struct {
	tid int32
	at  int64
}

// ends are the ends of all sleeps of a host, and what is told of them. Of events that leave picks out nothing is told.
func ends(t *testing.T, traces ctf.HostTraces, leave func(name string) bool) map[wakeup]kernel.Waiting {
	t.Helper()
	r, err := ctf.NewReader(traces.Traces, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	names := slices.DeleteFunc(eventsOf(traces.Traces), leave)
	var h *kerneltest.Host
	var last int64
	for {
		ev, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		last = ev.Time
		if h == nil {
			h = kerneltest.New(t, ev.Time, history.Options{})
			h.Recorded(strings.Join(names, " "))
		}
		if !leave(ev.Class.Name) {
			h.Take(t, kerneltest.Step{Event: ev})
		}
	}
	h.Finish(t, last+1)
	threads, _ := h.Model.Threads(0)
	out := make(map[wakeup]kernel.Waiting)
	for _, th := range threads {
		err := kernel.Waits(context.Background(), h.Writer.History(), th.TID, 0, last, func(w kernel.Waiting) bool {
			if w.Ended {
				out[wakeup{w.TID, w.End}] = w
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Timers interrupt the receiving of packets as they do all else. Where they are not recorded no packet is said to have
// woken whom a timer woke, and those that packets woke are told as before.
func TestTruthOfTimers(t *testing.T) {
	isTimer := func(name string) bool { return strings.HasPrefix(name, "timer_hrtimer_expire_") }
	told := make(map[string]int)
	within := 0
	for _, traces := range seeded(t, "web", 3, spared, nil) {
		really := ends(t, traces, func(string) bool { return false })
		for at, w := range ends(t, traces, isTimer) {
			truth, ok := really[at]
			if !ok {
				t.Fatalf("%s: %+v is the end of no sleep", traces.Name, w)
			}
			told[fmt.Sprintf("%s, in truth %s: %s", w.Call, truth.How, w.How)]++
			switch {
			case truth.How == "timer" && w.How == "packet":
				t.Errorf("%s: thread %d at %d, in %s, was woken by a timer, not by a packet", traces.Name, w.TID, w.End, w.Call)
			case truth.How == "timer" && strings.HasSuffix(w.Call, "nanosleep") && w.How != kernel.TimeOver:
				t.Errorf("%s: thread %d at %d, in %s until its time: %q", traces.Name, w.TID, w.End, w.Call, w.How)
			case truth.How == "packet" && w.How != "packet":
				t.Errorf("%s: thread %d at %d, in %s, was woken by a packet: %q", traces.Name, w.TID, w.End, w.Call, w.How)
			case truth.How == "packet":
				within++
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(told)) {
		t.Logf("%s: %d", k, told[k])
	}
	if within == 0 {
		t.Error("packets wake nobody")
	}
}
