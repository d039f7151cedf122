package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// steps gives the attribute q of a predictable history: it is Int(k) from
// q+k*(q+3) on, for k = 1, 2, ...
func step(q attribute.Quark, k int64) int64 { return int64(q) + k*int64(q+3) }

// Readers that run beside the writer see everything before the published time,
// exactly, on a real file, and also where what grows with the attributes is in a scratch file.
func TestReadersBesideTheWriter(t *testing.T) {
	t.Run("near", func(t *testing.T) { readersBeside(t, 1024) })
	t.Run("far", func(t *testing.T) {
		history.FarFrom(t, 0)
		readersBeside(t, 1024)
	})
	t.Run("parts", func(t *testing.T) {
		history.DivideFrom(t, 512)
		history.TallyFrom(t, 10, 1<<17)
		readersBeside(t, 16<<10)
	})
}

func readersBeside(t *testing.T, node int) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{NodeSize: node, MaxChildren: 3, Cache: history.NewCache(64 << 10)})
	if err != nil {
		t.Fatal(err)
	}
	const quarks, end = 40, 6000
	for q := range quarks {
		w.Attributes().Path("Rows", fmt.Sprint(q))
	}
	rows := w.Attributes().Children(w.Attributes().Lookup("Rows"))
	done := make(chan struct{})
	var readers sync.WaitGroup
	for i := range 3 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			for n := int64(i); ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if err := readPublished(w.History(), rows, n*7919); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	for now := int64(1); now <= end; now++ {
		for _, q := range rows {
			if k := (now - int64(q)) / int64(q+3); k >= 1 && step(q, k) == now {
				if err := w.Modify(now, q, history.Int(k)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if now%17 == 0 {
			w.Publish(now)
			w.Text(fmt.Append(nil, now))
		}
		if now%1000 == 0 {
			if _, err := w.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Finish(end + 1); err != nil {
		t.Fatal(err)
	}
	close(done)
	readers.Wait()
	if err := readPublished(w.History(), rows, 12345); err != nil {
		t.Error(err)
	}
	if err := history.Check(f); err != nil {
		t.Error(err)
	}
}

// readPublished asks for an instant in every way and verifies the answers.
func readPublished(h *history.History, rows []attribute.Quark, n int64) error {
	ctx := context.Background()
	_, end := h.Bounds()
	if end == 0 {
		return nil
	}
	at, q := n%end, rows[n%int64(len(rows))]
	k := max(0, (at-int64(q))/int64(q+3))
	want := history.Int(k)
	if k == 0 {
		want = history.Null()
	}
	iv, err := h.Point(ctx, q, at)
	if err != nil {
		return err
	}
	if iv.Value != want || iv.Start > at || iv.End <= at {
		return fmt.Errorf("attribute %d at %d of %d: %v, want %v", q, at, end, iv, want)
	}
	err = h.Full(ctx, at, func(iv history.Interval) bool { return iv.Start <= at && at < iv.End })
	if err != nil {
		return err
	}
	next := int64(0)
	err = h.Range(ctx, []attribute.Quark{q}, 0, end, func(iv history.Interval) bool {
		if iv.Start != next {
			return false
		}
		next = iv.End
		return true
	})
	if err != nil || next < end {
		return fmt.Errorf("range of attribute %d broke off at %d of %d: %v", q, next, end, err)
	}
	edges := []int64{0, end / 3, end / 2, end}
	runs, err := h.Pixels(ctx, []attribute.Quark{q}, edges)
	if err != nil {
		return err
	}
	for _, r := range runs[0] {
		sum := int64(0)
		for _, s := range r.Mix {
			sum += s.Time
		}
		if r.Mix != nil && sum != edges[r.To]-edges[r.From] {
			return fmt.Errorf("column %d of attribute %d sums to %d, want %d", r.From, q, sum, edges[r.To]-edges[r.From])
		}
	}
	return nil
}

// A hundred thousand attributes that are all open to the end cost extents and
// ongoing values, not levels.
func TestManyLongIntervals(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred thousand attributes")
	}
	f := new(historytest.Memory)
	w, err := history.Create(f, 0, history.Options{NodeSize: 4096, MaxChildren: 10})
	if err != nil {
		t.Fatal(err)
	}
	const quarks = 100_000
	qs := make([]attribute.Quark, quarks)
	for i := range qs {
		qs[i] = w.Attributes().Path("Threads", fmt.Sprint(i))
	}
	now := int64(0)
	for round := range int64(3) {
		for _, q := range qs {
			now++
			if err := w.Modify(now, q, history.Int(round+1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	now++
	for _, q := range qs { // all end at one instant
		if err := w.Modify(now, q, history.Null()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(now + 1); err != nil {
		t.Fatal(err)
	}
	s := w.History().Stats()
	if s.Intervals != 3*quarks {
		t.Errorf("%d intervals, want %d", s.Intervals, 3*quarks)
	}
	// At most log10 of all blocks, rounded up, and the leaves.
	if limit := len(fmt.Sprint(s.Pages)) + 1; s.Depth > limit {
		t.Errorf("depth %d of %d blocks, want at most %d", s.Depth, s.Pages, limit)
	}
	n := 0
	err = w.History().Full(context.Background(), now-1, func(iv history.Interval) bool {
		n++
		return iv.Value == history.Int(3) && iv.End == now
	})
	if err != nil || n != quarks {
		t.Errorf("full query gave %d of %d: %v", n, quarks, err)
	}
}
