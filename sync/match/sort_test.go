package match

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Segments dealt out by digits are in the order that a comparison gives, also streams whose hashes begin alike.
func TestSortRanged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compare := func(p, q ranged) int {
		return cmp.Or(cmp.Compare(uint32(p.stream), uint32(q.stream)), cmp.Compare(p.stream, q.stream), cmp.Compare(p.begin, q.begin), cmp.Compare(p.item, q.item))
	}
	var spare []ranged
	for _, n := range []int{0, 1, 511, 512, 5000} {
		list := make([]ranged, n)
		for i := range list {
			list[i] = ranged{stream: r.Uint64N(3)<<40 | r.Uint64N(5)<<20, begin: r.Uint32() >> r.IntN(32), item: int32(i)}
		}
		want := slices.Clone(list)
		slices.SortFunc(want, compare)
		list, spare = sortRanged(list, spare, compare)
		if !slices.Equal(list, want) {
			t.Errorf("%d segments are not in order", n)
		}
	}
}
