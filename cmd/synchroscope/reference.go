package main

import (
	"synchroscope/sync/clock"
	"synchroscope/sync/network"
)

// referenceClocks synchronizes the hosts, which reads them once, and returns
// the clock map of each by name; nil if that is not wanted.
func referenceClocks(o *opened, want bool) (map[string]*clock.Map, error) {
	if !want {
		return nil, nil
	}
	net, err := feedAll(o, "", network.Config{}, nil)
	if err != nil {
		return nil, err
	}
	clocks := make(map[string]*clock.Map, len(o.hosts))
	for _, h := range net.Solution().Hosts {
		clocks[h.Name] = h.Map
	}
	return clocks, nil
}
