package clock

import (
	"math"
	"testing"

	"synchroscope/simulate/chance"
)

// The seeds are fixed, so these tests always give what they gave; the bounds are 5 standard
// deviations of an estimate of a variance from n normal numbers, whose relative error is √(2/n).

// TestWalkOfRate: from one second to the next, the rate changes by normal numbers of
// the variance that the parameter says.
func TestWalkOfRate(t *testing.T) {
	const walk, n = 0.1, 40_000 // ppm per √s: 100 ns per second and second, so that the rounding of knots is small
	c := newClock(t, Spec{Walk: walk, Rate: 20}, 7)
	sum := 0.0
	for k := range int64(n) {
		change := float64(c.Local((k+2)*second) - 2*c.Local((k+1)*second) + c.Local(k*second))
		sum += change * change
	}
	// Three roundings, one of them doubled, add 6/12 ns².
	got, want := sum/n, walk*walk*1e6+0.5
	if off := 5 * want * math.Sqrt(2.0/n); math.Abs(got-want) > off {
		t.Errorf("the changes of the rate have a variance of %.1f (ns/s)², it should be %.1f ± %.1f", got, want, off)
	}
}

// TestWalkOfClocks: many clocks have run apart, after t seconds, with the variance of
// the double sum of the changes: walk² · Σ (t-1-j)² over the seconds j before the last.
func TestWalkOfClocks(t *testing.T) {
	const walk, n, seconds = 0.01, 2000, 300
	want := 0.0
	for j := range seconds {
		want += walk * walk * 1e6 * float64(seconds-1-j) * float64(seconds-1-j)
	}
	sum := 0.0
	for seed := range uint64(n) {
		c, err := New(Spec{Walk: walk}, chance.New(seed, Stream("host")))
		if err != nil {
			t.Fatal(err)
		}
		away := float64(c.Local(seconds*second) - Epoch - seconds*second)
		sum += away * away
	}
	if off := 5 * want * math.Sqrt(2.0/n); math.Abs(sum/n-want) > off {
		t.Errorf("after %d s the clocks are off with a variance of %.0f ns², it should be %.0f ± %.0f", seconds, sum/n, want, off)
	}
}

// TestAllan: the Allan variance of a random walk of rate grows with the averaging time: for
// averages over m seconds it is walk² · (2m² + 1) / (6m), here estimated from
// averages that do not overlap but in one of the two differences, so that neighbours are correlated by less than a half,
// which at most doubles the variance of the estimate.
func TestAllan(t *testing.T) {
	const walk, duration = 0.1, 200_000
	c := newClock(t, Spec{Walk: walk}, 7)
	local := make([]float64, duration+1)
	for k := range local {
		local[k] = float64(c.Local(int64(k)*second) - Epoch - int64(k)*second)
	}
	for _, m := range []int{1, 10, 100} {
		sum, n := 0.0, 0
		for k := 0; k+2*m <= duration; k += m {
			d := (local[k+2*m] - 2*local[k+m] + local[k]) / float64(m)
			sum += d * d / 2
			n++
		}
		got := sum / float64(n)
		want := walk * walk * 1e6 * float64(2*m*m+1) / float64(6*m)
		if off := 5 * want * math.Sqrt(2*2/float64(n)); math.Abs(got-want) > off+0.25 {
			t.Errorf("over %d s the Allan variance is %.1f (ns/s)², it should be %.1f ± %.1f", m, got, want, off)
		}
	}
}
