package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/sync/hull"
)

// delays are n of one direction, sorted: a floor that no message takes quite, a tail, and now and then more, as where a machine sleeps.
func delays(r *rand.Rand, n int, floor, tail, slower float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = floor + 1000*(r.ExpFloat64()+r.ExpFloat64()+r.ExpFloat64()) + tail*r.ExpFloat64()
		if r.Float64() < slower {
			list[i] += 12_000
		}
	}
	slices.Sort(list)
	return list
}

// By how much clocks are apart is told nearer than by the shortest delays, or hardly less near where the two directions have other tails, and
// no farther off than is said.
func TestOverlap(t *testing.T) {
	const apart, runs = 4_321, 200
	for what, c := range map[string]struct{ tail, back, slower, slowerBack, most float64 }{
		"alike":       {2000, 2000, 0, 0, 0.8},
		"two edges":   {2000, 2000, 0.4, 0.4, 0.8},
		"other tails": {2000, 3000, 0, 0, 1.1},
		"more slow":   {2000, 2000, 0.1, 0.3, 0.9},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		var ours, shortest, beyond float64
		for range runs {
			p := [2][]float64{delays(r, 150, 40_000+apart, c.tail, c.slower), delays(r, 150, 40_000-apart, c.back, c.slowerBack)}
			ns, variance := offset([][2][]float64{p})
			plain, _ := floors(p)
			ours += (ns - apart) * (ns - apart) / runs
			shortest += (plain - apart) * (plain - apart) / runs
			if math.Abs(ns-apart) > 3*math.Sqrt(variance) {
				beyond++
			}
			other, _ := offset([][2][]float64{{p[1], p[0]}})
			if math.Abs(ns+other) > 1 {
				t.Fatalf("%s: %.1f ns apart, and %.1f the other way round", what, ns, other)
			}
		}
		ours, shortest = math.Sqrt(ours), math.Sqrt(shortest)
		if ours > c.most*shortest || beyond > runs/20 {
			t.Errorf("%s: off by %.0f ns, by the shortest %.0f; %.0f of %d beyond three deviations", what, ours, shortest, beyond, runs)
		}
	}
}

// Where one direction is as regular as a clock and the other takes anything up to hours, no more is looked at than densities have places.
func TestOverlapOfUnlikeDelays(t *testing.T) {
	const hour = 3600 * second
	var p [2][]float64
	for i := range 60 {
		p[0] = append(p[0], 20_000)
		p[1] = append(p[1], 20_000+float64(i*hour))
	}
	for _, p := range [][2][]float64{p, {p[1], p[0]}} {
		for _, shift := range []float64{0, 1e6, -1e12} {
			if c := overlap(p, shift-8*hour, shift+8*hour); len(c.log) > 2*mostBins+1 {
				t.Fatalf("%d shifts are looked at", len(c.log))
			}
		}
		if ns, variance := offset([][2][]float64{p}); math.IsNaN(ns) || !(variance > 0 && variance < math.Inf(1)) {
			t.Errorf("%g ns apart, with a variance of %g", ns, variance)
		}
	}
}

// Counts are kept wherever a kernel does not reach beyond the ends, and the place of what is counted with them.
func TestBins(t *testing.T) {
	b := newBins(100, 1000, 10)
	for _, ns := range []float64{99, 1011} {
		if b.add(ns, 1); slices.Max(b.count) > 0 {
			t.Fatalf("%g ns is counted", ns)
		}
	}
	b.add(503, 2)
	b.add(604, 1)
	for _, wide := range []float64{0.1, 1, 3, 7.5} {
		spread := make([]float64, len(b.count))
		smooth(b.count, kernel(wide), spread)
		var sum, mean float64
		for i, n := range spread {
			sum += n
			mean += n * (b.low + float64(i)*b.width)
		}
		if mean /= sum; math.Abs(sum-3) > 1e-9 || math.Abs(mean-(2*503+604)/3.0) > 1e-9 {
			t.Errorf("by a kernel of %g: %g messages, %g ns in the mean", wide, sum, mean)
		}
	}
	if n := len(newBins(0, 1e18, 1).count); n != mostBins {
		t.Errorf("%d bins", n)
	}
}

// The mean and the variance of a normal distribution come out of its logarithms.
func TestChance(t *testing.T) {
	c := chance{first: -500, gap: 10, log: make([]float64, 101)}
	for i := range c.log {
		z := (c.first + float64(i)*c.gap - 37) / 60
		c.log[i] = -z * z / 2
	}
	if mean, variance := c.expect(); math.Abs(mean-37) > 0.1 || math.Abs(math.Sqrt(variance)-60) > 0.5 {
		t.Errorf("%g and %g, want 37 and 60", mean, math.Sqrt(variance))
	}
	if got := c.at(42); math.Abs(got-(c.log[54]+(c.log[55]-c.log[54])/5)) > 1e-12 {
		t.Errorf("between two places %g", got)
	}
}

// What lies straight stays straight, however noisy it is, and what wanders is bent.
func TestStiffness(t *testing.T) {
	const span = 600 * second
	for wander, want := range map[float64]int{0: 2, 2000: bends + 1} {
		straight := 0
		const runs = 50
		r := rand.New(rand.NewPCG(7, 7))
		for range runs {
			s := said{a: 0, b: 1}
			for i := range int64(32) {
				at := start + i*span/32
				ns := 500 + float64(i)*30 + wander*math.Sin(2*math.Pi*float64(i)/32) + 100*r.NormFloat64()
				s.votes = append(s.votes, vote{difference{at: at, ns: ns}, 100 * 100})
			}
			if stiffest([]said{s}, start, start+span, hull.Crystals).count == want {
				straight++
			}
		}
		if straight < runs*9/10 {
			t.Errorf("wandering by %g ns: %d of %d as they are", wander, straight, runs)
		}
	}
}

