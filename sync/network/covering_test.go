package network

import (
	"fmt"
	"math/bits"
	"testing"
)

// covering thins out what a test goes through where that is the product of some parameters: of the list it keeps those that a greedy choice takes until each
// tuple of values of so many parameters that is in the list is in what is kept, so each pair for 2 and each value. What breaks mostly breaks by
// few values that meet. It keeps the same in every run.
func covering[T any](list []T, strength int, parameters func(T) []any) (kept []T) {
	type tuple struct {
		which  uint // parameters, one bit each
		values string
	}
	tuples := make([][]tuple, len(list))
	left := make(map[tuple]bool)
	for k, p := range list {
		values := parameters(p)
		for which := range uint(1) << len(values) {
			if bits.OnesCount(which) != strength {
				continue
			}
			m := tuple{which: which}
			for i, v := range values {
				if which>>i&1 > 0 {
					m.values += fmt.Sprintf("%+v;", v)
				}
			}
			tuples[k] = append(tuples[k], m)
			left[m] = true
		}
	}
	for len(left) > 0 {
		best, most := 0, 0
		for k := range list {
			fresh := 0
			for _, m := range tuples[k] {
				if left[m] {
					fresh++
				}
			}
			if fresh > most {
				best, most = k, fresh
			}
		}
		kept = append(kept, list[best])
		for _, m := range tuples[best] {
			delete(left, m)
		}
	}
	return kept
}

// Each pair of values that occurs is kept, and not much more than there must be; and what does not occur is not made up.
func TestCovering(t *testing.T) {
	type four struct{ a, b, c, d int }
	var list []four
	for a := range 4 {
		for b := range 5 {
			for c := range 4 {
				for d := range 3 {
					if a != 1 || b != 2 {
						list = append(list, four{a, b, c, d})
					}
				}
			}
		}
	}
	parameters := func(p four) []any { return []any{p.a, p.b, p.c, p.d} }
	pairs := func(list []four) map[[4]int]bool {
		found := make(map[[4]int]bool)
		for _, p := range list {
			v := [4]int{p.a, p.b, p.c, p.d}
			for i := range v {
				for j := range i {
					found[[4]int{i, j, v[i], v[j]}] = true
				}
			}
		}
		return found
	}
	kept := covering(list, 2, parameters)
	if got, want := len(pairs(kept)), len(pairs(list)); got != want || len(kept) > 30 {
		t.Errorf("%d of %d pairs are in %d of %d", got, want, len(kept), len(list))
	}
}
