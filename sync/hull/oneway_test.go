package hull

import (
	"math/rand/v2"
	"testing"
)

// Where a link has messages in one direction only between such in both, they bound the clock from their side, and leave the other side as it is.
func TestOneDirectionBetweenBoth(t *testing.T) {
	for _, limit := range []Cap{0, 3, 6, 10, 13} {
		for _, span := range []int64{day / 864, day / 24, day} {
			for _, side := range []Side{Upper, Lower} {
				between(t, limit, span, side)
			}
		}
	}
}

func between(t *testing.T, limit Cap, span int64, side Side) {
	b := &bent{cap: limit, from: 1 << 60, to: 1<<60 + span, rate: 3e-5}
	for i := range b.waves {
		b.waves[i].period = 1
	}
	r := rand.New(rand.NewPCG(1, 2))
	talk := func(from, to int64, side Side, delay int64) {
		for range 100 {
			b.talk(from+r.Int64N(to-from), side, delay+int64(r.ExpFloat64()*50_000))
		}
	}
	for _, s := range []Side{Upper, Lower} {
		talk(b.from, b.from+span/4, s, 20_000)
		talk(b.to-span/4, b.to, s, 20_000)
	}
	all := func(s *Series) *Corridor {
		return s.Corridor(Fit{OK: true, parts: [][2]int{{0, len(s.windows)}}}, limit)
	}
	before := all(b.series())
	talk(b.from+span/4, b.to-span/4, side, 0)
	c := all(b.series())
	for i := int64(26); i < 75; i++ {
		x := b.from + span/100*i
		y, _ := b.at(x)
		lo, hi, ok := c.Band(x)
		low, high, also := before.Band(x)
		if !ok || !also || y < lo || y > hi {
			t.Fatalf("cap %d, %d s: after %d of 100 the clock is in [%d, %d] of itself, %v, %v", limit, span/1e9, i, lo-y, hi-y, ok, also)
		}
		if spare := (high-low)/1000 + 2; lo < low-spare || hi > high+spare {
			t.Fatalf("cap %d, %d s: after %d of 100 the band is [%d, %d] of what it was without the messages between", limit, span/1e9, i, lo-low, hi-high)
		}
		if side == Upper && hi-y > (high-y)/2 || side == Lower && y-lo > (y-low)/2 {
			t.Fatalf("cap %d, %d s: after %d of 100 the messages between leave [%d, %d] of the clock, of [%d, %d]", limit, span/1e9, i, lo-y, hi-y, low-y, high-y)
		}
	}
}
