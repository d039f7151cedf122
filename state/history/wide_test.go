package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// busyDeeds are changes of a few attributes: which of so many threads some CPUs have, and now and then none, which text is said, below zero and far apart
// numbers, a state of few values, and a counter that never has a value twice.
func busyDeeds(seed uint64, length, threads int) []deed {
	chance := rand.New(rand.NewPCG(seed, 12))
	deeds := make([]deed, length)
	now, count := int64(1000), 0
	for i := range deeds {
		now += chance.Int64N(60)
		d := deed{at: now, path: []string{"CPUs", fmt.Sprint(chance.IntN(3)), "Current_thread"}, value: 6 + chance.IntN(threads)}
		switch chance.IntN(8) {
		case 0:
			d.value = 0 // null
		case 1:
			d.path, d.value = []string{"Apart"}, 1000*chance.IntN(threads)-300*threads
			if d.value >= 0 {
				d.value += 6
			}
		case 2:
			d.path, d.value = []string{"Status"}, 6+chance.IntN(4)
		case 3, 4:
			count++
			d.path, d.value = []string{"Counter"}, 1000+count
		}
		deeds[i] = d
	}
	return deeds
}

// Attributes of many values are answered from wide totals, and all answers equal the brute force, whatever the sizes of nodes and the fan-out. A counter that never
// has a value twice is answered, too, from its intervals.
func TestWideModel(t *testing.T) {
	history.SplitCells(t, 4)
	wide := 0
	model := func(r *rapid.T) {
		opts := history.Options{
			NodeSize:    rapid.SampledFrom([]int{2048, 3000, 4096, 32 << 10}).Draw(r, "node size"),
			PageSize:    512,
			MaxChildren: rapid.SampledFrom([]int{3, 4, 6}).Draw(r, "fan-out"),
			Cache:       history.NewCache(rapid.SampledFrom([]int{0, 1 << 20}).Draw(r, "cache")),
			Compress:    rapid.Bool().Draw(r, "compressed"),
		}
		history.TallyFrom(t, rapid.SampledFrom([]int{50, 1 << 15}).Draw(r, "tallied from"), 1<<17)
		history.DivideFrom(t, rapid.SampledFrom([]int{512 << 10, 1024}).Draw(r, "parts"))
		deeds := busyDeeds(rapid.Uint64().Draw(r, "seed"), rapid.IntRange(4000, 14_000).Draw(r, "deeds"), rapid.SampledFrom([]int{40, 60, 200}).Draw(r, "threads"))
		f := new(historytest.Memory)
		w, err := history.Create(f, 1000, opts)
		if err != nil {
			r.Fatal(err)
		}
		m := newModel(1000)
		shown := rapid.IntRange(0, len(deeds)-1).Draw(r, "shown")
		for i, d := range deeds {
			if err := d.do(w); err != nil {
				r.Fatal(err)
			}
			q := w.Attributes().Path(d.path...)
			v, _ := w.Ongoing(q)
			m.modify(d.at, q, v)
			if i == shown {
				w.Publish(d.at)
				verify(r, w.History(), m, d.at, w.Attributes().Len())
			}
		}
		end := deeds[len(deeds)-1].at + 1
		if err := w.Finish(end); err != nil {
			r.Fatal(err)
		}
		if err := history.Check(f); err != nil {
			r.Fatal(err)
		}
		verify(r, w.History(), m, end, w.Attributes().Len())
		told := history.Wide(t, w.History())
		wide += len(told)
		if slices.Contains(told, w.Attributes().Path("Counter")) {
			r.Fatal("there are wide totals of a counter")
		}
	}
	// A few draws may all be of trees without wide totals.
	for turn := 0; turn == 0 || wide == 0 && turn < 20; turn++ {
		rapid.Check(t, model)
	}
	if wide == 0 {
		t.Error("no tree had wide totals")
	}
	t.Logf("%d columns of wide totals", wide)
}

