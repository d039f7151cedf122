package ingest

import (
	"path/filepath"
	"testing"
)

// A set of what is read in place is in the catalogue with all its paths, as one that is being imported, from its first row on: the next start goes on with it. Where a
// path cannot be read there is no set.
func TestImportPaths(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	path := shop(t).File(t)
	if s, err := e.ImportPaths("set", path, filepath.Join(dir, "none")); err == nil || s != nil || len(e.Sets()) != 0 {
		t.Errorf("a path that is not there: %v, %d sets", err, len(e.Sets()))
	}
	if _, err := e.ImportPaths("set", path); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s := e.Sets()[0]
	if st := s.Status().State; st == Uploading {
		t.Error("nothing goes on with it")
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "gone on with", answers(t, s), shop(t).reference(t))
}
