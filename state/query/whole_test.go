package query_test

import (
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/query"
)

// The status of a CPU that a correction has made equal to the one before is one stretch, however it is asked for.
func TestCorrectedStatusIsWhole(t *testing.T) {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{NodeSize: 512, MaxChildren: 2})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("CPUs", "0")
	set := func(at, v int64) {
		t.Helper()
		if err := w.Modify(at, q, history.Int(v)); err != nil {
			t.Fatal(err)
		}
	}
	set(10, 1)
	set(20, 2)
	for at := int64(30); at < 60; at += 10 {
		set(at, 3)
		if err := w.Update(q, history.Int(2)); err != nil {
			t.Fatal(err)
		}
	}
	set(60, 1)
	if err := w.Finish(100); err != nil {
		t.Fatal(err)
	}
	h, ctx := w.History(), t.Context()
	is := func(how string, begin, end int64) {
		t.Helper()
		if begin != 20 || end != 60 {
			t.Errorf("%s: from %d to %d, not from 20 to 60", how, begin, end)
		}
	}
	for at := int64(20); at < 60; at += 5 {
		all, err := query.All(ctx, h, "CPUs/0", at)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		is("state", all[0].Begin, all[0].End)
		level, _, _, err := query.Level(ctx, h, h.Attributes().Lookup("CPUs"), at, 0, 10, "")
		if err != nil || len(level) != 1 {
			t.Fatal(level, err)
		}
		is("level", level[0].Begin, level[0].End)
		if at == 20 {
			continue // which is no change before itself
		}
		last, ok, err := query.Change(ctx, h, q, at, true)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		is("change", last.Begin, last.End)
	}
}
