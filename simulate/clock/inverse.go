package clock

import (
	"slices"
	"sort"
)

// When is the true times, from first to last, at which the clock showed local in
// the span from begin to end (not included), in which the machine is up and does not reboot.
// It is false if the clock never showed it. A clock that is set back shows some times
// again: then all of them are between first and last.
func (c *Clock) When(local, begin, end int64) (first, last int64, ok bool) {
	cuts := []int64{begin}
	for _, s := range c.spec.Steps {
		if s.At > begin && s.At < end {
			cuts = append(cuts, s.At)
		}
	}
	cuts = append(slices.Compact(cuts), end)
	for i := range len(cuts) - 1 {
		f, l := c.search(local, cuts[i], cuts[i+1]), c.search(local+1, cuts[i], cuts[i+1])-1
		if f > l {
			continue
		}
		if !ok {
			first = f
		}
		last, ok = l, true
	}
	return first, last, ok
}

// search is the first time from begin to end at which the clock, which does not step in
// between, shows local or more; end if there is none.
func (c *Clock) search(local, begin, end int64) int64 {
	if begin >= end {
		return end
	}
	// The clock is nearly right, so what is missing at a guess is nearly what the guess is wrong by. The first
	// guess is by what it was off when it was asked last, to stay close to where it stands.
	guess := min(max(local-c.ahead, begin), end-1)
	for range 4 {
		guess = min(max(guess+local-c.Local(guess), begin), end-1)
	}
	low, high := guess, guess // shows less or is begin; shows local or more or is end
	for step := int64(1); low > begin && c.Local(low) >= local; step *= 2 {
		high, low = low, max(begin, low-step)
	}
	for step := int64(1); high < end && c.Local(high) < local; step *= 2 {
		low, high = high, min(end, high+step)
	}
	return low + int64(sort.Search(int(high-low), func(i int) bool { return c.Local(low+int64(i)) >= local }))
}
