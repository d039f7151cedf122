package handlers

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

func TestBinned(t *testing.T) {
	if got := fmt.Sprint(binned([]int64{0, 1, 2, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 1_999_999, 2_000_000, 1<<63 - 1})); got !=
		"[[0 1] [1 1] [2 2] [5 2] [10 2] [20 2] [50 2] [100 1] [1000000 1] [2000000 1] [2000000000000000000 1]]" {
		t.Error(got)
	}
}

// Where no switches are recorded a thread is not seen to be lost sight of: a call that goes on where events are lost, on whichever CPU, did not return then, and those
// before and behind it did.
func TestCallsLostWithoutSwitches(t *testing.T) {
	head := strings.Replace(texttest.Counted(`hostname="web"`, `domain="kernel"`), "event 0 e\n", `event-context {tid i32}
event 0 syscall_entry_read
  fields {fd u64}
event 1 syscall_exit_read
  fields {ret i64}
event 2 syscall_entry_poll
  fields {fd u64}
event 3 syscall_exit_poll
  fields {ret i64}
`, 1)
	s := newSite(t, Options{})
	api := "/api/sets/" + s.imported("unseen", texttest.Dir(t, "-- web.trace --\n"+head+`
file s_0
packet begin=1.000000000 end=1.007000000 seq=0 discarded=0 cpu=0
1.001000000 syscall_entry_read fd=3 | tid=10
1.002000000 syscall_exit_read ret=3 | tid=10
1.003000000 syscall_entry_read fd=3 | tid=10
1.005000000 syscall_entry_poll fd=3 | tid=11
1.006000000 syscall_exit_poll ret=1 | tid=11
packet begin=1.008000000 end=1.012000000 seq=1 discarded=20 cpu=0
1.009000000 syscall_entry_poll fd=3 | tid=11
1.010000000 syscall_exit_poll ret=1 | tid=11
packet begin=1.012000000 end=1.020000000 seq=2 discarded=20 cpu=0
1.013000000 syscall_entry_read fd=3 | tid=10
1.015000000 syscall_exit_read ret=3 | tid=10
1.016000000 syscall_entry_poll fd=3 | tid=11
1.019000000 syscall_exit_poll ret=1 | tid=11
`)).ID()
	for _, c := range []struct{ begin, end, want string }{
		{"1000000000", "1020000000", "4, 1 unfinished: poll 2 of 4000000; read 2 of 3000000; "},
		{"1003500000", "1004000000", "0, 1 unfinished: "},
		{"1006000000", "1014000000", "1, 1 unfinished: read 1 of 2000000; "},
	} {
		h := decode[callsAnswer](t, s.want(200, "GET", api+"/calls?local=1&begin="+c.begin+"&end="+c.end, "")).Hosts[0]
		got := fmt.Sprintf("%d, %d unfinished: ", h.Counted, h.Unfinished)
		for _, n := range h.Calls {
			got += fmt.Sprintf("%s %d of %d; ", n.Name, n.Count, n.Sum)
		}
		if got != c.want {
			t.Errorf("from %s to %s:\n got %s\nwant %s", c.begin, c.end, got, c.want)
		}
	}
}
