package ingest

import (
	"strings"
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

// What is due in both at once, with no event in between, comes in order of time, whichever is first and whose event shows that it is due.
func TestModelsTakeTurns(t *testing.T) {
	const archive = `
-- kernel.trace --
ctf 1.8 le
env hostname="box"
env domain="kernel"
clock c freq=1000000000
stream 0
packet-context {content_size u64; packet_size u64; timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32; events_discarded u64}
event-header {id u8; timestamp u64:clock(c)}
event 0 page_fault_user
  fields {address u64}
event 1 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i32; next_comm string; next_tid i32; next_prio i32}
file s
KERNEL
-- ust.trace --
ctf 1.8 le
env hostname="box"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {content_size u64; packet_size u64; timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32; events_discarded u64}
event-header {id u8; timestamp u64:clock(c)}
event-context {_vtid i32; _vpid i32; _pid_ns u32}
event 2 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
file s
UST
`
	const run = `sched_switch prev_comm="i" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=7 next_prio=20`
	const call = `lttng_ust_cyg_profile:func_entry addr=0x10 | vtid=7 vpid=7 pid_ns=4026531836`
	for what, c := range map[string]struct{ kernel, ust string }{
		"a counter that lags behind a thread that is seen, and is none the kernel knows": {
			"packet begin=1.000000000 end=1.100000000 cpu=0 discarded=0\n1.000000000 page_fault_user address=1\n1.001000000 page_fault_user address=1\n1.090000000 page_fault_user address=1",
			"packet begin=1.002000000 end=1.060000000 cpu=0 discarded=0\n1.002000000 lttng_ust_cyg_profile:func_entry addr=0x10 | vtid=5 vpid=5 pid_ns=9\n1.050000000 lttng_ust_cyg_profile:func_entry addr=0x20 | vtid=5 vpid=5 pid_ns=9",
		},
		"a loss of the application's, and then one of the kernel's, and an event of the application": {
			"packet begin=1.000000000 end=1.002000000 cpu=0 discarded=0\n1.000000000 " + run + "\npacket begin=1.002000000 end=1.100000000 cpu=0 discarded=3\n1.090000000 page_fault_user address=1",
			"packet begin=1.000100000 end=1.001000000 cpu=0 discarded=0\n1.000100000 " + call + "\npacket begin=1.001000000 end=1.100000000 cpu=0 discarded=3\n1.050000000 " + call,
		},
		"a loss of the kernel's, and then one of the application's, and an event of the kernel": {
			"packet begin=1.000000000 end=1.001000000 cpu=0 discarded=0\n1.000000000 " + run + "\npacket begin=1.001000000 end=1.100000000 cpu=0 discarded=3\n1.050000000 page_fault_user address=1",
			"packet begin=1.000100000 end=1.002000000 cpu=0 discarded=0\n1.000100000 " + call + "\npacket begin=1.002000000 end=1.100000000 cpu=0 discarded=3\n1.090000000 " + call,
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, strings.NewReplacer("KERNEL", c.kernel, "UST", c.ust).Replace(archive)))
			if st := s.Status(); st.Error != "" || st.Hosts[0].State != "done" {
				t.Errorf("%s, %+v", st.Error, st.Hosts)
			}
		})
	}
}
