package network

import (
	"encoding/json"
	"strings"
	"testing"
)

// Three hosts that all talk. Where the messages of one link are all off by a ms, which no link
// can notice by itself, the loop does not close, and says by how much.
func TestLoop(t *testing.T) {
	for _, lie := range []int64{0, 1_000_000} {
		n := New(Config{})
		n.AddHost("a", "a")
		n.AddHost("b", "b")
		n.AddHost("c", "c")
		var key uint64
		talk(n, 0, 1, 5*second, 50_000, 400, &key)
		talk(n, 1, 2, -3*second, 60_000, 400, &key)
		talk(n, 0, 2, 2*second+lie, 90_000, 400, &key)
		for i := range int32(3) {
			n.Done(i, nil)
		}
		s := n.Solution()
		outside := 0
		for _, k := range s.Links {
			if k.InTree != (k.Loop == nil) {
				t.Errorf("%d-%d: in the tree %v, loop %v", k.A, k.B, k.InTree, k.Loop)
			}
			if k.Loop == nil {
				continue
			}
			outside++
			if k.Loop.Hops != 2 || k.Loop.Consistent != (lie == 0) {
				t.Errorf("a lie of %d ns: %+v", lie, *k.Loop)
			}
			if off := k.Loop.Residual - lie; off < -k.Loop.Bound || off > k.Loop.Bound {
				t.Errorf("a lie of %d ns: %+v", lie, *k.Loop)
			}
			if k.Loop.Bound < 100_000 || k.Loop.Bound > 600_000 {
				t.Errorf("round trips of 100, 120 and 180 µs at least give a bound of %d", k.Loop.Bound)
			}
		}
		if outside != 1 {
			t.Errorf("%d links outside of the tree, want 1", outside)
		}
		b, err := json.Marshal(s.Report())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), `"loop_ns":{"residual":`) || strings.Count(string(b), `"loop_ns":null`) != 2 {
			t.Errorf("no loop in %s", b)
		}
	}
}
