package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// chainSetBack is some hosts in a chain, of which two that follow each other are set back within half a minute.
func chainSetBack(seed uint64) *ring {
	r := rand.New(rand.NewPCG(seed, 77))
	p := &ring{span: 120 * second, clocks: make([]ringClock, 3+r.IntN(4))}
	for i := range p.clocks {
		p.clocks[i].offset, p.clocks[i].setClock.ppm = r.Int64N(20*second)-10*second, r.Float64()*100-50
	}
	for i := 1; i < len(p.clocks); i++ {
		l := ringLink{a: i - 1, b: i, there: 20_000 + r.Int64N(380_000), back: 20_000 + r.Int64N(380_000)}
		l.every = int64(50_000_000 * math.Pow(20, r.Float64()))
		if r.IntN(4) == 0 {
			l.every = second + r.Int64N(2*second)
		}
		for at := start + r.Int64N(l.every); at < start+p.span; at += l.every*8/10 + r.Int64N(l.every*4/10+1) {
			l.asks = append(l.asks, at)
		}
		p.links = append(p.links, l)
	}
	by := func() int64 { return -int64(0.05e9 * math.Pow(30/0.05, r.Float64())) }
	first, at := r.IntN(len(p.links)), start+20*second+r.Int64N(60*second)
	p.clocks[first].sets = [][2]int64{{at, by()}}
	p.clocks[first+1].sets = [][2]int64{{at + int64(r.Float64()*r.Float64()*30e9), by()}}
	return p
}

// What hosts of a chain know of each other over several links holds while two of its clocks show times twice: what is after a time by the one may be before it by the other.
func TestChainsSetBack(t *testing.T) {
	for seed := uint64(200); seed < 240; seed++ {
		p := chainSetBack(seed)
		order := make([]int, len(p.clocks))
		for i := range order {
			order[i] = i
		}
		n := p.network(seed, order)
		n.Solution()
		p.pairs(t, fmt.Sprintf("seed %d, %v", seed, p.sets()), n)
	}
}
