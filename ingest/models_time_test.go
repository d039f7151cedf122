package ingest

import (
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

// What is due in the states of the kernel, or of applications, while the other's events are read comes at its time.
func TestModelsKeepTime(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, `
-- kernel.trace --
ctf 1.8 le
env hostname="box"
env domain="kernel"
clock c freq=1000000000
stream 0
packet-context {content_size u64; packet_size u64; timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 page_fault_user
  fields {address u64}
file s
packet cpu=0
1.001000000 page_fault_user address=1
1.002000000 page_fault_user address=1
1.030000000 page_fault_user address=1
1.350000000 page_fault_user address=1
1.600000000 page_fault_user address=1
-- ust.trace --
ctf 1.8 le
env hostname="box"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {content_size u64; packet_size u64; timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32; events_discarded u64}
event-header {id u8; timestamp u64:clock(c)}
event-context {_vtid i32; _vpid i32; _procname string}
event 2 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
file s
packet begin=1.020000000 end=1.200000000 cpu=0 discarded=0
1.020000000 lttng_ust_cyg_profile:func_entry addr=0x10 | vtid=7 vpid=7 procname="a"
packet begin=1.500000000 end=1.700000000 cpu=0 discarded=3
1.550000000 lttng_ust_cyg_profile:func_entry addr=0x20 | vtid=7 vpid=7 procname="a"
1.650000000 lttng_ust_cyg_profile:func_entry addr=0x30 | vtid=7 vpid=7 procname="a"
`))
	h := s.Hosts()[0].History()
	for at, want := range map[int64]string{1_005_000_000: "1", 1_015_000_000: "2"} {
		iv, err := h.Point(t.Context(), h.Attributes().Lookup("CPUs", "0", "Page_faults"), at)
		if err != nil || h.Text(iv.Value) != want {
			t.Errorf("at %d ns there are %s page faults (%v), want %s", at, h.Text(iv.Value), err, want)
		}
	}
}
