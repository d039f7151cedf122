package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
)

// wandering are two hosts whose clocks swing against each other within an hour and a half, by so little that a line fits all
// messages; delays of both directions are alike.
func wandering(swing float64) (s *Solution, worst int64, median int64) {
	const span = 5400 * second
	clock := func(at int64) int64 {
		d := float64(at - start)
		return at + 3*second + int64(math.Floor(20e-6*d+swing*math.Sin(2*math.Pi*d/float64(span))))
	}
	n := New(Config{})
	n.AddHost("a", "a")
	n.AddHost("b", "b")
	r := rand.New(rand.NewPCG(4, 4))
	for key := range uint64(6000) {
		at := start + int64(key)*span/6000
		delay := 40_000 + int64(r.ExpFloat64()*15_000)
		from, to := int32(key%2), int32(1-key%2)
		times := [2]int64{at, at + delay}
		if from == 0 {
			times[1] = clock(times[1])
		} else {
			times[0] = clock(times[0])
		}
		n.Endpoint(match.Endpoint{Time: times[0], Host: from, Direction: match.Send, Key: match.Key{A: key}}, nil)
		n.Endpoint(match.Endpoint{Time: times[1], Host: to, Direction: match.Receive, Key: match.Key{A: key}}, nil)
	}
	n.Done(0, nil)
	n.Done(1, nil)
	s = n.Solution()
	var off []int64
	for i := range int64(301) {
		at := start + second + i*((span-2*second)/300)
		d := s.Hosts[1].Map.Reference(clock(at)) - at
		off = append(off, max(d, -d))
	}
	slices.Sort(off)
	return s, off[len(off)-1], off[len(off)/2]
}

// Where clocks wander beside the line that fits all messages the maps follow them, in a few pieces; where they do not, a line is left.
func TestMapsFollowCrystals(t *testing.T) {
	for _, c := range []struct {
		swing         float64
		pieces        int
		median, worst int64
	}{{0, 1, 200, 500}, {8000, bends, 300, 1000}} {
		s, worst, median := wandering(c.swing)
		k := s.Links[0]
		pieces := len(s.Report().Hosts[1].Map)
		t.Logf("swing %.0f ns: %s, %d pieces, off by %d ns in the median and %d at worst", c.swing, k.Shape, pieces, median, worst)
		if k.Shape != OneLine || k.Violations != 0 || pieces > c.pieces || median > c.median || worst > c.worst {
			t.Errorf("swing %.0f ns: %s, %d violations, %d pieces, off by %d ns in the median and %d at worst", c.swing, k.Shape, k.Violations, pieces, median, worst)
		}
	}
}

// What hosts are ahead by solves the normal equations of all votes and of the stiffness: no host at any instant can be moved by
// a little and fit better.
func TestSettleIsLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, c := range []struct {
		pieces     uint64
		hosts, far int32 // hosts that are as far apart talk to each other
	}{{1, 5, 4}, {2, 5, 4}, {8, 5, 4}, {1, 80, 1}, {8, 80, 1}} {
		pieces, hosts := c.pieces, c.hosts
		var list []tie
		for a := range hosts {
			for b := a + 1; b < min(hosts, a+1+c.far); b++ {
				u := tie{a: a, b: b}
				for i := range int64(32) {
					u.list = append(u.list, difference{start + i*100*second, r.NormFloat64() * 3000, 80_000 + r.ExpFloat64()*2000})
				}
				list = append(list, u)
			}
		}
		g := newBend(start-second, start+3300*second, pieces, hull.Crystals)
		ahead, _ := g.settle(2, list, int(hosts))
		if ahead[2] != nil {
			t.Fatal("the reference is moved")
		}
		votes := make([][]vote, len(list))
		for i := range list {
			votes[i], _ = list[i].votes(g)
		}
		cost := func() (sum float64) {
			for i := range list {
				for _, v := range votes[i] {
					off := v.ns
					for h, sign := range map[int32]float64{list[i].b: -1, list[i].a: 1} {
						if h != 2 {
							off += sign * g.at(ahead[h], v.at)
						}
					}
					sum += off * off / v.variance
				}
			}
			for _, x := range ahead {
				for i := 2; i < len(x); i++ {
					turn := x[i-2] - 2*x[i-1] + x[i]
					sum += g.stiff * turn * turn
				}
			}
			return sum
		}
		least := cost()
		for h, x := range ahead {
			for i := range x {
				for _, by := range []float64{-20, 20} {
					x[i] += by
					if c := cost(); c < least {
						t.Errorf("%d hosts, %d pieces: host %d is better off by %.0f ns at instant %d: %.6f instead of %.6f", hosts, pieces, h, by, i, c, least)
					}
					x[i] -= by
				}
			}
		}
	}
}

