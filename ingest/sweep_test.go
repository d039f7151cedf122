package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

// What a process has left of other checkpoints is removed, whatever the folder of the data is called.
func TestSweep(t *testing.T) {
	s := importPath(t, openEngine(t, filepath.Join(t.TempDir(), "a[b"), Options{}), "set", texttest.Dir(t, `
ctf 1.8 le
env hostname="web"
stream 0
event-header {id u8}
event 0 e
`))
	h := s.Hosts()[0]
	side, err := s.e.catalog.Checkpoint(s.id, h.index)
	if err != nil {
		t.Fatal(err)
	}
	left := h.path(checkpointName(side.Generation + 7))
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.sweep(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was left: %v", err)
	}
	if _, err := os.Stat(h.path(checkpointName(side.Generation))); err != nil {
		t.Errorf("the valid checkpoint: %v", err)
	}
	if err := os.RemoveAll(h.dir); err != nil {
		t.Fatal(err)
	}
	if err := h.sweep(); err != nil {
		t.Errorf("without the folder: %v", err)
	}
}
