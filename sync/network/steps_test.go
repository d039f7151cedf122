package network

import (
	"math/rand/v2"
	"testing"

	"synchroscope/sync/match"
)

// talking is three hosts of which a and c are near and b is set by a second in the middle of ten minutes. a and b talk from one second until
// another, both with c all the time, but b only where it may.
func talking(from, until int64, withC bool) (s *Solution, local func(h int32, at int64) int64) {
	r := rand.New(rand.NewPCG(1, 2))
	n := New(Config{Reference: "a"})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	local = func(h int32, at int64) int64 {
		if h == 1 && at > start+300*second {
			return at + second
		}
		return at
	}
	var key uint64
	say := func(from, to int32, at, delay int64) {
		key++
		k := match.Key{A: key}
		received := at + delay + int64(r.ExpFloat64()*float64(delay)/4)
		n.Endpoint(match.Endpoint{Time: local(from, at), Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: local(to, received), Host: to, Direction: match.Receive, Key: k}, nil)
	}
	for i := range int64(600) {
		at := start + i*second
		if i >= from && i < until {
			say(0, 1, at, 20_000)
			say(1, 0, at+1000, 20_000)
		}
		if withC {
			say(2, 1, at, 10_000_000)
			say(1, 2, at+1000, 10_000_000)
		}
		say(0, 2, at, 20_000)
		say(2, 0, at+1000, 20_000)
	}
	for h := range int32(3) {
		n.Span(h, local(h, start), local(h, start+600*second))
		n.Done(h, nil)
	}
	return n.Solution(), local
}

// A link that is silent when a clock of its hosts is set does not bound it beyond that, though its own messages fit one line: what others show of
// the step counts for it too.
func TestStepThatALinkCannotSee(t *testing.T) {
	for what, talk := range map[string][2]int64{"silent afterwards": {0, 250}, "silent before": {350, 600}, "hardly any time": {100, 200}} {
		s, local := talking(talk[0], talk[1], true)
		for _, k := range s.Links {
			if k.A == 0 && k.B == 1 && (k.InTree || k.ErrorMax >= 0) {
				t.Errorf("%s: the link is in the tree: %v, and known to %d ns", what, k.InTree, k.ErrorMax)
			}
		}
		m := s.Hosts[1].Map
		for at := int64(start); at <= start+600*second; at += second / 2 {
			x := local(1, at)
			off := m.Reference(x) - at
			if bound, ok := m.Error(x); !ok || max(off, -off) > bound {
				t.Fatalf("%s: after %d s off by %d ns, said to be known to %d, %v", what, (at-start)/second, off, bound, ok)
			}
		}
	}
}

// Where nothing shows a step, or the link talks before and after it, nothing is taken from it.
func TestStepTakesNothingFromOthers(t *testing.T) {
	for what, c := range map[string]struct {
		from, until int64
		withC       bool
	}{"all the time": {0, 600, true}, "no other link": {0, 250, false}} {
		s, _ := talking(c.from, c.until, c.withC)
		for _, k := range s.Links {
			if k.A == 0 && !(k.InTree && k.ErrorMax >= 0) {
				t.Errorf("%s: the link to host %d is in the tree: %v, and known to %d ns", what, k.B, k.InTree, k.ErrorMax)
			}
		}
	}
}

// A setBack is three hosts, one of which is set by 200 µs in the middle of five minutes. a and b exchange messages of 50 µs; b and c some that
// take longer, so that one line fits them before and after; so do a and c in a round.
type setBack struct {
	host        int32
	by          int64
	there, back int64 // delays between b and c
	round       bool
}

func (p *setBack) local(h int32, at int64) int64 {
	if h == p.host && at > start+150*second+second/3 {
		return at + p.by
	}
	return at
}

func (p *setBack) network(reference string) *Network {
	r := rand.New(rand.NewPCG(3, 4))
	n := New(Config{Reference: reference})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	var key uint64
	say := func(from, to int32, at, delay int64) {
		key++
		k := match.Key{A: key}
		received := at + delay + int64(r.ExpFloat64()*10_000)
		n.Endpoint(match.Endpoint{Time: p.local(from, at), Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: p.local(to, received), Host: to, Direction: match.Receive, Key: k}, nil)
	}
	for i := range int64(3000) {
		at := start + i*second/10
		say(0, 1, at, 50_000)
		say(1, 0, at+1000, 50_000)
		say(1, 2, at, p.there)
		say(2, 1, at+1000, p.back)
		if p.round {
			say(0, 2, at, 20_000_000)
			say(2, 0, at+1000, 20_000_000)
		}
	}
	for h := range int32(3) {
		n.Span(h, p.local(h, start), p.local(h, start+300*second))
		n.Done(h, nil)
	}
	return n
}

