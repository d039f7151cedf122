package handlers

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"synchroscope/handlers/wire"
	"synchroscope/state/occupant"
	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// A cursor stands behind an event: its time, and how many events of that time that the
// query wants are before or at it. Events of one time have a fixed order, so a page begins
// where the one before ended; while an import runs, a new clock map can move events
// across the border.
type cursor struct {
	time int64
	seen int
}

// MarshalText writes a cursor as TIME.COUNT.
func (c cursor) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%d", c.time, c.seen), nil
}

// parseCursor reads the parameter of a name.
func parseCursor(s, name string) (cursor, error) {
	wrong := badRequest("%q must be the \"next\" or \"previous\" of a page, not %.40q.", name, s)
	t, n, found := strings.Cut(s, ".")
	if !found {
		return cursor{}, wrong
	}
	at, err := timeParam(t, name)
	if err != nil {
		return cursor{}, wrong
	}
	seen, err := strconv.ParseUint(n, 10, 31)
	if err != nil {
		return cursor{}, wrong
	}
	return cursor{at, int(seen)}, nil
}

// A pager collects one page.
type pager struct {
	query    eventsQuery
	matchers map[string]*filter.Matcher // by host
	threads  []*occupant.Threads        // that they ask
	at       cursor                     // behind the newest event
	out      []eventAnswer
	patience int // how many more events are looked at
	more     bool
}

// patience is after how many events a page ends that a filter leaves nearly empty: an answer takes
// a second or so, however rare what it asks for.
const patience = 4_000_000

// forward answers with the first events of q.
func forward(ctx context.Context, events source, q eventsQuery) (eventsAnswer, error) {
	p := newPager(q)
	if err := cmp.Or(events(ctx, q.EventQuery, p.take), p.fault()); err != nil {
		return eventsAnswer{}, err
	}
	a := p.answer()
	if q.after != (cursor{}) {
		a.Previous = &q.after
	}
	return a, nil
}

func newPager(q eventsQuery) *pager {
	return &pager{query: q, at: cursor{time: q.Begin}, matchers: make(map[string]*filter.Matcher), patience: patience}
}

// take adds an event to the page if it is wanted; false ends the page.
func (p *pager) take(host string, t int64, ev *trace.Event) bool {
	before := p.at
	if t != p.at.time {
		p.at = cursor{time: t}
	}
	if p.patience--; p.patience < 0 && t > p.query.Begin { // or the next page would begin like this one
		p.more = true
		return false
	}
	if !p.wanted(host, t, ev) {
		return p.fault() == nil
	}
	p.at.seen++
	if t == p.query.after.time && p.at.seen <= p.query.after.seen {
		return true
	}
	if len(p.out) == p.query.limit {
		p.more, p.at = true, before
		return false
	}
	told := eventAnswer{
		Time: wire.Time(t), LocalTime: wire.Time(ev.Time), Host: host, CPU: ev.CPU,
		Name: ev.Class.Name, Fields: strings.ToValidUTF8(string(ev.AppendText(nil)), "\uFFFD"),
	}
	if ev.Recorded != ev.Time {
		recorded := wire.Time(ev.Recorded)
		told.Recorded = &recorded
	}
	p.out = append(p.out, told)
	return true
}

func (p *pager) wanted(host string, t int64, ev *trace.Event) bool {
	if p.query.where == nil {
		return true
	}
	m := p.matchers[host]
	if m == nil {
		m = p.matcher(host)
		p.matchers[host] = m
	}
	return m.Match(ev, t)
}

func (p *pager) matcher(host string) *filter.Matcher {
	if p.query.threads == nil {
		return p.query.where.Matcher(host, nil)
	}
	t := p.query.threads(host)
	p.threads = append(p.threads, t)
	return p.query.where.Matcher(host, t)
}

// fault is why it is not known what the filter wants.
func (p *pager) fault() error {
	for _, t := range p.threads {
		if err := t.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (p *pager) answer() eventsAnswer {
	a := eventsAnswer{Events: p.out}
	if a.Events == nil {
		a.Events = []eventAnswer{}
	}
	if p.more {
		a.Next = &p.at
	}
	return a
}
