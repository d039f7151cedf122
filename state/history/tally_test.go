package history_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Nodes whose leaves are not worth a summary, since many attributes change a few times in each, have one all the same, of
// those attributes that have few values; what it says is verified by Check, and a sum over all is as the intervals have it. So it is, too, where there is room for the totals
// of a few attributes only, and where nodes are large.
func TestNodesOfLargeLeaves(t *testing.T) {
	raced.Alone(t)
	const rows = 60
	for _, entries := range []int{10_000, 500, 300, 100} {
		t.Run(fmt.Sprint(entries), func(t *testing.T) {
			history.TallyFrom(t, 100, entries)
			file := new(historytest.Memory)
			w, err := history.Create(file, 0, history.Options{NodeSize: 2048, MaxChildren: 6})
			if err != nil {
				t.Fatal(err)
			}
			var qs []attribute.Quark
			for row := range rows {
				qs = append(qs, w.Attributes().Path("few", fmt.Sprint(row)), w.Attributes().Path("many", fmt.Sprint(row)))
			}
			chance := rand.New(rand.NewPCG(4, uint64(entries)))
			now := int64(0)
			for range 60_000 {
				now += chance.Int64N(90)
				row := chance.IntN(rows)
				v := history.Int(chance.Int64N(3))
				if chance.IntN(3) == 0 {
					v = history.Int(chance.Int64N(1000))
				}
				q := qs[2*row]
				if n, _ := v.Int(); n > 3 {
					q = qs[2*row+1]
				}
				if err := w.Modify(now, q, v); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Finish(now + 1); err != nil {
				t.Fatal(err)
			}
			if err := history.Check(file); err != nil {
				t.Fatal(err)
			}
			h := w.History()
			summaries := 0
			if err := h.Blocks(t.Context(), func(b history.Block) bool {
				if b.Kind == "summary" {
					summaries++
					if b.Level < 2 {
						t.Errorf("a summary of level %d", b.Level)
					}
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if want := entries > 100; summaries > 0 != want {
				t.Errorf("%d summaries", summaries)
			}
			for range 50 {
				a, b := chance.Int64N(now), chance.Int64N(now)
				a, b = min(a, b), max(a, b)+1
				some := qs[chance.IntN(len(qs)):][:1]
				got, err := h.Totals(t.Context(), some, a, b)
				if err != nil {
					t.Fatal(err)
				}
				want := make(map[history.Value]int64)
				if err := h.Range(t.Context(), some, a, b, func(iv history.Interval) bool {
					want[iv.Value] += min(iv.End, b) - max(iv.Start, a)
					return true
				}); err != nil {
					t.Fatal(err)
				}
				for _, s := range got[0] {
					if want[s.Value] != s.Time {
						t.Fatalf("attribute %d from %d to %d: %v for %d ns, want %d", some[0], a, b, s.Value, s.Time, want[s.Value])
					}
					delete(want, s.Value)
				}
				if len(want) > 0 {
					t.Fatalf("attribute %d from %d to %d: without %v", some[0], a, b, want)
				}
			}
		})
	}
}
