package natural

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	want := []string{
		"", "0", "00", "1", "2", "10", "99999999999999999999998", "99999999999999999999999", "VM1", "VM3", "VM20", "cache",
		"node", "node-01", "node-1", "node-2", "node-2 (2)", "node-2 (10)", "node-2a", "node-10", "node2-3", "node10-1", "rack1-node10", "rack2-node9", "web",
	}
	for i, a := range want {
		for j, b := range want {
			if got := Compare(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("Compare(%q, %q) = %d", a, b, got)
			}
		}
	}
}

// Whatever the names, the order is one: sorting needs no luck.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		b := make([]byte, r.IntN(6))
		for i := range b {
			b[i] = "0012-a/:"[r.IntN(8)]
		}
		return string(b)
	}
	for range 200_000 {
		a, b, c := name(), name(), name()
		if Compare(a, b) != -Compare(b, a) || (Compare(a, b) == 0) != (a == b) {
			t.Fatalf("Compare(%q, %q) = %d, the other way round %d", a, b, Compare(a, b), Compare(b, a))
		}
		list := []string{a, b, c}
		slices.SortFunc(list, Compare)
		if Compare(list[0], list[2]) > 0 {
			t.Fatalf("%q is in no order", list)
		}
	}
}
