package network

import (
	"math"
	"slices"

	"synchroscope/sync/hull"
)

// How much a crystal wanders differs by thousands from one to the next, and shows in how the votes of a tie go up and down. If
// a clock's direction changes by chance at each of the instants of a bend, by as much in the mean as its stiffness says, then the votes
// are more or less likely, and the stiffness by which all are likeliest is taken: the marginal likelihood, of which lines are the
// one end. So what is short and straight stays straight. Loads of machines change too, and delays with them, which looks as if clocks wandered: so
// nothing is tried that turns by more than the cap lets a clock turn, and a bend must be clearly likelier than lines.

const (
	bends      = 16 // pieces
	leastTurn  = 3  // ns at an instant; what turns by less is straight
	turns      = 41 // sizes of it that are tried, each the root of 2 times the one before
	straighter = 3  // what the logarithm of how likely a bend is must be more than that of lines
)

// stiffest finds the bend by which what is said is likeliest, of those that clocks under a cap make. Links with few messages say nothing of that.
func stiffest(list []said, begin, end int64, under hull.Cap) (best bend) {
	list = slices.DeleteFunc(slices.Clone(list), func(t said) bool { return t.sparse })
	best = newBend(begin, end, 1, under)
	most := float64(straighter)
	for i := range list {
		// A line is given by its two ends, a bend by its first two instants and the turns: the same measure of all lines.
		most += best.likely(best.sums(list[i].votes), best.workbench()) - math.Log(bends)
	}
	limit := newBend(begin, end, bends, under)
	sums := make([]sum, len(list)) // whatever the stiffness
	for i := range list {
		sums[i] = limit.sums(list[i].votes)
	}
	var tried [turns]bend
	var likely [turns]float64
	parallel(turns, func(k int) {
		turn := leastTurn * math.Pow(2, float64(k)/2)
		g := limit
		g.stiff = 1 / float64(turn*turn)
		over := g.workbench()
		for _, n := range sums {
			likely[k] += g.likely(n, over)
		}
		tried[k] = g
	})
	for k, sum := range likely {
		if sum > most && tried[k].stiff >= limit.stiff {
			best, most = tried[k], sum
			best.stiff *= 2 // each of the two clocks of a tie turns by its half
		}
	}
	return best
}

// A workbench is for what likely computes with.
type workbench struct {
	f factor
	x []float64
}

func (g bend) workbench() workbench { return workbench{g.zero(), make([]float64, g.count)} }

// likely is the logarithm of how likely the votes of one tie are, of which these are the sums, but for what is the same for all bends.
func (g bend) likely(n sum, over workbench) float64 {
	f, x := over.f, over.x
	for k := range f {
		clear(f[k])
	}
	if g.add(f, n); !g.stiffen(f) {
		return 0
	}
	copy(x, n.right)
	f.solve(x)
	var fit, volume float64
	for i, v := range x {
		fit += float64(v * n.right[i])
		volume += math.Log(f[0][i])
	}
	if g.count > 2 {
		fit += float64(float64(g.count-2) * math.Log(g.stiff))
	}
	return fit/2 - volume
}
