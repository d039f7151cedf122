package network

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

var setbacks = flag.Uint64("setbacks", 0, "run TestMachinesSetBack on `so many` sets of machines more of each kind")

// machinesSetBack are two to five machines that talk in a chain or in a ring, each with the next, closely or now and then. How is one, for one clock that is set
// back once, several for more, and forward for clocks that are set forward. Both sets back each of the first two once, far from each other, near two that follow each other within half a
// minute, close two within a dozen exchanges of theirs, which are farther apart, and together the first two within a second or two.
func machinesSetBack(seed uint64, how string) *ring {
	r := rand.New(rand.NewPCG(seed, 71))
	p := &ring{clocks: make([]ringClock, 2+r.IntN(4)), span: 160 * second}
	for i := range p.clocks {
		c := &p.clocks[i]
		c.offset, c.setClock.ppm = r.Int64N(4*second)-2*second, r.Float64()*100-50
	}
	links := len(p.clocks) - 1
	if links > 1 && r.IntN(2) == 0 {
		links++ // a ring
	}
	for i := range links {
		l := ringLink{a: i, b: (i + 1) % len(p.clocks), there: 20_000 + r.Int64N(180_000), back: 20_000 + r.Int64N(180_000)}
		l.every = int64(40_000_000 * math.Exp(r.Float64()*math.Log(25))) // up to a second
		switch how {
		case "both":
			l.every = 100_000_000 + r.Int64N(900_000_000)
		case "close":
			l.every = int64(100_000_000 * math.Pow(20, r.Float64()))
		}
		if r.IntN(4) == 0 {
			l.every = second + r.Int64N(2*second)
		}
		for at := start + r.Int64N(l.every); at < start+p.span; at += l.every*9/10 + r.Int64N(l.every/5+1) {
			l.asks = append(l.asks, at)
		}
		p.links = append(p.links, l)
	}
	sets := 1
	switch how {
	case "near", "close":
		sets = 0
		first, at := r.IntN(len(p.clocks)-1), start+20*second+r.Int64N(100*second)
		then := at + int64(r.Float64()*r.Float64()*30e9)
		if how == "close" {
			then = at + p.links[first].every*5/2 + int64(r.Float64()*r.Float64()*10*float64(p.links[first].every))
		}
		for i, at := range []int64{at, then} {
			c := &p.clocks[first+i]
			c.sets = [][2]int64{{at, -int64(0.05e9 * math.Pow(30/0.05, r.Float64()))}}
		}
	case "both":
		sets = 0
		for i, at := range []int64{start + 45*second, start + 115*second} {
			c := &p.clocks[(i+r.IntN(2))%2]
			c.sets = append(c.sets, [2]int64{at + r.Int64N(20*second) - 10*second, -int64(0.3e9 * math.Exp(r.Float64()*math.Log(40/0.3)))})
		}
	case "together":
		sets = 0
		at := start + 20*second + r.Int64N(120*second)
		apart := int64(4_000_000 * math.Exp(r.Float64()*math.Log(1.8e9/4e6)))
		for i := range 2 {
			by := -int64(0.3e9 * math.Exp(r.Float64()*math.Log(60/0.3)))
			p.clocks[i].sets = [][2]int64{{at + int64(i)*apart, by}}
		}
	case "several", "forward":
		sets += 1 + r.IntN(3)
	}
	for range sets {
		c := &p.clocks[r.IntN(len(p.clocks))]
		by := -int64(0.3e9 * math.Exp(r.Float64()*math.Log(40/0.3)))
		if how == "forward" || how == "several" && r.IntN(4) == 0 {
			by = -by
		}
		c.sets = append(c.sets, [2]int64{start + 10*second + r.Int64N(p.span-20*second), by})
	}
	for i := range p.clocks {
		c := &p.clocks[i]
		slices.SortFunc(c.sets, func(a, b [2]int64) int { return int(a[0]/1000 - b[0]/1000) })
		var kept [][2]int64
		for _, s := range c.sets {
			if len(kept) == 0 || p.shown(i, kept[len(kept)-1][0], s[0]) {
				kept = append(kept, s)
			}
		}
		c.sets = kept
		if how != "one" && how != "both" && how != "forward" {
			c.sets = slices.DeleteFunc(c.sets, func(s [2]int64) bool { return p.hidden(i, s[0]) })
		}
	}
	return p
}

// hidden reports whether a host is set while all links of it and of a neighbour before it are silent, and that one is as well: to all, the two are one step.
func (p *ring) hidden(host int, at int64) bool {
	for _, l := range p.links {
		other := l.a + l.b - host
		if l.a != host && l.b != host || other > host {
			continue
		}
		for _, s := range p.clocks[other].sets {
			from, to := min(at, s[0])+2_000_000, max(at, s[0])-2_000_000
			if !slices.ContainsFunc(p.links, func(k ringLink) bool {
				near := k.a == host || k.b == host || k.a == other || k.b == other
				return near && slices.ContainsFunc(k.asks, func(ask int64) bool { return ask > from && ask < to })
			}) {
				return true
			}
		}
	}
	return false
}

