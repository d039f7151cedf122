package validate

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// crowded has more threads than CPUs, processes that come and go, a disk, and connections that lose packets.
const crowded = `scenario crowded "Two machines with much to do"
duration 2s
host left cpus=3
host right
link left right propagation=30us rate=1Gbps jitter=3us loss=2%
workload daemons activity=5
workload pingpong from=left to=right period=5ms
workload pingpong from=right to=left period=20ms protocol=udp
workload load processes=4 burst=5ms disk=2MB
workload copy from=left to=right size=1MiB
`

// simulated runs a scenario, and returns where its traces are.
func simulated(t *testing.T, text string) string {
	t.Helper()
	s, err := scenario.Parse(strings.NewReader(text), "text", scenario.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := simulate.Run(context.Background(), s, simulate.Options{Seed: 3, Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// walk calls f with all events of a trace.
func walk(t *testing.T, opened *ctf.Trace, f func(*trace.Event)) {
	t.Helper()
	r, err := ctf.NewReader([]*ctf.Trace{opened}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		f(ev)
	}
}

// places are the numbers of the events of a kind that can be missed: of the settings of a timer, those
// between two times that it went off.
func places(t *testing.T, opened *ctf.Trace, kind string) (list []int) {
	n := -1
	before, candidate := make(map[int64]string), make(map[int64]int)
	walk(t, opened, func(ev *trace.Event) {
		if ev.Class.Name == kind {
			n++
		}
		if kind != "timer_start" {
			if ev.Class.Name == kind {
				list = append(list, n)
			}
			return
		}
		if ev.Class.Name != kind && ev.Class.Name != "timer_expire_entry" {
			return
		}
		timer := ev.Int(ev.Class.Field("timer"))
		if i, ok := candidate[timer]; ok && ev.Class.Name != kind {
			list = append(list, i)
		}
		delete(candidate, timer)
		if ev.Class.Name == kind && before[timer] == "timer_expire_entry" {
			candidate[timer] = n
		}
		before[timer] = ev.Class.Name
	})
	return list
}

// without follows a trace of which the nth event of a kind is missing, and returns the checks that fail.
func without(t *testing.T, opened *ctf.Trace, kind string, nth int) (failed map[string]bool) {
	t.Helper()
	report := newReport()
	m := newMachine("", report, newGaps(nil))
	n := 0
	walk(t, opened, func(ev *trace.Event) {
		if ev.Class.Name == kind {
			if n++; n-1 == nth {
				return
			}
		}
		m.take(ev)
	})
	failed = make(map[string]bool)
	for _, c := range report.Checks {
		if c.Failed > 0 {
			failed[c.Name] = true
		}
	}
	return failed
}

// TestDropped: of every kind of event that something must come before or behind, a single one that is missing is found,
// but at the beginning of a trace, where nothing is known yet, and at its end.
func TestDropped(t *testing.T) {
	opened, err := ctf.Open(filepath.Join(simulated(t, crowded), "left", "kernel"))
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if failed := without(t, opened, "", 0); len(failed) > 0 {
		t.Fatalf("of the whole trace, %v fail", failed)
	}
	for _, c := range []struct{ kind, check string }{
		{"irq_softirq_raise", Raising},
		{"sched_migrate_task", Placing},
		{"sched_waking", Waking},
		{"sched_wakeup", Waking},
		{"sched_wakeup_new", Waking},
		{"timer_start", Timers},
		{"net_dev_xmit", Sending},
		{"net_dev_queue", Sending},
		{"sched_process_fork", Life},
		{"sched_process_exec", Life},
		{"block_rq_insert", Disks},
		{"block_rq_issue", Disks},
		{"block_rq_complete", Disks},
		{"irq_handler_entry", Nesting},
		{"irq_softirq_exit", Nesting},
		{"sched_switch", Schedule},
	} {
		t.Run(c.kind, func(t *testing.T) {
			all := places(t, opened, c.kind)
			tries := 6
			if testing.Short() {
				tries = 1
			}
			if len(all) < tries {
				t.Fatalf("there are only %d", len(all))
			}
			for i := range tries {
				nth := all[len(all)/8+i*(len(all)*3/4)/tries]
				if failed := without(t, opened, c.kind, nth); !failed[c.check] {
					t.Errorf("that number %d of %d is missing is not found; %v fail", nth, len(all), failed)
				}
			}
		})
	}
}
