package network

import "slices"

// A curve that may turn at many instants mostly says hardly more than one of a few straight pieces, or than a line. So instants are left out, one
// after the other, each time the one without which the others, moved as well as they can be, say the most alike. How much alike is
// told by the votes: pieces do as long as they are off from the whole by less than that itself is by chance, which in squares of deviations
// is 1 for each instant that it turns at.

// unlike is by how much pieces may be off from the whole, in squares of deviations, for each instant that is left out.
const unlike = 0.5

// fewest returns what a host is ahead by at all instants if it goes straight wherever it may, by the equations of its votes with the others
// held still.
func (f factor) fewest(ahead []float64) []float64 {
	at := make([]int, len(ahead))
	for i := range at {
		at[i] = i
	}
	weighed := slices.Clone(ahead)
	f.times(weighed)
	best := ahead
	for len(at) > 2 {
		least, without := float64(unlike*float64(len(ahead)-len(at)+1)), 0
		for i := 1; i < len(at)-1; i++ {
			x := f.nearest(weighed, slices.Delete(slices.Clone(at), i, i+1))
			if off := f.apart(x, ahead); off <= least {
				best, least, without = x, off, i
			}
		}
		if without == 0 {
			break
		}
		at = slices.Delete(at, without, without+1)
	}
	return best
}

// nearest is what turns at some instants alone, the first and the last among them, and is as near as can be to what was weighed, at all instants.
func (f factor) nearest(weighed []float64, at []int) []float64 {
	tents := make([][]float64, len(at))
	for k := range at {
		tents[k] = tent(len(weighed), at, k)
	}
	var g factor
	for below := range g {
		g[below] = make([]float64, len(at))
	}
	y := make([]float64, len(at))
	for k, t := range tents {
		y[k] = dot(t, weighed)
		own := slices.Clone(t)
		f.times(own)
		for below := range min(len(g), len(at)-k) {
			g[below][k] = dot(tents[k+below], own)
		}
	}
	g.decompose()
	g.solve(y)
	x := make([]float64, len(weighed))
	for k, t := range tents {
		for i, part := range t {
			x[i] += float64(part * y[k])
		}
	}
	return x
}

// apart is by how much two are off from each other, in squares of deviations.
func (f factor) apart(x, y []float64) float64 {
	off := make([]float64, len(x))
	for i := range off {
		off[i] = x[i] - y[i]
	}
	weighed := slices.Clone(off)
	f.times(weighed)
	return dot(off, weighed)
}

// tent is 1 at one of some instants and falls to 0 at those beside it.
func tent(count int, at []int, k int) []float64 {
	t := make([]float64, count)
	t[at[k]] = 1
	if k > 0 {
		for i := at[k-1] + 1; i < at[k]; i++ {
			t[i] = float64(i-at[k-1]) / float64(at[k]-at[k-1])
		}
	}
	if k+1 < len(at) {
		for i := at[k] + 1; i < at[k+1]; i++ {
			t[i] = float64(at[k+1]-i) / float64(at[k+1]-at[k])
		}
	}
	return t
}

func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
