package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Many attributes change and are taken back at one time, with publishes, checkpoints and updates in between, against the naive list of the model test.
func TestTakenBackAmongMany(t *testing.T) {
	raced.Alone(t)
	ctx := context.Background()
	for seed := uint64(0); seed < 6; seed++ {
		rng := rand.New(rand.NewPCG(seed, 3))
		f := new(historytest.Memory)
		w, err := history.Create(f, 0, history.Options{NodeSize: 512 << rng.IntN(4), MaxChildren: 2 + rng.IntN(4), Compress: rng.IntN(2) == 0})
		if err != nil {
			t.Fatal(err)
		}
		n := 20 + rng.IntN(1500)
		qs := make([]attribute.Quark, n)
		m := newModel(0)
		for i := range qs {
			qs[i] = w.Attributes().Path("a", fmt.Sprint(i))
			m.at(qs[i])
		}
		vals := []history.Value{history.Null(), history.Int(1), history.Int(2), history.Float(0), history.Bool(false), w.Text([]byte("x")), history.Int(-1 << 63)}
		now := int64(0)
		for step := 0; step < 60; step++ {
			if rng.IntN(3) > 0 {
				now += int64(rng.IntN(5))
			}
			k := 1 + rng.IntN(n)
			for range k {
				q := qs[rng.IntN(n)]
				v := vals[rng.IntN(len(vals))]
				if rng.IntN(20) == 0 {
					if err := w.Update(q, v); err != nil {
						t.Fatal(err)
					}
					m.update(q, v)
					continue
				}
				if err := w.Modify(now, q, v); err != nil {
					t.Fatal(err)
				}
				m.modify(now, q, v)
			}
			if rng.IntN(6) == 0 {
				w.Publish(now)
			}
			if rng.IntN(10) == 0 {
				c, err := w.Checkpoint()
				if err != nil {
					t.Fatal(err)
				}
				if w, err = history.Resume(f, c); err != nil {
					t.Fatal(err)
				}
				vals[5] = w.Text([]byte("x"))
			}
		}
		end := now + 3
		if err := w.Finish(end); err != nil {
			t.Fatal(err)
		}
		h := w.History()
		all := m.until(end, true)
		of := map[attribute.Quark][]history.Interval{}
		for _, iv := range all {
			of[iv.Quark] = append(of[iv.Quark], iv)
		}
		for _, q := range qs {
			var got []history.Interval
			if err := h.Range(ctx, []attribute.Quark{q}, 0, end, func(iv history.Interval) bool { got = append(got, iv); return true }); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got) != fmt.Sprint(of[q]) {
				t.Fatalf("seed %d q %d\n got %v\nwant %v", seed, q, got, of[q])
			}
		}
		tot, err := h.Totals(ctx, qs, 0, end)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range qs {
			want := map[history.Value]int64{}
			for _, iv := range of[q] {
				want[iv.Value] += iv.End - iv.Start
			}
			for _, x := range tot[i] {
				if want[x.Value] != x.Time {
					t.Fatalf("seed %d totals %v want %v", seed, tot[i], want)
				}
				delete(want, x.Value)
			}
			if len(want) > 0 {
				t.Fatal("missing", want)
			}
		}
		if err := history.Check(f); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
