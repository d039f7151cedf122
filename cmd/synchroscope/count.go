package main

import (
	"fmt"
	"math"

	"synchroscope/trace/ctf"
)

// everything reports whether no event is left out. Then counting needs no order,
// and the hosts are not merged.
func (o *eventsOptions) everything() bool {
	return o.name == "" && o.begin == math.MinInt64 && o.end == math.MaxInt64 && o.limit == 0
}

// countAll counts all events of the hosts.
func countAll(hosts []ctf.HostTraces) (*eventCounts, error) {
	c := newEventCounts(hosts)
	for i, h := range hosts {
		events, err := countHost(h)
		if err != nil {
			return nil, fmt.Errorf("host %s: %w", h.Name, err)
		}
		c.by[i] = events
		for _, n := range events {
			c.total += n
		}
	}
	return c, nil
}

func countHost(h ctf.HostTraces) ([]int64, error) {
	r, err := ctf.NewReader(h.Traces, ctf.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Count()
}
