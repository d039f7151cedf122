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
