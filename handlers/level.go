package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	attributes "synchroscope/state/query"
	"synchroscope/sync/clock"
)

// Bounds of a page of attributes.
const (
	levelDefault = 100
	levelMost    = 500
	levelFrom    = 1 << 31 // far more than a tree has
)

// levelAnswer is the body of GET state/level.
type levelAnswer struct {
	Host       string      `json:"host"`
	Time       wire.Time   `json:"time"` // as it was asked for
	Local      bool        `json:"local"`
	LocalTime  wire.Time   `json:"local_time"`
	Known      bool        `json:"known"`                       // the host's history covers the time
	Until      *wire.Time  `json:"local_known_until,omitempty"` // as in state
	Path       string      `json:"path"`
	From       int         `json:"from"` // place of the first one listed
	Total      int         `json:"total"`
	All        bool        `json:"all"` // false: a search found more than it lists
	Attributes []levelItem `json:"attributes"`
}

// levelItem is an attribute with its interval in the time asked for and in the host's own.
type levelItem struct {
	attributes.Item
	Begin      wire.Time  `json:"begin"`
	End        *wire.Time `json:"end"` // null where it goes on, as far as is read
	LocalBegin wire.Time  `json:"local_begin"`
	LocalEnd   *wire.Time `json:"local_end"`
}

// changeAnswer is the body of GET state/change.
type changeAnswer struct {
	Host      string     `json:"host"`
	Known     bool       `json:"known"`                       // false where more may be read of the host that makes it another answer
	Until     *wire.Time `json:"local_known_until,omitempty"` // as in state
	Found     bool       `json:"found"`
	Attribute *levelItem `json:"attribute"` // as it is from the change on
}

// placeQuery is what both routes are asked with: a host and a time, by some clock.
type placeQuery struct {
	host  *ingest.Host
	time  int64
	local bool
	path  string
	clock *clock.Map // nil where the time is the host's own
}

func (s *Server) parsePlace(q url.Values, set *ingest.Set) (p placeQuery, err error) {
	if !q.Has("host") {
		return p, badRequest("%q must name a host.", "host")
	}
	hosts, err := hostsParam(set, q)
	if err != nil {
		return p, err
	}
	p.host = hosts[0]
	if p.time, err = timeParam(q.Get("time"), "time"); err != nil {
		return p, err
	}
	if p.local, err = boolParam(q, "local"); err != nil {
		return p, err
	}
	if p.path = q.Get("path"); len(p.path) > maxPattern {
		return p, badRequest(`"path" has at most %d bytes.`, maxPattern)
	}
	if solution := set.Solution(); !p.local && solution != nil && int(p.host.Index()) < len(solution.Hosts) {
		p.clock = solution.Hosts[p.host.Index()].Map
	}
	return p, nil
}

// own is the host's own time.
func (p *placeQuery) own() int64 {
	if p.clock != nil {
		return p.clock.Local(p.time)
	}
	return p.time
}

// item shows an attribute of a host that is read so far.
func (p *placeQuery) item(i attributes.Item, reach ingest.Reach) levelItem {
	begin, end := i.Begin, i.End
	if p.clock != nil {
		begin, end = p.clock.Reference(begin), p.clock.Reference(end)
	}
	return levelItem{Item: i, Begin: wire.Time(begin), End: ended(reach, i.End, end), LocalBegin: wire.Time(i.Begin), LocalEnd: ended(reach, i.End, i.End)}
}

// countParam reads a whole number, otherwise where there is none.
func countParam(q url.Values, name string, least, most, otherwise int) (int, error) {
	if !q.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < least || n > most {
		return 0, badRequest("%q must be a number from %d to %d, not %.40q.", name, least, most, q.Get(name))
	}
	return n, nil
}

// level lists one level of the attribute tree of a host at a time, or what a search finds in all of it.
func (s *Server) level(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := query(r, "time", "local", "host", "path", "find", "near", "from", "limit")
	var p placeQuery
	var from, limit int
	if err == nil {
		p, err = s.parsePlace(q, set)
	}
	if err == nil {
		from, err = countParam(q, "from", 0, levelFrom, 0)
	}
	if err == nil {
		limit, err = countParam(q, "limit", 1, levelMost, levelDefault)
	}
	if err == nil && len(q.Get("find")) > maxPattern {
		err = badRequest(`"find" has at most %d bytes.`, maxPattern)
	}
	var answer levelAnswer
	if err == nil {
		begun := time.Now()
		answer, err = levelOf(r.Context(), p, q.Get("find"), q.Get("near"), from, limit)
		s.metrics.observe("level", time.Since(begun))
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, answer)
}

func levelOf(ctx context.Context, p placeQuery, find, near string, from, limit int) (levelAnswer, error) {
	local := p.own()
	out := levelAnswer{Host: p.host.Name(), Time: wire.Time(p.time), Local: p.local, LocalTime: wire.Time(local), Path: p.path, From: from, All: true, Attributes: []levelItem{}}
	reach := p.host.Known()
	h, err := p.host.States()
	if h == nil {
		return out, err
	}
	if begin, end := h.Bounds(); local < begin || local >= end {
		out.Until = going(reach, local >= end)
		return out, nil
	}
	out.Known = true
	var items []attributes.Item
	if find != "" {
		var err error
		if items, out.Total, out.All, err = attributes.Search(ctx, h, find, local, from, limit); err != nil {
			return out, err
		}
	} else {
		quark, err := attributes.Find(h.Attributes(), p.path)
		if err != nil {
			return out, noAttribute(p)
		}
		if items, out.From, out.Total, err = attributes.Level(ctx, h, quark, local, from, limit, near); err != nil {
			return out, err
		}
	}
	on := false
	for _, i := range items {
		on = on || reach.GoesOn(i.End)
		out.Attributes = append(out.Attributes, p.item(i, reach))
	}
	out.Until = going(reach, on)
	return out, nil
}

func noAttribute(p placeQuery) error {
	return badRequest("%s has no attribute %.80q.", p.host.Name(), p.path)
}

// change finds the next or the previous change of an attribute.
func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := query(r, "time", "local", "host", "path", "back")
	var p placeQuery
	var back bool
	if err == nil {
		p, err = s.parsePlace(q, set)
	}
	if err == nil {
		back, err = boolParam(q, "back")
	}
	if err == nil && p.path == "" {
		err = badRequest("%q must name an attribute.", "path")
	}
	out := changeAnswer{}
	if err == nil {
		begun := time.Now()
		out, err = changeOf(r.Context(), p, back)
		s.metrics.observe("change", time.Since(begun))
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, out)
}

func changeOf(ctx context.Context, p placeQuery, back bool) (changeAnswer, error) {
	out := changeAnswer{Host: p.host.Name()}
	reach := p.host.Known()
	h, err := p.host.States()
	if h == nil {
		out.Known = reach.All
		return out, err
	}
	quark, err := attributes.Find(h.Attributes(), p.path)
	if errors.Is(err, attributes.ErrNoAttribute) {
		return out, noAttribute(p)
	}
	item, found, err := attributes.Change(ctx, h, quark, p.own(), back)
	out.Known = reach.All || p.own() < reach.Until && (back || found)
	if err != nil || !found {
		return out, err
	}
	shown := p.item(item, reach)
	out.Found, out.Attribute, out.Until = true, &shown, going(reach, reach.GoesOn(item.End))
	return out, nil
}
