package chance

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// TestStreams: a stream depends on seed and name alone, and a copy goes on alike.
func TestStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, name := rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "name")
		a, b := New(seed, name), New(seed, name)
		other := New(seed+rapid.Uint64Range(1, 1<<60).Draw(t, "more"), name)
		named := New(seed, name+"'")
		for range rapid.IntRange(0, 20).Draw(t, "taken") {
			a.Normal()
			b.Normal()
		}
		c := *a
		x := a.Normal()
		if y, z := b.Normal(), c.Normal(); x != y || x != z {
			t.Fatalf("the same stream has %v, %v and, copied, %v", x, y, z)
		}
		u := a.Uint64()
		if v, w := other.Uint64(), named.Uint64(); u == v || u == w {
			t.Fatalf("other streams have %d and %d where this one has %d", v, w, u)
		}
	})
}

// TestIndependent: streams whose seeds or names differ little differ in half of their bits.
// Of n bits about n/2 differ, give or take 6 times the root of n/4.
func TestIndependent(t *testing.T) {
	const words = 4000
	for _, pair := range [][2]*Source{
		{New(7, "host-1"), New(7, "host-2")},
		{New(7, "host-1"), New(8, "host-1")},
		{New(0, ""), New(0, "\x00")},
	} {
		differ := 0
		for range words {
			differ += bits.OnesCount64(pair[0].Uint64() ^ pair[1].Uint64())
		}
		const n = words * 64
		if off := math.Abs(float64(differ) - n/2); off > 6*math.Sqrt(n/4) {
			t.Errorf("%d of %d bits differ", differ, n)
		}
	}
}

func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(rapid.Uint64().Draw(t, "seed"), "bounds")
		n := rapid.Int64Range(-5, math.MaxInt64).Draw(t, "n")
		if v := s.Int64N(n); v < 0 || n > 0 && v >= n || n <= 0 && v != 0 {
			t.Fatalf("Int64N(%d) is %d", n, v)
		}
		low := rapid.Int64Range(-1000, 1000).Draw(t, "low")
		high := low + rapid.Int64Range(0, 5).Draw(t, "span")
		if v := s.Between(low, high); v < low || v > high {
			t.Fatalf("Between(%d, %d) is %d", low, high, v)
		}
		if v := s.Float64(); v < 0 || v >= 1 {
			t.Fatalf("Float64 is %v", v)
		}
		if s.Bool(0) || !s.Bool(1) {
			t.Fatal("what never happens happened, or what always happens did not")
		}
		mean := rapid.Int64Range(0, math.MaxInt64).Draw(t, "mean")
		for name, v := range map[string]int64{
			"Exp": s.Exp(mean), "LogNormal": s.LogNormal(mean, 3), "Pareto": s.Pareto(mean, 0.5),
			"Poisson": int64(s.Poisson(float64(mean % 5000))), "Geometric": s.Geometric(s.Float64()),
		} {
			if v < 0 {
				t.Fatalf("%s is %d", name, v)
			}
		}
		if v := s.Pareto(mean, 1.5); v < mean {
			t.Fatalf("Pareto(%d) is %d", mean, v)
		}
	})
}
