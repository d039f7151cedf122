package history_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// verifyTogether compares attributes together with the sum of what each has by itself.
func verifyTogether(t rapid.TB, h *history.History, qs []attribute.Quark, edges []int64, each [][]history.Run) {
	t.Helper()
	start, end := h.Bounds()
	empty := func() []map[history.Value]int64 {
		columns := make([]map[history.Value]int64, len(edges)-1)
		for c := range columns {
			columns[c] = map[history.Value]int64{}
		}
		return columns
	}
	// In a column of one value each attribute had it all the time; an empty one has 1 ns of each.
	add := func(columns []map[history.Value]int64, runs []history.Run, attributes int64) {
		for _, r := range runs {
			for _, s := range r.Mix {
				columns[r.From][s.Value] += s.Time
			}
			for c := r.From; r.Mix == nil && c < r.To; c++ {
				time := min(end, edges[c+1]) - max(start, edges[c])
				if edges[c] == edges[c+1] {
					time = 1
				}
				columns[c][r.Value] += time * attributes
			}
		}
	}
	want, seen := empty(), make(map[attribute.Quark]bool)
	for k, runs := range each {
		if !seen[qs[k]] {
			add(want, runs, 1)
		}
		seen[qs[k]] = true
	}
	runs, err := h.Together(context.Background(), qs, edges)
	if err != nil {
		t.Fatal(err)
	}
	got := empty()
	add(got, runs, int64(len(seen)))
	for c := range want {
		if fmt.Sprint(got[c]) != fmt.Sprint(want[c]) {
			t.Fatalf("column %d, [%d, %d): together %v, one by one %v", c, edges[c], edges[c+1], got[c], want[c])
		}
	}
}

// So many attributes may be added up that their times fit 62 bits, whatever they are.
func TestAddable(t *testing.T) {
	for _, x := range []struct {
		edges []int64
		many  int
	}{
		{[]int64{0, 1}, 1 << 61},
		{[]int64{0, 1 << 50, 3 << 50}, 1 << 10},
		{[]int64{math.MinInt64, math.MaxInt64}, 1},
		{nil, 1 << 61},
	} {
		if got := history.Addable(x.edges); got != x.many {
			t.Errorf("%v: %d attributes, want %d", x.edges, got, x.many)
		}
	}
}
