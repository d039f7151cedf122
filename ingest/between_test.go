package ingest

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	"synchroscope/trace/ctf/text/texttest"
)

// What traces of one machine begin with, by number and domain, and the classes of its kernel.
const (
	machineHead = `ctf 1.8 le uuid=00010203-0405-0607-0809-0a0b0c0d0e0%d
env hostname="web"
env domain="%s"
clock c freq=1000000000
packet-header {uuid [16]u8; stream_id u32; stream_instance_id u64}
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); packet_seq_num u64; events_discarded u64; cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
`
	machineKernel = `event 0 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}
event 1 syscall_entry_read
  fields {fd i32}
event 2 syscall_exit_read
  fields {ret i64}
`
)

// recordedTwice is a machine of which the kernel was recorded from 1 to 3 s and from 6 to 8 s, and an application from 2 s to 4 and from 7 to 9.
func recordedTwice() string {
	const app = `event-context {_vtid i32; _vpid i32; _procname string}
event 0 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
`
	var b strings.Builder
	for i, at := range []int{1, 6} {
		fmt.Fprintf(&b, "-- kernel-%d.trace --\n"+machineHead+machineKernel, i, i, "kernel")
		fmt.Fprintf(&b, `file s
packet begin=%[1]d.000000000 end=%[2]d.000000000 seq=0 discarded=0 cpu=0 instance=0
%[1]d.100000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="app" next_tid=12 next_prio=20
%[1]d.200000007 syscall_entry_read fd=0
%[1]d.300000000 sched_switch prev_comm="app" prev_tid=12 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
`, at, at+2)
		fmt.Fprintf(&b, "-- app-%d.trace --\n"+strings.Replace(machineHead, "env ", "env tracer_buffering_scheme=\"uid\"\nenv ", 1)+app, i, 5+i, "ust")
		fmt.Fprintf(&b, `file s
packet begin=%[1]d.000000000 end=%[2]d.000000000 seq=0 discarded=0 cpu=0 instance=0
%[1]d.500000000 lttng_ust_cyg_profile:func_entry addr=0x1%[3]d | vtid=12 vpid=12 procname="app"
%[4]d.500000000 lttng_ust_cyg_profile:func_entry addr=0x2%[3]d | vtid=12 vpid=12 procname="app"
`, at+1, at+3, i, at+2)
	}
	return b.String()
}

// Of a machine that was recorded twice nothing is said of the time in between: no thread sleeps, is in a call or a function, and no CPU is idle. So it is behind the
// kernel's recording where an application's goes on. That is no loss, and nothing is told of it.
func TestBetweenRecordings(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, recordedTwice()))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.Hosts()) != 1 {
		t.Fatalf("%d hosts", len(s.Hosts()))
	}
	h := s.Hosts()[0].History()
	says := func(at int64, path ...string) string {
		q := h.Attributes().Lookup(path...)
		if q == attribute.None {
			return "none"
		}
		iv, err := h.Point(t.Context(), q, at)
		if err != nil {
			t.Fatal(err)
		}
		n, ok := iv.Value.Int()
		switch {
		case ok && path[0] == "CPUs":
			return kernel.CPUStatus(n).String()
		case ok && len(path) == 2:
			return kernel.Status(n).String()
		case iv.Value.IsString():
			return h.String(iv.Value)
		}
		return "none"
	}
	for _, c := range []struct {
		at   int64
		want string
	}{
		{29e8, "blocked read idle 0x10"}, {35e8 - 1, "unknown none unknown 0x10"}, {39e8, "unknown none unknown 0x20"}, {5e9, "unknown none unknown none"},
		{69e8, "blocked read idle none"}, {79e8, "blocked read idle 0x11"}, {85e8 - 1, "unknown none unknown 0x11"},
	} {
		got := strings.Join([]string{says(c.at, "Threads", "12"), says(c.at, "Threads", "12", "System_call"), says(c.at, "CPUs", "0"), says(c.at, "Threads", "12", "Function")}, " ")
		if got != c.want {
			t.Errorf("at %d: %s, want %s", c.at, got, c.want)
		}
	}
	if r := s.Report(); len(r.Anomalies) > 0 {
		t.Errorf("told is %+v", r.Anomalies)
	}
}