// A link whose messages take longer than a clock is set by does not show it. Where another link does, what it knows of the clocks before
// says nothing of them afterwards: neither bound is off, nor is anything left without one. Which of its two hosts was set the
// other link does not tell either.
func TestStepShorterThanDelays(t *testing.T) {
	type asked struct {
		setBack
		reference string
	}
	var list []asked
	for _, p := range []setBack{
		{host: 1, there: 5_000_000, back: 5_000_000},
		{host: 1, there: 5_000_000, back: 50_000},
		{host: 1, there: 50_000, back: 5_000_000},
		{host: 1, there: 50_000, back: 5_000_000, round: true},
		{host: 0, there: 50_000, back: 5_000_000, round: true},
	} {
		for _, by := range []int64{200_000, -200_000} {
			for _, reference := range []string{"", "a", "b", "c"} {
				list = append(list, asked{setBack{p.host, by, p.there, p.back, p.round}, reference})
			}
		}
	}
	list = covering(list, 2, func(p asked) []any {
		kind := p.setBack
		kind.by = 0
		return []any{kind, p.by, p.reference}
	})
	for k, p := range list {
		n := p.network(p.reference)
		s := n.Solution()
		for i, h := range s.Hosts {
			for at := int64(start); at <= start+300*second; at += second / 20 {
				x := p.local(int32(i), at)
				off := h.Map.Reference(x) - p.local(h.Reference, at)
				near := at > start+149*second && at < start+152*second
				if bound, ok := h.Map.Error(x); !ok || max(off, -off) > bound || bound > 6_000_000 && !near {
					t.Fatalf("%+v: host %d is off by %d ns after %d s, said to be known to %d, %v", p, i, off, (at-start)/second, bound, ok)
				}
			}
		}
		if k%2 > 0 {
			continue // some of each kind, as it takes as long as all else
		}
		again, err := n.Constraints().Solve(Config{Reference: p.reference})
		if err != nil || text(again) != text(s) {
			t.Fatalf("%+v: what is stored says something else, %v", p, err)
		}
	}
}

// A clock that is set back by much, of whichever host, leaves its link as well known as it was once it is past the times that it shows twice, by whichever
// host's time; and what is sent and received meanwhile is no violation.
func TestSetBackByMuch(t *testing.T) {
	for _, p := range []setBack{{host: 0, by: -second / 2}, {host: 1, by: -second / 2}, {host: 2, by: -second / 2}, {host: 1, by: -3 * second}} {
		p.there, p.back = 50_000, 50_000
		for _, reference := range []string{"a", "b", "c"} {
			s := p.network(reference).Solution()
			for _, k := range s.Links {
				if k.Violations != 0 {
					t.Errorf("%+v, by %s: %d violations between hosts %d and %d", p, reference, k.Violations, k.A, k.B)
				}
			}
			for i, h := range s.Hosts {
				for at := int64(start); at <= start+300*second; at += second / 20 {
					if since := at - start - 150*second; since > 2*p.by-2*second && since < 2*second-2*p.by {
						continue
					}
					x := p.local(int32(i), at)
					if off := h.Map.Reference(x) - p.local(h.Reference, at); max(off, -off) > 200_000 {
						t.Fatalf("%+v, by %s: host %d is off by %d ns after %d ms", p, reference, i, off, (at-start)*1000/second)
					}
				}
			}
		}
	}
}

// Where messages before and after leave no room for a step, a link of a host that may have been set is not cut: it
// is known as well as without the link that shows the step.
func TestStepThatALinkDenies(t *testing.T) {
	known := func(withStep bool) int64 {
		p := setBack{host: 0, by: -200_000, there: 20_000, back: 20_000}
		if !withStep {
			p.by = 0
		}
		for _, k := range p.network("").Solution().Links {
			if k.A == 1 {
				return k.ErrorMax
			}
		}
		return -1
	}
	if with, without := known(true), known(false); with != without {
		t.Errorf("known to %d ns, to %d without a step", with, without)
	}
}
