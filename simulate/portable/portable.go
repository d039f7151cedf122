// Package portable has the few functions of package math that the simulator
// needs, computed so that every machine gets the same bits: what package math
// returns depends on the processor it runs on. They are good to some units in the
// last place.
package portable

import "math"

// ln2 in two parts, the first of which has few bits, so that its products with small integers are exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// odd are the coefficients of atanh, the last first.
var odd = [...]float64{1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3}

// Log is the natural logarithm of x, which is positive, finite and not subnormal.
func Log(x float64) float64 {
	u := math.Float64bits(x)
	e := int(u>>52) - 1023
	m := math.Float64frombits(u&(1<<52-1) | 1023<<52) // x = m · 2^e, m in [1, 2)
	if m > math.Sqrt2 {
		m, e = m/2, e+1
	}
	// log m = 2 atanh(s), whose series ends soon because s is less than 0.172.
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := odd[0]
	for _, c := range odd[1:] {
		p = float64(p*z) + c
	}
	k := float64(e)
	tail := float64(float64(s*z)*p) * 2
	return float64(k*ln2Hi) + (float64(2*s) + (tail + float64(k*ln2Lo)))
}

// factorials are 1/0!, 1/1! and so on.
var factorials = [...]float64{1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
	1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800}

// Exp is e to the power of x: 0 below -700, infinite above 709.
func Exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	if x > 709 {
		return math.Inf(1)
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo) // at most ln(2)/2
	p := factorials[len(factorials)-1]
	for i := len(factorials) - 2; i >= 0; i-- {
		p = float64(p*r) + factorials[i]
	}
	return float64(p * math.Float64frombits(uint64(int64(k)+1023)<<52))
}

// Sin is the sine of an angle in whole turns: Sin(0.25) is 1.
func Sin(turns float64) float64 {
	t := turns - math.Floor(turns)
	sign := 1.0
	if t >= 0.5 {
		t, sign = t-0.5, -1
	}
	if t > 0.25 {
		t = 0.5 - t
	}
	x := float64(t * (2 * math.Pi)) // in [0, π/2]
	z := float64(x * x)
	p := 1.0
	for n := 24.0; n > 0; n -= 2 {
		p = 1 - float64(float64(z/float64(n*(n+1)))*p)
	}
	return float64(sign*x) * p
}
