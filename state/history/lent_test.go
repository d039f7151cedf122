package history

import (
	"testing"
)

// A place has room for what was asked for and a quarter more at most, and one that comes back is lent for no more than it has.
func TestPlaces(t *testing.T) {
	for n := range 5000 {
		step, size := stepOf(n)
		if before, less := stepOf(size); before != step || less != size {
			t.Fatalf("a place for %d has %d, and that is of step %d, not %d", n, size, before, step)
		}
		if size < n || size > max(n+n/4+1, 2*placeSteps) {
			t.Fatalf("a place for %d has %d", n, size)
		}
		if next, more := stepOf(size + 1); next != step+1 || more <= size {
			t.Fatalf("a place for %d is of step %d with %d, one for %d of step %d", size+1, next, more, n, step)
		}
	}
	for n := 1; n < 3000; n += 7 {
		returnPlace(make([]Interval, n))
		if p := lendPlace(n); cap(p) < n || len(p) != 0 {
			t.Fatalf("a place for %d has %d, and %d in it", n, cap(p), len(p))
		}
	}
}
