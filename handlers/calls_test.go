package handlers

import (
	"fmt"
	"slices"
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
	s := newSite(t, Options{})
	api := "/api/sets/" + s.imported("unseen", texttest.Dir(t, "-- web.trace --\n"+switchless()+`
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
		{"1000000000", "1020000000", "4, 1 unfinished: poll 2 of 4000000; read 2 of 3000000; longest poll 11 1016000000 1019000000; longest read 10 1013000000 1015000000; of 11 poll 1016000000 1019000000; of 10 read 1013000000 1015000000; "},
		{"1003500000", "1004000000", "0, 1 unfinished: "},
		{"1014000000", "1014500000", "1, 0 unfinished: read 1 of 2000000; longest read 10 1013000000 1015000000; of 10 read 1013000000 1015000000; "},
		{"1006000000", "1014000000", "1, 1 unfinished: read 1 of 2000000; longest read 10 1013000000 1015000000; of 10 read 1013000000 1015000000; "},
	} {
		if got := callsIn(s, api, c.begin, c.end) + longestIn(s, api, c.begin, c.end); got != c.want {
			t.Errorf("from %s to %s:\n got %s\nwant %s", c.begin, c.end, got, c.want)
		}
	}
}

// So it is where a stream ends before others do, as its last packets or the end of its file are missing; and where a part of a packet cannot be read, of which
// no tracer counted anything. A stream that ends with room in its last packet is whole: its calls go on to the end of the recording.
func TestCallsCutWithoutSwitches(t *testing.T) {
	const begun = `
file s_0
packet begin=1.000000000 end=1.007000000 seq=0 discarded=0 cpu=0
1.001000000 syscall_entry_read fd=3 | tid=10
1.002000000 syscall_exit_read ret=3 | tid=10
1.003000000 syscall_entry_read fd=3 | tid=10
`
	const others = `
file s_1
packet begin=1.000000000 end=1.030000000 seq=0 discarded=0 cpu=1
1.001000000 syscall_entry_poll fd=3 | tid=20
1.002000000 syscall_exit_poll ret=1 | tid=20
1.025000000 syscall_entry_poll fd=3 | tid=20
1.029000000 syscall_exit_poll ret=1 | tid=20
`
	for _, c := range []struct{ what, file, calls, losses string }{
		{"whole", "", "3, 1 unfinished: poll 2 of 5000000; read 1 of 1000000; ", ""},
		{"cut", "1.004000000 syscall_entry_poll fd=3 | tid=11\n1.005000000 syscall_exit_poll ret=1 | tid=11\ncut 1\n", "2, 1 unfinished: poll 1 of 1000000; read 1 of 1000000; ", "1 packets on 0 from 1004000000 to 1029000000; "},
		{"an event that cannot be read", "1.004000000 syscall_entry_poll fd=3 | tid=11\nraw 09 00 00 00 00 00 00 00 00\npacket begin=1.007000000 end=1.020000000 seq=1 discarded=0 cpu=0\n1.010000000 syscall_entry_poll fd=3 | tid=11\n1.011000000 syscall_exit_poll ret=3 | tid=11\n", "4, 1 unfinished: poll 3 of 6000000; read 1 of 1000000; ", ""},
	} {
		s := newSite(t, Options{})
		api := "/api/sets/" + s.imported("unseen", texttest.Dir(t, "-- web.trace --\n"+switchless()+begun+c.file+others)).ID()
		if got := callsIn(s, api, "1000000000", "1029000001"); got != c.calls {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.calls)
		}
		losses := ""
		for _, l := range decode[lossesAnswer](t, s.want(200, "GET", api+"/losses?local=1&begin=0&end=2000000000", "")).Hosts[0].Stretches {
			losses += fmt.Sprintf("%d packets on %d from %d to %d; ", l.Packets, *l.CPU, l.Begin, l.End)
		}
		if losses != c.losses {
			t.Errorf("%s: lost are %s, want %s", c.what, losses, c.losses)
		}
	}
}

// Of more threads than an answer tells of, whoever asks for some of them is told the longest call of each, also of those that are left out otherwise; and of
// which nobody knows how long theirs took.
func TestLongestCallsOfManyThreads(t *testing.T) {
	const threads = mostOwners + 300
	var events strings.Builder
	for i := range threads {
		fmt.Fprintf(&events, "1.%09d syscall_entry_read fd=3 | tid=%d\n", 1_000_000+i*10_000, 1000+i)
		if i%100 != 99 {
			fmt.Fprintf(&events, "1.%09d syscall_exit_read ret=3 | tid=%d\n", 1_000_000+i*10_000+1+i, 1000+i)
		}
	}
	s := newSite(t, Options{})
	api := "/api/sets/" + s.imported("many", texttest.Dir(t, "-- web.trace --\n"+switchless()+"\nfile s_0\npacket begin=1.000000000 end=1.100000000 seq=0 discarded=0 cpu=0\n"+events.String())).ID()
	const stretch = "/calls?local=1&begin=1000000000&end=1200000000"
	ask := func(more string) hostCalls {
		t.Helper()
		return decode[callsAnswer](t, s.want(200, "GET", api+stretch+more, "")).Hosts[0]
	}

	all := ask("")
	if len(all.Threads) != mostOwners || len(all.Open) != 0 || all.Untold != threads-mostOwners {
		t.Fatalf("of all %d are told, %d are open and %d untold", len(all.Threads), len(all.Open), all.Untold)
	}
	// The shortest calls are left out there, and these are asked for in parts.
	for _, part := range [][2]int{{0, 250}, {250, 500}, {0, mostOwners}} {
		var numbers []string
		want := make(map[int32]int64)
		var open []int32
		for i := part[0]; i < part[1]; i++ {
			tid := int32(1000 + i)
			numbers = append(numbers, fmt.Sprint(tid))
			if want[tid] = int64(1 + i); i%100 == 99 {
				delete(want, tid)
				open = append(open, tid)
			}
		}
		h := ask("&host=web&thread=" + strings.Join(numbers, ","))
		if len(h.Threads) != len(want) || !slices.Equal(h.Open, open) || h.Untold != 0 || h.All != uint64(part[1]-part[0]) {
			t.Errorf("of the threads from %d to %d the longest calls of %d are told, %v are open, %d untold, of %d calls", part[0], part[1], len(h.Threads), h.Open, h.Untold, h.All)
		}
		for _, c := range h.Threads {
			if ns := int64(c.LocalEnd - c.LocalBegin); ns != want[c.TID] || c.Name != "read" {
				t.Errorf("the longest call of %d is %s of %d ns, and was read of %d", c.TID, c.Name, ns, want[c.TID])
			}
		}
	}
	s.want(400, "GET", api+stretch+"&host=web&thread=1000,,1001", "")
	s.want(400, "GET", api+stretch+"&host=web&thread="+strings.Repeat("1000,", mostOwners)+"1000", "")
	s.want(400, "GET", api+stretch+"&thread=1000,1001", "")
}

// switchless is a trace of system calls without switches, but for its streams.
func switchless() string {
	return strings.Replace(texttest.Counted(`hostname="web"`, `domain="kernel"`), "event 0 e\n", `event-context {tid i32}
event 0 syscall_entry_read
  fields {fd u64}
event 1 syscall_exit_read
  fields {ret i64}
event 2 syscall_entry_poll
  fields {fd u64}
event 3 syscall_exit_poll
  fields {ret i64}
`, 1)
}

// callsIn is what the calls of the only host are in a stretch of its time.
func callsIn(s *site, api, begin, end string) string {
	h := decode[callsAnswer](s.t, s.want(200, "GET", api+"/calls?local=1&begin="+begin+"&end="+end, "")).Hosts[0]
	out := fmt.Sprintf("%d, %d unfinished: ", h.Counted, h.Unfinished)
	for _, n := range h.Calls {
		out += fmt.Sprintf("%s %d of %d; ", n.Name, n.Count, n.Sum)
	}
	return out
}

// longestIn is which calls were the longest of a name, and of a thread.
func longestIn(s *site, api, begin, end string) string {
	h := decode[callsAnswer](s.t, s.want(200, "GET", api+"/calls?local=1&begin="+begin+"&end="+end, "")).Hosts[0]
	out := ""
	for _, n := range h.Calls {
		out += fmt.Sprintf("longest %s %d %d %d; ", n.Name, n.Longest.TID, n.Longest.Begin, n.Longest.LocalEnd)
	}
	for _, l := range h.Threads {
		out += fmt.Sprintf("of %d %s %d %d; ", l.TID, l.Name, l.LocalBegin, l.End)
	}
	return out
}
