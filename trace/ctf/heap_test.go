package ctf

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The merge of streams that each go forwards is a stable sort by time, trace and stream.
func TestHeapMerges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			time          int64
			stream, place int
		}
		var all []item
		var rest [][]int64
		var h heap
		for i := range rapid.IntRange(0, 9).Draw(t, "streams") {
			times := rapid.SliceOfN(rapid.Int64Range(0, 5), 1, 8).Draw(t, "times")
			slices.Sort(times)
			for j, at := range times {
				all = append(all, item{at, i, j})
			}
			h.push(&lane{trace: int32(i / 3), index: int32(i % 3), time: times[0]})
			rest = append(rest, times[1:])
		}
		slices.SortStableFunc(all, func(a, b item) int {
			if a.time != b.time {
				return int(a.time - b.time)
			}
			return a.stream - b.stream
		})
		for n, want := range all {
			l := h[0]
			i := int(3*l.trace + l.index)
			if l.time != want.time || i != want.stream {
				t.Fatalf("item %d is of stream %d at %d, want %+v", n, i, l.time, want)
			}
			if len(rest[i]) == 0 {
				h.pop()
				continue
			}
			l.time, rest[i] = rest[i][0], rest[i][1:]
			h.fix()
		}
		if len(h) != 0 {
			t.Fatalf("%d streams are left", len(h))
		}
	})
}
