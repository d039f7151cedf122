package network

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"synchroscope/sync/hull"
)

// slewedLast are machines in a row, of which the last has its clock slewed by so much, for so long, to and fro at the instants, in s.
func slewedLast(ppm, length float64, hosts int, span, every int64, seed uint64, at ...float64) *machines {
	p := &machines{kind: "slewed", seed: seed, span: span}
	for i := range hosts {
		p.clocks = append(p.clocks, machineClock{offset: int64(i) * 5e9, ppm: float64(20 * i), records: [2]int64{start, start + span}})
		p.ids = append(p.ids, fmt.Sprint("id", i))
	}
	last := &p.clocks[hosts-1]
	for _, from := range at {
		last.rates = append(last.rates, [2]float64{start + from*1e9, ppm}, [2]float64{start + (from+length)*1e9, -ppm})
		for s := -0.5; s < length+1; s += 0.01 {
			p.instants = append(p.instants, start+int64((from+s)*1e9))
		}
		ppm = -ppm
	}
	r := rand.New(rand.NewPCG(seed, 3))
	for i := 1; i < hosts; i++ {
		p.exchange(r, &machineTalk{link: [2]int{i - 1, i}, every: every, delay: [2]int64{50_000, 50_000}, jitter: 50_000})
	}
	p.instants = append(p.instants, p.looks(r)...)
	return p
}

// A clock that is slewed by 500 ppm for a second, as adjtime(2) does it, or faster and for less, is none that was set: bounds hold, what messages take is no
// less than it took, and the link has no step.
func TestSlewed(t *testing.T) {
	for _, c := range []struct {
		ppm, length float64
		every       int64
	}{{500, 1, 5_000_000}, {-500, 1, 20_000_000}, {500, 2, 50_000_000}, {-2000, 0.3, 5_000_000}} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%v ppm for %v s, every %d ms, seed %d", c.ppm, c.length, c.every/1e6, seed), func(t *testing.T) {
				p := slewedLast(c.ppm, c.length, 2, 60*second, c.every, seed, 30)
				s := p.network(false).Solution()
				p.bounds(t, "slewed once", s)
				p.early(t, s)
				if l := s.Links[0]; l.Class != hull.Accurate || len(l.Cuts) > 0 {
					t.Errorf("the link is %v, and cut %d times", l.Class, len(l.Cuts))
				}
			})
		}
	}
}

// Slewed again and again, to and fro, it takes neither its own bound nor those of hosts beside it.
func TestSlewedAgain(t *testing.T) {
	p := slewedLast(500, 1, 3, 300*second, 50_000_000, 1, 32, 64, 96, 128, 160, 192, 224, 256, 288)
	s := p.network(false).Solution()
	p.bounds(t, "slewed again and again", s)
	p.early(t, s)
	for i := range s.Hosts {
		for _, at := range p.instants {
			c := &p.clocks[i]
			if !c.up(at) {
				continue
			}
			if bound, ok := s.Hosts[i].Map.Error(c.local(at)); !ok || bound > 10_000_000 {
				t.Fatalf("the bound of host %d is %d ns, %v, at %.3f s", i, bound, ok, seconds(at))
			}
		}
	}
}
