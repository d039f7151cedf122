package network

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var chains = flag.Uint64("chains", 0, "run TestStepThatOneLinkTells on `so many` chains more")

// chainOf are three machines of which the first and the last talk to the one between. That is set once, while one link says something one way only, or nothing; the other shows it.
func chainOf(seed uint64) *ring {
	r := rand.New(rand.NewPCG(seed, 63))
	p := &ring{clocks: make([]ringClock, 3)}
	for i := range p.clocks {
		c := &p.clocks[i]
		c.offset, c.setClock.ppm = r.Int64N(4*second)-2*second, r.Float64()*100-50
	}
	set := start + 20*second + r.Int64N(50*second)
	by := int64(math.Exp(math.Log(1e6) + r.Float64()*math.Log(4e3)))
	if r.IntN(2) == 0 {
		by = -by
	}
	p.clocks[1].sets = [][2]int64{{set, by}}
	for i := range 2 {
		l := ringLink{a: i, b: i + 1, every: 50_000_000 + r.Int64N(400_000_000), there: 20_000 + r.Int64N(180_000), back: 20_000 + r.Int64N(180_000)}
		for at := start + r.Int64N(l.every); at < start+ringSpan; at += l.every*9/10 + r.Int64N(l.every/5) {
			l.asks = append(l.asks, at)
		}
		p.links = append(p.links, l)
	}
	before, after := r.Int64N(20*second), r.Int64N(20*second)
	if r.IntN(4) == 0 {
		after = ringSpan // never again
	} else if r.IntN(4) == 0 {
		before = ringSpan // not yet
	}
	p.links[r.IntN(2)].mute[r.IntN(2)] = [2]int64{set - before, set + after}
	return p
}

// sparseChainOf is one of which nothing is silent, but a link says something every ten seconds or so, and the machine between is set twice mostly.
func sparseChainOf(seed uint64) *ring {
	p := chainOf(seed)
	r := rand.New(rand.NewPCG(seed, 99))
	l := &p.links[r.IntN(2)]
	for i := range p.links {
		p.links[i].mute = [2][2]int64{}
	}
	l.every, l.asks = 5*second+r.Int64N(20*second), nil
	if c := &p.clocks[1]; r.IntN(2) == 0 {
		c.sets = append(c.sets, [2]int64{c.sets[0][0] + 5*second + r.Int64N(15*second), (r.Int64N(400) - 200) * 1_000_000})
	}
	for at := start + r.Int64N(l.every); at < start+ringSpan; at += l.every*9/10 + r.Int64N(l.every/5) {
		l.asks = append(l.asks, at)
	}
	return p
}

// Where a host is set while one of its links is silent one way, or says little, and fails, another link tells of the steps: no message is received before it is sent
// then, no bound is exceeded, and but for the steps the clocks are known to a few ms.
func TestStepThatOneLinkTells(t *testing.T) {
	for _, c := range []struct {
		chain func(seed uint64) *ring
		seeds []uint64
	}{
		{chainOf, []uint64{9, 49, 121, 175, 226, 249, 317, 390}},
		{sparseChainOf, []uint64{25, 107, 151, 195, 217, 271}},
	} {
		for seed := range *chains {
			c.seeds = append(c.seeds, seed)
		}
		for i, seed := range c.seeds {
			p := c.chain(seed)
			what := fmt.Sprintf("seed %d, set %v, mute %v", seed, p.clocks[1].sets, p.muted())
			n := p.network(seed, []int{0, 1, 2})
			s := n.Solution()
			p.check(t, what, n, s)
			if i >= len(c.seeds)-int(*chains) {
				continue
			}
			if other := p.network(seed, []int{2, 1, 0}).Solution(); text(s) != text(other) {
				t.Errorf("%s: another order of the hosts gives another result", what)
			}
			p.near(t, what, s)
		}
	}
}

// near tests that clocks are known to 3 ms but beside steps.
func (p *ring) near(t *testing.T, what string, s *Solution) {
	for i := range s.Hosts {
		for _, at := range p.instants() {
			beside := slices.ContainsFunc(p.clocks[1].sets, func(set [2]int64) bool {
				return max(at-set[0], set[0]-at) < max(set[1], -set[1])+2*second
			})
			off := s.Hosts[i].Map.Reference(p.clocks[i].local(at)) - p.clocks[s.Hosts[i].Reference].local(at)
			if !beside && max(off, -off) > 3_000_000 {
				t.Errorf("%s: host %d is off by %d µs after %d ms", what, i, off/1000, (at-start)/1e6)
				break
			}
		}
	}
}

// muted are when links are silent, in words.
func (p *ring) muted() (words []string) {
	for i, l := range p.links {
		for k, m := range l.mute {
			if m[1] > m[0] {
				words = append(words, fmt.Sprintf("link %d way %d from %d to %d ms, set at %d", i, k, (m[0]-start)/1e6, (m[1]-start)/1e6, (p.clocks[1].sets[0][0]-start)/1e6))
			}
		}
	}
	return words
}
