package network_test

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/trace/ctf"
)

// A recording is a simulated cluster, what its traces gave and what was true.
type recording struct {
	dir       string
	truth     *truth.Truth
	names     []string
	ids       []string
	clocks    [][]truth.Sample   // by host of the network: what its clock showed while it was up
	endpoints [][]match.Endpoint // by host
	spans     [][2]int64         // local, of all events
	ticks     []int64            // ns by which clocks advance at once
	rising    []bool             // clocks that never went back
}

// simulated runs a scenario of the library, for as long as it lasts if duration is 0, altered if need be.
func simulated(t testing.TB, name string, seed uint64, duration time.Duration, alter ...func(*scenario.Scenario)) *recording {
	t.Helper()
	s, err := scenario.Load(name, scenario.Options{Seed: seed, Duration: int64(duration)})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range alter {
		change(s)
	}
	dir := filepath.Join(t.TempDir(), "cluster")
	if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: seed, Out: dir}); err != nil {
		t.Fatal(err)
	}
	r := &recording{dir: dir}
	if r.truth, err = truth.Read(dir); err != nil {
		t.Fatal(err)
	}
	found, err := ctf.Discover(dir)
	if err != nil {
		t.Fatal(err)
	}
	var traces []*ctf.Trace
	for _, d := range found {
		tr, err := ctf.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, tr)
	}
	for i, h := range ctf.Group(traces) {
		r.read(t, dir, int32(i), h)
	}
	return r
}

func (r *recording) read(t testing.TB, dir string, host int32, h ctf.HostTraces) {
	t.Helper()
	place, err := filepath.Rel(dir, h.Traces[0].Dir())
	if err != nil {
		t.Fatal(err)
	}
	r.names, r.ids = append(r.names, h.Name), append(r.ids, h.ID)
	r.clocks = append(r.clocks, r.shown(t, filepath.ToSlash(place)))
	reader, err := ctf.NewReader(h.Traces, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var endpoints []match.Endpoint
	var span [2]int64
	var ticks clock.Ticks
	rising := h.Ordered()
	x := match.NewExtractor(host)
	for first := true; ; first = false {
		ev, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if first {
			span = [2]int64{ev.Time, ev.Time}
		}
		span = [2]int64{min(span[0], ev.Time), max(span[1], ev.Time)}
		ticks.Add(ev.Recorded)
		rising = rising && ev.Recorded >= ev.Time
		if e, ok := x.Extract(ev); ok {
			endpoints = append(endpoints, e)
		}
	}
	r.endpoints, r.spans, r.ticks = append(r.endpoints, endpoints), append(r.spans, span), append(r.ticks, ticks.Tick())
	r.rising = append(r.rising, rising)
}

// shown returns the samples of the clock that a trace was recorded by: those of its boot.
func (r *recording) shown(t testing.TB, place string) []truth.Sample {
	t.Helper()
	for _, h := range r.truth.Hosts {
		for _, tr := range h.Traces {
			if tr.Path != place {
				continue
			}
			boot := h.Boots[tr.Boot]
			samples := make([]truth.Sample, len(h.Samples))
			for i, s := range h.Samples {
				s.Down = s.Down || s.True < boot.Begin || boot.End != nil && s.True >= *boot.End
				samples[i] = s
			}
			return samples
		}
	}
	t.Fatalf("the truth knows no trace %q", place)
	return nil
}

// network feeds the hosts in step, as the command does, and returns what it was told of matches.
func (r *recording) network(c network.Config, matched func(match.Message)) *network.Network {
	n := network.New(c)
	for i, name := range r.names {
		n.AddHost(name, r.ids[i])
	}
	pace := match.NewPace(len(r.names))
	told := func(m match.Message) {
		pace.Message(m)
		if matched != nil {
			matched(m)
		}
	}
	next := make([]int, len(r.names))
	for i := pace.Next(); i >= 0; i = pace.Next() {
		list := r.endpoints[i][next[i]:]
		list = list[:min(len(list), 64)]
		if len(list) == 0 {
			if s := r.spans[i]; s[1] > s[0] {
				n.Span(int32(i), s[0], s[1])
			}
			n.Tick(int32(i), r.ticks[i])
			n.Rising(int32(i), r.rising[i])
			n.Done(int32(i), told)
			pace.Done(i)
			continue
		}
		for _, e := range list {
			n.Endpoint(e, told)
		}
		next[i] += len(list)
		pace.At(i, float64(next[i])/float64(len(r.endpoints[i])), list[len(list)-1].Time)
	}
	return n
}

// A verdict is how a solution stands to the truth.
type verdict struct {
	sampled      int   // instants of all hosts but references
	unbounded    int   // of them, without a bound
	outside      int   // of them, further off than the bound
	worst, bound int64 // ns: the largest error, the largest bound
	median       int64 // ns: of the errors
	excess       int64 // ns: the largest error beyond its bound
	violations   int
	failed       int // links
}

// compared yields every sampled instant of every host whose clock is tied to that of another, by its local time, and how far its map is off there, ns.
func (r *recording) compared(s *network.Solution, yield func(h *network.Host, local, off int64)) {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if h.Reference == int32(i) {
			continue
		}
		reference := r.clocks[h.Reference]
		for k, sample := range r.clocks[i] {
			if sample.Down || reference[k].Down || sample.Local < h.Begin || sample.Local > h.End {
				continue
			}
			off := h.Map.Reference(sample.Local) - reference[k].Local
			yield(h, sample.Local, max(off, -off))
		}
	}
}

// hold holds what a map is off at an instant to its bound there.
func (v *verdict) hold(h *network.Host, local, off int64) {
	bound, ok := h.Map.Error(local)
	if !ok {
		v.unbounded++
		return
	}
	v.bound = max(v.bound, bound)
	if off > bound+2 { // samples are of whole ns too
		v.outside++
		v.excess = max(v.excess, off-bound)
	}
}

// judge compares a solution with the truth at every sampled instant of every host whose clock
// is tied to that of another.
func (r *recording) judge(s *network.Solution) (v verdict) {
	var errors []int64
	r.compared(s, func(h *network.Host, local, off int64) {
		v.sampled++
		v.worst = max(v.worst, off)
		errors = append(errors, off)
		v.hold(h, local, off)
	})
	if slices.Sort(errors); len(errors) > 0 {
		v.median = errors[len(errors)/2]
	}
	for i := range s.Links {
		v.violations += s.Links[i].Violations
		if s.Links[i].Class == hull.Fail {
			v.failed++
		}
	}
	return v
}
