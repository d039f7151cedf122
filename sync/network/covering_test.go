package network

import "testing"

// covering thins out what a test goes through where that is the product of some parameters: of the list it keeps those that a greedy choice takes until each
// pair of values of two parameters that is in the list is in what is kept, and so each value. What breaks mostly breaks by one value or by two that meet. It
// keeps the same in every run.
func covering[T any](list []T, parameters func(T) []any) (kept []T) {
	type pair struct {
		i, j int
		a, b any
	}
	pairs := make([][]pair, len(list))
	left := make(map[pair]bool)
	for k, p := range list {
		values := parameters(p)
		for i := range values {
			for j := range i {
				m := pair{i, j, values[i], values[j]}
				pairs[k] = append(pairs[k], m)
				left[m] = true
			}
		}
	}
	for len(left) > 0 {
		best, most := 0, 0
		for k := range list {
			fresh := 0
			for _, m := range pairs[k] {
				if left[m] {
					fresh++
				}
			}
			if fresh > most {
				best, most = k, fresh
			}
		}
		kept = append(kept, list[best])
		for _, m := range pairs[best] {
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
	kept := covering(list, parameters)
	if got, want := len(pairs(kept)), len(pairs(list)); got != want || len(kept) > 30 {
		t.Errorf("%d of %d pairs are in %d of %d", got, want, len(kept), len(list))
	}
}
