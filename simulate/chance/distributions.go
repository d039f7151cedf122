package chance

import (
	"math"

	"synchroscope/simulate/portable"
)

// Exp is exponential with a mean in ns: the time between things that happen whenever they like.
func (s *Source) Exp(mean int64) int64 {
	return whole(float64(-float64(mean) * portable.Log(s.open())))
}

// Normal has mean 0 and variance 1.
func (s *Source) Normal() float64 {
	if s.saved {
		s.saved = false
		return s.spare
	}
	// Marsaglia's polar method: a point in the unit disc gives two.
	for {
		x, y := float64(2*s.Float64())-1, float64(2*s.Float64())-1
		q := float64(x*x) + float64(y*y)
		if q >= 1 || q == 0 {
			continue
		}
		f := math.Sqrt(float64(-2*portable.Log(q)) / q)
		s.spare, s.saved = float64(y*f), true
		return float64(x * f)
	}
}

// LogNormal is a duration of which half are below the median and whose logarithm
// has the standard deviation sigma.
func (s *Source) LogNormal(median int64, sigma float64) int64 {
	return whole(float64(float64(median) * portable.Exp(float64(sigma*s.Normal()))))
}

// Pareto is at least low, and beyond x with probability (low/x)^alpha: a heavy
// tail, without a variance if alpha is 2 or less, without a mean if it is 1 or less.
func (s *Source) Pareto(low int64, alpha float64) int64 {
	return whole(float64(float64(low) * portable.Exp(-portable.Log(s.open())/alpha)))
}

// Poisson is how many of what happens mean times in a span happen in it.
func (s *Source) Poisson(mean float64) int {
	n := 0
	// The product of uniform numbers falls below e^-mean after a Poisson number of them. Where e^-mean
	// would vanish, the span is cut into parts.
	for ; mean > 500; mean -= 500 {
		n += s.poisson(500)
	}
	return n + s.poisson(mean)
}

func (s *Source) poisson(mean float64) int {
	limit := portable.Exp(-mean)
	n := -1
	for p := 1.0; p > limit || n < 0; n++ {
		p = float64(p * s.open())
	}
	return n
}

// Geometric is how often something with probability p does not happen before it
// does. It is the largest integer if p is 0 or less.
func (s *Source) Geometric(p float64) int64 {
	switch {
	case p >= 1:
		return 0
	case p <= 0:
		return math.MaxInt64
	}
	rate := p // of -log(1-p), which has no digits left where p is tiny
	if p > 1e-8 {
		rate = -portable.Log(1 - p)
	}
	n := -portable.Log(s.open()) / rate
	if n >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(n)
}
