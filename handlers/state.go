package handlers

import (
	"context"
	"net/http"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	attributes "synchroscope/state/query"
	"synchroscope/sync/network"
)

func (s *Server) sync(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if set.Solution() == nil {
		s.fail(w, r, failure{http.StatusConflict, "The hosts of this trace set are not known yet."})
		return
	}
	solution, err := set.Solved()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ok(w, solution.Report())
}

// stateAnswer is the body of GET state.
type stateAnswer struct {
	Time  wire.Time   `json:"time"`  // as it was asked for
	Local bool        `json:"local"` // time is the hosts' own
	Hosts []hostState `json:"hosts"`
}

type hostState struct {
	Host       string           `json:"host"`
	LocalTime  wire.Time        `json:"local_time"`
	Known      bool             `json:"known"`                       // the host's history covers the time
	Until      *wire.Time       `json:"local_known_until,omitempty"` // where that is not all there will be: up to when the host is read
	Error      string           `json:"error,omitempty"`             // why there is no history, or which place of it is damaged
	Attributes []attributeState `json:"attributes"`
}

type attributeState struct {
	attributes.Attribute
	Begin wire.Time  `json:"begin"` // of the interval, local ns
	End   *wire.Time `json:"end"`   // null where it goes on, as far as is read
}

// stateQuery is a checked query string.
type stateQuery struct {
	time    int64
	local   bool
	hosts   []*ingest.Host
	pattern string
}

func parseStateQuery(r *http.Request, set *ingest.Set) (s stateQuery, err error) {
	q, err := query(r, "time", "local", "host", "path")
	if err == nil {
		s.time, err = timeParam(q.Get("time"), "time")
	}
	if err == nil {
		s.local, err = boolParam(q, "local")
	}
	if err == nil {
		s.hosts, err = hostsParam(set, q)
	}
	if err == nil {
		s.pattern, err = pathParam(q)
	}
	return s, err
}

func (s *Server) state(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q, err := parseStateQuery(r, set)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := time.Now()
	answer := stateAnswer{Time: wire.Time(q.time), Local: q.local, Hosts: []hostState{}}
	for _, host := range q.hosts {
		h, err := stateOf(r.Context(), set.Solution(), host, q.time, q.local, q.pattern)
		if fault := set.Damaged(err); fault != nil {
			h.Known, h.Error, err = false, fault.Sentence(), nil
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		answer.Hosts = append(answer.Hosts, h)
	}
	s.metrics.observe("state", time.Since(begun))
	ok(w, answer)
}

// stateOf lists the attributes of one host.
func stateOf(ctx context.Context, solution *network.Solution, host *ingest.Host, t int64, local bool, pattern string) (hostState, error) {
	if !local && solution != nil && int(host.Index()) < len(solution.Hosts) {
		t = solution.Hosts[host.Index()].Map.Local(t)
	}
	out := hostState{Host: host.Name(), LocalTime: wire.Time(t), Attributes: []attributeState{}}
	reach := host.Known()
	history := host.History()
	if history == nil {
		out.Error = host.Unreadable()
		return out, nil
	}
	if begin, end := history.Bounds(); t < begin || t >= end {
		out.Until = going(reach, t >= end)
		return out, nil
	}
	out.Known = true
	all, err := attributes.All(ctx, history, pattern, t)
	if err != nil {
		return out, err
	}
	on := false
	for _, a := range all {
		on = on || reach.GoesOn(a.End)
		out.Attributes = append(out.Attributes, attributeState{a, wire.Time(a.Begin), ended(reach, a.End, a.End)})
	}
	out.Until = going(reach, on)
	return out, nil
}
