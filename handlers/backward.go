package handlers

import (
	"context"
	"math"

	"synchroscope/ingest"
	"synchroscope/trace"
)

// A source yields the events of a query in order of time, until yield returns false.
type source func(ctx context.Context, q ingest.EventQuery, yield func(host string, time int64, ev *trace.Event) bool) error

func eventsOf(set *ingest.Set) source {
	return func(ctx context.Context, q ingest.EventQuery, yield func(host string, time int64, ev *trace.Event) bool) error {
		return set.Events(ctx, q, func(h *ingest.Host, t int64, ev *trace.Event) bool { return yield(h.Name(), t, ev) })
	}
}

// Traces are read forwards only. So a page that ends at a cursor is found by reading a
// stretch before it, and one wideningSteps times as long, until it has enough.
const (
	firstStretch  = 1_000_000 // ns
	wideningSteps = 8
)

// backward answers with the last events before q.before, at most q.limit of them.
// A page that a filter leaves nearly empty ends after so many events as one forwards.
func backward(ctx context.Context, events source, q eventsQuery) (eventsAnswer, error) {
	q.End = min(q.End, q.before.time+1)
	first, found, err := firstEvent(ctx, events, q.EventQuery)
	if err != nil || !found {
		return eventsAnswer{Events: []eventAnswer{}}, err
	}
	begin := q.Begin
	for stretch := int64(firstStretch); ; stretch *= wideningSteps {
		q.Begin = max(begin, first)
		if q.before.time > math.MinInt64+stretch {
			q.Begin = max(q.Begin, q.before.time-stretch)
		}
		all := q.Begin <= max(begin, first) || stretch > math.MaxInt64/wideningSteps
		p := newTail(q)
		if err := events(ctx, q.EventQuery, p.take); err != nil {
			return eventsAnswer{}, err
		}
		if all || len(p.out) >= q.limit || p.looked > patience {
			return p.answer(all), nil
		}
	}
}

func firstEvent(ctx context.Context, events source, q ingest.EventQuery) (first int64, found bool, err error) {
	err = events(ctx, q, func(_ string, t int64, _ *trace.Event) bool {
		first, found = t, true
		return false
	})
	return first, found, err
}

// A tail keeps the last events of a query.
type tail struct {
	*pager
	limit  int
	places []cursor // before each of out
	full   bool     // there were more
	looked int
}

func newTail(q eventsQuery) *tail {
	t := &tail{pager: newPager(q), limit: q.limit}
	t.query.limit, t.patience = math.MaxInt, math.MaxInt // of the page; how far is looked is decided above
	t.query.after = cursor{time: math.MinInt64}
	return t
}

// take adds an event if it is wanted; false at the cursor that the page ends at.
func (p *tail) take(host string, t int64, ev *trace.Event) bool {
	p.looked++
	before, n := p.at, len(p.out)
	if t != before.time {
		before = cursor{time: t}
	}
	if end := p.query.before; t > end.time || t == end.time && before.seen >= end.seen {
		return false
	}
	p.pager.take(host, t, ev)
	if len(p.out) > n {
		p.places = append(p.places, before)
	}
	if len(p.out) >= 2*p.limit {
		p.drop()
	}
	return true
}

// drop leaves the last events, as many as a page has.
func (p *tail) drop() {
	if more := len(p.out) - p.limit; more > 0 {
		p.full = true
		p.out = append(p.out[:0], p.out[more:]...)
		p.places = append(p.places[:0], p.places[more:]...)
	}
}

// answer returns the page. If what was read is all there is, nothing may be before it.
func (p *tail) answer(all bool) eventsAnswer {
	p.drop()
	a := p.pager.answer()
	a.Next = &p.query.before
	switch {
	case p.full || len(p.out) > 0 && !all:
		a.Previous = &p.places[0]
	case !all:
		a.Previous = &cursor{time: p.query.Begin}
	}
	return a
}
