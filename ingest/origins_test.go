package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"synchroscope/state/query"
	"synchroscope/trace/ctf/text/texttest"
)

// Of a thread that slept when the recording began nobody knows whether it still does, where switches are not recorded.
func TestSleepersWithoutSwitches(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, boxKernel+`event 0 lttng_statedump_process_state
  fields {tid i32; pid i32; ppid i32; name string; type i32; status i32}
file s
packet cpu=0
1.000000000 lttng_statedump_process_state tid=10 pid=10 ppid=1 name="a" type=0 status=5
2.000000000 lttng_statedump_process_state tid=11 pid=11 ppid=1 name="b" type=0 status=5
`))
	h := s.Hosts()[0].History()
	d, err := query.At(t.Context(), h, h.Attributes().Lookup("Threads", "10"), 15e8)
	if err != nil || !d.Known || d.Status != 0 || d.Name != "a" {
		t.Errorf("thread 10 is %+v (%v), want one of unknown status", d, err)
	}
}

// A recording of one process alone, which runs and leaves again and again without being seen to take a CPU, is said to be one.
func TestSomeThreadsAreToldOf(t *testing.T) {
	text := boxKernel + `event 0 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}
file s
packet cpu=0
`
	for i := range 8 {
		text += fmt.Sprintf("%d.000000000 sched_switch prev_comm=\"a\" prev_tid=10 prev_prio=20 prev_state=1 next_comm=\"b\" next_tid=%d next_prio=20\n", i+1, 20+i)
	}
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, text))
	if !slices.ContainsFunc(s.Report().Anomalies, func(o Oddity) bool { return o.Kind == "some-threads" && o.Means != "" }) {
		t.Errorf("the report says %+v", s.Report().Anomalies)
	}
	h := s.Hosts()[0].History()
	d, err := query.At(t.Context(), h, h.Attributes().Lookup("Threads", "27"), 8e9)
	if err != nil || d.Status != 0 {
		t.Errorf("thread 27 is %+v (%v), want one of unknown status", d, err)
	}
}

// A recording from which a filter leaves out ends of system calls is said to be one, with which they are where it is not most.
func TestSomeCallsAreToldOf(t *testing.T) {
	const kept = "2.000000000 syscall_entry_write fd=3\n2.000000000 syscall_exit_write ret=1\n"
	for between, want := range map[string]string{
		"":                      "threads begin system calls within others, or end some that they had not begun, so a filter leaves out beginnings or ends",
		strings.Repeat(kept, 8): "threads begin other system calls within read, so a filter leaves out the ends of these",
	} {
		text := boxKernel
		for i, name := range []string{"syscall_entry_read", "syscall_exit_read", "syscall_entry_write", "syscall_exit_write"} {
			field := []string{"fd", "ret"}[i%2]
			text += fmt.Sprintf("event %d %s\n  fields {%s i32}\n", i, name, field)
		}
		text += "event 4 sched_switch\n  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}\nfile s\npacket cpu=0\n" +
			"1.000000000 sched_switch prev_comm=\"b\" prev_tid=11 prev_prio=20 prev_state=1 next_comm=\"a\" next_tid=10 next_prio=20\n" +
			"1.500000000 syscall_entry_write fd=1\n1.600000000 syscall_exit_write ret=1\n"
		for range 6 {
			text += between + "2.000000000 syscall_entry_read fd=3\n"
		}
		s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, text))
		if !slices.ContainsFunc(s.Report().Anomalies, func(o Oddity) bool {
			return o.Kind == "some-calls" && o.Means != "" && o.Places[0].Message == want
		}) {
			t.Errorf("the report says %+v, want %q", s.Report().Anomalies, want)
		}
	}
}
