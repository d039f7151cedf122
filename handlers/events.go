package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/trace"
)

const (
	defaultEvents = 100
	maxEvents     = 1000
)

// eventsAnswer is the body of GET events.
type eventsAnswer struct {
	Events []eventAnswer `json:"events"`
	Next   *cursor       `json:"next"` // "after" of the next page, null on the last
}

type eventAnswer struct {
	Time      wire.Time `json:"time"` // in the requested time
	LocalTime wire.Time `json:"local_time"`
	Host      string    `json:"host"`
	CPU       int32     `json:"cpu"` // -1 where the trace does not say
	Name      string    `json:"name"`
	Fields    string    `json:"fields"` // in the text form of the events command
}

// A cursor stands behind an event: its time, and how many events of that time are
// before or at it. Events of one time have a fixed order, so a page begins
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

func parseCursor(s string) (cursor, error) {
	wrong := failure{http.StatusBadRequest, fmt.Sprintf("\"after\" must be the \"next\" of a page, not %.40q.", s)}
	t, n, found := strings.Cut(s, ".")
	if !found {
		return cursor{}, wrong
	}
	at, err := timeParam(t, "after")
	if err != nil {
		return cursor{}, wrong
	}
	seen, err := strconv.ParseUint(n, 10, 31)
	if err != nil {
		return cursor{}, wrong
	}
	return cursor{at, int(seen)}, nil
}

// eventsQuery is a checked query string.
type eventsQuery struct {
	ingest.EventQuery
	after cursor
	limit int
}

func parseEventsQuery(q url.Values) (e eventsQuery, err error) {
	e = eventsQuery{limit: defaultEvents}
	e.Begin, e.End, e.Raw = -wire.MaxTime, wire.MaxTime, boolParam(q.Get("local"))
	e.Host, e.Name = q.Get("host"), q.Get("name")
	if q.Has("begin") {
		if e.Begin, err = timeParam(q.Get("begin"), "begin"); err != nil {
			return e, err
		}
	}
	if q.Has("end") {
		if e.End, err = timeParam(q.Get("end"), "end"); err != nil {
			return e, err
		}
	}
	if e.Begin >= e.End {
		return e, failure{http.StatusBadRequest, `"begin" must be before "end".`}
	}
	if q.Has("limit") {
		e.limit, err = strconv.Atoi(q.Get("limit"))
		if err != nil || e.limit < 1 || e.limit > maxEvents {
			return e, failure{http.StatusBadRequest, fmt.Sprintf("\"limit\" must be from 1 to %d, not %.40q.", maxEvents, q.Get("limit"))}
		}
	}
	if _, err := path.Match(e.Name, ""); err != nil {
		return e, failure{http.StatusBadRequest, fmt.Sprintf("\"name\" is not a pattern: %.80q.", e.Name)}
	}
	if after := q.Get("after"); after != "" {
		if e.after, err = parseCursor(after); err != nil {
			return e, err
		}
		if e.after.time < e.Begin || e.after.time >= e.End {
			return e, failure{http.StatusBadRequest, `"after" is outside of "begin" and "end".`}
		}
		e.Begin = e.after.time
	}
	return e, nil
}

func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := parseEventsQuery(r.URL.Query())
	if err == nil {
		_, err = hostsParam(set, q.Host)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := time.Now()
	page := pager{query: q, at: cursor{time: q.Begin}}
	if err := set.Events(r.Context(), q.EventQuery, page.add); err != nil {
		s.fail(w, r, err)
		return
	}
	s.metrics.observe("events", time.Since(begun))
	ok(w, page.answer())
}

// A pager collects one page.
type pager struct {
	query eventsQuery
	at    cursor // behind the newest event
	out   []eventAnswer
	more  bool
}

func (p *pager) add(host *ingest.Host, t int64, ev *trace.Event) bool {
	before := p.at
	if t != p.at.time {
		p.at = cursor{time: t}
	}
	p.at.seen++
	if t == p.query.after.time && p.at.seen <= p.query.after.seen {
		return true
	}
	if len(p.out) == p.query.limit {
		p.more, p.at = true, before
		return false
	}
	p.out = append(p.out, eventAnswer{
		Time: wire.Time(t), LocalTime: wire.Time(ev.Time), Host: host.Name(), CPU: ev.CPU,
		Name: ev.Class.Name, Fields: strings.ToValidUTF8(string(ev.AppendText(nil)), "\uFFFD"),
	})
	return true
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
