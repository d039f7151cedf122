package network

import "math"

// A longer message takes longer by its bytes, on each wire. Where the two directions have no length in common, but one of them has several, these
// say by how much: their shortest delays differ by as many bytes. Then the directions can be compared once that is taken off for what one of
// them is longer than the other. Only lengths that enough messages have are looked at, for the shortest of several lengths is one of the shorter ones.

const (
	slowest    = 1000 // ns that a byte may take
	unlikeness = 0.1  // by which the middle halves of two directions' delays may differ in width, in parts of both together
)

// A wired is how many ns a byte of a link takes, and the variance of that.
type wired struct{ ns, variance float64 }

// wiredBy tells how long a byte takes by the lengths of either direction; false if neither has several.
func wiredBy(list []kind) (w wired, ok bool) {
	var weight, sum float64
	for side := range 2 {
		for i := range list {
			for j := i + 1; j < len(list); j++ {
				p, q := &list[i], &list[j]
				if !p.exact(side) || !q.exact(side) {
					continue
				}
				ns, v := floors([2][]float64{q.delays[side], p.delays[side]}) // half of what they differ by
				half := float64(q.bytes-p.bytes) / 2
				weight += half * half / v
				sum += ns * half / v
			}
		}
	}
	if weight == 0 {
		return w, false
	}
	return wired{min(max(sum/weight, 0), slowest), 1 / weight}, true
}

// apart is half of what the delays of both directions differ by all the time but for their bytes, by the length that most messages of a direction
// have; false if these do not spread alike.
func (w wired) apart(list []kind) (ns, variance float64, ok bool) {
	var most [2]*kind
	for side := range most {
		for i := range list {
			if k := &list[i]; k.exact(side) && (most[side] == nil || len(k.delays[side]) > len(most[side].delays[side])) {
				most[side] = k
			}
		}
		if most[side] == nil {
			return 0, 0, false
		}
	}
	there, back := most[0].delays[0], most[1].delays[1]
	a, b := quantile(there, 0.75)-quantile(there, 0.25), quantile(back, 0.75)-quantile(back, 0.25)
	if math.Abs(a-b) > float64(unlikeness*(a+b)) {
		return 0, 0, false
	}
	ns, variance = offset([][2][]float64{{there, back}})
	half := (float64(most[0].bytes) - float64(most[1].bytes)) / 2
	return ns - float64(half*w.ns), variance + float64(half*half*w.variance), true
}

// exact reports whether messages of a direction count and are all of one length, which is that of the kind.
func (k *kind) exact(side int) bool {
	way := k.side[side]
	return k.use[side] && way[0].bytes == k.bytes && way[len(way)-1].bytes == k.bytes
}
