package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Of many uploads that get nowhere some wait: the browser has room left on its way to the server, and the list of sets goes on.
func TestManyUploads(t *testing.T) {
	s := newSite(t, ingest.Options{})
	g := newGate(0)
	s.between = g.before
	t.Cleanup(g.breakOff)
	whole, err := os.ReadFile(demoArchive)
	if err != nil {
		t.Fatal(err)
	}
	const uploads = 8
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	var boxes []string
	for i := range uploads {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("part%d.tar.gz", i))
		if err := os.WriteFile(file, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		p.Drop(file)
		boxes = append(boxes, fmt.Sprintf("Uploading part%d", i))
		p.awaitBoxes(strings.Join(boxes, "; "))
	}
	// That all of them are listed is asked of the server after the pieces.
	p.Await("all in the list", func() (any, bool) {
		n := len(s.engine.Sets())
		got := Eval[int](p, `document.querySelectorAll(".sets > li").length`)
		return []int{n, got}, n == uploads && got == uploads
	})
	awaitWaiting := func(want int) {
		t.Helper()
		p.Await("those that wait", func() (any, bool) {
			got := Eval[int](p, `[...document.querySelectorAll(".upload .file .t")].filter((x) => x.textContent.includes("waits for other uploads")).length`)
			return got, got == want
		})
	}
	awaitWaiting(uploads - 3)

	// The turn of one that stops is the next one's.
	p.All("button", "Stop")[0].Click()
	awaitWaiting(uploads - 4)
	// One whose set is deleted does not wait for a turn that it has no use for.
	if err := s.engine.Discard(s.named(fmt.Sprintf("part%d", uploads-1)).ID()); err != nil {
		t.Fatal(err)
	}
	p.Says(fmt.Sprintf("part%d was deleted, and nothing of it is sent any more.", uploads-1))
	awaitWaiting(uploads - 5)
}
