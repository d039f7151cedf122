package network

import "testing"

// Two hosts in the middle of four are equally good references. While the import runs the one stays
// that was it, though the lower comes to be as good; the final solution does not know what was.
func TestTies(t *testing.T) {
	for _, order := range [][]int32{{1, 2, 0}, {0, 1, 2}, {2, 0, 1}} {
		n := New(Config{})
		for _, name := range []string{"a", "b", "c", "d"} {
			n.AddHost(name, name)
		}
		var key uint64
		was := int32(-1)
		for i, link := range order {
			talk(n, link, link+1, second, 50_000, 20, &key)
			s := n.Solution()
			if i == 1 && order[0] == 1 {
				if was = s.Hosts[2].Reference; was != 2 {
					t.Fatalf("of b, c and d the reference is %d", was)
				}
			}
		}
		if live := n.Solution().Reference; was >= 0 && live != was {
			t.Errorf("the reference went from %d to %d without need", was, live)
		}
		for i := range int32(4) {
			n.Done(i, nil)
		}
		if final := n.Solution(); !final.Final || final.Reference != 1 {
			t.Errorf("links in the order %v: the final reference is %d, want b", order, final.Reference)
		}
	}
}
