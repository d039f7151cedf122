package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"synchroscope/trace/ctf"
)

// eventCounts counts events by host and trace.
type eventCounts struct {
	hosts []ctf.HostTraces
	by    [][]int64
	total int64
}

func newEventCounts(hosts []ctf.HostTraces) *eventCounts {
	c := &eventCounts{hosts: hosts, by: make([][]int64, len(hosts))}
	for i, h := range hosts {
		c.by[i] = make([]int64, len(h.Traces))
	}
	return c
}

func (c *eventCounts) add(s *source) {
	c.by[s.index][s.event.Trace]++
	c.total++
}

// everything reports whether no event is left out. Then counting needs no order,
// and the hosts are not merged.
func (o *eventsOptions) everything() bool {
	return o.where == nil && o.begin == bound{ns: math.MinInt64} && o.end == bound{ns: math.MaxInt64} && o.limit == 0
}

// countAll counts all events of the hosts but of those that cannot be read, which are told to unreadable.
func countAll(hosts []ctf.HostTraces, unreadable func(ctf.HostTraces, error)) *eventCounts {
	c := newEventCounts(hosts)
	for i, h := range hosts {
		events, err := countHost(h)
		if err != nil {
			unreadable(h, err)
		}
		copy(c.by[i], events)
		for _, n := range events {
			c.total += n
		}
	}
	return c
}

func countHost(h ctf.HostTraces) ([]int64, error) {
	r, err := ctf.NewReader(h.Traces, ctf.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var total int64
	for _, t := range h.Traces {
		total += t.Info().Bytes
	}
	defer newProgress("counting").watch(r.Bytes, total)()
	return r.Count()
}

// print writes a line for each trace, and the total at the end.
func (c *eventCounts) print(out io.Writer, opened *opened, asJSON bool) error {
	type count struct {
		Host   string `json:"host"`
		Path   string `json:"path"`
		Events int64  `json:"events"`
	}
	traces := []count{}
	for i, h := range c.hosts {
		for j, t := range h.Traces {
			traces = append(traces, count{h.Name, opened.shown[t], c.by[i][j]})
		}
	}
	if asJSON {
		return json.NewEncoder(out).Encode(struct {
			Traces []count `json:"traces"`
			Events int64   `json:"events"`
		}{traces, c.total})
	}
	for _, t := range traces {
		if _, err := fmt.Fprintf(out, "%12d  %s  %s\n", t.Events, printable(t.Host), printable(t.Path)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%12d  total\n", c.total)
	return err
}
