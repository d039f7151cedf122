package declared_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/declared"
	"synchroscope/state/history"
	"synchroscope/trace/tracetest"
)

// What is kept of calls takes no memory beyond a bound, however many threads are however deep, but what is in a scratch file. Of the bound 4 MiB
// are what comes off the heap before there is such a file, and the others the text of the events and what the history holds of its newest
// intervals. Nor does it to write down what an import that goes on needs of them, garbage included.
func TestDeepStacksTakeNoMemory(t *testing.T) {
	raced.Alone(t)
	const threads, deep, bound, mostWritten = 2_000, 256, 14 << 20, 1 << 20
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what trees lend each other goes with the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var text strings.Builder
	for i := range threads {
		fmt.Fprintf(&text, "1 cpu=0 lttng_ust_cyg_profile:func_entry addr=%d call_site=1 | vtid=%d vpid=7 procname=\"app\"\n", 100+i, 1000+i)
	}
	events := tracetest.Parse(t, text.String())
	before := heap()
	w, err := history.Create(f, 1_000_000_000, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := declared.New(w, nil, true)
	now := int64(1_000_000_000)
	for range deep {
		for _, ev := range events {
			now += 100
			if ev.Time = now; m.Handle(ev) != nil {
				t.Fatal("an event is not taken")
			}
		}
		w.Publish(now)
	}
	live := heap() - before
	if live > bound {
		t.Errorf("%.1f MiB are live", float64(live)/(1<<20))
	}
	t.Logf("%.1f MiB", float64(live)/(1<<20))

	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	allocated := s.TotalAlloc
	written, err := m.State().WriteTo(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&s)
	if allocated = s.TotalAlloc - allocated; written < mostWritten || allocated > mostWritten {
		t.Errorf("%d bytes are allocated to write %d", allocated, written)
	}
	t.Logf("%d bytes are allocated to write %d", allocated, written)

	checkpoint, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	state := m.AppendState(nil)
	resumed, err := history.Resume(f, checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	again := declared.New(resumed, nil, true)
	if err := again.Restore(bytes.NewReader(state)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.AppendState(nil), state) {
		t.Error("a model that goes on has another state")
	}
}