// No map bends where no tie reaches, though it would do no harm.
func TestNoBendInSilence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 20 {
		var list []tie
		for b := range int32(2) {
			u := tie{a: 2, b: b}
			for i := range int64(20) {
				u.list = append(u.list, difference{start + i*second, r.NormFloat64() * 3000, 80_000})
			}
			list = append(list, u)
		}
		if g := bent(list, start-second, start+60*second, hull.Crystals); g.count != 2 {
			t.Errorf("%d instants", g.count)
		}
	}
}

// Hosts are moved by a line where a recording is so short that a crystal cannot bend in it, and where times reach from one end
// of what there is to the other.
func TestShortAndEndless(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for _, c := range []struct{ begin, end, length int64 }{
		{start, start + 10_000_000, 10_000_000},
		{math.MinInt64, math.MaxInt64, math.MaxInt64},
	} {
		u := tie{a: 0, b: 1}
		for i := range int64(32) {
			u.list = append(u.list, difference{max(c.begin, 0) + c.length/32*i, 5000 + r.NormFloat64()*1000, 80_000})
		}
		g := bent([]tie{u}, c.begin, c.end, hull.Crystals)
		ahead, _ := g.settle(0, []tie{u}, 2)
		if g.count != 2 || !u.straight(g) {
			t.Errorf("%d ns: %d instants", c.length, g.count)
		}
		if at := g.at(ahead[1], u.list[16].at); math.Abs(at-5000) > 600 {
			t.Errorf("%d ns: %.0f ns ahead in the middle, want about 5000", c.length, at)
		}
	}
}

// Differences that are all but at one instant of a long time tell no line.
func TestNoLineOfAnInstant(t *testing.T) {
	u := tie{a: 0, b: 1}
	for i := range int64(32) {
		u.list = append(u.list, difference{start + i*1000, 5000, 80_000})
	}
	if u.straight(newBend(start-1800*second, start+1800*second, 1, hull.Crystals)) {
		t.Error("32 µs of an hour tell a line")
	}
	if !u.straight(newBend(start-second/1000, start+second/1000, 1, hull.Crystals)) {
		t.Error("32 µs of 2 ms tell no line")
	}
}

// What the shortest delays say counts half beside all, and of how clocks went only: not of how far they are apart.
func TestShortestAgain(t *testing.T) {
	g := newBend(start, start+300*second, 1, hull.Crystals)
	all := said{a: 0, b: 1, common: 100}
	short := said{a: 0, b: 1}
	for i := range int64(7) {
		at := start + i*50*second
		all.votes = append(all.votes, vote{difference{at: at, ns: 500}, 20_000})
		short.votes = append(short.votes, vote{difference{at: at, ns: 40_000 + float64(1000*(i-3))}, 10_000})
	}
	before := short.votes[0].variance
	ahead, _ := g.balance(0, []said{all, short.again()}, 2)
	for i, want := range []float64{500 - 1500, 500 + 1500} {
		if got := ahead[1][i]; math.Abs(got-want) > 1 {
			t.Errorf("instant %d: ahead by %.1f ns, want %.0f", i, got, want)
		}
	}
	if short.votes[0].variance != before {
		t.Error("what was said is another thing afterwards")
	}
}
