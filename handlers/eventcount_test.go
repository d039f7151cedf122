package handlers

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/trace"
	"synchroscope/trace/filter"
	"synchroscope/trace/tracetest"
)

// However few events an answer looks at, answers one after another count each event that is wanted once.
func TestCountModel(t *testing.T) {
	where, err := filter.Parse(`x == 1 && host != "c"`)
	if err != nil {
		t.Fatal(err)
	}
	events := tracetest.Parse(t, "1.0 e x=0\n1.0 e x=1")
	rapid.Check(t, func(t *rapid.T) {
		all, wanted := recordedEvents(t, events)
		from := func(_ context.Context, q ingest.EventQuery, yield func(host string, time int64, ev *trace.Event) bool) error {
			for _, r := range all {
				if r.time >= q.Begin && !yield(r.host, r.time, r.ev) {
					break
				}
			}
			return nil
		}
		most := rapid.Int64Range(0, 9).Draw(t, "most")
		q := eventsQuery{where: where}
		q.Begin, q.End = -wire.MaxTime, wire.MaxTime
		count, looked := int64(0), int64(0)
		for answers := 0; ; answers++ {
			if answers > len(all)+1 {
				t.Fatalf("%d answers of %d events", answers, len(all))
			}
			a, err := countOf(context.Background(), from, q, most)
			if err != nil {
				t.Fatal(err)
			}
			count, looked = count+a.Count, looked+a.Looked
			if a.Until == nil {
				break
			}
			q.Begin = int64(*a.Until)
		}
		if want := int64(len(wanted)); count != want || looked != int64(len(all)) {
			t.Fatalf("%d of %d events are counted, want %d of %d", count, looked, want, len(all))
		}
	})
}