// Of two recordings of one kernel at one time, and of their events, which are the same but for how long it took to write them, states are made once; of the second as soon as the
// first is over.
func TestTwoRecordingsAtOnce(t *testing.T) {
	var b strings.Builder
	for i, last := range []int{60, 90} {
		fmt.Fprintf(&b, "-- kernel-%d.trace --\n"+machineHead+machineKernel+"file s\npacket begin=0.%d00000000 end=%d.200000000 seq=0 discarded=0 cpu=0 instance=0\n", i, i, "kernel", 1+i, last)
		for s := 1 + i; s < last; s++ {
			if s%3 == 0 { // and every third second nothing happens
				continue
			}
			tid := 12 + s%3
			fmt.Fprintf(&b, "%d.%d sched_switch prev_comm=\"swapper/0\" prev_tid=0 prev_prio=20 prev_state=0 next_comm=\"app\" next_tid=%d next_prio=20\n", s, 100000003+i, tid)
			fmt.Fprintf(&b, "%d.%d syscall_entry_read fd=0\n", s, 200000007+i)
			fmt.Fprintf(&b, "%d.%d syscall_exit_read ret=0\n", s, 300000007+i)
			fmt.Fprintf(&b, "%d.%d syscall_entry_read fd=0\n", s, 400000007+i)
			fmt.Fprintf(&b, "%d.%d sched_switch prev_comm=\"app\" prev_tid=%d prev_prio=20 prev_state=1 next_comm=\"swapper/0\" next_tid=0 next_prio=20\n", s, 500000011+i, tid)
			fmt.Fprintf(&b, "%d.%d sched_switch prev_comm=\"swapper/0\" prev_tid=0 prev_prio=20 prev_state=0 next_comm=\"app\" next_tid=%d next_prio=20\n", s, 600000003+i, tid)
			fmt.Fprintf(&b, "%d.%d syscall_exit_read ret=0\n", s, 700000007+i)
			fmt.Fprintf(&b, "%d.%d sched_switch prev_comm=\"app\" prev_tid=%d prev_prio=20 prev_state=0 next_comm=\"swapper/0\" next_tid=0 next_prio=20\n", s, 800000011+i, tid)
		}
	}
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, b.String()))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.Hosts()) != 1 {
		t.Fatalf("%d hosts", len(s.Hosts()))
	}
	h := s.Hosts()[0].History()
	says := func(at int64, path ...string) string {
		iv, err := h.Point(t.Context(), h.Attributes().Lookup(path...), at)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := iv.Value.Int()
		return kernel.Status(n).String()
	}
	for s := int64(3); s < 89; s++ {
		if s%3 == 0 || s == 60 { // when the first recording is over
			continue
		}
		var got []string
		for _, at := range []int64{150, 250, 350, 450, 550, 650, 750, 850} {
			got = append(got, says(s*1e9+at*1e6, "Threads", fmt.Sprint(12+s%3)))
		}
		if got, want := strings.Join(got, ", "), "user, syscall, user, syscall, blocked, syscall, user, wait for cpu"; got != want {
			t.Fatalf("in second %d: %s, want %s", s, got, want)
		}
	}
	iv, err := h.Point(t.Context(), h.Attributes().Lookup("CPUs", "0", "Switches"), 50e9)
	if n, ok := iv.Value.Int(); err != nil || !ok || n != 33*4 {
		t.Errorf("%d switches, %v, want 132", n, err)
	}
	for _, o := range s.Report().Anomalies {
		t.Errorf("told is %s", o.Kind)
	}
}