// The same changes of attributes with many values give the same answers, whatever the layout, however totals are gathered, how much room there is for wide
// ones, and however often the writer was killed and went on.
func TestLayoutOfWideTotals(t *testing.T) {
	raced.Alone(t)
	deeds := busyDeeds(3, max(scaled(24_000), 12_000), 40)
	var want []string
	wide := 0
	for i, l := range []layout{
		{opts: history.Options{NodeSize: 64 << 10}, many: 1 << 15},
		{opts: history.Options{NodeSize: 3072, PageSize: 512, MaxChildren: 4}, many: 1 << 15},
		{opts: history.Options{NodeSize: 3072, PageSize: 512, MaxChildren: 4}, many: 30},
		{opts: history.Options{NodeSize: 2048, PageSize: 512, MaxChildren: 5, Compress: true}, many: 1 << 15, kills: 5},
		{opts: history.Options{NodeSize: 2048, PageSize: 512, MaxChildren: 5}, many: 40, kills: 5, far: 64},
		{opts: history.Options{NodeSize: 4096, PageSize: 512, MaxChildren: 2}, many: 1 << 15, kills: 3},
		{opts: history.Options{NodeSize: 3072, PageSize: 512, MaxChildren: 13, Cache: history.NewCache(10_000)}, many: 20},
		{opts: history.Options{NodeSize: 16 << 10, PageSize: 512, MaxChildren: 5}, many: 20, parts: 2048},
		{opts: history.Options{NodeSize: 64 << 10, PageSize: 512, MaxChildren: 3}, many: 20, parts: 2048, kills: 5},
	} {
		t.Run(l.String(), func(t *testing.T) {
			l.publish = 97 + 10*i
			history.SplitCells(t, 1<<(3*i%8))
			history.TallyFrom(t, l.many, 1<<17)
			if i%3 == 2 {
				history.WidenTo(t, 3<<6)
			}
			l.divide(t)
			if l.far > 0 {
				history.FarFrom(t, attribute.Quark(l.far))
			}
			h, file := told(t, deeds, l)
			if err := history.Check(file); err != nil {
				t.Fatal(err)
			}
			told := len(history.Wide(t, h))
			t.Logf("%d columns of wide totals", told)
			wide += told
			got := answers(t, h)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Error("other answers than with the first layout")
			}
		})
	}
	if wide == 0 {
		t.Error("no tree had wide totals")
	}
}

// A sum over all of a long tree reads as many blocks as one over a tree of a fifth of it and some more, but for a counter, of which all are read.
func TestWideTotalsAreEnough(t *testing.T) {
	raced.Alone(t)
	reads := func(length int, path ...string) int64 {
		file := new(historytest.Memory)
		w, err := history.Create(file, 1000, history.Options{NodeSize: 4096, PageSize: 512, MaxChildren: 6})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range busyDeeds(5, length, 90) {
			if err := d.do(w); err != nil {
				t.Fatal(err)
			}
		}
		begin, end := int64(1000), int64(1000+30*length)
		if err := w.Finish(end); err != nil {
			t.Fatal(err)
		}
		counted := &counting{File: file}
		h, err := history.OpenCached(counted, history.NewCache(0))
		if err != nil {
			t.Fatal(err)
		}
		counted.reads.Store(0)
		if _, err := h.Totals(context.Background(), []attribute.Quark{w.Attributes().Lookup(path...)}, begin, end); err != nil {
			t.Fatal(err)
		}
		return counted.reads.Load()
	}
	for _, path := range [][]string{{"CPUs", "1", "Current_thread"}, {"Apart"}} {
		if short, long := reads(60_000, path...), reads(300_000, path...); long > 2*short {
			t.Errorf("%v: %d reads, and of a tree five times as long %d", path, short, long)
		}
	}
	if short, long := reads(60_000, "Counter"), reads(300_000, "Counter"); long < 4*short {
		t.Errorf("a counter: %d reads, and of a tree five times as long %d", short, long)
	}
}
