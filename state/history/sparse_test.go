package history

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
)

// A sparse is a map, near and far, also when it was emptied and filled again.
func TestSparseModel(t *testing.T) {
	defer func(n attribute.Quark) { nearQuarks = n }(nearQuarks)
	nearQuarks = 128
	rapid.Check(t, func(t *rapid.T) {
		var s sparse
		model := make(map[attribute.Quark]int32)
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			for range rapid.IntRange(1, 400).Draw(t, "steps") {
				q := attribute.Quark(rapid.IntRange(0, 700).Draw(t, "quark"))
				if _, ok := model[q]; ok && rapid.Bool().Draw(t, "remove") {
					s.remove(q)
					delete(model, q)
					continue
				}
				i := rapid.IntRange(0, 1000).Draw(t, "position")
				s.set(q, i)
				model[q] = int32(i)
			}
			var want []attribute.Quark
			for q := range model {
				want = append(want, q)
			}
			slices.Sort(want)
			for q := attribute.Quark(0); q < 800; q++ {
				i, ok := model[q]
				if !ok {
					i = -1
				}
				if got := s.at(q); got != i {
					t.Fatalf("attribute %d is at %d, want %d", q, got, i)
				}
			}
			var order, wanted []int32
			s.ascending(func(i int32) { order = append(order, i) })
			for _, q := range want {
				wanted = append(wanted, model[q])
			}
			if !slices.Equal(order, wanted) {
				t.Fatalf("in order %v, want %v", order, wanted)
			}
			if len(want) > 0 {
				if least, greatest := s.bounds(); least != want[0] || greatest != want[len(want)-1] {
					t.Fatalf("bounds %d and %d, want %d and %d", least, greatest, want[0], want[len(want)-1])
				}
				if s.below() <= int(want[len(want)-1]) {
					t.Fatalf("all are below %d, but there is %d", s.below(), want[len(want)-1])
				}
			}
			for q := range model {
				s.remove(q)
			}
			clear(model)
		}
	})
}
