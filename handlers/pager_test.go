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

// A recordedEvent is one of a host, at a time.
type recordedEvent struct {
	host string
	time int64
	ev   *trace.Event
}

// recordedEvents are up to 60 events of three hosts in order of time, each one of two, and those of them that are the second and not of host c.
func recordedEvents(t *rapid.T, of []*trace.Event) (all, wanted []recordedEvent) {
	time := int64(0)
	for range rapid.IntRange(0, 60).Draw(t, "events") {
		time += rapid.Int64Range(0, 1).Draw(t, "step")
		r := recordedEvent{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "host"), time, of[rapid.IntRange(0, 1).Draw(t, "wanted")]}
		all = append(all, r)
		if r.ev == of[1] && r.host != "c" {
			wanted = append(wanted, r)
		}
	}
	return all, wanted
}

// Pages of any size, each given up after any number of events, joined are what the filter wants, each event once.
func TestPagerModel(t *testing.T) {
	where, err := filter.Parse(`x == 1 && host != "c"`)
	if err != nil {
		t.Fatal(err)
	}
	events := tracetest.Parse(t, "1.0 e x=0\n1.0 e x=1")
	rapid.Check(t, func(t *rapid.T) {
		all, wanted := recordedEvents(t, events)
		var want []string
		for _, r := range wanted {
			want = append(want, fmt.Sprint(r.host, r.time))
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
