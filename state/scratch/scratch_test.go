package scratch_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"synchroscope/state/scratch"
)

type item struct {
	a int64
	b [3]uint16
}

// What is taken is zero, is nobody else's, and stays as it was written, on the heap, in the file, and after that was let go of.
func TestMake(t *testing.T) {
	dir := t.TempDir()
	s := scratch.New(dir, 4096)
	var taken [][]item
	for i := range 2000 {
		list := scratch.Make[item](s, 1+i%700)
		for k := range list {
			if list[k] != (item{}) {
				t.Fatalf("item %d of part %d is %v", k, i, list[k])
			}
			list[k] = item{int64(i), [3]uint16{uint16(k)}}
		}
		taken = append(taken, list)
	}
	scratch.LetGo(s)
	for i, list := range taken {
		if len(list) != 1+i%700 {
			t.Fatalf("part %d has %d items", i, len(list))
		}
		for k := range list {
			if want := (item{int64(i), [3]uint16{uint16(k)}}); list[k] != want {
				t.Fatalf("item %d of part %d is %v", k, i, list[k])
			}
		}
	}
	if runtime.GOOS == "linux" {
		if !s.Grown() || scratch.Holds(s, &taken[0][0]) || !scratch.Holds(s, &taken[1999][0]) {
			t.Error("the first part is to be on the heap, the last in the file")
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
	runtime.KeepAlive(s)
}

// Where there can be no file, memory comes off the heap.
func TestNoFile(t *testing.T) {
	for name, s := range map[string]*scratch.Space{
		"none": nil, "not a file": scratch.Beside(&strings.Builder{}), "no directory": scratch.New(filepath.Join(t.TempDir(), "none"), 0),
	} {
		list := scratch.Make[int64](s, 1000)
		if list[999] = 7; len(list) != 1000 || s.Grown() || scratch.Holds(s, &list[0]) {
			t.Errorf("%s: %d values, grown %v", name, len(list), s.Grown())
		}
		s.LetGo()
	}
}

// What the collector has to follow is refused.
func TestPointers(t *testing.T) {
	for name, take := range map[string]func(){
		"string":  func() { scratch.Make[string](nil, 1) },
		"array":   func() { scratch.Make[[2]*int](nil, 1) },
		"struct":  func() { scratch.Make[struct{ m map[int]int }](nil, 1) },
		"address": func() { scratch.Make[uintptr](nil, 1) },
		"away":    func() { scratch.Away[*int](nil, 1) },
		"shelf":   func() { scratch.Place[*int](scratch.NewShelf(nil), 1<<20) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: was given", name)
				}
			}()
			take()
		}()
	}
}

// What is in use is not let go of so often that to bring it back takes much of the time, however little of a processor the
// process gets; what is not is let go of every few seconds.
func TestHowOften(t *testing.T) {
	for _, c := range []struct {
		after, cpu time.Duration
		pages      int64
		due        bool
	}{
		{5 * time.Second, 5 * time.Second, 100, true},
		{5 * time.Second, 300 * time.Millisecond, 100, true},
		{5 * time.Second, 5 * time.Second, 100_000, false},
		{time.Minute, 5 * time.Second, 100_000, false},
		{20 * time.Second, 20 * time.Second, 100_000, true},
	} {
		if got := scratch.Due(c.after, c.cpu, c.pages); got != c.due {
			t.Errorf("after %v, %v of a processor and %d pages: %v", c.after, c.cpu, c.pages, got)
		}
	}
}
