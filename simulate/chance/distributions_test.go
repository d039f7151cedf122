package chance

import (
	"math"
	"testing"
)

// The seeds are fixed, so these tests always give what they gave. The bounds
// are 5 standard deviations of what is estimated, which one seed in a million misses.
const (
	draws = 200_000
	sigma = 5
)

// moments are what n draws have for mean and variance.
func moments(n int, draw func() float64) (mean, variance float64) {
	var m2 float64
	for i := range n {
		v := draw()
		d := v - mean
		mean += d / float64(i+1)
		m2 += d * (v - mean)
	}
	return mean, m2 / float64(n-1)
}

func TestMoments(t *testing.T) {
	for _, c := range []struct {
		name           string
		draw           func(s *Source) float64
		mean, variance float64
		kurtosis       float64 // the fourth central moment over the square of the variance, for the error of the variance
	}{
		{"uniform", func(s *Source) float64 { return s.Float64() }, 0.5, 1.0 / 12, 1.8},
		{"die", func(s *Source) float64 { return float64(s.IntN(6)) }, 2.5, 35.0 / 12, 1.731},
		{"coin", func(s *Source) float64 {
			if s.Bool(0.3) {
				return 1
			}
			return 0
		}, 0.3, 0.21, 1.762},
		{"exponential", func(s *Source) float64 { return float64(s.Exp(1_000_000)) }, 1e6, 1e12, 9},
		{"normal", func(s *Source) float64 { return s.Normal() }, 0, 1, 3},
		{"log of log-normal", func(s *Source) float64 { return math.Log(float64(s.LogNormal(1_000_000_000, 0.5)) / 1e9) }, 0, 0.25, 3},
		{"log of Pareto", func(s *Source) float64 { return math.Log(float64(s.Pareto(1_000_000_000, 2.5)) / 1e9) }, 0.4, 0.16, 9},
		{"Poisson of few", func(s *Source) float64 { return float64(s.Poisson(3)) }, 3, 3, 3 + 1.0/3},
		{"Poisson of many", func(s *Source) float64 { return float64(s.Poisson(1200)) }, 1200, 1200, 3.001},
		{"geometric", func(s *Source) float64 { return float64(s.Geometric(0.1)) }, 9, 90, 9.02},
	} {
		n := draws
		if c.mean > 1000 && c.name == "Poisson of many" {
			n = 5000
		}
		s := New(7, c.name)
		mean, variance := moments(n, func() float64 { return c.draw(s) })
		if off := sigma * math.Sqrt(c.variance/float64(n)); math.Abs(mean-c.mean) > off {
			t.Errorf("%s: the mean is %v, it should be %v ± %v", c.name, mean, c.mean, off)
		}
		if off := sigma * c.variance * math.Sqrt((c.kurtosis-1)/float64(n)); math.Abs(variance-c.variance) > off {
			t.Errorf("%s: the variance is %v, it should be %v ± %v", c.name, variance, c.variance, off)
		}
	}
}

// TestShapes: the part of draws below some values is what the distribution says, within the bound that
// Dvoretzky, Kiefer and Wolfowitz give for all values at once: exceeded with probability 2·exp(-2n·ε²), here one in ten million.
func TestShapes(t *testing.T) {
	bound := math.Sqrt(math.Log(2e7) / (2 * draws))
	below := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	for _, c := range []struct {
		name string
		draw func(s *Source) float64
		at   []float64
		part func(x float64) float64
	}{
		{"normal", func(s *Source) float64 { return s.Normal() }, []float64{-3, -2, -1, -0.1, 0, 0.5, 1, 2, 3}, below},
		{"exponential", func(s *Source) float64 { return float64(s.Exp(1e9)) / 1e9 }, []float64{0.01, 0.1, 0.5, 1, 2, 5},
			func(x float64) float64 { return 1 - math.Exp(-x) }},
		{"log-normal", func(s *Source) float64 { return float64(s.LogNormal(1e9, 0.7)) / 1e9 }, []float64{0.1, 0.5, 1, 2, 5},
			func(x float64) float64 { return below(math.Log(x) / 0.7) }},
		{"Pareto", func(s *Source) float64 { return float64(s.Pareto(1e9, 1.2)) / 1e9 }, []float64{1.01, 1.5, 2, 10, 100},
			func(x float64) float64 { return 1 - math.Pow(x, -1.2) }},
		{"integers", func(s *Source) float64 { return float64(s.Int64N(3 << 61)) }, []float64{1 << 60, 1 << 61, 1 << 62, 5 << 60},
			func(x float64) float64 { return x / (3 << 61) }},
	} {
		s := New(11, c.name)
		counts := make([]int, len(c.at))
		for range draws {
			v := c.draw(s)
			for i, x := range c.at {
				if v < x {
					counts[i]++
				}
			}
		}
		for i, x := range c.at {
			got, want := float64(counts[i])/draws, c.part(x)
			if math.Abs(got-want) > bound {
				t.Errorf("%s: %.5f are below %v, it should be %.5f ± %.5f", c.name, got, x, want, bound)
			}
		}
	}
}

func BenchmarkLogNormal(b *testing.B) {
	s := New(7, "benchmark")
	for b.Loop() {
		s.LogNormal(1000, 0.5)
	}
}
