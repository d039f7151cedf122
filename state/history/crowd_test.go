package history_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// An attribute that never has a value twice, as a counter, is a mix of all of them where
// a column is wide; and again of as few as come back.
func TestManyValuesInAColumn(t *testing.T) {
	raced.Alone(t)
	const changes, distinct = 200_000, 70_000
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("counter")
	value := func(i int) int64 { return int64(i*7919) % distinct }
	for i := range changes {
		if err := w.Modify(int64(10*i), q, history.Int(value(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(10 * changes); err != nil {
		t.Fatal(err)
	}
	edges := []int64{5, 10*changes/2 + 3, 10*changes/2 + 23, 10*changes - 4}
	runs, err := w.History().Pixels(context.Background(), []attribute.Quark{q}, edges)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs[0]) != 3 {
		t.Fatalf("%d runs in three columns", len(runs[0]))
	}
	for c, r := range runs[0] {
		want := make(map[int64]int64)
		for i := range changes {
			if time := min(edges[c+1], int64(10*i+10)) - max(edges[c], int64(10*i)); time > 0 {
				want[value(i)] += time
			}
		}
		if len(r.Mix) != len(want) {
			t.Fatalf("column %d: %d values, want %d", c, len(r.Mix), len(want))
		}
		for i, s := range r.Mix {
			v, _ := s.Value.Int()
			if s.Time != want[v] {
				t.Fatalf("column %d: %d for %d ns, want %d", c, v, s.Time, want[v])
			}
			if i > 0 {
				if before, _ := r.Mix[i-1].Value.Int(); before == v {
					t.Fatalf("column %d: %d twice", c, v)
				}
			}
		}
	}
}
