package match

import (
	"runtime"
	"slices"
	"testing"

	"synchroscope/state/scratch"
)

// Keys that are in a file are found, repeated, settled and dropped as those on the heap are.
func TestKeysInAFile(t *testing.T) {
	feed := func(space *scratch.Space) (told []Message, c Counts) {
		m := NewMatcher(6*partLen, func(x Message) { told = append(told, x) })
		m.Space(space)
		for i := range int64(20 * partLen) {
			k := Key{A: uint64(i / 2)}
			if i%8 == 7 {
				k.A = uint64(i) << 32 // without a partner
			}
			m.Add(Endpoint{Time: i, Host: int32(i % 2), Key: k, Direction: Direction(i % 2), Port: uint64(i % 5)}, func(x Message) { told = append(told, x) })
			if i == 3*partLen && space != nil && runtime.GOOS == "linux" { // elsewhere there is no such file
				for name, in := range map[string]bool{"key": scratch.Holds(space, m.young.entries.at(partLen/2)), "endpoint that is kept": scratch.Holds(space, m.young.kept.at(partLen/2))} {
					if !in {
						t.Errorf("the %s is not in the file", name)
					}
				}
			}
		}
		m.Settle(func(x Message) { told = append(told, x) })
		return told, m.Counts()
	}
	onHeap, counts := feed(nil)
	inFile, same := feed(scratch.New(t.TempDir(), 0))
	if !slices.Equal(onHeap, inFile) || counts != same || len(onHeap) < partLen || counts.Evicted == 0 {
		t.Errorf("%d messages and %+v of keys in a file, %d and %+v of such on the heap", len(inFile), same, len(onHeap), counts)
	}
}
