package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// A build takes less than 64 MiB, among 2 000 threads and among 20 000, with
// readers that are shown something often, garbage included; what is in use does not grow with the trace.
func TestBuildIsBounded(t *testing.T) {
	raced.Alone(t)
	for _, threads := range []int{2_000, 20_000} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) { buildBounded(t, threads) })
	}
}

// shownEvery so many events readers are shown the tree.
const shownEvery = 20_000

// build lets so many events of a load come and finishes the tree; look is called after each of them. It returns how many attributes there are.
func build(t *testing.T, threads, events int, look func(i int)) (attributes int) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := historytest.NewLoad(w, threads, false)
	for i := range events {
		if err := l.Event(); err != nil {
			t.Fatal(err)
		}
		if i%shownEvery == 0 {
			w.Publish(l.Now)
		}
		look(i)
	}
	if err := w.Finish(l.Now + 1); err != nil {
		t.Fatal(err)
	}
	return w.Attributes().Len()
}

func buildBounded(t *testing.T, threads int) {
	t.Helper()
	var m runtime.MemStats
	used := func() uint64 {
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	const events, parts = 1_200_000, 12
	const looks = 8 // at what is live in a part, for a leaf is empty, then full
	var alive, peak [parts]uint64
	build(t, threads, events, func(i int) {
		if i%shownEvery == 0 {
			peak[i/(events/parts)] = max(peak[i/(events/parts)], used()-before)
		}
		if i%(events/parts/looks) == events/parts/looks-1 {
			alive[i/(events/parts)] = max(alive[i/(events/parts)], live()-before)
		}
	})
	var early, late uint64
	for i := range parts {
		if peak[i] > 64<<20 {
			t.Errorf("part %d: %d MiB in use, garbage included", i, peak[i]>>20)
		}
		if i >= parts/2 {
			late = max(late, alive[i])
		} else {
			early = max(early, alive[i])
		}
	}
	if late > early+early/4 {
		t.Errorf("%d MiB are live in the second half, %d in the first", late>>20, early>>20)
	}
	t.Logf("live %d and %d MiB, with garbage %v", early>>20, late>>20, peak)
}

// ownBytes of a thread are the load's, and no part of a build.
const ownBytes = 16

// What is in use among 100 000 threads, which have 500 000 attributes, is less than 26 MiB; garbage comes on top.
func TestBuildOfManyThreads(t *testing.T) {
	raced.Alone(t)
	const threads, events, parts = 100_000, 600_000, 30
	const numbers = ownBytes * threads
	before := live() + numbers
	var most uint64
	attributes := build(t, threads, events, func(i int) {
		if i%(events/parts) == events/parts-1 {
			most = max(most, live()-before)
		}
	})
	if most > 26<<20 {
		t.Errorf("%d MiB in use", most>>20)
	}
	t.Logf("%.1f MiB in use for %d attributes", float64(most)/(1<<20), attributes)
}

// In a process that is told to take no more, a build takes less than 56 MiB of the machine's memory, garbage, the collector's own and
// what lies idle between objects included, whether among 80 000 threads, 250 000, or 1 000 000, which have 5 000 000 attributes. What is in a
// scratch file, which the machine may take back, is not counted.
func TestBuildWithinLimit(t *testing.T) {
	raced.Alone(t)
	most := []int{80_000, 250_000, 1_000_000}
	if testing.Short() {
		most = most[:1]
	}
	for _, threads := range most {
		t.Run(fmt.Sprint(threads), func(t *testing.T) { buildWithin(t, threads) })
	}
}

func buildWithin(t *testing.T, threads int) {
	t.Helper()
	const events, limit = 600_000, 50 << 20
	mapped := limited(t, limit, ownBytes*threads)
	var most int64
	attributes := build(t, threads, events, func(i int) {
		if i%1_000 == 0 {
			most = max(most, mapped())
		}
	})
	if most > 56<<20 {
		t.Errorf("%d MiB", most>>20)
	}
	t.Logf("%.1f MiB for %d attributes", float64(most)/(1<<20), attributes)
}

// limited has the process keep to so many bytes beside those of other tests and of a load. It returns a function that tells how many
// there are, garbage, the collector's own and what lies idle between objects included.
func limited(t *testing.T, limit, load int) (mapped func() int64) {
	t.Helper()
	sizes := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	all := func() int64 {
		metrics.Read(sizes)
		return int64(sizes[0].Value.Uint64() - sizes[1].Value.Uint64())
	}
	debug.FreeOSMemory()
	before := all() + int64(load)
	was := debug.SetMemoryLimit(before + int64(limit))
	t.Cleanup(func() { debug.SetMemoryLimit(was) })
	return func() int64 { return all() - before }
}

// Nor does it take more where 640 000 states end at one time, are shown, saved and taken back in part.
func TestAllEndsAtOnceWithinLimit(t *testing.T) {
	raced.Alone(t)
	threads := 160_000
	if testing.Short() {
		threads = 40_000
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mapped := limited(t, 58<<20, ownBytes*threads)
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	states := historytest.NewLoad(w, threads, false).Threads
	most := int64(0)
	change := func(now int64, every int, v history.Value) {
		for i := 0; i < len(states); i += every {
			for _, q := range []attribute.Quark{states[i].Status, states[i].Call, states[i].CPU, states[i].Priority} {
				if err := w.Modify(now, q, v); err != nil {
					t.Fatal(err)
				}
			}
			if i%1_000 == 0 {
				most = max(most, mapped())
			}
		}
	}
	save := func() {
		if _, err := w.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		most = max(most, mapped())
	}
	change(10, 1, history.Int(1))
	w.Publish(15)
	save()
	change(20, 1, history.Null())
	w.Publish(20)
	most = max(most, mapped())
	save()
	change(20, 3, history.Int(1))
	w.Publish(20)
	change(30, 2, history.Int(2))
	save()
	if err := w.Finish(40); err != nil {
		t.Fatal(err)
	}
	if most > 64<<20 {
		t.Errorf("%d MiB", most>>20)
	}
	t.Logf("%.1f MiB for %d attributes", float64(most)/(1<<20), w.Attributes().Len())
	for i, want := range [][3]history.Value{
		{history.Int(1), history.Int(1), history.Int(2)},
		{history.Int(1), history.Null(), history.Null()},
		{history.Int(1), history.Null(), history.Int(2)},
		{history.Int(1), history.Int(1), history.Int(1)},
	} {
		for j, now := range []int64{19, 20, 39} {
			iv, err := w.History().Point(t.Context(), states[threads/12*12-12+i].Call, now)
			if err != nil || iv.Value != want[j] {
				t.Errorf("thread %d is %+v at %d, want %v: %v", i, iv, now, want[j], err)
			}
		}
	}
}
