package network

import (
	"math/rand/v2"
	"testing"

	"synchroscope/sync/match"
)

// A clock set at a true time by some ns.
type setAt struct {
	host   int32
	at, by int64
}

// A between is two or three hosts that exchange messages of 50 µs for five minutes. Of the first two one is set at 100 s, and one at 200 s, and
// between these times one of them at most is heard by the other. The third talks with both all the time.
type between struct {
	hosts int32
	from  int32 // who of the two goes on; 2 if neither does
	sets  [2]setAt
}

func (p between) local(h int32, at int64) int64 {
	x := at
	for _, s := range p.sets {
		if h == s.host && at > s.at {
			x += s.by
		}
	}
	return x
}

func (p between) network() *Network {
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
		both := at < p.sets[0].at || at > p.sets[1].at
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

// denied reports whether messages between the two times contradict what is before as well as what is after: then they show that
// there was more than one step, without the third.
func (p between) denied() bool {
	later := func(s setAt) bool { return (s.by > 0) == (s.host == 1-p.from) } // messages seem to take longer, or less long back
	return p.from < 2 && !later(p.sets[0]) && later(p.sets[1])
}

func betweens() (list []between) {
	const first, next = start + 100*second + second/3, start + 200*second + second/3
	for _, by := range []int64{1_000_000, 10 * second} {
		for _, by := range []int64{by, -by} {
			for _, then := range []int64{-by, by, by / 2, -by / 2, -2 * by} {
				for who := range int32(4) {
					for from := range int32(3) {
						sets := [2]setAt{{who & 1, first, by}, {who >> 1, next, then}}
						list = append(list, between{2, from, sets}, between{3, from, sets})
					}
				}
			}
		}
	}
	return list
}

// Where clocks are set twice, and a link has messages in one direction between, or none, what it allows before and after does not bound them then,
// as far as its messages or other links show it. Two steps that cancel each other out are not denied for what is before the first and after the second.
func TestOneDirectionBetweenSteps(t *testing.T) {
	list := betweens()
	if testing.Short() {
		list = list[:len(list)/6]
	}
	for _, p := range list {
		if p.hosts == 2 && !p.denied() {
			continue
		}
		n := p.network()
		s := n.Solution()
		known := 0
		for i, h := range s.Hosts {
			for at := int64(start); at <= start+300*second; at += second / 2 {
				x := p.local(int32(i), at)
				off := h.Map.Reference(x) - p.local(h.Reference, at)
				bound, ok := h.Map.Error(x)
				if ok && max(off, -off) > bound {
					t.Fatalf("%+v: host %d is off by %d ns after %g s, said to be known to %d", p, i, off, float64(at-start)/second, bound)
				}
				if ok && i > 0 {
					known++
				}
			}
		}
		if p.hosts > 2 && known < 1202 {
			t.Errorf("%+v: known at %d instants", p, known)
		}
		again, err := n.Constraints().Solve(Config{Reference: "a"})
		if err != nil || text(again) != text(s) {
			t.Fatalf("%+v: what is stored says something else, %v", p, err)
		}
	}
}
