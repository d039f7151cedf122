package main

import (
	"io"
	"math"

	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace/ctf"
)

// referenceClocks reads all hosts once and returns the clock map of each, by
// name; nil if that is not wanted.
func referenceClocks(hosts []ctf.HostTraces, want bool) (map[string]*clock.Map, error) {
	if !want {
		return nil, nil
	}
	net := network.New(network.Config{})
	number := make([]int32, len(hosts))
	extractors := make([]*match.Extractor, len(hosts))
	spans := make([][2]int64, len(hosts))
	for i, h := range hosts {
		number[i] = net.AddHost(h.Name, h.ID)
		extractors[i] = match.NewExtractor(number[i])
		spans[i] = [2]int64{math.MaxInt64, math.MinInt64}
	}
	matched := func(match.Message) {}

	// Merged by time, both ends of a message come close together, and few
	// endpoints wait for their match.
	m, err := newMerge(hosts, nil, eventsOptions{begin: math.MinInt64, end: math.MaxInt64})
	if err != nil {
		return nil, err
	}
	defer m.close()
	for {
		s, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		span := &spans[s.index]
		span[0], span[1] = min(span[0], s.time), max(span[1], s.time)
		if e, ok := extractors[s.index].Extract(s.event); ok {
			net.Endpoint(e, matched)
		}
	}
	for i := range hosts {
		if spans[i][0] <= spans[i][1] {
			net.Span(number[i], spans[i][0], spans[i][1])
		}
	}
	for i := range hosts {
		net.Done(number[i], matched)
	}
	clocks := make(map[string]*clock.Map, len(hosts))
	for _, h := range net.Solution().Hosts {
		clocks[h.Name] = h.Map
	}
	return clocks, nil
}
