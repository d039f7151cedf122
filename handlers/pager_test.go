package handlers

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
	"synchroscope/trace"
	"synchroscope/trace/filter"
	"synchroscope/trace/tracetest"
)

// Pages of any size, each given up after any number of events, joined are what the filter wants, each event once.
func TestPagerModel(t *testing.T) {
	where, err := filter.Parse(`x == 1 && host != "c"`)
	if err != nil {
		t.Fatal(err)
	}
	events := tracetest.Parse(t, "1.0 e x=0\n1.0 e x=1")
	rapid.Check(t, func(t *rapid.T) {
		type recorded struct {
			host string
			time int64
			ev   *trace.Event
		}
		var all []recorded
		var want []string
		time := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			time += rapid.Int64Range(0, 1).Draw(t, "step")
			r := recorded{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "host"), time, events[rapid.IntRange(0, 1).Draw(t, "wanted")]}
			all = append(all, r)
			if r.ev == events[1] && r.host != "c" {
				want = append(want, fmt.Sprint(r.host, time))
			}
		}
		limit, patience := rapid.IntRange(1, 9).Draw(t, "limit"), rapid.IntRange(0, 9).Draw(t, "patience")

		var got []string
		q := eventsQuery{where: where, limit: limit}
		q.Begin, q.End = -wire.MaxTime, wire.MaxTime
		for pages := 0; ; pages++ {
			if pages > len(all)+1 {
				t.Fatalf("%d pages of %d events", pages, len(all))
			}
			p := newPager(q)
			p.patience = patience
			for _, r := range all {
				if r.time >= q.Begin && !p.take(r.host, r.time, r.ev) {
					break
				}
			}
			a := p.answer()
			if len(a.Events) > limit {
				t.Fatalf("%d events on a page of %d", len(a.Events), limit)
			}
			for _, e := range a.Events {
				got = append(got, fmt.Sprint(e.Host, int64(e.Time)))
			}
			if a.Next == nil {
				break
			}
			text, err := a.Next.MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			if q.after, err = parseCursor(string(text), "after"); err != nil {
				t.Fatal(err)
			}
			q.Begin = q.after.time
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pages have %v, want %v", got, want)
		}
	})
}
