package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/history"
	"synchroscope/state/occupant"
	"synchroscope/trace"
	"synchroscope/trace/filter"
)

const (
	defaultEvents = 100
	maxEvents     = 1000
	maxWheres     = 8
)

// eventsAnswer is the body of GET events.
type eventsAnswer struct {
	Events   []eventAnswer `json:"events"`
	Known    bool          `json:"known"`    // the hosts are known that there are: an import has unpacked all
	Next     *cursor       `json:"next"`     // "after" of the next page, null on the last
	Previous *cursor       `json:"previous"` // "before" of the page ahead, null on the first

	LostBehind []hostLoss `json:"lost_behind,omitempty"` // behind the last event, up to the end of the page
	Undated    []string   `json:"undated,omitempty"`     // hosts of which something was lost and nobody knows when
	Unread     []string   `json:"unread,omitempty"`      // sentences on damaged files, by which nobody knows when something was lost of their hosts

	// Of a filter, on an empty page and on one that begins at a time.
	Unknown []missingField `json:"unknown,omitempty"`
	Unnamed []missingName  `json:"unnamed,omitempty"`
}

type eventAnswer struct {
	Time      wire.Time `json:"time"` // in the requested time
	LocalTime wire.Time `json:"local_time"`
	// Recorded is the local time that stands in the trace, where that is another: where times ran back.
	Recorded *wire.Time `json:"recorded,omitempty"`
	Host     string     `json:"host"`
	CPU      int32      `json:"cpu"` // -1 where the trace does not say
	Name     string     `json:"name"`
	Fields   string     `json:"fields"` // in the text form of the events command

	Lost []hostLoss `json:"lost,omitempty"` // since the event before, of each host together
}

// eventsQuery is a checked query string.
type eventsQuery struct {
	ingest.EventQuery
	where *filter.Filter // nil: all
	named *filter.Filter // the part of it that is of names, nil: none
	after cursor
	limit int

	before   cursor
	backward bool // the page ends at before

	threads func(host string) *occupant.Threads // who was on the CPUs; nil where that is not asked for
}

func parseEventsQuery(r *http.Request, set *ingest.Set) (e eventsQuery, err error) {
	q, err := query(r, "begin", "end", "local", "host", "name", "where", "limit", "after", "before")
	if err != nil {
		return e, err
	}
	e = eventsQuery{limit: defaultEvents}
	e.Begin, e.End = -wire.MaxTime, wire.MaxTime
	if e.Raw, err = boolParam(q, "local"); err != nil {
		return e, err
	}
	if _, err = hostsParam(set, q); err != nil {
		return e, err
	}
	e.Host = q.Get("host")
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
	if e.where, e.named, err = filterParams(q); err != nil {
		return e, err
	}
	if e.backward = q.Has("before"); e.backward {
		if q.Has("after") {
			return e, badRequest(`A page begins "after" or ends "before", not both.`)
		}
		if e.before, err = parseCursor(q.Get("before"), "before"); err != nil {
			return e, err
		}
		if e.before.time < e.Begin || e.before.time > e.End {
			return e, badRequest(`"before" is outside of "begin" and "end".`)
		}
	}
	if q.Has("after") {
		if e.after, err = parseCursor(q.Get("after"), "after"); err != nil {
			return e, err
		}
		if e.after.time < e.Begin || e.after.time >= e.End {
			return e, failure{http.StatusBadRequest, `"after" is outside of "begin" and "end".`}
		}
		e.Begin = e.after.time
	}
	return e, nil
}

// filterParams makes one filter of "name" and all of "where", nil without both, and one of "name" alone.
func filterParams(q url.Values) (where, named *filter.Filter, err error) {
	var all []*filter.Filter
	if q.Has("name") {
		g, err := filter.NewGlob(q.Get("name"))
		if err != nil {
			return nil, nil, wrongValue("name", 0, "is not a pattern: %v.", err)
		}
		named = filter.Name(g)
		all = append(all, named)
	}
	wheres := q[repeated]
	if len(wheres) > maxWheres {
		return nil, nil, badRequest(`"where" is given %d times, and at most %d are read.`, len(wheres), maxWheres)
	}
	for i, where := range wheres {
		if where == "" {
			continue
		}
		f, err := filter.Parse(where)
		switch {
		case err != nil && len(wheres) > 1:
			return nil, nil, wrongValue(repeated, i, "is not a filter: in %.200q, %v.", where, err)
		case err != nil:
			return nil, nil, wrongValue(repeated, i, "is not a filter: %v.", err)
		}
		all = append(all, f)
	}
	return filter.All(all...), named, nil
}

// eventsAsked is which events of a set a request is about.
func eventsAsked(r *http.Request, set *ingest.Set) (eventsQuery, error) {
	q, err := parseEventsQuery(r, set)
	if err == nil && q.where != nil {
		q.where, err = q.where.Words(func() ([]*trace.Class, error) { return set.Classes("") })
	}
	if err == nil && q.where != nil && q.where.AsksThread() {
		q.threads = func(host string) *occupant.Threads { return occupant.New(r.Context(), historyOf(set, host)) }
	}
	return q, err
}

// historyOf is nil while there is none.
func historyOf(set *ingest.Set, host string) *history.History {
	h, err := hostNamed(set, host)
	if err != nil {
		return nil
	}
	return h.History()
}

func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := eventsAsked(r, set)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := time.Now()
	known := len(set.Hosts()) > 0
	read := forward
	if q.backward {
		read = backward
	}
	answer, err := read(r.Context(), eventsOf(set), q)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer.Known = known
	if err := answer.tellLost(r.Context(), set, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	// A filter is looked at once, where one begins to read.
	begins := !q.backward && q.after.seen == 0
	if q.where != nil && (begins || len(answer.Events) == 0) {
		if answer.Unknown, err = missingFields(set, q.where, q.named, q.Host); err != nil {
			s.fail(w, r, err)
			return
		}
		if answer.Unnamed, err = missingNames(set, q.where, q.Host); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	s.metrics.observe("events", time.Since(begun))
	ok(w, answer)
}
