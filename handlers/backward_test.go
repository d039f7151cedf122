package handlers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/trace"
	"synchroscope/trace/filter"
	"synchroscope/trace/tracetest"
)

// From any place pages of any size backwards and forwards have, joined, what the filter
// wants before and behind it, each event once, and end.
func TestPagesBothWays(t *testing.T) {
	where, err := filter.Parse("x == 1")
	if err != nil {
		t.Fatal(err)
	}
	events := tracetest.Parse(t, "1.0 e x=0\n1.0 e x=1")
	rapid.Check(t, func(t *rapid.T) {
		type recorded struct {
			time int64
			ev   *trace.Event
		}
		var all []recorded
		var want []string
		time := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			time += rapid.SampledFrom([]int64{0, 0, 1, 999_999, 1_000_000, 1 << 40}).Draw(t, "step")
			r := recorded{time, events[rapid.IntRange(0, 1).Draw(t, "wanted")]}
			all = append(all, r)
			if r.ev == events[1] {
				want = append(want, fmt.Sprint(r.time))
			}
		}
		source := func(_ context.Context, q ingest.EventQuery, yield func(string, int64, *trace.Event) bool) error {
			for _, r := range all {
				if r.time >= q.Begin && r.time < q.End && !yield("a", r.time, r.ev) {
					break
				}
			}
			return nil
		}
		q := eventsQuery{where: where, limit: rapid.IntRange(1, 9).Draw(t, "limit")}
		q.Begin, q.End = -wire.MaxTime, wire.MaxTime
		start := cursor{time: -1}
		if len(all) > 0 {
			start = cursor{time: rapid.SampledFrom(all).Draw(t, "place").time, seen: rapid.IntRange(0, 3).Draw(t, "seen")}
		}

		var got []string
		walk := func(at *cursor, page func(at cursor) eventsAnswer, join func(a eventsAnswer) *cursor) {
			for pages := 0; at != nil; pages++ {
				if pages > len(all)+1 {
					t.Fatalf("%d pages of %d events", pages, len(all))
				}
				a := page(*at)
				if len(a.Events) > q.limit {
					t.Fatalf("%d events on a page of %d", len(a.Events), q.limit)
				}
				at = join(a)
			}
		}
		times := func(a eventsAnswer) (times []string) {
			for _, e := range a.Events {
				times = append(times, fmt.Sprint(int64(e.Time)))
			}
			return times
		}
		must := func(a eventsAnswer, err error) eventsAnswer {
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		walk(&start, func(at cursor) eventsAnswer {
			q := q
			q.before, q.backward = at, true
			return must(backward(context.Background(), source, q))
		}, func(a eventsAnswer) *cursor {
			got = append(times(a), got...)
			return a.Previous
		})
		walk(&start, func(at cursor) eventsAnswer {
			q := q
			q.after, q.Begin = at, at.time
			return must(forward(context.Background(), source, q))
		}, func(a eventsAnswer) *cursor {
			got = append(got, times(a)...)
			return a.Next
		})
		if !slices.Equal(got, want) {
			t.Fatalf("from %+v pages have %v, want %v", start, got, want)
		}
	})
}

// A page is found in about as many events as it has, although all lie behind a long pause.
func TestPagesBehindAPause(t *testing.T) {
	const events, spacing, pause, limit, pages = 300_000, 10_000, int64(20e9), 9, 40 // ns
	ev := tracetest.Parse(t, "1.0 e x=0")[0]
	looked := 0
	source := func(_ context.Context, q ingest.EventQuery, yield func(string, int64, *trace.Event) bool) error {
		for i := (max(q.Begin, 0) + spacing - 1) / spacing; i < events && i*spacing < q.End; i++ {
			if looked++; !yield("a", i*spacing, ev) {
				break
			}
		}
		return nil
	}
	q := eventsQuery{limit: limit, backward: true, before: cursor{time: events*spacing + pause}}
	q.Begin, q.End = -wire.MaxTime, wire.MaxTime
	want := int64(events * spacing)
	for range pages {
		a, err := backward(context.Background(), source, q)
		if err != nil {
			t.Fatal(err)
		}
		if a.Next == nil || *a.Next != q.before || a.Previous == nil || len(a.Events) != limit {
			t.Fatalf("before %+v: %+v", q.before, a)
		}
		for _, e := range slices.Backward(a.Events) {
			if want -= spacing; int64(e.Time) != want {
				t.Fatalf("before %+v there is an event at %d, want %d", q.before, e.Time, want)
			}
		}
		q.before = *a.Previous
	}
	if most := 30 * crowdedPages * limit; looked > most {
		t.Errorf("%d events were looked at for %d pages of %d, want at most %d", looked, pages, limit, most)
	}
}

// More events of one ns than a stretch should have are read as they are, however far behind them a page ends.
func TestPagesBehindACrowd(t *testing.T) {
	const at, events, limit = 5_000, 3 * crowdedPages, 1
	ev := tracetest.Parse(t, "1.0 e x=0")[0]
	reads := 0
	source := func(_ context.Context, q ingest.EventQuery, yield func(string, int64, *trace.Event) bool) error {
		if reads++; reads > 200 {
			return errors.New("it does not end")
		}
		for i := int64(-1); i < events; i++ {
			if time := at + min(i, 0)*at; time >= q.Begin && time < q.End && !yield("a", time, ev) {
				break
			}
		}
		return nil
	}
	for distance := range int64(300) {
		q := eventsQuery{limit: limit, backward: true, before: cursor{time: at + distance + 1}}
		q.Begin, q.End = -wire.MaxTime, wire.MaxTime
		reads = 0
		a, err := backward(context.Background(), source, q)
		if err != nil {
			t.Fatalf("%d ns behind: %v", distance, err)
		}
		if len(a.Events) != limit || int64(a.Events[0].Time) != at || a.Previous == nil || *a.Previous != (cursor{at, events - limit}) {
			t.Errorf("%d ns behind: %+v", distance, a)
		}
	}
}

// Where nothing is before a place, what is behind it is still the next page, unless that is outside of the query.
func TestNothingBefore(t *testing.T) {
	none := func(context.Context, ingest.EventQuery, func(string, int64, *trace.Event) bool) error { return nil }
	q := eventsQuery{limit: 9, backward: true, before: cursor{time: 50}}
	q.Begin, q.End = 0, 100
	a, err := backward(context.Background(), none, q)
	if err != nil || a.Next == nil || *a.Next != q.before || a.Previous != nil {
		t.Errorf("before 50 of 0 to 100: %+v, %v", a, err)
	}
	q.End = 50
	if a, err = backward(context.Background(), none, q); err != nil || a.Next != nil {
		t.Errorf("before the end: %+v, %v", a, err)
	}
}
