package scratch_test

import (
	"testing"

	"synchroscope/internal/smalldisk"
	"synchroscope/state/scratch"
)

// Of a disk that is nearly full nothing is taken: what is to stay there needs it more.
func TestNearlyFullDisk(t *testing.T) {
	s := scratch.New(smalldisk.New(t, 66<<20), 0)
	shelf := scratch.NewShelf(s)
	small := scratch.Away[int64](s, 8<<10)
	if !s.Grown() || !scratch.Holds(s, &small[0]) {
		t.Error("64 KiB are to be in the file")
	}
	large := scratch.Place[int64](shelf, 1<<20)[:1<<20]
	if large[1<<20-1] = 7; scratch.Holds(s, &large[0]) || scratch.Holds(s, &large[1<<20-1]) {
		t.Error("8 MiB are to be on the heap")
	}
	scratch.End(s)
}
