package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// A host hangs on one that is recorded as long as it is, not on one that it hears a little better for a third of the
// time: what that leaves open of the rest is a hundred times as much. The short one hangs on what it hears best.
func TestLateHostIsNoWay(t *testing.T) {
	n := New(Config{})
	for _, name := range []string{"a", "b", "late"} {
		n.AddHost(name, name)
	}
	var key uint64
	exchange := func(a, b int32, from, to, delay int64) {
		for at := from; at < to; at += 10 {
			for _, way := range [][2]int32{{a, b}, {b, a}} {
				key++
				sent := start + at*second/10
				n.Endpoint(match.Endpoint{Time: sent, Host: way[0], Direction: match.Send, Key: match.Key{A: key}}, nil)
				n.Endpoint(match.Endpoint{Time: sent + delay, Host: way[1], Direction: match.Receive, Key: match.Key{A: key}}, nil)
			}
		}
	}
	exchange(0, 1, 0, 6000, 60_000)
	exchange(0, 2, 4000, 6000, 55_000)
	exchange(1, 2, 4000, 6000, 50_000)
	for i := range int32(3) {
		n.Done(i, nil)
	}
	s := n.Solution()
	var used []bool
	for _, k := range s.Links {
		used = append(used, k.InTree)
		if k.Served < k.ErrorMedian {
			t.Errorf("%d - %d: %d ns over all, %d in common", k.A, k.B, k.Served, k.ErrorMedian)
		}
	}
	if len(used) != 3 || !used[0] || used[1] || !used[2] {
		t.Errorf("of a-b, a-late and b-late those in use are %v", used)
	}
	for i, h := range s.Hosts {
		for _, b := range h.Map.Bounds() {
			if b[1] > 200_000 {
				t.Errorf("host %d is known to %d ns, %d s after the start", i, b[1], (b[0]-start)/second)
			}
		}
	}
}

// What a step adds to the weight of a link is no error: it is in no sum of errors, and in no loss.
func TestStepsAreNoErrors(t *testing.T) {
	clocks := [4]setClock{2: {sets: [][2]int64{{start + 10*second, -second * 8 / 10}}}}
	s := four(rand.New(rand.NewPCG(3, 4)), &clocks, 20*second)
	stepped := false
	for i := range s.Links {
		k := &s.Links[i]
		stepped = stepped || k.InTree && weight(k) > second/100 && k.Class == hull.Accurate
		if k.InTree && k.Served > 2*k.ErrorMedian+10_000 {
			t.Errorf("%d - %d serves with %d ns, in the median with %d", k.A, k.B, k.Served, k.ErrorMedian)
		}
	}
	if !stepped {
		t.Error("no link in use weighs more for a step")
	}
	var best int64 = math.MaxInt64
	candidates := s.Candidates()
	for _, c := range candidates {
		best = min(best, c.Sum)
	}
	for i, c := range candidates {
		if h := s.Hosts[i]; c.Most > 2_000_000 || h.Loss == nil || *h.Loss != c.Sum-best {
			t.Errorf("%s as the reference: %+v, the best has %d, a loss of %v", h.Name, *c, best, *h.Loss)
		}
	}
}
