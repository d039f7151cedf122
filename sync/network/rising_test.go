package network_test

import (
	"math"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// forward is three hosts that talk for 20 s, each two of them every 50 ms in turn. The clock of the last is set forward by 11 s after 9 s. rising is told of all.
func forward(t *testing.T, rising bool, order []int32) *network.Network {
	t.Helper()
	const start, second = int64(1_700_000_000e9), int64(1e9)
	clock := func(host int32, at int64) int64 {
		shown := at + int64(host)*second + (at-start)/100_000*int64(host)
		if host == 2 && at >= start+9*second {
			shown += 11 * second
		}
		return shown
	}
	n := network.New(network.Config{})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	lists := make([][]match.Endpoint, 3)
	add := func(host int32, at int64, d match.Direction, key uint64) {
		lists[host] = append(lists[host], match.Endpoint{Time: clock(host, at), Host: host, Thread: -1, Direction: d, Key: match.Key{A: key, Form: 1}})
	}
	key := uint64(0)
	for at := start; at < start+20*second; at += second / 20 {
		for i, way := range [][2]int32{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}} {
			key++
			sent := at + int64(i)*second/300
			add(way[0], sent, match.Send, key)
			add(way[1], sent+100_000+int64(key%7)*20_000, match.Receive, key)
		}
	}
	for _, host := range order {
		for _, e := range lists[host] {
			n.Endpoint(e, nil)
		}
		n.Span(host, clock(host, start), clock(host, start+20*second))
		n.Rising(host, rising)
		n.Done(host, nil)
	}
	return n
}

// A clock that is set forward by more than was recorded before it may as well be another host's that was set back, which shows all its times twice. Where what
// that host recorded shows that its clock never went back, the links of that host are as good as ever.
func TestRisingClocksWereNotSetBack(t *testing.T) {
	worst := func(s *network.Solution) int64 {
		t.Helper()
		for _, k := range s.Links {
			if k.A == 0 && k.B == 1 {
				if k.ErrorMax < 0 {
					return math.MaxInt64
				}
				return k.ErrorMax
			}
		}
		t.Fatal("no link of a and b")
		return 0
	}
	known := forward(t, true, []int32{0, 1, 2})
	if ns := worst(known.Solution()); ns > 300_000 {
		t.Errorf("a and b, which never went back, are known to %d ns", ns)
	}
	if ns := worst(forward(t, false, []int32{0, 1, 2}).Solution()); ns < 1e9 {
		t.Errorf("a and b, which may have been set back, are known to %d ns", ns)
	}
	stored, err := network.ParseConstraints(known.Constraints().AppendBinary(nil))
	if err != nil {
		t.Fatal(err)
	}
	again, err := stored.Solve(network.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for how, s := range map[string]*network.Solution{"in another order": forward(t, true, []int32{2, 1, 0}).Solution(), "by what is stored": again} {
		if a, b := worst(known.Solution()), worst(s); a != b {
			t.Errorf("%s a and b are known to %d ns, not to %d", how, b, a)
		}
	}
	if known.Solution().Hosts[2].Reference == 2 {
		t.Error("the reference is the host that was set")
	}
}
