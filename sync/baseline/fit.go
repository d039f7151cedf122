package baseline

import "math"

// A Point is an offset at a time: T in ns from the origin of its segment, D
// in ns over the base of its segment, E the half-width of its round trip in
// ns, which bounds the error of D whatever the delays were.
type Point struct{ T, D, E float64 }

// A Fit is a line through points by least squares, D = X·T + D0 (Clément
// 2006, section 3.4). ER, the residual standard deviation, and what follows
// from it need three points and are -1 with fewer. The thesis prints the formulas of EX and ED0
// interchanged; its tables were computed as here.
type Fit struct {
	N           int
	X, D0       float64 // per 1, ns
	ER, EX, ED0 float64 // ns, per 1, ns

	at, tt float64 // the mean of T, and the sum of the squares about it
}

// leastSquares fits a line. ok is false where no rate follows from the
// points: fewer than two, or all at one time; D0 is their mean then, X is 0.
func leastSquares(points []Point) (f Fit, ok bool) {
	n := float64(len(points))
	f = Fit{N: len(points), ER: -1, EX: -1, ED0: -1}
	if n == 0 {
		return f, false
	}
	var t, d float64
	for _, p := range points {
		t += p.T
		d += p.D
	}
	t, d = t/n, d/n
	f.at = t
	var tt, td float64 // about the means: nothing cancels
	for _, p := range points {
		tt += (p.T - t) * (p.T - t)
		td += (p.T - t) * (p.D - d)
	}
	f.tt = tt
	if tt == 0 {
		f.D0 = d
		return f, false
	}
	f.X = td / tt
	f.D0 = d - f.X*t
	if len(points) < 3 {
		return f, true
	}
	var rest float64
	for _, p := range points {
		r := p.D - d - f.X*(p.T-t)
		rest += r * r
	}
	f.ER = math.Sqrt(rest / (n - 2))
	f.EX = f.ER / math.Sqrt(tt)
	f.ED0 = f.ER * math.Sqrt(1/n+t*t/tt)
	return f, true
}
