package history_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Attributes of few values that change often are answered from sums, and all answers equal the
// brute force, whatever the sizes of nodes and the fan-out.
func TestSumsModel(t *testing.T) {
	history.SplitCells(t, 4)
	sums, joined := 0, 0
	compare := func(r *rapid.T) {
		opts := history.Options{
			NodeSize:    rapid.SampledFrom([]int{512, 515, 777, 1024}).Draw(r, "node size"),
			PageSize:    512,
			MaxChildren: rapid.SampledFrom([]int{5, 8, 13, 50}).Draw(r, "fan-out"),
			Cache:       history.NewCache(rapid.SampledFrom([]int{0, 1 << 20}).Draw(r, "cache")),
			Compress:    rapid.Bool().Draw(r, "compressed"),
		}
		quarks := rapid.IntRange(1, 3).Draw(r, "attributes")
		few := rapid.IntRange(2, 10).Draw(r, "values")
		start := rapid.SampledFrom([]int64{0, -1000, 1_700_000_000_000_000_000}).Draw(r, "start")
		random := rapid.Uint64().Draw(r, "seed")
		f := new(historytest.Memory)
		w, err := history.Create(f, start, opts)
		if err != nil {
			r.Fatal(err)
		}
		for q := range quarks {
			w.Attributes().Add(attribute.Root, fmt.Sprint(q))
		}
		m, now, choice := newModel(start), start, values(w)
		for range 3000 * quarks {
			random = random*6364136223846793005 + 1442695040888963407
			q, v := attribute.Quark(random>>33%uint64(quarks)), choice[random>>40%uint64(few)]
			now += int64(random >> 50 % 100)
			if err := w.Modify(now, q, v); err != nil {
				r.Fatal(err)
			}
			m.modify(now, q, v)
		}
		w.Publish(now)
		verify(r, w.History(), m, now, quarks)
		if err := w.Finish(now + 1); err != nil {
			r.Fatal(err)
		}
		if err := history.Check(f); err != nil {
			r.Fatal(err)
		}
		verify(r, w.History(), m, now+1, quarks)
		sums += history.Sums(t, w.History())
		joined += history.Joined(t, w.History())
	}
	// A short run draws four trees at a time, which may have one form only.
	for round := 0; round == 0 || round < 20 && (sums == 0 || joined == 0); round++ {
		rapid.Check(t, compare)
	}
	if sums == 0 || joined == 0 {
		t.Error("no tree had sums of one of the forms")
	}
	t.Logf("%d columns of sums, %d of them of what crosses from child to child too", sums, joined)
}
