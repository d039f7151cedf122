package network

import "math"

// Bins count how many messages took how long. A message is shared by the two bins whose places it lies between, so that
// what is counted changes smoothly with the delay.
type bins struct {
	low, width float64 // ns: the place of the first, and from one to the next
	count      []float64
}

const (
	perKernel = 3    // bins in the bandwidth of a kernel, at least
	mostBins  = 4096 // of one density
	leastWide = 50   // ns: no narrower kernel, of clocks that show whole ns and events that take some hundreds
)

// newBins are empty ones from low to high, as far as there may be so many.
func newBins(low, high, width float64) bins {
	n := min(int(min((high-low)/width, mostBins-2))+2, mostBins)
	return bins{low, width, make([]float64, max(n, 2))}
}

// place returns the bin before a delay and how far it is towards the next, from 0 to 1; false if it is outside.
func (b bins) place(ns float64) (i int, part float64, ok bool) {
	at := (ns - b.low) / b.width
	if !(at >= 0 && at < float64(len(b.count)-1)) {
		return 0, 0, false
	}
	i = int(at)
	return i, at - float64(i), true
}

// add counts a message with a weight, if it is not outside.
func (b bins) add(ns, weight float64) {
	if i, part, ok := b.place(ns); ok {
		b.count[i] += float64(weight * (1 - part))
		b.count[i+1] += float64(weight * part)
	}
}

// kernel is a normal distribution as wide as so many bins, cut at three times that; the middle is the heaviest.
func kernel(wide float64) []float64 {
	half := max(1, int(math.Ceil(3*wide)))
	k := make([]float64, 2*half+1)
	var sum float64
	for i := range k {
		z := float64(i-half) / wide
		k[i] = math.Exp(float64(-z * z / 2))
		sum += k[i]
	}
	for i := range k {
		k[i] /= sum
	}
	return k
}

// smooth spreads counts by a kernel; to has as many, and is overwritten.
func smooth(count, kernel, to []float64) {
	clear(to)
	half := len(kernel) / 2
	for i, n := range count {
		if n == 0 {
			continue
		}
		part := to[max(i-half, 0):min(i+half+1, len(to))]
		for j, k := range kernel[max(half-i, 0):][:len(part)] {
			part[j] += float64(n * k)
		}
	}
}

// quantile of sorted delays.
func quantile(sorted []float64, part float64) float64 {
	at := min(max(float64(part*float64(len(sorted)))-0.5, 0), float64(len(sorted)-1))
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

// A chance is how likely shifts are that are equally far apart: logarithms, but for what is the same for all. Between two it is straight.
type chance struct {
	first, gap float64 // ns
	log        []float64
}

// finer is how many times finer a chance is looked at.
const finer = 4

// at is the logarithm at a shift.
func (c chance) at(ns float64) float64 {
	at := min(max((ns-c.first)/c.gap, 0), float64(len(c.log)-1))
	i := min(int(at), len(c.log)-2)
	return c.log[i] + float64((at-float64(i))*(c.log[i+1]-c.log[i]))
}

// expect returns the mean of the shift and its variance, if it is one of them.
func (c chance) expect() (mean, variance float64) {
	most := c.log[0]
	for _, l := range c.log {
		most = max(most, l)
	}
	var sum, first, second float64
	for i := range (len(c.log)-1)*finer + 1 {
		at := float64(i) / finer
		k := min(i/finer, len(c.log)-2)
		p := math.Exp(c.log[k] + float64((at-float64(k))*(c.log[k+1]-c.log[k])) - most)
		sum += p
		first += float64(p * at)
		second += float64(p * at * at)
	}
	at := first / sum
	return c.first + float64(at*c.gap), float64(max(second/sum-float64(at*at), 0) * c.gap * c.gap)
}
