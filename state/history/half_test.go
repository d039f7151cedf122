package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Pixels that are about as wide as leaves, or wider, cut most of them in two, and the later half of these comes from sums.
// They equal the brute force at every watermark of a tree that grows, where values come and go and are corrected.
func TestPixelsThatCutLeaves(t *testing.T) {
	raced.Alone(t)
	r := rand.New(rand.NewPCG(5, 6))
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, history.Options{NodeSize: 1024, PageSize: 512, MaxChildren: 12})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 5
	values, phases := []int{3, 6, 12, 3, 3}, []int{400, 400, 6000, 400, 400} // three at a time, and after so many changes others
	m := newModel(0)
	for q := range rows {
		w.Attributes().Add(attribute.Root, fmt.Sprint(q))
	}
	now := int64(0)
	const changes, shown = 24_000, 8
	for i := range changes {
		now += 1 + r.Int64N(60)
		q := r.IntN(rows)
		if q == 1 && i/3000%2 == 1 {
			q = 0 // so that a row rests, for longer than columns are wide
		}
		if q == 4 && i/150%3 > 0 {
			q = 0 // or for longer than some leaves, in their node
		}
		v := history.Int(int64((i/phases[q]*3+r.IntN(3))%values[q]) * 3)
		if q == 3 { // whose encodings do not tell where they begin
			v = history.Float(float64(r.IntN(3)))
		}
		if r.IntN(50) == 0 && m.born(attribute.Quark(q)) {
			if err := w.Update(attribute.Quark(q), v); err != nil {
				t.Fatal(err)
			}
			m.update(attribute.Quark(q), v)
		} else {
			if err := w.Modify(now, attribute.Quark(q), v); err != nil {
				t.Fatal(err)
			}
			m.modify(now, attribute.Quark(q), v)
		}
		if i%(changes/shown) == changes/shown-1 {
			w.Publish(now)
			comparePixels(t, r, w.History(), m, now, rows)
		}
	}
	if err := w.Finish(now + 1); err != nil {
		t.Fatal(err)
	}
	comparePixels(t, r, w.History(), m, now+1, rows)
	if history.Sums(t, w.History()) == 0 {
		t.Error("the tree has no sums")
	}
	if history.Joined(t, w.History()) == 0 {
		t.Error("the tree has no sums of what crosses from leaf to leaf")
	}
}

// comparePixels asks for columns of several widths.
func comparePixels(t *testing.T, r *rand.Rand, h *history.History, m *model, end int64, rows int) {
	t.Helper()
	all := m.until(end, true)
	qs := make([]attribute.Quark, rows)
	byRow := make([][]history.Interval, rows)
	for q := range qs {
		qs[q] = attribute.Quark(q)
		byRow[q] = slices.DeleteFunc(slices.Clone(all), func(iv history.Interval) bool { return iv.Quark != qs[q] })
	}
	var bounds []int64 // of leaves
	if err := h.Blocks(context.Background(), func(b history.Block) bool {
		if b.Kind == "leaf" {
			bounds = append(bounds, b.Start)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for _, wide := range []int64{700, 2500, 7000, 20_000, -2500, -7000, -20_000} {
		edges := []int64{r.Int64N(end / 3)}
		narrow := wide > 0
		for last := edges[0]; last < end; {
			if !narrow || r.IntN(8) > 0 { // else a column of no width
				last += 1 + r.Int64N(2*max(wide, -wide))
			}
			if at, _ := slices.BinarySearch(bounds, last); at < len(bounds) && r.IntN(3) == 0 && !narrow {
				last = bounds[at] // where a leaf begins
			}
			edges = append(edges, last)
		}
		if r.IntN(2) == 0 {
			edges = edges[:2+len(edges)/2]
		}
		runs, err := h.Pixels(context.Background(), qs, edges)
		if err != nil {
			t.Fatal(err)
		}
		for q := range qs {
			compareRow(t, runs[q], byRow[q], edges)
		}
		verifyTogether(t, h, qs, edges, runs)
	}
}

// compareRow takes the intervals of a row, in order of time.
func compareRow(t *testing.T, runs []history.Run, all []history.Interval, edges []int64) {
	t.Helper()
	got := make([]map[history.Value]int64, len(edges)-1)
	for _, run := range runs {
		for c := run.From; c < run.To; c++ {
			got[c] = map[history.Value]int64{run.Value: edges[c+1] - edges[c]}
			if run.Mix != nil {
				got[c] = make(map[history.Value]int64)
				for _, share := range run.Mix {
					got[c][share.Value] = share.Time
				}
			}
		}
	}
	first := 0
	for c := range got {
		for first < len(all) && all[first].End <= edges[c] {
			first++
		}
		near := all[first:]
		for n := range near {
			if near[n].Start > edges[c+1] {
				near = near[:n]
				break
			}
		}
		want := map[history.Value]int64{}
		if len(near) > 0 {
			want = pixels(near, near[0].Quark, edges[c:c+2])[0]
		}
		var sum, whole int64
		for _, time := range want {
			whole += max(time, 0)
		}
		for v, time := range got[c] {
			sum += time
			if expected, ok := want[v]; !ok || expected >= 0 && len(got[c]) > 1 && expected != time {
				t.Fatalf("column %d, %d to %d: %v, want %v", c, edges[c], edges[c+1], got[c], want)
			}
		}
		if len(got[c]) != len(want) || len(got[c]) > 1 && sum != whole {
			t.Fatalf("column %d, %d to %d: %v, want %v", c, edges[c], edges[c+1], got[c], want)
		}
	}
}
