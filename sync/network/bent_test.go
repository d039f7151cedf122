package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// A crystal is a true clock whose rate wanders within half the cap of a pair.
type crystal struct {
	offset int64
	rate   float64
	waves  [2]struct{ height, period, phase float64 }
}

func (c *crystal) at(true int64) int64 {
	d := float64(true - start)
	off := c.rate * d
	for _, w := range c.waves {
		off += w.height * math.Sin(2*math.Pi*d/w.period+w.phase)
	}
	return true + c.offset + int64(math.Floor(off))
}

func crystals(t *rapid.T, span int64) *crystal {
	c := &crystal{
		offset: rapid.Int64Range(-3600, 3600).Draw(t, "offset") * second,
		rate:   float64(rapid.IntRange(-200, 200).Draw(t, "ppm")) * 1e-6,
	}
	for i := range c.waves {
		w := &c.waves[i]
		w.period = float64(span) * rapid.SampledFrom([]float64{0.2, 0.7, 1.5, 6}).Draw(t, "period")
		w.phase = rapid.Float64Range(0, 6).Draw(t, "phase")
		// 0.98: the cap is of one clock by the other, not of both by the true time.
		most := 0.98 / 4 * hull.Crystals.PerSecond() / 1e9
		w.height = most * w.period * w.period / (4 * math.Pi * math.Pi)
		w.height = min(w.height, 50e-6*w.period/(2*math.Pi))
	}
	return c
}

// Clocks that wander as crystals do, over minutes or hours, with pairs that talk all the time, now
// and then, or through others only: no link fails, nothing is received before it
// is sent, and the truth is within the bound at every instant, in solutions on
// the way and in the final one.
func TestWanderingClocksAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.SampledFrom([]int64{60, 3600, 4 * 3600}).Draw(t, "seconds") * second
		hosts := rapid.IntRange(2, 4).Draw(t, "hosts")
		clocks := make([]*crystal, hosts)
		n := New(Config{})
		for i := range clocks {
			clocks[i] = crystals(t, span)
			n.AddHost(string(rune('a'+i)), string(rune('z'-i)))
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		type event struct {
			true int64
			match.Endpoint
		}
		var events []event
		record := func(host int, d match.Direction, key uint64, at int64) {
			events = append(events, event{at, match.Endpoint{Time: clocks[host].at(at), Host: int32(host), Direction: d, Key: match.Key{A: key}}})
		}
		for key := range uint64(rapid.IntRange(10, 2000).Draw(t, "messages")) {
			a := r.IntN(hosts)
			b := a + 1
			if b == hosts {
				b = r.IntN(a)
			}
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			at := start + r.Int64N(span)
			record(a, match.Send, key, at)
			record(b, match.Receive, key, at+20_000+int64(r.ExpFloat64()*100_000))
		}
		slices.SortFunc(events, func(p, q event) int { return int(max(-1, min(1, p.true-q.true))) })
		check := func() {
			s := n.Solution()
			for i := range s.Hosts {
				h := &s.Hosts[i]
				for step := range int64(101) {
					at := start + span/100*step
					bound, ok := h.Map.Error(clocks[i].at(at))
					if !ok {
						continue
					}
					off := h.Map.Reference(clocks[i].at(at)) - clocks[h.Reference].at(at)
					if max(off, -off) > bound+2 { // 2: clocks show whole ns
						t.Fatalf("host %d is off by %d ns after %d s, the bound is %d", i, off, (at-start)/second, bound)
					}
				}
			}
			for _, k := range s.Links {
				if k.Class == hull.Fail {
					t.Fatalf("link %d-%d fails: %v", k.A, k.B, k.Cuts)
				}
				if k.Class == hull.Accurate && k.InTree && k.Violations > 0 {
					t.Fatalf("%d violations between %d and %d", k.Violations, k.A, k.B)
				}
			}
		}
		for i, e := range events {
			n.Endpoint(e.Endpoint, nil)
			if i%(len(events)/3) == 1 {
				check()
			}
		}
		for i, c := range clocks {
			n.Span(int32(i), c.at(start-second), c.at(start+span+second))
			n.Done(int32(i), nil)
		}
		check()

		// The same endpoints, one host after the other.
		again := New(Config{})
		for i := range clocks {
			again.AddHost(string(rune('a'+i)), string(rune('z'-i)))
		}
		for i, c := range clocks {
			for _, e := range events {
				if e.Host == int32(i) {
					again.Endpoint(e.Endpoint, nil)
				}
			}
			again.Span(int32(i), c.at(start-second), c.at(start+span+second))
			again.Done(int32(i), nil)
		}
		if got, want := text(again.Solution()), text(n.Solution()); got != want {
			t.Fatalf("two interleavings of the same endpoints give\n%s\nand\n%s", want, got)
		}
	})
}

