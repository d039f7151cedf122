package baseline

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The standard error that links are weighed by is what their clocks are off by: in the mean over many links, over the time of the
// messages and over ten times as much, and for round trips over several segments. With few messages it is no less than that.
func TestServed(t *testing.T) {
	a, b := linear(0, 0), linear(5*second, 40)
	for _, m := range []Method{Regression, RoundTrip} {
		for _, exchanges := range []int{4, 10, 400} {
			for _, more := range []int64{0, 5} {
				var off, said float64
				const links = 300
				r := rand.New(rand.NewPCG(7, uint64(exchanges)))
				for range links {
					l := dialogue(r, exchanges, 100*second, a, b, func(bool) int64 { return 200_000 + int64(100_000*r.ExpFloat64()) })
					e := m.Estimate(l, Config{RoundTrip: RoundTripConfig{Z: math.Inf(1), Segment: 60 * second}})
					begin, end := l.span()
					begin, end = begin-more*(end-begin), end+more*(end-begin)
					served := e.served(begin, end)
					said += served * served / links
					const samples = 64
					for i := range int64(samples) {
						at := begin + (end-begin)/samples*i
						d := float64(e.Clock.Reference(at) - b(at))
						off += d * d / samples / links
					}
				}
				if ratio := math.Sqrt(said / off); !(ratio > 0.85) || exchanges > 100 && ratio > 1.15 {
					t.Errorf("%s of %d exchanges, %d times as long at each end: off by %.0f ns, said to be by %.0f", m, exchanges, more, math.Sqrt(off), math.Sqrt(said))
				}
			}
		}
	}
}

// A line through a dozen messages that hardly scatter, on a link that is quiet, is known worse than one through thousands on a busy one:
// the ways to the reference go by the latter.
func TestThinLinksAreLeftOut(t *testing.T) {
	s := newSet(linear(0, 0), linear(second, 20), linear(-second, -30))
	r := rand.New(rand.NewPCG(3, 3))
	exchange := func(a, b int32, at int64, scatter float64) {
		there := at + 200_000 + int64(scatter*r.ExpFloat64())
		s.send(a, b, at, there)
		s.send(b, a, there+10_000, there+210_000+int64(scatter*r.ExpFloat64()))
	}
	for i := range int64(2000) {
		exchange(0, 1, i*second/50, 400_000)
		exchange(1, 2, i*second/50+3_000_000, 400_000)
	}
	for i := range int64(6) {
		exchange(0, 2, (15+i)*second+7_000_000, 100_000)
	}
	like := s.done()
	for _, m := range []Method{Regression, RoundTrip} {
		for _, k := range Solve(like, s.messages.Links(), m, Config{}).Links {
			if thin := k.A == 0 && k.B == 2; k.InTree == thin {
				t.Errorf("%s: the link of %d and %d with %d messages is in use: %t", m, k.A, k.B, k.AToB+k.BToA, k.InTree)
			}
		}
	}
}
