package handlers

import (
	"context"
	"math"
	"net/http"

	"synchroscope/ingest"
	"synchroscope/sync/match"
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

// clocks are those that are asked for: a solution's, or nil for the hosts' own.
func (s *selection) clocks() *network.Solution {
	if s.local {
		return nil
	}
	return s.solution
}

// eachMessage yields the messages of the selection that have an end at one of its hosts, with both times by its clocks, in no order.
func (s *selection) eachMessage(ctx context.Context, set *ingest.Set, yield func(m match.Message, sent, received int64)) error {
	wanted := make(map[int32]bool, len(s.hosts))
	for _, h := range s.hosts {
		wanted[h.Index()] = true
	}
	_, err := set.ScanMessages(ctx, s.begin, s.end, s.clocks(), nil, 0, math.MaxInt, func(m match.Message, sent, received int64) {
		if wanted[m.From] || wanted[m.To] {
			yield(m, sent, received)
		}
	})
	return err
}

// of is the selection in the local time of a host.
func (s *selection) of(host *ingest.Host) (begin, end int64) {
	clocks := s.clocks()
	if clocks == nil || int(host.Index()) >= len(clocks.Hosts) {
		return s.begin, s.end
	}
	m := clocks.Hosts[host.Index()].Map
	return m.Local(s.begin), m.Local(s.end)
}

// shown is a host's local time by the clocks asked for.
func (s *selection) shown(host *ingest.Host, local int64) int64 {
	clocks := s.clocks()
	if clocks == nil || int(host.Index()) >= len(clocks.Hosts) {
		return local
	}
	return clocks.Hosts[host.Index()].Map.Reference(local)
}