// room is four hours in a room whose temperature swings by the hour: two hosts, five
// parts per million either way, a packet each way every half second or so.
func room(n *Network, floor int64) (clocks []*crystal) {
	swing := &crystal{offset: 7 * second, rate: 20e-6}
	w := &swing.waves[0]
	w.period = 3600 * second
	w.height = 5e-6 * w.period / (2 * math.Pi)
	swing.waves[1].period = 1
	clocks = []*crystal{{}, swing}
	clocks[0].waves[0].period, clocks[0].waves[1].period = 1, 1
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	r := rand.New(rand.NewPCG(7, 7))
	var key uint64
	for at := int64(start); at < start+4*3600*second; at += 100_000_000 + r.Int64N(second) {
		for a := range int32(2) {
			key++
			sent, received := at, at+floor+int64(r.ExpFloat64()*200_000)
			n.Endpoint(match.Endpoint{Time: clocks[a].at(sent), Host: a, Direction: match.Send, Key: match.Key{A: key}}, nil)
			n.Endpoint(match.Endpoint{Time: clocks[1-a].at(received), Host: 1 - a, Direction: match.Receive, Key: match.Key{A: key}}, nil)
		}
	}
	return clocks
}

// The bound holds, and the estimate is near the truth by three times the shortest delay.
func TestThermal(t *testing.T) {
	const floor = 60_000
	n := New(Config{})
	clocks := room(n, floor)
	n.Done(0, nil)
	n.Done(1, nil)
	s := n.Solution()
	k := s.Links[0]
	if k.Class != hull.Accurate || k.Shape != Pieces || k.Violations != 0 {
		t.Errorf("%v, %v, %d violations", k.Class, k.Shape, k.Violations)
	}
	other := 1 - s.Reference
	var worst, bounded int64
	for at := int64(start); at < start+4*3600*second-2*second; at += second {
		x := clocks[other].at(at)
		off := s.Hosts[other].Map.Reference(x) - clocks[s.Reference].at(at)
		off = max(off, -off)
		bound, ok := s.Hosts[other].Map.Error(x)
		if !ok || off > bound+2 {
			t.Fatalf("after %d s off by %d ns, bound %d", (at-start)/second, off, bound)
		}
		worst, bounded = max(worst, off), max(bounded, bound)
	}
	if worst > 3*floor {
		t.Errorf("off by %d ns, the shortest delay is %d", worst, floor)
	}
	t.Logf("%d pieces, off by %d ns at most, bounded by %d", k.Pieces, worst, bounded)
}

// A clock is set while it is two hops from the reference, or on the way there:
// the truth is within the bound all the same, for as long as nobody knows too.
func TestStepAlongAPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SampledFrom([]int64{3 * second, 50_000_000, -50_000_000}).Draw(t, "by")
		stepAlongAPath(t, by, rapid.IntRange(0, 2).Draw(t, "host"), rapid.Uint64().Draw(t, "seed"))
	})
}

// The clock that is set back is silent from 50 ms before until it is set: it says nothing twice, and passes times all the same
// that it says again later, in messages.
func TestSetBackInSilence(t *testing.T) { stepAlongAPath(t, -50_000_000, 2, 0x1f6) }

func stepAlongAPath(t rapid.TB, by int64, steps int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	when := start + 20*second + r.Int64N(20*second)
	local := func(host int, at int64) int64 {
		at += int64(host) * second
		if host == steps && at-int64(host)*second >= when {
			at += by
		}
		return at
	}
	n := New(Config{Reference: "a"})
	for i := range 3 {
		n.AddHost(string(rune('a'+i)), string(rune('z'-i)))
	}
	for key := range uint64(2000) {
		a := r.IntN(2)
		from, to := a, a+1
		if r.IntN(2) == 0 {
			from, to = to, from
		}
		at := start + int64(key)*60*second/2000
		n.Endpoint(match.Endpoint{Time: local(from, at), Host: int32(from), Direction: match.Send, Key: match.Key{A: key}}, nil)
		at += 20_000 + int64(r.ExpFloat64()*100_000)
		n.Endpoint(match.Endpoint{Time: local(to, at), Host: int32(to), Direction: match.Receive, Key: match.Key{A: key}}, nil)
	}
	for i := range int32(3) {
		n.Span(i, local(int(i), start-second), local(int(i), start+61*second))
		n.Done(i, nil)
	}
	s := n.Solution()
	for i := range 3 {
		h := &s.Hosts[i]
		for at := int64(start); at < start+60*second; at += 10_000_000 {
			x := local(i, at)
			bound, ok := h.Map.Error(x)
			if !ok {
				t.Fatalf("host %d has no bound after %d ms; links %+v", i, (at-start)/1_000_000, s.Links)
			}
			if off := h.Map.Reference(x) - local(0, at); max(off, -off) > bound+1 {
				t.Fatalf("host %d is off by %d ns after %d ms (step after %d), bound %d", i, off, (at-start)/1_000_000, (when-start)/1_000_000, bound)
			}
		}
	}
}
