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
	want := make([]map[history.Value]int64, len(edges)-1)
	for c := range want {
		want[c] = map[history.Value]int64{}
	}
	seen := make(map[attribute.Quark]bool)
	for k, runs := range each {
		if seen[qs[k]] {
			continue
		}
		seen[qs[k]] = true
		for _, r := range runs {
			for _, s := range r.Mix {
				want[r.From][s.Value] += s.Time
			}
			for c := r.From; r.Mix == nil && c < r.To; c++ {
				time := min(end, edges[c+1]) - max(start, edges[c])
				if edges[c] == edges[c+1] {
					time = 1
				}
				want[c][r.Value] += time
			}
		}
	}
	runs, err := h.Together(context.Background(), qs, edges)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]map[history.Value]int64, len(want))
	for c := range got {
		got[c] = map[history.Value]int64{}
	}
	for _, r := range runs {
		for _, s := range r.Mix {
			got[r.From][s.Value] += s.Time
		}
		for c := r.From; r.Mix == nil && c < r.To; c++ {
			if len(want[c]) != 1 {
				t.Fatalf("column %d has %v, and together one value", c, want[c])
			}
			got[c][r.Value] = want[c][r.Value]
		}
	}
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
