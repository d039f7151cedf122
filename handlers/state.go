package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/query"
	"synchroscope/sync/network"
)

func (s *Server) sync(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	solution := set.Solution()
	if solution == nil {
		s.fail(w, r, failure{http.StatusConflict, "The hosts of this trace set are not known yet."})
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
	Known      bool             `json:"known"` // the host's history covers the time
	Attributes []attributeState `json:"attributes"`
}

type attributeState struct {
	query.Attribute
	Begin wire.Time `json:"begin"` // of the interval, local ns
	End   wire.Time `json:"end"`
}

func (s *Server) state(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	q := r.URL.Query()
	t, err := timeParam(q.Get("time"), "time")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	hosts, err := hostsParam(set, q.Get("host"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := time.Now()
	answer := stateAnswer{Time: wire.Time(t), Local: boolParam(q.Get("local")), Hosts: []hostState{}}
	for _, host := range hosts {
		h, err := stateOf(r.Context(), set.Solution(), host, t, answer.Local, q.Get("path"))
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
	history := host.History()
	if history == nil {
		return out, nil
	}
	if begin, end := history.Bounds(); t < begin || t >= end {
		return out, nil
	}
	out.Known = true
	attributes, err := query.All(ctx, history, pattern, t)
	if err != nil {
		return out, err
	}
	for _, a := range attributes {
		out.Attributes = append(out.Attributes, attributeState{a, wire.Time(a.Begin), wire.Time(a.End)})
	}
	return out, nil
}

// timeParam reads a time in ns.
func timeParam(value, name string) (int64, error) {
	t, err := strconv.ParseInt(value, 10, 64)
	if err != nil || t > wire.MaxTime || t < -wire.MaxTime {
		return 0, failure{http.StatusBadRequest, fmt.Sprintf("%q must be a time in ns, not %.40q.", name, value)}
	}
	return t, nil
}

func boolParam(value string) bool {
	b, _ := strconv.ParseBool(value)
	return b
}

// hostsParam returns the host of a name, or all without one.
func hostsParam(set *ingest.Set, name string) ([]*ingest.Host, error) {
	hosts := set.Hosts()
	if name == "" {
		return hosts, nil
	}
	for _, h := range hosts {
		if h.Name() == name {
			return []*ingest.Host{h}, nil
		}
	}
	return nil, failure{http.StatusNotFound, fmt.Sprintf("The trace set has no host %.80q.", name)}
}
