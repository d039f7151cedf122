package network

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
)

// A packed list has what was put there, in order, and so has a copy of it, whatever is put into either later.
func TestPacked(t *testing.T) {
	type item struct {
		hull.Point
		number uint64
	}
	rapid.Check(t, func(t *rapid.T) {
		var list, copied packed
		var want, had []item
		have := func(l *packed) (items []item) {
			for p, number := range l.all() {
				items = append(items, item{p, number})
			}
			return items
		}
		for range rapid.IntRange(0, 100).Draw(t, "messages") {
			m := item{hull.Point{X: rapid.Int64().Draw(t, "x"), Y: rapid.Int64().Draw(t, "y")}, rapid.Uint64().Draw(t, "number")}
			list.add(m.Point, m.number)
			want = append(want, m)
			if rapid.IntRange(0, 9).Draw(t, "copy") == 0 {
				copied, had = list.clone(), slices.Clone(want)
			} else if rapid.IntRange(0, 3).Draw(t, "into the copy") == 0 {
				copied.add(hull.Point{X: 1, Y: 2}, 3)
				had = append(had, item{hull.Point{X: 1, Y: 2}, 3})
			}
		}
		if !slices.Equal(have(&list), want) || list.count != len(want) {
			t.Errorf("%v, want %v", have(&list), want)
		}
		if !slices.Equal(have(&copied), had) || copied.count != len(had) {
			t.Errorf("the copy: %v, want %v", have(&copied), had)
		}
	})
}