// Clocks that are set back by a fraction of a second or by most of a minute, while their links talk closely or now and then: no link fails, and no host is out of its
// bound. Where one clock is set, bounds are of the order of delays by every host but close to that. Where several are set within each other's times nothing may
// be known of some, and then nothing is said of them: no message is received before it is sent.
func TestMachinesSetBack(t *testing.T) {
	for how, seeds := range map[string][]uint64{"one": {0, 1, 2, 3, 4, 5}, "both": {1, 2, 3, 71, 231}, "several": {32, 88, 139, 213, 337, 747, 954, 1059, 1228}, "together": {42, 77, 98}} {
		for seed := range *setbacks {
			seeds = append(seeds, seed)
		}
		for _, seed := range seeds {
			p := machinesSetBack(seed, how)
			order := p.order()
			n := p.network(seed, order)
			s := n.Solution()
			what := fmt.Sprintf("%s, seed %d, %v", how, seed, p.sets())
			p.check(t, what, n, s)
			p.pairs(t, what, n)
			p.early(t, what, n, s)
			for _, k := range s.Links {
				if k.Class == hull.Fail {
					t.Errorf("%s: the link of %d and %d fails", what, k.A, k.B)
				}
			}
			slices.Reverse(order)
			if other := p.network(seed, order).Solution(); text(other) != text(s) {
				t.Errorf("%s: another order of the hosts gives another result", what)
			}
			if stored, err := ParseConstraints(n.Constraints().AppendBinary(nil)); err != nil {
				t.Errorf("%s: %v", what, err)
			} else if again, err := stored.Solve(Config{}); err != nil || text(again) != text(s) {
				t.Errorf("%s: what is stored says something else, %v", what, err)
			}
			if how == "one" {
				p.close(t, what, s)
			}
		}
	}
}

// early tests that messages which the maps have on the side of a step that they are of are received after they are sent: all steps are by more than 300 ms, so one that is off by
// a few ms is of that side, if the map does not bridge a step there.
func (p *ring) early(t *testing.T, what string, n *Network, s *Solution) {
	t.Helper()
	bridged := func(host int32, x int64) bool {
		knots := s.Hosts[host].Map.Knots()
		i, found := slices.BinarySearchFunc(knots, x, func(k clock.Knot, x int64) int { return cmp.Compare(k.Local, x) })
		if found || i == 0 || i == len(knots) {
			return i > 0 && i < len(knots)
		}
		rate := float64(knots[i].Reference-knots[i-1].Reference) / float64(knots[i].Local-knots[i-1].Local)
		return rate < 0.998 || rate > 1.002
	}
	for _, l := range n.order {
		x, y := l.x(), l.a+l.b-l.x()
		if s.Hosts[x].Reference != s.Hosts[y].Reference {
			continue
		}
		count, worst := 0, int64(0)
		for _, side := range []hull.Side{hull.Upper, hull.Lower} {
			for _, m := range l.live.sample[side].points() {
				late := s.Hosts[y].Map.Reference(m.Y) - s.Hosts[x].Map.Reference(m.X)
				if side == hull.Lower {
					late = -late
				}
				if late < -1 && late > -10_000_000 && !bridged(x, m.X) && !bridged(y, m.Y) {
					count, worst = count+1, min(worst, late)
				}
			}
		}
		if count > 0 {
			t.Errorf("%s: %d messages between %d and %d are received up to %d ns before they are sent, beside a step", what, count, l.a, l.b, -worst)
		}
	}
}

// pairs tests that what hosts know of each other holds, whatever the way between them.
func (p *ring) pairs(t *testing.T, what string, n *Network) {
	t.Helper()
	for a := range int32(len(p.clocks)) {
		for b := range int32(len(p.clocks)) {
			m, ok := n.Between(a, b)
			if !ok || a == b {
				continue
			}
			for _, at := range p.instants() {
				x := p.clocks[a].local(at)
				off := m.Reference(x) - p.clocks[b].local(at)
				if bound, ok := m.Error(x); ok && max(off, -off) > bound+2 {
					t.Errorf("%s: %d by %d is off by %d ns after %d ms, said to be known to %d", what, b, a, off, (at-start)/1e6, bound)
					break
				}
			}
		}
	}
}

// close tests that all hosts are known closely but near to a step.
func (p *ring) close(t *testing.T, what string, s *Solution) {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		for at := int64(start); at <= start+p.span; at += second / 5 {
			if p.beside(at) {
				continue
			}
			if bound, ok := h.Map.Error(p.clocks[i].local(at)); !ok || bound > 10_000_000 {
				t.Errorf("%s: host %d is known to %d ns after %d ms, %v", what, i, bound, (at-start)/1e6, ok)
				return
			}
		}
	}
}

func (p *ring) sets() (all []string) {
	for i := range p.clocks {
		for _, s := range p.clocks[i].sets {
			all = append(all, fmt.Sprintf("host %d at %d ms by %d ms", i, (s[0]-start)/1e6, s[1]/1e6))
		}
	}
	return all
}

// beside reports whether an instant is within twice a step of it, or some messages.
func (p *ring) beside(at int64) bool {
	for i := range p.clocks {
		for _, s := range p.clocks[i].sets {
			off := 2*max(s[1], -s[1]) + 7*second
			if at > s[0]-off && at < s[0]+off {
				return true
			}
		}
	}
	return false
}
