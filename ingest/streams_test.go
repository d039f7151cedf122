package ingest

import (
	"strings"
	"testing"

	"synchroscope/state/kernel"
	"synchroscope/trace/ctf/text/texttest"
)

// oneOfTwo is a recording of a machine with two CPUs, of which one has no stream. The packets say of which CPU they are where CPU is such a field.
const oneOfTwo = `
-- kernel.trace --
ctf 1.8 le
env hostname="web"
env domain="kernel"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c)CPU}
event-header {id u8; timestamp u64:clock(c)}
event 0 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}
event 1 sched_wakeup
  fields {comm string; tid i32; prio i32; target_cpu i32}
file channel0_0
packetSAID
1.000000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
1.000000100 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="b" next_tid=11 next_prio=20
1.000000200 sched_wakeup comm="c" tid=12 prio=20 target_cpu=1
1.000000300 sched_switch prev_comm="b" prev_tid=11 prev_prio=20 prev_state=1 next_comm="d" next_tid=13 next_prio=20
file channel0_1
`

// A CPU of which nothing is there, though others put threads into its queue, is told of by its number, in a recording of less than a microsecond; and a thread that could be there
// is unknown from the beginning, before it is named. Where packets do not say of which CPU they are nobody knows.
func TestACPUWithoutAStreamIsToldOf(t *testing.T) {
	for _, c := range []struct {
		field, said string
		told        bool
	}{{"; cpu_id u32", " cpu=0", true}, {"", "", false}} {
		dir := texttest.Dir(t, strings.NewReplacer("CPU}", c.field+"}", "SAID", c.said).Replace(oneOfTwo))
		e := openEngine(t, t.TempDir(), Options{})
		s := importPath(t, e, "one of two", dir)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		told := false
		for _, a := range s.Hosts()[0].figures().Anomalies {
			told = told || a.Kind == "no-stream" && strings.HasPrefix(a.Message, "CPU 1: ")
		}
		h := s.Hosts()[0].History()
		iv, err := h.Point(t.Context(), h.Attributes().Lookup("Threads", "10"), 1_000_000_150)
		if err != nil {
			t.Fatal(err)
		}
		n, ok := iv.Value.Int()
		if unknown := ok && kernel.Status(n) == kernel.Unknown; told != c.told || unknown != c.told {
			t.Errorf("packets with%s: told %v, unknown %v, want %v; %+v", c.field, told, unknown, c.told, s.Hosts()[0].figures().Anomalies)
		}
		closeEngine(t, e)
	}
}
