package network

import (
	"math"
	"testing"
)

// By how much clocks are others at least: by one of the steps, or by what some of them make of each other, at either end.
func TestApartBySteps(t *testing.T) {
	known := func(least, most int64) step { return step{least: least, most: most, known: true} }
	for _, c := range []struct {
		steps []step
		want  int64
	}{
		{[]step{known(100, 110)}, 100},
		{[]step{known(-110, -100)}, 100},
		{[]step{known(-1, 1)}, 0},
		{[]step{known(100, 110), known(300, 300)}, 100},
		{[]step{known(100, 110), known(-90, -80)}, 10},
		{[]step{known(100, 110), known(95, 120)}, 0}, // one of them at one end, the other at the other
		{[]step{known(100, 100), known(200, 200), known(299, 299)}, 1},
		{[]step{{}, known(100, 110)}, 100},
		{[]step{{}}, math.MaxInt64},
		{[]step{known(1, 1), known(10, 10), known(100, 100), known(1000, 1000), known(10000, 10000)}, 0},
	} {
		if got := apart(c.steps); got != c.want {
			t.Errorf("%v are apart by %d, not %d", c.steps, got, c.want)
		}
	}
}
