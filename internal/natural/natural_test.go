package natural

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// The page orders the same names in the same way.
func TestCompare(t *testing.T) {
	names, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := append([]string{""}, strings.Split(strings.TrimSpace(string(names)), "\n")...)
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
