package ingest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"synchroscope/catalog"
)

// readOver makes a ready set of a closed engine one that is to be read from its beginning, after spoil, and waits for the end of that.
func readOver(t *testing.T, dir string, spoil func(s *Set)) (*Engine, *Set) {
	t.Helper()
	e := openEngine(t, dir, Options{})
	spoil(e.Sets()[0])
	e, s := begunAnew(t, dir, e)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e, s
}

// begunAnew closes an engine and opens another, which reads the ready set of the first from its beginning.
func begunAnew(t *testing.T, dir string, e *Engine) (*Engine, *Set) {
	t.Helper()
	s := e.Sets()[0]
	for i := range s.Hosts() {
		if err := e.catalog.DropCheckpoint(s.id, int32(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.catalog.Move(s.id, catalog.Reading, nil); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	return e, e.Sets()[0]
}

// What was declared when the traces were found holds however an import that was interrupted finds the files of it: damaged, empty or gone.
func TestDeclaredInTheCatalogue(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "set", userSpaceSet(t, true, requests))
	want := rowsOfHost(s.Hosts()[0])
	if !strings.Contains(want, "request") {
		t.Fatalf("rows %q have nothing of what is declared", want)
	}
	declared, err := os.ReadFile(s.path(statesFile))
	if err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	for what, spoil := range map[string]func(path string) error{
		"as it was": func(string) error { return nil },
		"damaged": func(path string) error {
			flipped(t, path, func(b []byte) int { return strings.Index(string(b), "request") })
			return nil
		},
		"empty":    func(path string) error { return os.Truncate(path, 0) },
		"gone":     os.Remove,
		"a folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		e, s = readOver(t, dir, func(s *Set) {
			if err := spoil(s.path(statesFile)); err != nil {
				t.Fatal(err)
			}
		})
		if got := rowsOfHost(s.Hosts()[0]); got != want {
			t.Errorf("%s: rows %q, not %q", what, got, want)
		}
		if b, err := os.ReadFile(s.path(statesFile)); err != nil || string(b) != string(declared) {
			t.Errorf("%s: the file has %q, %v", what, b, err)
		}
		closeEngine(t, e)
	}
}

// A set of a program that had what is declared in files alone goes by these, and has it in the catalogue when it is read again. One that is empty is not taken for none.
func TestDeclaredInFilesAlone(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "set", userSpaceSet(t, true, requests))
	want := rowsOfHost(s.Hosts()[0])
	closeEngine(t, e)
	old := func(s *Set) {
		before := *s.result
		before.Declared = nil
		if err := s.e.catalog.Renew(s.id, before); err != nil {
			t.Fatal(err)
		}
	}
	e, s = readOver(t, dir, old)
	if got := rowsOfHost(s.Hosts()[0]); got != want {
		t.Errorf("rows %q, not %q", got, want)
	}
	if s.result.Declared == nil || len(s.result.Declared.States) == 0 {
		t.Error("what is declared is not in the catalogue when the set was read again")
	}
	old(s)
	if err := os.Truncate(s.path(statesFile), 0); err != nil {
		t.Fatal(err)
	}
	_, s = begunAnew(t, dir, e)
	if err := s.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "states is damaged: it is empty") {
		t.Errorf("with an empty file the import ends with %v", err)
	}
	if !s.row.Again {
		t.Error("the traces of the set are not kept")
	}
}
