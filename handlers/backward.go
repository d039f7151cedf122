package handlers

import (
	"cmp"
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
// stretch before it, and one wideningSteps times as long, until it has enough. Where events are dense behind
// a pause, that one can have far more: it is not read to its end then, but one between the two is.
const (
	firstStretch  = 1_000_000 // ns
	wideningSteps = 8
	crowdedPages  = 64           // that a stretch fills at most
	crowdedLooks  = 2 * patience // events of it that are looked at, at most
)

// backward answers with the last events before q.before, at most q.limit of them.
// A page that a filter leaves nearly empty ends after so many events as one forwards.
func backward(ctx context.Context, events source, q eventsQuery) (eventsAnswer, error) {
	next := &q.before
	if q.before.time >= q.End {
		next = nil
	}
	q.End = min(q.End, q.before.time+1)
	first, found, err := firstEvent(ctx, events, q.EventQuery)
	if err != nil || !found {
		return eventsAnswer{Events: []eventAnswer{}, Next: next}, err
	}
	begin := max(q.Begin, first)
	short, long := int64(0), int64(math.MaxInt64) // stretches that have too few events, and too many
	for stretch := int64(firstStretch); ; {
		q.Begin = begin
		if q.before.time > math.MinInt64+stretch {
			q.Begin = max(begin, q.before.time-stretch)
		}
		all := q.Begin == begin || stretch > math.MaxInt64/wideningSteps
		p := newTail(q)
		p.divisible = stretch-short > 1
		if err := cmp.Or(events(ctx, q.EventQuery, p.take), p.fault()); err != nil {
			return eventsAnswer{}, err
		}
		switch {
		case p.crowded:
			long = stretch
		case all || len(p.out) >= q.limit || p.looked > patience:
			a := p.answer(all)
			a.Next = next
			return a, nil
		default:
			short = stretch
		}
		if long == math.MaxInt64 {
			stretch *= wideningSteps
		} else {
			stretch = short + (long-short+1)/2 // long itself in the end, which is then not cut short
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
	found  int // of those looked at

	divisible bool // a shorter stretch can be tried
	crowded   bool // and should be
}

func newTail(q eventsQuery) *tail {
	t := &tail{pager: newPager(q), limit: q.limit}
	t.query.limit, t.patience = math.MaxInt, math.MaxInt // of the page; how far is looked is decided above
	t.query.after = cursor{time: math.MinInt64}
	return t
}

// take adds an event if it is wanted; false at the cursor that the page ends at, and where the stretch is too long.
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
		p.found++
	}
	if p.divisible && (p.found > crowdedPages*p.limit || p.looked > crowdedLooks) {
		p.crowded = true
		return false
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
	switch {
	case p.full || len(p.out) > 0 && !all:
		a.Previous = &p.places[0]
	case !all:
		a.Previous = &cursor{time: p.query.Begin}
	}
	return a
}
