package network

// decompose makes the matrix of each host alone, as messages miss something now, and its factor.
func (w *straightest) decompose() bool {
	for _, h := range w.free {
		for below, row := range w.factor[h] {
			for i := range row {
				row[i] = w.rough[h][below][i] + float64(w.damp*w.own[h][below][i])
			}
		}
	}
	for _, k := range w.short {
		m := &w.list[k]
		w.factor[m.from].add(w.ends[k][0])
		w.factor[m.to].add(w.ends[k][1])
	}
	for _, h := range w.free {
		if !w.factor[h].decompose() {
			return false
		}
	}
	return true
}

// times multiplies x by the matrix of all equations.
func (w *straightest) times(x, to [][]float64) {
	for _, h := range w.free {
		clear(to[h])
		w.rough[h].symmetric(x[h], to[h], 1)
		w.own[h].symmetric(x[h], to[h], w.damp)
	}
	for _, k := range w.short {
		w.put(to, k, w.get(x, k))
	}
	w.looked += 2 * len(w.short)
}

// get is by how much the delay of a message is longer by x.
func (w *straightest) get(x [][]float64, k int) float64 {
	m, e := &w.list[k], &w.ends[k]
	from, to := x[m.from][e[0].piece:], x[m.to][e[1].piece:]
	return float64(to[0]*(1-e[1].part)) + float64(to[1]*e[1].part) - float64(from[0]*(1-e[0].part)) - float64(from[1]*e[0].part)
}

// put adds what a message asks for of its hosts.
func (w *straightest) put(x [][]float64, k int, ns float64) {
	m, e := &w.list[k], &w.ends[k]
	from, to := x[m.from][e[0].piece:], x[m.to][e[1].piece:]
	to[0] += float64(ns * (1 - e[1].part))
	to[1] += float64(ns * e[1].part)
	from[0] -= float64(ns * (1 - e[0].part))
	from[1] -= float64(ns * e[0].part)
}

func (w *straightest) zero() [][]float64 {
	x := make([][]float64, len(w.tracks))
	for _, h := range w.free {
		x[h] = make([]float64, len(w.tracks[h].at))
	}
	return x
}

func (w *straightest) product(x, y [][]float64) (sum float64) {
	for _, h := range w.free {
		sum += dot(x[h], y[h])
	}
	return sum
}

// symmetric adds so many times the product of a matrix, of which f is the lower triangle, with x.
func (f *factor) symmetric(x, to []float64, times float64) {
	for i, v := range x {
		to[i] += float64(times * f[0][i] * v)
	}
	for below := 1; below < len(f); below++ {
		for i := range len(x) - below {
			by := float64(times * f[below][i])
			to[i] += float64(by * x[i+below])
			to[i+below] += float64(by * x[i])
		}
	}
}
