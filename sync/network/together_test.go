package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// crowd is some hosts, most pairs of which exchange 60 messages each way in ten minutes, of 50 µs, 200 µs or 5 ms and a fifth more. Clocks
// do what is told, and run too fast by as many ppm as they have in number.
func crowd(hosts int, told func(h int32, at int64) int64) (s *Solution, local func(h int32, at int64) int64) {
	r := rand.New(rand.NewPCG(5, 5))
	const span = 600 * second
	local = func(h int32, at int64) int64 {
		return told(h, at) + (at-start)*int64(h)/1_000_000
	}
	type sent struct {
		at int64
		e  match.Endpoint
	}
	events := make([][]sent, hosts)
	var key uint64
	say := func(from, to int32, delay int64) {
		key++
		k, at := match.Key{A: key}, start+r.Int64N(span)
		delay += int64(r.ExpFloat64() * float64(delay) / 5)
		events[from] = append(events[from], sent{at, match.Endpoint{Time: local(from, at), Host: from, Direction: match.Send, Key: k}})
		events[to] = append(events[to], sent{at + delay, match.Endpoint{Time: local(to, at+delay), Host: to, Direction: match.Receive, Key: k}})
	}
	for i := range int32(hosts) {
		for j := i + 1; j < int32(hosts); j++ {
			if r.IntN(5) >= 3 {
				continue
			}
			delay := []int64{50_000, 200_000, 5_000_000}[r.IntN(3)]
			for range 60 {
				say(i, j, delay)
				say(j, i, delay)
			}
		}
	}
	n := New(Config{})
	for i := range hosts {
		n.AddHost(fmt.Sprint("h", i), fmt.Sprint("id", i))
	}
	for i := range events {
		slices.SortStableFunc(events[i], func(p, q sent) int { return int(max(-1, min(1, p.at-q.at))) })
		for _, e := range events[i] {
			n.Endpoint(e.e, nil)
		}
	}
	for i := range int32(hosts) {
		n.Done(i, nil)
	}
	return n.Solution(), local
}

// first tells the clock of the first host what to do, and the others nothing.
func first(does func(at int64) int64) func(h int32, at int64) int64 {
	return func(h int32, at int64) int64 {
		if h == 0 {
			return does(at)
		}
		return at
	}
}

// A clock that is set among clocks that talk seldom is told from one that bends, which would have all others be able to bend like that; and one
// that bends is not taken for one that was set. Whatever it does, it is never out of its bound.
func TestSetAmongManyThatTalkSeldom(t *testing.T) {
	half := int64(start + 300*second)
	for what, c := range map[string]struct {
		hosts int
		first func(at int64) int64
		calm  bool
	}{
		"set": {30, func(at int64) int64 {
			if at > half {
				return at + 1_000_000
			}
			return at
		}, true},
		"set by hardly more than messages take": {60, func(at int64) int64 {
			if at > half {
				return at + 200_000
			}
			return at
		}, false},
		"bending by 20 ppm in waves of a minute": {30, func(at int64) int64 {
			w := 2 * math.Pi / 60
			return at + int64(20e3/w*math.Sin(w*float64(at-start)/1e9))
		}, false},
	} {
		t.Run(what, func(t *testing.T) {
			s, local := crowd(c.hosts, first(c.first))
			for _, k := range s.Links {
				if k.Violations > 0 {
					t.Fatalf("link %d to %d: %d messages are received before they are sent", k.A, k.B, k.Violations)
				}
				if calm := k.RateCap == hull.Crystals.PerSecond(); calm != c.calm {
					t.Fatalf("link %d to %d: rates may change by %g in a second", k.A, k.B, k.RateCap)
				}
			}
			reference := s.Reference
			for i := range s.Hosts {
				m := s.Hosts[i].Map
				for at := int64(start); at <= start+600*second; at += 3 * second / 4 {
					off := m.Reference(local(int32(i), at)) - local(reference, at)
					if bound, ok := m.Error(local(int32(i), at)); ok && max(off, -off) > bound {
						t.Fatalf("host %d after %d s: off by %d ns, said to be known to %d", i, (at-start)/second, off, bound)
					}
				}
			}
		})
	}
}
