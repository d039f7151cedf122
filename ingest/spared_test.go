package ingest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"synchroscope/catalog"
)

// begun is a set without archives of an engine in a folder, and an archive for it.
func begun(t *testing.T, dir string) (*Engine, *Set, []byte) {
	t.Helper()
	e := openEngine(t, dir, Options{})
	s, err := e.Create("set")
	if err != nil {
		t.Fatal(err)
	}
	return e, s, shop(t).Archive
}

// A set whose rows are damaged while it is discarded is spared when it is had back.
func TestSparedThoughDiscarded(t *testing.T) {
	dir := t.TempDir()
	e, s, whole := begun(t, dir)
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, int64(len(whole)), bytes.NewReader(whole[:1000])); err != nil {
		t.Fatal(err)
	}
	if err := e.Discard(s.ID()); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	if err := os.RemoveAll(filepath.Join(dir, "catalog")); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{Grace: time.Hour})
	s, err := e.Recover(s.ID())
	if err != nil {
		t.Fatal(err)
	}
	if !s.row.Spared {
		t.Error("it is like any other upload")
	}
	closeEngine(t, e)
}

// An archive that a copy of before does not know stays when the set is imported without it, and is told of.
func TestArchiveOfALostRow(t *testing.T) {
	dir := t.TempDir()
	e, s, whole := begun(t, dir)
	put := func(name string) {
		t.Helper()
		if _, err := s.Upload(t.Context(), name, 0, int64(len(whole)), bytes.NewReader(whole)); err != nil {
			t.Fatal(err)
		}
	}
	put("a.tar.gz")
	before, err := os.ReadFile(s.path(catalog.CopyFile))
	if err != nil {
		t.Fatal(err)
	}
	put("b.tar.gz")
	closeEngine(t, e)
	if err := os.RemoveAll(filepath.Join(dir, "catalog")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path(catalog.CopyFile), before, 0o600); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	s = imported(t, e.Sets()[0])
	if st := s.Status(); st.State != Ready || len(st.Files) != 1 {
		t.Errorf("the set is %s, with %+v", st.State, st.Files)
	}
	if got, err := os.ReadFile(s.path("files", "b.tar.gz")); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("what the row does not know: %d bytes, %v", len(got), err)
	}
	if isFile(s.path("files", "a.tar.gz")) {
		t.Error("an archive that has served stays")
	}
	closeEngine(t, e)
}
