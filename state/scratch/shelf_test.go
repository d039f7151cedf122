package scratch

import (
	"os"
	"runtime"
	"testing"

	"pgregory.net/rapid"
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
}

// A span is of five words, as those are that most places have.
type span struct {
	begin, end int64
	_          [3]int64
}

type part struct {
	of, number int32
	_          [2]int32
}

// What is on a shelf is nobody else's and stays as it is, wherever it is, also once places were given back and are used again for something else.
func TestShelf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s *Shelf
		if rapid.Bool().Draw(t, "shelf") {
			var space *Space
			if rapid.Bool().Draw(t, "file") {
				space = New(os.TempDir(), 0)
			}
			s = NewShelf(space)
		}
		var intervals [3][]span
		var bytes [3][]byte
		var pieces [3][]part
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			i, n := rapid.IntRange(0, 2).Draw(t, "which"), rapid.IntRange(0, 20_000).Draw(t, "many")
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				for range n {
					intervals[i] = Push(s, intervals[i], span{begin: int64(i), end: int64(len(intervals[i]))})
				}
			case 1:
				for range n {
					bytes[i] = Push(s, bytes[i], byte(i+len(bytes[i])))
				}
			case 2:
				for range n {
					pieces[i] = Push(s, pieces[i], part{of: int32(i), number: int32(len(pieces[i]))})
				}
			case 3:
				Return(s, intervals[i])
				Return(s, bytes[i])
				Return(s, pieces[i])
				intervals[i], bytes[i], pieces[i] = nil, nil, nil
			case 4:
				Return(s, make([]span, n)) // none of the shelf
			}
			for i := range 3 {
				for k, iv := range intervals[i] {
					if iv != (span{begin: int64(i), end: int64(k)}) {
						t.Fatalf("interval %d of %d is %v", k, i, iv)
					}
				}
				for k, b := range bytes[i] {
					if b != byte(i+k) {
						t.Fatalf("byte %d of %d is %d", k, i, b)
					}
				}
				for k, p := range pieces[i] {
					if p != (part{of: int32(i), number: int32(k)}) {
						t.Fatalf("piece %d of %d is %v", k, i, p)
					}
				}
			}
		}
		if s != nil {
			runtime.KeepAlive(s.space)
		}
	})
}
