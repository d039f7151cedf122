package network

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"synchroscope/sync/match"
)

var search = flag.String("search", "none:0-5,mixed:5,slew:2,again:25", "look at `sets` of machines in TestSearch: KIND:SEED or KIND:FROM-TO, by commas")

// What is said of machines is held to what is true of them, on sets that are drawn at random: how many there are and how they talk, how their clocks run, when
// they are set and by how much. By default a few sets are looked at in which no clock is set, and three that once were wrong. Any others are with
//
//	go test ./sync/network -run TestSearch -search KIND:FROM-TO
//
// where KIND is one of machineKinds and FROM and TO are the first seed and the last; -v tells what each set is and how long its solutions took. In all of
// them it is looked for
//
//   - bounds of maps, of pairs of hosts, of bands of links and of latencies that are exceeded, and maps that do not rise;
//   - messages that are received before they are sent, links that fail, and loops that do not close;
//   - results that are others when endpoints come in another order, or when constraints were stored;
//   - all of that in two windows as well, by other hosts.
//
// Each finding is told, with how the steps of the set are shown by its messages. What no link shows can be told by nobody: findings in such sets mostly are the
// limits that docs/synchronization.md states. Those that are none are listed there, too.
func TestSearch(t *testing.T) {
	bounded := 0
	for _, part := range strings.Split(*search, ",") {
		kind, from, to, err := searched(part)
		if err != nil {
			t.Fatal(err)
		}
		for seed := from; seed <= to; seed++ {
			t.Run(fmt.Sprintf("%s/%d", kind, seed), func(t *testing.T) {
				p := machinesOf(kind, seed)
				t.Logf("%s; %s", p.text, p.showing())
				p.judge(t)
				bounded += p.bounded
			})
		}
	}
	if bounded == 0 && !t.Failed() {
		t.Error("nothing is bounded anywhere")
	}
}

// searched reads a part of -search.
func searched(part string) (kind string, from, to uint64, err error) {
	kind, seeds, _ := strings.Cut(part, ":")
	if _, ok := machineKinds[kind]; !ok {
		return "", 0, 0, fmt.Errorf("there is no kind %q of machines; there are %s", kind, strings.Join(slices.Sorted(maps.Keys(machineKinds)), ", "))
	}
	first, last, several := strings.Cut(seeds, "-")
	if !several {
		last = first
	}
	if from, err = strconv.ParseUint(first, 10, 64); err == nil {
		to, err = strconv.ParseUint(last, 10, 64)
	}
	if err != nil || to < from {
		return "", 0, 0, fmt.Errorf("%q is no KIND:SEED nor KIND:FROM-TO", part)
	}
	return kind, from, to, nil
}

// judge looks at the machines as a whole and in two windows.
func (p *machines) judge(t *testing.T) {
	r := rand.New(rand.NewPCG(p.seed, 99))
	p.instants = p.looks(r)
	n := p.network(false)
	began := time.Now()
	s := n.Solution()
	t.Logf("solved in %v", time.Since(began).Round(time.Millisecond))
	p.bounds(t, "all", s)
	p.pairs(t, n)
	p.bands(t, n)
	p.early(t, s)
	p.explained(t, "all", s)
	p.latencies(t, n, s)
	was := text(s)
	if text(p.network(true).Solution()) != was {
		t.Error("another order of endpoints gives another result")
	}
	live := n.Constraints()
	stored, err := ParseConstraints(live.AppendBinary(nil))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := stored.Solve(Config{}); err != nil || text(again) != was {
		t.Errorf("stored constraints give another result, or an error: %v", err)
	}
	for w := range 2 {
		p.window(t, w, r, s, live, stored)
	}
}

// window draws a window and looks at it, by the reference of the whole solution the first time.
func (p *machines) window(t *testing.T, number int, r *rand.Rand, s *Solution, live, stored *Constraints) {
	ref := p.clocks[s.Reference]
	length := float64(ref.records[1] - ref.records[0])
	from := ref.records[0] + int64(r.Float64()*0.8*length)
	to := from + int64((0.05+0.4*r.Float64())*length)
	a, b := ref.local(from), ref.local(to)
	if a >= b {
		return // the clock was set back meanwhile
	}
	c := Config{Window: &Window{a, b}, Reference: s.Hosts[s.Reference].Name}
	if number > 0 {
		c.Reference = ""
		if len(p.clocks) > 2 && r.IntN(2) == 0 {
			c.Reference = fmt.Sprint("h", r.IntN(len(p.clocks)))
		}
	}
	what := fmt.Sprintf("window %.3f to %.3f s by %q", seconds(from), seconds(to), c.Reference)
	began := time.Now()
	in, err := live.Solve(c)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	t.Logf("%s solved in %v", what, time.Since(began).Round(time.Millisecond))
	p.bounds(t, what, in)
	if again, err := stored.Solve(c); err != nil || text(again) != text(in) {
		t.Errorf("%s: stored constraints give another result, or an error: %v", what, err)
	}
	p.compared(t, what, live, c)
	p.explained(t, what, in)
}

