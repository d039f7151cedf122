package main

import (
	"strings"
	"testing"
	"time"
)

// The ratio is of medians, and what is slower than babeltrace2 is said to be.
func TestCompare(t *testing.T) {
	runs := func(seconds ...int) (costs []cost) {
		for _, s := range seconds {
			costs = append(costs, cost{time.Duration(s) * time.Second, 2 * time.Duration(s) * time.Second, int64(s) * 1e6})
		}
		return costs
	}
	for _, c := range []struct {
		built, decoded []cost
		says           []string
	}{
		{runs(9, 4, 5), runs(20, 10, 99), []string{"3 runs of each", "5.00 (4.00 to 9.00)", "20.00 (10.00 to 99.00)", "4.00\n", "10.00 (8.00 to 18.00)", "5 (4 to 9)", "2.00 ", "0.50 ", ": kept\n"}},
		{runs(4, 8), runs(3, 6), []string{"6.00 (4.00 to 8.00)", "4.50 (3.00 to 6.00)", "0.75\n", ": MISSED\n"}},
		{runs(4), runs(4), []string{"1.00\n", ": kept\n"}},
	} {
		var b strings.Builder
		compare(&b, 10_000_000, c.built, c.decoded)
		for _, want := range c.says {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%q is not in\n%s", want, b.String())
			}
		}
	}
}
