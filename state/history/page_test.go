package history

import (
	"os"
	"path/filepath"
	"testing"

	"synchroscope/state/attribute"
)

// Pages of a tree that is larger than its cache, looked at once each, leave no garbage: nearly all are read into one buffer.
func TestPagesBeyondTheCache(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := Create(f, 0, Options{Cache: NewCache(0)})
	if err != nil {
		t.Fatal(err)
	}
	var qs []attribute.Quark
	for i := range 1000 {
		qs = append(qs, w.Attributes().Path(string(rune('a'+i))))
	}
	for at := range int64(40_000) {
		if err := w.Modify(at, qs[at%1000], Int(at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(40_000); err != nil {
		t.Fatal(err)
	}
	k, err := w.History().file.read(0)
	if err != nil {
		t.Fatal(err)
	}
	size, p := k.file.pageSize(), 0
	if k.pages < 10 || k.file.small() {
		t.Fatalf("a block of %d pages in a cache of %d bytes", k.pages, k.file.cache.bytes)
	}
	var looked window
	if n := testing.AllocsPerRun(200, func() {
		p = p%(k.pages-1) + 1
		if err := k.fill(&looked, p*size+7, p*size+9); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%g things are made for a page", n)
	}
}
