package network

import (
	"math/rand/v2"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// tenMinutes are the messages of a pair, one each millisecond, with wandering clocks if bent.
func tenMinutes(bent bool) []constraint {
	r := rand.New(rand.NewPCG(4, 4))
	list := make([]constraint, 600_000)
	var offset, rate float64
	for i := range list {
		if bent {
			rate += 1e-11 * r.NormFloat64()
		}
		offset += rate * 1e6
		at := start + int64(i)*1_000_000
		delay := 60_000 + int64(r.ExpFloat64()*100_000)
		list[i] = constraint{hull.Upper, hull.Point{X: at, Y: at + int64(offset) + delay}, 52}
		if i%2 == 1 {
			list[i] = constraint{hull.Lower, hull.Point{X: at + delay, Y: at + int64(offset)}, 52}
		}
	}
	return list
}

// What a matched message costs an estimate: hull, series and sample, from the first message of ten
// minutes to the last. A message comes to two estimates, the live one and the settled one.
func BenchmarkEstimate(b *testing.B) {
	for _, bent := range []bool{false, true} {
		name := map[bool]string{false: "lines", true: "wandering"}[bent]
		b.Run(name, func(b *testing.B) {
			list := tenMinutes(bent)
			b.ReportAllocs()
			var e estimate
			for i := 0; b.Loop(); i++ {
				if i%len(list) == 0 {
					e = estimate{}
				}
				e.add(list[i%len(list)])
			}
		})
	}
}

// Once a link has its windows and its sample, a message allocates nothing.
func TestNoAllocations(t *testing.T) {
	list := tenMinutes(false)
	var e estimate
	for _, c := range list {
		e.add(c)
	}
	i := 0
	if n := testing.AllocsPerRun(100_000, func() {
		// Within the ten minutes, for windows that begin are allocated.
		e.add(list[i*7919%len(list)])
		i++
	}); n != 0 {
		t.Errorf("%v allocations for each message", n)
	}
}

// A new version is there the moment a message improves an estimate, and only then.
func TestPublishedAtOnce(t *testing.T) {
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	n.Span(0, start, start+700*second)
	n.Span(1, start, start+700*second)
	before := n.Solution()
	improved, published := 0, 0
	for i, c := range tenMinutes(false)[:3000] {
		k := match.Key{A: uint64(i)}
		send := match.Endpoint{Time: c.at.X, Host: 0, Direction: match.Send, Key: k}
		receive := match.Endpoint{Time: c.at.Y, Host: 1, Direction: match.Receive, Key: k}
		if c.side == hull.Lower {
			send = match.Endpoint{Time: c.at.Y, Host: 1, Direction: match.Send, Key: k}
			receive = match.Endpoint{Time: c.at.X, Host: 0, Direction: match.Receive, Key: k}
		}
		n.Endpoint(send, nil)
		accurate := 0
		if len(n.order) > 0 {
			accurate = n.order[0].live.hull.Accurate()
		}
		n.Endpoint(receive, nil)
		if n.order[0].live.hull.Accurate() > accurate {
			improved++
			if s := n.Solution(); s == before {
				t.Fatalf("message %d improves the estimate, and nothing is published", i)
			}
		}
		if s := n.Solution(); s != before {
			published++
			before = s
		}
	}
	if improved < 20 || published > improved+100 { // as the number of messages grows by an eighth, too
		t.Errorf("%d messages improve the estimate, %d solutions are published", improved, published)
	}
}
