package network

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/sync/match"
)

// A setClock is a crystal that is set now and then.
type setClock struct {
	offset int64
	ppm    float64
	sets   [][2]int64 // true time, by how many ns
}

func (c *setClock) local(at int64) int64 {
	shown := at + c.offset + int64(c.ppm*float64(at-start)/1e6)
	for _, s := range c.sets {
		if at >= s[0] {
			shown += s[1]
		}
	}
	return shown
}

// four machines talk for a while, each with the next and the last with the first. Links are of all kinds: as near as 20 µs, as far
// as 400, and there and back are not the same.
func four(r *rand.Rand, clocks *[4]setClock, span int64) *Solution {
	n := New(Config{})
	for i := range clocks {
		c := &clocks[i]
		c.offset, c.ppm = r.Int64N(20*second)-10*second, r.Float64()*200-100
		n.AddHost(fmt.Sprint("h", i), fmt.Sprint("id", (i*3+1)%4))
	}
	var key uint64
	say := func(from, to int, sent, delay int64) {
		key++
		k := match.Key{A: key}
		received := sent + delay + int64(r.ExpFloat64()*float64(delay)/3)
		n.Endpoint(match.Endpoint{Time: clocks[from].local(sent), Host: int32(from), Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: clocks[to].local(received), Host: int32(to), Direction: match.Receive, Key: k}, nil)
	}
	for a := range 4 {
		b := (a + 1) % 4
		every := 40_000_000 + r.Int64N(160_000_000)
		there, back := 20_000+r.Int64N(380_000), 20_000+r.Int64N(380_000)
		for at := start + r.Int64N(every); at < start+span; at += every/2 + r.Int64N(every) {
			say(a, b, at, there)
			say(b, a, at+r.Int64N(every/2), back)
		}
	}
	for h := range clocks {
		n.Span(int32(h), clocks[h].local(start), clocks[h].local(start+span))
		for _, s := range clocks[h].sets {
			n.Span(int32(h), clocks[h].local(s[0]-1), clocks[h].local(s[0]-1))
			n.Span(int32(h), clocks[h].local(s[0]), clocks[h].local(s[0]))
		}
		n.Done(int32(h), nil)
	}
	return n.Solution()
}

// holds tests all maps: no message is received before it is sent, and no instant is out of its bound.
func (s *Solution) holds(t *testing.T, what string, clocks *[4]setClock, span int64) {
	for _, k := range s.Links {
		if k.Violations > 0 {
			t.Errorf("%s: %d messages between %d and %d are received before they are sent", what, k.Violations, k.A, k.B)
		}
	}
	for i, h := range s.Hosts {
		for at := int64(start); at <= start+span; at += span / 400 {
			off := h.Map.Reference(clocks[i].local(at)) - clocks[h.Reference].local(at)
			if bound, ok := h.Map.Error(clocks[i].local(at)); !ok || max(off, -off) > bound+2 {
				t.Fatalf("%s: host %d is off by %d ns after %d s, bound %d", what, i, off, (at-start)/second, bound)
			}
		}
	}
}

// Of four machines in a ring one is set, by seconds. It is the last on its way then, whatever its links are like: the others, which were not set,
// are known by links between them as if it had not been there, before, after and while nobody knows when it was.
func TestHostsThatWereNotSet(t *testing.T) {
	const span = 120 * second
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 31))
		var clocks [4]setClock
		set := r.IntN(4)
		clocks[set].sets = [][2]int64{{start + 30*second + r.Int64N(60*second), r.Int64N(9*second) - 5*second}}
		s := four(r, &clocks, span)
		what := fmt.Sprintf("seed %d, host %d set %v", seed, set, clocks[set].sets)
		s.holds(t, what, &clocks, span)
		for _, k := range s.Links {
			if between := int(k.A) != set && int(k.B) != set; between && !k.InTree {
				t.Errorf("%s: the link between %d and %d is not in use", what, k.A, k.B)
			}
		}
		for i, h := range s.Hosts {
			if i == set || int(h.Reference) == set {
				continue
			}
			for _, b := range h.Map.Bounds() {
				if b[1] > 1_500_000 {
					t.Errorf("%s: host %d is known to %d ns, %d s after the start", what, i, b[1], (b[0]-clocks[i].local(start))/second)
					break
				}
			}
		}
	}
}
