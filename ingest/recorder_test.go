package ingest

import (
	"math"
	"strings"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/trace/ctf/text/texttest"
)

// A message that an application receives has its end at the thread that recorded it, by the number that the machine gives it: not at one that is
// woken on the same CPU afterwards.
func TestMessageOfApplicationsEndsAtItsThread(t *testing.T) {
	ust := func(host, event, context, values string) string {
		return "-- " + host + ".ust.trace --\nctf 1.8 le\nenv hostname=\"" + host + "\"\nenv domain=\"ust\"\nclock " + host + ` freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(` + host + `); timestamp_end u64:clock(` + host + `); cpu_id u32}
event-header {id u8; timestamp u64:clock(` + host + `)}
` + context + `event 0 app:send
  fields {key u32}
event 1 app:receive
  fields {key u32}
file s
packet cpu=0
` + event + values + "\n"
	}
	const threads = "event-context {_vtid i32; _vpid i32; _procname string}\n"
	for _, test := range []struct{ context, values string }{{threads, ` | vtid=7 vpid=1 procname="java"`}, {"", ""}} {
		text := ust("a", "1.000000000 app:send key=1", threads, ` | vtid=12 vpid=12 procname="a"`) + ust("b", "1.100000000 app:receive key=1", test.context, test.values) + `
-- b.kernel.trace --
ctf 1.8 le
env hostname="b"
env domain="kernel"
clock b freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(b); timestamp_end u64:clock(b); cpu_id u32}
event-header {id u8; timestamp u64:clock(b)}
event 0 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}
event 1 sched_waking
  fields {comm string; tid i32; prio i32; target_cpu i32}
event 2 lttng_statedump_process_state
  fields {tid i32; vtid i32; pid i32; vpid i32; ppid i32; name string; type i32; status i32; ns_level i32; ns_inum u32}
file s0
packet cpu=0
0.400000000 lttng_statedump_process_state tid=607 vtid=7 pid=601 vpid=1 ppid=0 name="java" type=0 status=5 ns_level=1 ns_inum=4026532002
0.500000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="java" next_tid=607 next_prio=20
1.200000000 sched_waking comm="other" tid=50 prio=20 target_cpu=0
1.300000000 sched_switch prev_comm="java" prev_tid=607 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
-- synchroscope-endpoints --
message request
send app:send key=key
receive app:receive key=key
`
		s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, strings.TrimLeft(text, "\n")))
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []match.Message
		if _, err := s.ScanMessages(t.Context(), math.MinInt64, math.MaxInt64, nil, nil, 0, math.MaxInt, func(m match.Message, _, _ int64) { got = append(got, m) }); err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].FromThread != 12 || got[0].ToThread != 607 {
			t.Errorf("messages %+v, want one from thread 12 to thread 607", got)
		}
	}
}
