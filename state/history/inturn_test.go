package history_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// Of trees that are built in turn each holds what is not in a block of it yet, and not what it needs while it makes one.
func TestBuildsInTurn(t *testing.T) {
	raced.Alone(t)
	const trees, rounds, events = 12, 8, 10_000
	var loads [trees]*historytest.Load
	var writers [trees]*history.Writer
	cache := history.NewCache(1 << 20)
	before := live()
	for i := range trees {
		f, err := os.Create(filepath.Join(t.TempDir(), strconv.Itoa(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if writers[i], err = history.Create(f, 0, history.Options{Cache: cache}); err != nil {
			t.Fatal(err)
		}
		loads[i] = historytest.NewLoad(writers[i], 200, false)
	}
	for range rounds {
		for i, l := range loads {
			for range events {
				if err := l.Event(); err != nil {
					t.Fatal(err)
				}
			}
			writers[i].Publish(l.Now)
		}
	}
	each := int(live()-before) / trees
	t.Logf("%d KiB each", each>>10)
	if each > most {
		t.Errorf("each of %d trees holds %d KiB, at most %d are wanted", trees, each>>10, most>>10)
	}
	runtime.KeepAlive(writers)
}

const most = 2600 << 10

// live is how many bytes are in use, without what was lent and given back: that is let go of when it is collected for the second time.
func live() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
