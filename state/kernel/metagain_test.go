package kernel_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/kernel/kerneltest"
)

// Behind a time of which nothing is known the state dump says who has an id now: it can be another thread than before, of another process, or one where there was none left.
func TestDumpedAgain(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 lttng_statedump_process_state tid=10 vtid=10 pid=10 vpid=10 ppid=1 name="old" type=0 status=5 ns_level=0
1 cpu=0 lttng_statedump_process_state tid=20 vtid=20 pid=20 vpid=20 ppid=1 name="ends" type=0 status=5 ns_level=0
1 cpu=0 lttng_statedump_process_state tid=30 vtid=30 pid=30 vpid=30 ppid=1 name="stays" type=0 status=5 ns_level=0
1 cpu=0 lttng_statedump_process_state tid=40 vtid=40 pid=40 vpid=40 ppid=30 name="left" type=0 status=5 ns_level=0
2 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="ends" next_tid=20 next_prio=20
2 cpu=0 sched_process_exit comm="ends" tid=20 prio=20
2 cpu=0 sched_switch prev_comm="ends" prev_tid=20 prev_prio=20 prev_state=64 next_comm="swapper/0" next_tid=0 next_prio=20
3 cpu=0 sched_process_free comm="ends" tid=20 prio=20
lost cpu=-1 4 5
6 cpu=0 lttng_statedump_process_state tid=10 vtid=10 pid=9 vpid=9 ppid=7 name="new" type=0 status=5 ns_level=0
6 cpu=0 lttng_statedump_process_state tid=20 vtid=20 pid=20 vpid=20 ppid=7 name="begins" type=0 status=5 ns_level=0
6 cpu=0 lttng_statedump_process_state tid=30 vtid=30 pid=30 vpid=30 ppid=1 name="stays" type=0 status=5 ns_level=0
6 cpu=0 lttng_statedump_process_state tid=40 vtid=40 pid=40 vpid=40 ppid=1 name="renamed" type=0 status=5 ns_level=0
`).Writer.History()
	says := func(tid int, at int64) string {
		var out []any
		for _, name := range []string{"", "Name", "PID", "PPID"} {
			q := h.Attributes().Lookup("Threads", fmt.Sprint(tid))
			if name != "" {
				q = h.Attributes().Child(q, name)
			}
			if q == attribute.None {
				out = append(out, "none")
				continue
			}
			iv, err := h.Point(t.Context(), q, at)
			if err != nil {
				t.Fatal(err)
			}
			if iv.Value.IsString() {
				out = append(out, h.String(iv.Value))
			} else {
				out = append(out, iv.Value)
			}
		}
		return strings.TrimSpace(fmt.Sprintln(out...))
	}
	for _, c := range []struct {
		tid           int
		before, after string
	}{
		{10, "1 old 10 1", "1 new 9 7"}, {20, "1 ends 20 1", "1 begins 20 7"}, {30, "1 stays 30 1", "1 stays 30 1"}, {40, "1 left 40 30", "1 renamed 40 1"},
	} {
		if got := says(c.tid, 15e8); got != c.before {
			t.Errorf("thread %d is %s before, want %s", c.tid, got, c.before)
		}
		if got := says(c.tid, 65e8); got != c.after {
			t.Errorf("thread %d is %s after, want %s", c.tid, got, c.after)
		}
	}
}
