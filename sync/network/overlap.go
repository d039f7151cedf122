package network

import (
	"math"
	"slices"
)

// By how much two clocks are apart all the time is told by how the delays of both directions lie to each other. Delays have a sharp
// floor, and more such edges where a machine sleeps less or more deeply; a shift at which the edges of both directions are on each
// other is likelier than others. How likely is measured by the overlap of the two densities, the sum of sqrt(f·g): it is greatest where the
// edges meet, and what only one direction has, as a tail of its own load, takes little from it. Densities that cannot be brought
// upon each other say so by how little they overlap at best, and count the less. The shortest delays say where to look, to how
// far the next ones are from them.

const (
	sharp      = 0.3  // bandwidth, in parts of what the shortest and the median delay differ by, of one message
	sharpening = 0.4  // the power of the number of messages by which it is less
	body       = 0.97 // of the delays of a direction that are compared
	disparity  = 1.5  // how many times farther apart than by chance two densities count as unlike
	looked     = 4    // times the deviation of the shortest to which shifts are looked at
	coarse     = 50   // ns, of the shortest, however close the next are
	unknown    = 1.5  // how many times more is open than the overlap says: densities are never quite alike
)

// offset is half of what the delays of both directions of each pair, sorted, differ by all the time, in the mean, and its variance.
func offset(pairs [][2][]float64) (ns, variance float64) {
	var weight, sum float64
	for _, p := range pairs {
		at, v := floors(p)
		weight += 1 / v
		sum += at / v
	}
	middle, deviation := sum/weight, 1/math.Sqrt(weight)
	reach := max(looked*deviation, 1000)
	const places = 401
	c := chance{middle - reach, 2 * reach / (places - 1), make([]float64, places)}
	for i := range c.log {
		z := (c.first + float64(float64(i)*c.gap) - middle) / deviation
		c.log[i] = float64(-z * z / 2)
	}
	for _, p := range pairs {
		o := overlap(p, c.first, c.first+2*reach)
		for i := range c.log {
			c.log[i] += o.at(c.first + float64(float64(i)*c.gap))
		}
	}
	ns, variance = c.expect()
	return ns, unknown * unknown * (variance + coarse*coarse)
}

// floors compares the shortest delays, as shortest does, and says how far that may be off by how far the next are from them.
func floors(p [2][]float64) (ns, variance float64) {
	few := min(len(p[0]), len(p[1]))
	var least, off [2]float64
	for side, list := range p {
		i := len(list) / (2 * few)
		least[side] = list[i]
		off[side] = (list[min(len(list)-1, 3*(i+1))] - list[i]) / 2
	}
	return (least[0] - least[1]) / 2, float64((off[0]*off[0]+off[1]*off[1])/4) + coarse*coarse
}

// overlap tells how likely it is that delays there are longer than those back by twice a shift, for all shifts between two.
func overlap(p [2][]float64, from, to float64) chance {
	n := float64(len(p[0])) * float64(len(p[1])) / float64(len(p[0])+len(p[1]))
	low, high := min(p[0][0], p[1][0]), max(quantile(p[0], body), quantile(p[1], body))
	spread := min(quantile(p[0], 0.5)-p[0][0], quantile(p[1], 0.5)-p[1][0])
	wide := max(float64(sharp*spread)*math.Pow(2*n, -sharpening), leastWide)
	k := kernel(perKernel)
	var density [2][]float64
	for side, list := range p {
		b := newBins(low-float64(4*wide), high+float64(4*wide), wide/perKernel)
		for _, ns := range list {
			b.add(ns, 1/float64(len(list)))
		}
		density[side] = make([]float64, len(b.count))
		smooth(b.count, k, density[side])
		for i, v := range density[side] {
			density[side][i] = math.Sqrt(v)
		}
	}
	width := wide / perKernel
	// Where densities are beside each other altogether all shifts are as unlikely as the next, however far they are looked at.
	beside := float64(max(len(density[0]), len(density[1])))
	within := func(bins float64) int { return int(min(max(bins, -beside), beside)) }
	first, last := within(math.Floor(2*from/width)), within(math.Ceil(2*to/width))
	c := chance{float64(first) * width / 2, width / 2, make([]float64, max(last-first, 1)+1)}
	for i := range c.log {
		c.log[i] = float64(-4 * n * (1 - common(density, first+i)))
	}
	// By chance the logarithm is half of what there are kernels in the densities, at best.
	by := float64(len(density[0])) * width / (wide * 2 * math.Sqrt(math.Pi))
	if unlike := float64(disparity * -2 * slices.Max(c.log) / by); unlike > 1 {
		for i := range c.log {
			c.log[i] /= unlike
		}
	}
	return c
}

// common is the sum of the products of two densities' roots, the second moved up by so many bins.
func common(root [2][]float64, by int) (sum float64) {
	f, g := root[0], root[1]
	if by > 0 {
		f = f[min(by, len(f)):]
	} else {
		g = g[min(-by, len(g)):]
	}
	n := min(len(f), len(g))
	f, g = f[:n], g[:n]
	for i, v := range f {
		sum += float64(v * g[i])
	}
	return sum
}
