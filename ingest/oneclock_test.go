package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"synchroscope/state/kernel"
	"synchroscope/trace/ctf/text/texttest"
)

// A machine is recorded twice, and its clock of the day is set back by two hours in between: the second recording is behind the first, and an application's beside the second, whose
// origin was measured 3 µs apart, tells times by its. All is so after a restart, too.
func TestRecordedBeforeAndAfterTheDayWasSet(t *testing.T) {
	var b strings.Builder
	record := func(name, domain, classes, events string, number, origin, at int) {
		head := strings.Replace(machineHead, "clock c freq=1000000000", fmt.Sprintf("clock c uuid=00010203-0405-0607-0809-0a0b0c0d0eff freq=1000000000 cycles=%d", origin), 1)
		fmt.Fprintf(&b, "-- %s.trace --\n"+head+classes+"file s\n", name, number, domain)
		second := func(after int) string { return fmt.Sprint(origin/1e9 + at + after) }
		fmt.Fprintf(&b, "packet begin=%s.000100000 end=%s.900000000 seq=0 discarded=0 cpu=0 instance=0\n", second(0), second(1))
		b.WriteString(strings.NewReplacer("T0", second(0), "T1", second(1)).Replace(events))
	}
	const reads = `T0.100000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="app" next_tid=12 next_prio=20
T0.200000007 syscall_entry_read fd=0
T0.300000000 sched_switch prev_comm="app" prev_tid=12 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
T1.100000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="app" next_tid=12 next_prio=20
`
	const app = "event-context {_vtid i32; _vpid i32; _procname string}\nevent 0 app:did\n  fields {n i32}\n"
	const did = "T0.250000000 app:did n=1 | vtid=12 vpid=12 procname=\"app\"\n"
	const hours = 7200e9
	record("one/kernel", "kernel", machineKernel, reads, 1, 9000e9, 10)
	record("two/kernel", "kernel", machineKernel, reads, 2, 9000e9-hours, 20)
	record("two/ust/uid/0/64-bit", "ust", app, did, 3, 9000e9-hours+3000, 20)
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, b.String()))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"imported", "started again"} {
		if len(s.Hosts()) != 1 {
			t.Fatalf("%s: %d hosts", when, len(s.Hosts()))
		}
		h := s.Hosts()[0].History()
		q := h.Attributes().Lookup("Threads", "12")
		var states []string
		for _, at := range []int64{1810.25e9, 1810.5e9, 1815e9, 1820.25e9, 1820.5e9, 1821.1e9} {
			iv, err := h.Point(t.Context(), q, at)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := iv.Value.Int()
			states = append(states, kernel.Status(n).String())
		}
		if got, want := strings.Join(states, ", "), "syscall, blocked, unknown, syscall, blocked, syscall"; got != want {
			t.Errorf("%s: the thread is %s, want %s", when, got, want)
		}
		want := []string{
			"web1810100000000", "web1810200000007", "web1810300000000", "web1811100000000",
			"web1820100000000", "web1820200000007", "web1820249997000", "web1820300000000", "web1821100000000",
		}
		var events []string
		for _, line := range firstEvents(t, s) {
			events = append(events, strings.Fields(line)[0])
		}
		if !slices.Equal(events, want) {
			t.Errorf("%s: events at %q, want %q", when, events, want)
		}
		if a := s.Report().Anomalies; len(a) != 1 || a[0].Kind != "clock-set" {
			t.Errorf("%s: told is %+v", when, a)
		}
		if when == "imported" {
			s = restarted(t, s)
		}
	}
}
