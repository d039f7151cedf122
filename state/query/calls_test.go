package query_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/query"
)

// Every call counts with all its time, from entry to exit; one that goes on at the end is told apart; of too many the first are looked at.
func TestCallsOf(t *testing.T) {
	var b strings.Builder
	b.WriteString(`1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20` + "\n")
	for i := range 100 { // the i-th read takes i+1 ms
		fmt.Fprintf(&b, "%d.0 cpu=0 syscall_entry_read fd=0\n%d.%03d cpu=0 syscall_exit_read ret=1\n", i+2, i+2, i+1)
	}
	b.WriteString("200 cpu=0 syscall_entry_poll fds=0\n201 cpu=0 syscall_exit_poll ret=1\n210 cpu=0 syscall_entry_futex uaddr=0\n211 cpu=1 sched_switch prev_comm=\"swapper/1\" prev_tid=0 prev_prio=20 prev_state=0 next_comm=\"b\" next_tid=11 next_prio=20\n")
	h := kerneltest.Run(t, b.String()).Writer.History()
	tree := h.Attributes()
	threads := []attribute.Quark{tree.Lookup("Threads", "10"), tree.Lookup("Threads", "11"), attribute.None}
	for _, c := range []struct {
		begin, end int64 // ms
		limit      int
		want       string
	}{
		{0, 300_000, 1000, "counted 101, 0 unfinished, 1 going on, of 102: read 100 times, 1 50 90 99 100 ms; poll 1 times, 1000 1000 1000 1000 1000 ms"},
		{10_000, 12_001, 1000, "counted 3, 0 unfinished, of 3: read 3 times, 9 10 11 11 11 ms"},
		{200_500, 200_501, 1000, "counted 1, 0 unfinished, of 1: poll 1 times, 1000 1000 1000 1000 1000 ms"},
		{150_000, 151_000, 1000, "counted 0, 0 unfinished, of 0"},
	} {
		got, err := query.CallsOf(context.Background(), h, query.Recording{All: true}, threads, c.begin*1e6, c.end*1e6, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if s := wordsOfCalls(got); s != c.want || got.Until != c.end*1e6 {
			t.Errorf("from %d to %d, until %d:\n got %s\nwant %s", c.begin, c.end, got.Until, s, c.want)
		}
	}

	got, err := query.CallsOf(context.Background(), h, query.Recording{All: true}, threads, 0, 300e9, 20)
	if err != nil {
		t.Fatal(err)
	}
	if got.All != 102 || got.Counted < 10 || got.Counted > 20 || got.Names[0].Times[0] != 1e6 {
		t.Errorf("of too many: %s", wordsOfCalls(got))
	}
	if n := int64(got.Counted); got.Until <= (n+1)*1e9 || got.Until > (n+2)*1e9 {
		t.Errorf("%d calls were counted until %d ns", n, got.Until)
	}
}

// A call that was going on when events were lost did not return then.
func TestCallsLost(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
2 cpu=0 syscall_entry_read fd=0
3 cpu=0 syscall_exit_read ret=1
4 cpu=0 syscall_entry_futex uaddr=0
lost cpu=0 9 10
11 cpu=0 sched_switch prev_comm="a" prev_tid=10 prev_prio=20 prev_state=0 next_comm="b" next_tid=11 next_prio=20
12 cpu=0 syscall_entry_read fd=0
14 cpu=0 syscall_exit_read ret=1
15 cpu=0 syscall_entry_read fd=0
18 cpu=0 syscall_exit_read ret=1
`).Writer.History()
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		{0, 20, "counted 3, 1 unfinished, of 4: read 3 times, 1000 2000 3000 3000 3000 ms"},
		{5, 6, "counted 0, 1 unfinished, of 1"},
		{2, 5, "counted 1, 1 unfinished, of 2: read 1 times, 1000 1000 1000 1000 1000 ms"},
		{11, 16, "counted 2, 0 unfinished, of 2: read 2 times, 2000 2000 3000 3000 3000 ms"},
	} {
		got := callsOfTwo(t, h, c.begin, c.end)
		if s := wordsOfCalls(got); s != c.want {
			t.Errorf("from %d to %d:\n got %s\nwant %s", c.begin, c.end, s, c.want)
		}
	}
}

// Of the calls of a name, and of those of a thread, it is told which one took longest, also where it began before the selection; of two that
// took as long it is the first.
func TestLongestCalls(t *testing.T) {
	h := kerneltest.Run(t, `
1 cpu=0 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="a" next_tid=10 next_prio=20
1 cpu=1 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="b" next_tid=11 next_prio=20
2 cpu=0 syscall_entry_read fd=0
4 cpu=0 syscall_exit_read ret=1
5 cpu=1 syscall_entry_read fd=0
7 cpu=1 syscall_exit_read ret=1
8 cpu=1 syscall_entry_poll fds=0
11 cpu=1 syscall_exit_poll ret=1
12 cpu=0 syscall_entry_poll fds=0
13 cpu=0 syscall_exit_poll ret=1
14 cpu=0 syscall_entry_poll fds=0
20 cpu=1 syscall_entry_read fd=0
21 cpu=1 syscall_exit_read ret=1
`).Writer.History()
	tree := h.Attributes()
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		{0, 20, "read 10 from 2 to 4, poll 11 from 8 to 11; thread 11 poll from 8 to 11, thread 10 read from 2 to 4"},
		{10, 13, "poll 11 from 8 to 11; thread 11 poll from 8 to 11, thread 10 poll from 12 to 13"},
		{6, 8, "read 11 from 5 to 7; thread 11 read from 5 to 7"},
	} {
		got := callsOfTwo(t, h, c.begin, c.end)
		var names, ofThreads []string
		for _, n := range got.Names {
			names = append(names, fmt.Sprintf("%s %s from %d to %d", n.Name, tree.Name(n.Longest.Thread), n.Longest.Begin/1e9, n.Longest.End/1e9))
			if n.Longest.Name != n.Name || n.Longest.End-n.Longest.Begin != n.Quantile(1000) {
				t.Errorf("from %d to %d the longest %s is %+v, which took %d ns", c.begin, c.end, n.Name, n.Longest, n.Quantile(1000))
			}
		}
		for _, l := range got.Threads {
			ofThreads = append(ofThreads, fmt.Sprintf("thread %s %s from %d to %d", tree.Name(l.Thread), l.Name, l.Begin/1e9, l.End/1e9))
		}
		slices.Sort(names)
		slices.Reverse(names)
		if s := strings.Join(names, ", ") + "; " + strings.Join(ofThreads, ", "); s != c.want {
			t.Errorf("from %d to %d:\n got %s\nwant %s", c.begin, c.end, s, c.want)
		}
	}
}

func wordsOfCalls(c *query.Calls) string {
	s := fmt.Sprintf("counted %d, %d unfinished, ", c.Counted, c.Unfinished)
	if c.Ongoing > 0 {
		s += fmt.Sprintf("%d going on, ", c.Ongoing)
	}
	s += fmt.Sprintf("of %d", c.All)
	for i, n := range c.Names {
		s += fmt.Sprintf("%s %s %d times, %d %d %d %d %d ms", []string{":", ";"}[min(i, 1)], n.Name, len(n.Times),
			n.Times[0]/1e6, n.Quantile(500)/1e6, n.Quantile(900)/1e6, n.Quantile(990)/1e6, n.Quantile(1000)/1e6)
	}
	return s
}

// callsOfTwo are the calls of threads 10 and 11 from begin until before end, seconds.
func callsOfTwo(t *testing.T, h *history.History, begin, end int64) *query.Calls {
	t.Helper()
	tree := h.Attributes()
	threads := []attribute.Quark{tree.Lookup("Threads", "10"), tree.Lookup("Threads", "11")}
	got, err := query.CallsOf(context.Background(), h, query.Recording{All: true}, threads, begin*1e9, end*1e9, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
