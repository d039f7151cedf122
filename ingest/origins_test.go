package ingest

import (
	"testing"

	"synchroscope/state/query"
	"synchroscope/trace/ctf/text/texttest"
)

// Of a thread that slept when the recording began nobody knows whether it still does, where switches are not recorded.
func TestSleepersWithoutSwitches(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, `
ctf 1.8 le
env hostname="box"
env domain="kernel"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 lttng_statedump_process_state
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
