package handlers

import (
	"cmp"
	"context"
	"math"
	"net/http"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/trace"
)

// countAnswer is the body of GET events/count: how many events a filter wants, of as many as an answer looks at.
type countAnswer struct {
	Count  int64      `json:"count"`
	Looked int64      `json:"looked"` // events, from begin on
	Until  *wire.Time `json:"until"`  // all before this time were looked at: the begin of the next question; null where these are all
}

func countEvents(r *http.Request, set *ingest.Set) (countAnswer, error) {
	if q := r.URL.Query(); q.Has("after") || q.Has("before") || q.Has("limit") {
		return countAnswer{}, badRequest(`A count has no "after", "before" and "limit".`)
	}
	q, err := eventsAsked(r, set)
	if err != nil {
		return countAnswer{}, err
	}
	return countOf(r.Context(), eventsOf(set), q, patience)
}

// countOf counts until it has looked at most events, and on to the end of their last time: the next question begins at a time.
func countOf(ctx context.Context, events source, q eventsQuery, most int64) (a countAnswer, err error) {
	p := newPager(q)
	last := int64(math.MaxInt64) // nothing is later
	err = events(ctx, q.EventQuery, func(host string, t int64, ev *trace.Event) bool {
		if a.Looked >= most && t > last {
			until := wire.Time(t)
			a.Until = &until
			return false
		}
		last = t
		a.Looked++
		if p.wanted(host, t, ev) {
			a.Count++
		}
		return true
	})
	return a, cmp.Or(err, p.fault())
}