// looks are the instants at which all is looked at: 2400 all along, those close to steps and to how far they reach, and those of messages.
func (p *machines) looks(r *rand.Rand) (at []int64) {
	step := max(p.span/1200, 10_000_000)
	for t := int64(start); t <= start+p.span; t += step {
		at = append(at, t, t+r.Int64N(step))
	}
	for i := range p.clocks {
		for _, s := range p.clocks[i].sets {
			for off := int64(1); off < 100*second; off = off*2 + 1 {
				at = append(at, s[0]-off, s[0]-1+off)
			}
			by := max(s[1], -s[1])
			for _, d := range []int64{-2, -1, 0, 1, 2, 1000, -1000, 100000, -100000} {
				at = append(at, s[0]-by+d, s[0]+by+d)
			}
		}
	}
	for i, m := range p.messages {
		if len(p.messages) < 800 || i%(len(p.messages)/400) == 0 {
			at = append(at, m.sent, m.received, m.sent-1, m.received+1)
		}
	}
	return at
}

// showing tells whether links show the steps of their hosts, and whether some are within each other's times.
func (p *machines) showing() string {
	type step struct {
		host   int
		at, by int64
	}
	var steps []step
	for h := range p.clocks {
		for _, s := range p.clocks[h].sets {
			steps = append(steps, step{h, s[0], max(s[1], -s[1])})
		}
	}
	some, all, near := true, true, false
	for i, s := range steps {
		shown := false
		for k, l := range p.links {
			if l[0] != s.host && l[1] != s.host {
				continue
			}
			prev, next := int64(math.MinInt64), int64(math.MaxInt64)
			for j, o := range steps {
				if j == i || o.host != l[0] && o.host != l[1] {
					continue
				}
				if o.at <= s.at {
					prev = max(prev, o.at)
				}
				if o.at >= s.at {
					next = min(next, o.at)
				}
			}
			ok := p.shows(k, prev, s.at, next, s.by)
			shown, all = shown || ok, all && ok
		}
		some = some && shown
		for j, o := range steps {
			near = near || i != j && max(s.at-o.at, o.at-s.at) < s.by+o.by+second
		}
	}
	words := "some step is shown by no link"
	switch {
	case len(steps) == 0:
		return "no steps"
	case all:
		words = "all links show all steps of their hosts"
	case some:
		words = "some link shows each step"
	}
	if near {
		words += ", some are within each other's times"
	}
	return words
}

// shows reports whether a link has three messages each way before a step and after it, up to others of its hosts, and no curve goes through from the former to the latter.
func (p *machines) shows(link int, prev, at, next, by int64) bool {
	l := p.links[link]
	var before, after [2]int
	last, first := [2]int64{math.MinInt64, math.MinInt64}, [2]int64{math.MaxInt64, math.MaxInt64}
	for _, m := range p.messages {
		d := 0
		if m.from == l[1] {
			d = 1
		}
		if !m.both || m.from != l[d] || m.to != l[1-d] {
			continue
		}
		if m.sent > prev && m.received < at {
			before[d]++
			last[d] = max(last[d], m.received)
		}
		if m.sent >= at && m.received < next {
			after[d]++
			first[d] = min(first[d], m.sent)
		}
	}
	if min(before[0], before[1], after[0], after[1]) < 3 {
		return false
	}
	silent := float64(max(first[0], first[1])-min(last[0], last[1])) / 1e9
	return float64(by)/1e9 > 6e-4*(silent+1)*(silent+1)+8*float64(p.delays[link])/1e9
}

// endpoints are what each machine records, in the order in which it does.
func (p *machines) endpoints() [][]match.Endpoint {
	type ended struct {
		at int64
		e  match.Endpoint
	}
	ends := make([][]ended, len(p.clocks))
	add := func(host int, at int64, d match.Direction, key int) {
		if c := &p.clocks[host]; c.recorded(at) {
			ends[host] = append(ends[host], ended{at, match.Endpoint{Time: c.local(at), Host: int32(host), Direction: d, Key: match.Key{A: uint64(key)}}})
		}
	}
	for i, m := range p.messages {
		add(m.from, m.sent, match.Send, i+1)
		add(m.to, m.received, match.Receive, i+1)
	}
	endpoints := make([][]match.Endpoint, len(p.clocks))
	for h := range ends {
		slices.SortStableFunc(ends[h], func(a, b ended) int { return cmp.Compare(a.at, b.at) })
		for _, e := range ends[h] {
			endpoints[h] = append(endpoints[h], e.e)
		}
	}
	return endpoints
}

// network is told of all that is recorded: one machine after the other, or a few endpoints of each at random, with solutions asked for meanwhile.
func (p *machines) network(mixed bool) *Network {
	n := New(Config{})
	endpoints := p.endpoints()
	left := make([]int32, len(p.clocks))
	for i := range p.clocks {
		n.AddHost(fmt.Sprint("h", i), p.ids[i])
		left[i] = int32(i)
	}
	r := rand.New(rand.NewPCG(p.seed+1, 5))
	for asked := 0; len(left) > 0; {
		k, count := 0, len(p.messages)
		if mixed {
			k, count = r.IntN(len(left)), 1+r.IntN(40)
		}
		i := left[k]
		count = min(count, len(endpoints[i]))
		for _, e := range endpoints[i][:count] {
			n.Endpoint(e, nil)
		}
		endpoints[i] = endpoints[i][count:]
		if mixed && asked < 2 && r.IntN(100) == 0 {
			asked++
			n.Solution()
		}
		if len(endpoints[i]) > 0 {
			continue
		}
		c := &p.clocks[i]
		for _, at := range c.records {
			n.Span(i, c.local(at), c.local(at))
		}
		for _, s := range c.sets {
			n.Span(i, c.local(s[0]-1), c.local(s[0]-1))
			n.Span(i, c.local(s[0]), c.local(s[0]))
		}
		n.Done(i, nil)
		left = slices.Delete(left, k, k+1)
	}
	return n
}
