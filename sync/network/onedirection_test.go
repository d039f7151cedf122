package network

import (
	"math/rand/v2"
	"testing"

	"synchroscope/sync/match"
)

// A oneWay is two or three hosts that exchange messages of 50 µs for five minutes. One of the first two is set by some time, and these
// talk in one direction only afterwards, or before. The third talks with both all the time.
type oneWay struct {
	hosts, set int32
	by         int64
	from       int32 // who of the two goes on
	before     bool
}

// step is when it is set: most of the time the two talk in both directions.
func (p oneWay) step() int64 {
	if p.before {
		return start + 100*second + second/3
	}
	return start + 200*second + second/3
}

// shows reports whether messages of the two contradict each other: without the third nothing else tells that a clock was set.
func (p oneWay) shows() bool {
	return p.hosts > 2 || (p.by > 0) == ((p.from == p.set) != p.before)
}

func (p oneWay) local(h int32, at int64) int64 {
	if h == p.set && at > p.step() {
		return at + p.by
	}
	return at
}

func (p oneWay) network() *Network {
	return talks{p.hosts, p.from, p.local, func(at int64) bool { return (at < p.step()) != p.before }}.network()
}

// Talks are those of two or three hosts for five minutes, in messages of 50 µs. The third talks with both all the time.
type talks struct {
	hosts int32
	from  int32 // who of the first two goes on where these do not talk both ways; 2 if neither does
	local func(h int32, at int64) int64
	both  func(at int64) bool
}

func (p talks) network() *Network {
	r := rand.New(rand.NewPCG(3, 4))
	n := New(Config{Reference: "a"})
	for _, name := range []string{"a", "b", "c"}[:p.hosts] {
		n.AddHost(name, name)
	}
	var key uint64
	say := func(from, to int32, at int64) {
		key++
		k := match.Key{A: key}
		received := at + 50_000 + int64(r.ExpFloat64()*10_000)
		n.Endpoint(match.Endpoint{Time: p.local(from, at), Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: p.local(to, received), Host: to, Direction: match.Receive, Key: k}, nil)
	}
	for i := range int64(600) {
		at := start + i*second/2
		both := p.both(at)
		for from := range int32(2) {
			if both || from == p.from {
				say(from, 1-from, at+int64(from)*1000)
			}
			if p.hosts > 2 {
				say(from, 2, at+int64(from)*2000)
				say(2, from, at+1000+int64(from)*2000)
			}
		}
	}
	for h := range p.hosts {
		first, last := p.local(h, start), p.local(h, start)
		for at := int64(start); at <= start+300*second; at += second / 2 {
			first, last = min(first, p.local(h, at)), max(last, p.local(h, at))
		}
		n.Span(h, first, last)
		n.Done(h, nil)
	}
	return n
}

// trulyKnown counts the instants at which something is known of the hosts beside the first. Whatever is known must be true.
func trulyKnown(t *testing.T, what any, n *Network, local func(h int32, at int64) int64) (instants int) {
	t.Helper()
	s := n.Solution()
	for i, h := range s.Hosts {
		for at := int64(start); at <= start+300*second; at += second / 2 {
			x := local(int32(i), at)
			off := h.Map.Reference(x) - local(h.Reference, at)
			bound, ok := h.Map.Error(x)
			if ok && max(off, -off) > bound {
				t.Errorf("%+v: host %d is off by %d ns after %g s, said to be known to %d", what, i, off, float64(at-start)/second, bound)
			}
			if ok && i > 0 {
				instants++
			}
		}
	}
	return instants
}

// storedAlike tests that what is stored says the same.
func storedAlike(t *testing.T, what any, n *Network) {
	t.Helper()
	again, err := n.Constraints().Solve(Config{Reference: "a"})
	if err != nil || text(again) != text(n.Solution()) {
		t.Fatalf("%+v: what is stored says something else, %v", what, err)
	}
}

// Where messages in one direction contradict all that a link allows, its bound does not go on beyond those that agree.
func TestOneDirectionBesideAStep(t *testing.T) {
	for _, p := range oneWays() {
		n := p.network()
		storedAlike(t, p, n)
		if n := trulyKnown(t, p, n, p.local); p.hosts > 2 && n < 1000 {
			t.Errorf("%+v: known at %d instants", p, n)
		}
	}
}

// oneWays are some of all sizes, hosts and directions.
func oneWays() (list []oneWay) {
	for hosts := range int32(2) {
		for set := range int32(2) {
			for from := range int32(2) {
				for _, before := range []bool{false, true} {
					for _, by := range []int64{1_000_000, 100_000_000, 10 * second} {
						for _, p := range []oneWay{{hosts + 2, set, by, from, before}, {hosts + 2, set, -by, from, before}} {
							if p.shows() {
								list = append(list, p)
							}
						}
					}
				}
			}
		}
	}
	return covering(list, 3, func(p oneWay) []any { return []any{p.hosts, p.set, p.by, p.from, p.before} })
}