// Nothing bends by more than clocks do, whatever votes say: then it is loads that change.
func TestStiffnessUnderCap(t *testing.T) {
	const span = 30 * second
	s := said{a: 0, b: 1}
	for i := range int64(32) {
		s.votes = append(s.votes, vote{difference{at: start + i*span/32, ns: 20_000 * math.Sin(2*math.Pi*float64(i)/32)}, 100 * 100})
	}
	limit := newBend(start, start+span, bends, hull.Crystals)
	if g := stiffest([]said{s}, start, start+span, hull.Crystals); g.count != limit.count || g.stiff < limit.stiff {
		t.Errorf("%d instants, and a weight of turns of %g, want %d and at least %g", g.count, g.stiff, limit.count, limit.stiff)
	}
	if g := stiffest([]said{s}, start, start+span, hull.Steepest); g.stiff >= limit.stiff {
		t.Errorf("a weight of turns of %g under the highest cap, want less than %g", g.stiff, limit.stiff)
	}
}

// What noise alone bends takes few pieces, nearer to the truth than the whole, and what is a curve stays one.
func TestFewest(t *testing.T) {
	const span = 600 * second
	bent := func(i float64) float64 { return 700 * max(0, i-16) }
	for name, c := range map[string]struct {
		truth       func(i float64) float64
		least, most float64 // pieces, in the mean
	}{
		"a line":      {func(i float64) float64 { return 500 - 40*i }, 1, 6},
		"two lines":   {bent, 2, 6},
		"three lines": {func(i float64) float64 { return bent(i) - bent(i+8) }, 3, 7},
		"a curve":     {func(i float64) float64 { return 20_000 * math.Sin(2*math.Pi*i/32) }, 12, bends},
	} {
		r := rand.New(rand.NewPCG(7, 7))
		var pieces, whole, fewer float64
		const runs = 50
		for range runs {
			s := said{a: 0, b: 1}
			for i := range 32 {
				at := start + int64(i)*span/32
				s.votes = append(s.votes, vote{difference{at: at, ns: c.truth(float64(i)) + 100*r.NormFloat64()}, 100 * 100})
			}
			g := newBend(start, start+span, bends, hull.Crystals)
			g.stiff = 1 / (1000.0 * 1000)
			ahead, own := g.balance(0, []said{s}, 2)
			few := own[1].fewest(ahead[1])
			pieces++
			for i := 1; i < g.count-1; i++ {
				if math.Abs(few[i-1]-2*few[i]+few[i+1]) > flat {
					pieces++
				}
			}
			if off := own[1].apart(few, ahead[1]); off > unlike*(bends-1) {
				t.Fatalf("%s: off by %g squares of deviations", name, off)
			}
			for _, v := range s.votes {
				truth := c.truth(float64(v.at-start) / float64(span) * 32)
				whole += math.Abs(g.at(ahead[1], v.at) - truth)
				fewer += math.Abs(g.at(few, v.at) - truth)
			}
		}
		if n := pieces / runs; n < c.least || n > c.most || fewer > whole {
			t.Errorf("%s: %.1f pieces, off by %.0f ns in the mean, the whole by %.0f", name, n, fewer/runs/32, whole/runs/32)
		}
	}
}

// Votes that may be off together, by any distance, say how clocks went and not how far they are apart.
func TestVotesOffTogether(t *testing.T) {
	const span = 600 * second
	g := newBend(start, start+span, 1, hull.Crystals)
	tie := func(by, common float64) said {
		s := said{a: 0, b: 1, common: common}
		for i := range int64(30) {
			s.votes = append(s.votes, vote{difference{at: start + i*span/30, ns: by + float64(i)*10}, 50 * 50})
		}
		return s
	}
	// One that is certain of 1000 ns, and one that says 9000 and knows that it may be anything.
	ahead, _ := g.balance(0, []said{tie(1000, 1), tie(9000, 1e12)}, 2)
	if ahead[0] != nil || math.Abs(ahead[1][0]-1000) > 5 || math.Abs(ahead[1][1]-1300) > 5 {
		t.Errorf("%v ahead, want from 1000 to 1300 ns", ahead[1])
	}
}

// Each bin adds to each shift what the bin has to which it leads, or the outermost if it leads beyond.
func TestCompareCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, bins := range []int{2, 3, 10, 49, 200} {
		for _, reach := range []int{0, 1, 5, 24} {
			count, log := make([]float64, bins), make([]float64, bins)
			for i := range count {
				count[i], log[i] = float64(r.IntN(3))*r.Float64(), -r.ExpFloat64()
			}
			for side := range 2 {
				got, want := make([]float64, 2*reach+1), make([]float64, 2*reach+1)
				compare(count, log, side, got)
				for b, n := range count {
					for i := range want {
						to := b + reach - i
						if side == 1 {
							to = b - reach + i
						}
						want[i] += float64(n * log[min(max(to, 0), bins-1)])
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d bins, %d shifts, side %d: %v, want %v", bins, len(got), side, got, want)
				}
			}
		}
	}
}
