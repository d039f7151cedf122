package history_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"synchroscope/state/history"
)

// What a tree gathers until it is in blocks is nowhere any more once it is finished and nobody reads what was shown before, though the history is
// looked at; who still reads that has it meanwhile.
func TestRoomEndsWithTheBuild(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("row")
	const end = 20_000
	for now := range int64(end) {
		if err := w.Modify(now, q, history.Int(now)); err != nil {
			t.Fatal(err)
		}
	}
	w.Publish(end)
	h := w.History()
	if unnamed(t, dir) == 0 {
		t.Fatal("there is no file for what is not in blocks")
	}
	next := int64(0)
	err = h.Range(context.Background(), h.Attributes().Match("row"), 0, end, func(iv history.Interval) bool {
		if next == 0 {
			if err := w.Finish(end); err != nil {
				t.Fatal(err)
			}
			w = nil
			runtime.GC()
			runtime.GC()
			if unnamed(t, dir) == 0 {
				t.Error("the file is gone that somebody reads")
			}
		}
		if v, _ := iv.Value.Int(); iv.Start != next || v != next {
			t.Fatalf("%v at %d", iv, next)
		}
		next++
		return true
	})
	if err != nil || next != end {
		t.Fatalf("%d intervals are read, and %v", next, err)
	}
	for tries := 0; unnamed(t, dir) > 0; tries++ {
		if tries == 1000 {
			t.Fatal("the file is there still")
		}
		runtime.GC()
		time.Sleep(time.Millisecond) // the runtime closes it when it gets to that
	}
	if iv, err := h.Point(context.Background(), q, end/2); err != nil || iv.Start != end/2 {
		t.Errorf("%v, %v", iv, err)
	}
}

// unnamed counts the open files without a name in a directory.
func unnamed(t *testing.T, dir string) (n int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.HasPrefix(to, dir) && strings.HasSuffix(to, "(deleted)") {
			n++
		}
	}
	return n
}
