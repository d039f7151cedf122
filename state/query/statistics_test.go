package query_test

import (
	"context"
	"fmt"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

func TestStatistics(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
2 cpu=0 syscall_entry_read fd=0
4 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="b" next_tid=11 next_prio=20
6 cpu=0 sched_switch prev_comm="b" prev_tid=11 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
7 cpu=1 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
9 cpu=1 syscall_exit_read ret=1
12 cpu=1 syscall_entry_poll fds=0
`).Writer.History()
	tree := h.Attributes()
	threads := []attribute.Quark{tree.Lookup("Threads", "10"), tree.Lookup("Threads", "11"), attribute.None}
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		{0, 12, "[{[{3 syscall 4000000000 2} {2 user 4000000000 2} {1 blocked 3000000000 1} {0 unknown 1000000000 1}] [{0 read 7000000000 1}] [{0 1 5000000000 1} {0 0 3000000000 1}]}"},
		{3, 8, "[{[{1 blocked 3000000000 1} {3 syscall 2000000000 2}] [{0 read 5000000000 1}] [{0 0 1000000000 1} {0 1 1000000000 1}]}"},
		{12, 12, "[{[] [] []}"},
	} {
		got, err := query.Of(context.Background(), h, threads, c.begin*1e9, c.end*1e9)
		if err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprint(got[:1]); s != c.want+"]" {
			t.Errorf("from %d to %d:\n got %s\nwant %s]", c.begin, c.end, s, c.want)
		}
		if s := fmt.Sprint(got[2]); s != "{[] [] []}" {
			t.Errorf("no thread has %s", s)
		}
	}
}

// A call that began before the selection is counted, and did not begin in it; what one left out of it is not.
func TestCallsOfThread(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
2 cpu=0 syscall_entry_read fd=0
4 cpu=0 syscall_exit_read ret=1
5 cpu=0 syscall_entry_read fd=0
6 cpu=0 syscall_exit_read ret=1
7 cpu=0 syscall_entry_poll fds=0
8 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
12 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
13 cpu=0 syscall_exit_poll ret=1
14 cpu=0 syscall_entry_read fd=0
`).Writer.History()
	thread := h.Attributes().Lookup("Threads", "10")
	for _, c := range []struct {
		begin, end int64 // half seconds
		want       string
	}{
		{0, 28, "[{{0 poll 6000000000 1} 1} {{0 read 3000000000 2} 2}]"},
		{6, 20, "[{{0 poll 3000000000 1} 1} {{0 read 2000000000 2} 1}]"},
		{4, 11, "[{{0 read 2500000000 2} 2}]"},
		{16, 24, "[{{0 poll 4000000000 1} 0}]"},
		{9, 10, "[]"},
		{32, 40, "[]"},
	} {
		got, err := query.CallsOfThread(context.Background(), h, thread, c.begin*5e8, c.end*5e8)
		if err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("from %d to %d halves:\n got %s\nwant %s", c.begin, c.end, s, c.want)
		}
	}
	if got, err := query.CallsOfThread(context.Background(), h, attribute.None, 0, 28e9); len(got) != 0 || err != nil {
		t.Errorf("no thread calls %v, %v", got, err)
	}
}
