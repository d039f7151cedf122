package network

import "math"

// A sum is the normal equations of votes, by instant: a symmetric matrix, of which all beyond the places beside the diagonal is
// zero but for what votes have in common, and the right side.
type sum struct {
	diagonal, beside, right []float64

	// What is off together makes all votes depend on each other: the matrix less part times the square of row.
	row  []float64 // nil for votes that are independent
	part float64
}

func (g bend) sums(votes []vote) sum {
	n := sum{diagonal: make([]float64, g.count), beside: make([]float64, g.count), right: make([]float64, g.count)}
	for _, v := range votes {
		i, next := g.place(v.at)
		own, w := 1-next, 1/v.variance
		n.diagonal[i] += float64(w * own * own)
		n.diagonal[i+1] += float64(w * next * next)
		n.beside[i] += float64(w * own * next)
		n.right[i] += float64(w * own * v.ns)
		n.right[i+1] += float64(w * next * v.ns)
	}
	return n
}

// votes adds what the votes say of one of their hosts while the other stays; sign is 1 for b.
func (n *sum) votes(to []float64, sign float64) {
	for i := range to {
		to[i] += float64(sign * n.right[i])
	}
}

// others takes off what the votes say of one of their hosts because of where the other is, which may be nil.
func (n *sum) others(to, other []float64) {
	for i, ns := range other {
		to[i] -= float64(n.diagonal[i] * ns)
		if i+1 < len(other) {
			to[i] -= float64(n.beside[i] * other[i+1])
			to[i+1] -= float64(n.beside[i] * ns)
		}
	}
}

// share has the votes be off together.
func (n *sum) share(g bend, t *said) {
	n.row = make([]float64, g.count)
	var weight, mean float64
	for _, v := range t.votes {
		i, next := g.place(v.at)
		w := 1 / v.variance
		n.row[i] += float64(w * (1 - next))
		n.row[i+1] += float64(w * next)
		weight += w
		mean += float64(w * v.ns)
	}
	n.part = 1 / (1/t.common + weight)
	for i, r := range n.row {
		n.right[i] -= float64(n.part * mean * r)
	}
}

// together takes off what votes do not say of a host, where it is and the other is, as they may be off together; other may be nil.
func (n *sum) together(to, own, other []float64) {
	var sum float64
	for i, r := range n.row {
		sum += float64(r * own[i])
		if other != nil {
			sum -= float64(r * other[i])
		}
	}
	for i, r := range n.row {
		to[i] -= float64(n.part * sum * r)
	}
}

// A factor is the lower triangle L of a matrix L·Lᵀ: the diagonal, and the two rows below it.
type factor [3][]float64

// factor adds up the matrices and the stiffness. It is not ok if they leave something open.
func (g bend) factor(list []sum) (f factor, ok bool) {
	f = g.zero()
	for _, n := range list {
		g.add(f, n)
	}
	return f, g.stiffen(f)
}

func (g bend) zero() (f factor) {
	for k := range f {
		f[k] = make([]float64, g.count)
	}
	return f
}

// add adds the matrix of a sum.
func (g bend) add(f factor, n sum) {
	for i := range g.count {
		f[0][i] += n.diagonal[i]
		f[1][i] += n.beside[i]
	}
}

// stiffen adds the stiffness to a matrix and replaces it by its factor.
func (g bend) stiffen(f factor) (ok bool) {
	turn := [3]float64{1, -2, 1}
	for i := range g.count - 2 {
		for a, x := range turn {
			for b, y := range turn[a:] {
				f[b][i+a] += float64(g.stiff * x * y)
			}
		}
	}
	return f.decompose()
}

// decompose replaces the lower triangle of a matrix by that of its factor. It is not ok if the matrix leaves something open.
func (f factor) decompose() (ok bool) {
	for i := range f[0] {
		whole := f[0][i]
		if i >= 1 {
			f[0][i] -= float64(f[1][i-1] * f[1][i-1])
		}
		if i >= 2 {
			f[0][i] -= float64(f[2][i-2] * f[2][i-2])
		}
		if f[0][i] <= 1e-9*whole {
			return false
		}
		f[0][i] = math.Sqrt(f[0][i])
		if i >= 1 {
			f[1][i] -= float64(f[2][i-1] * f[1][i-1])
		}
		f[1][i] /= f[0][i]
		f[2][i] /= f[0][i]
	}
	return true
}

// solve replaces the right side by the solution.
func (f factor) solve(x []float64) {
	for i := range x {
		for k := 1; k <= min(2, i); k++ {
			x[i] -= float64(f[k][i-k] * x[i-k])
		}
		x[i] /= f[0][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		for k := 1; k <= min(2, len(x)-1-i); k++ {
			x[i] -= float64(f[k][i] * x[i+k])
		}
		x[i] /= f[0][i]
	}
}

// times replaces x by the product of the matrix with it.
func (f factor) times(x []float64) {
	for i := range x {
		x[i] *= f[0][i]
		for k := 1; k <= min(2, len(x)-1-i); k++ {
			x[i] += float64(f[k][i] * x[i+k])
		}
	}
	for i := len(x) - 1; i >= 0; i-- {
		x[i] *= f[0][i]
		for k := 1; k <= min(2, i); k++ {
			x[i] += float64(f[k][i-k] * x[i-k])
		}
	}
}
