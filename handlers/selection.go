package handlers

import (
	"net/http"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// A selection is a stretch of time of some hosts that a request asks about.
type selection struct {
	begin, end int64 // ns of the time asked for
	local      bool  // of the hosts' own clocks
	hosts      []*ingest.Host
	solution   *network.Solution // nil while there is none
}

// selectionOf reads begin, end, local and host; more are parameters that the caller reads.
func selectionOf(r *http.Request, set *ingest.Set, more ...string) (s selection, err error) {
	q, err := query(r, append([]string{"begin", "end", "local", "host"}, more...)...)
	if err != nil {
		return s, err
	}
	if s.begin, err = timeParam(q.Get("begin"), "begin"); err != nil {
		return s, err
	}
	if s.end, err = timeParam(q.Get("end"), "end"); err != nil {
		return s, err
	}
	if s.begin >= s.end {
		return s, badRequest(`"begin" must be before "end".`)
	}
	if s.local, err = boolParam(q, "local"); err != nil {
		return s, err
	}
	s.hosts, err = hostsParam(set, q)
	s.solution = set.Solution()
	return s, err
}

// of is the selection in the local time of a host.
func (s *selection) of(host *ingest.Host) (begin, end int64) {
	if s.local || s.solution == nil || int(host.Index()) >= len(s.solution.Hosts) {
		return s.begin, s.end
	}
	m := s.solution.Hosts[host.Index()].Map
	return m.Local(s.begin), m.Local(s.end)
}
