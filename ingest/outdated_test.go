package ingest

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"
)

// ofVersion2 makes the history of a host one that version 2 of the format could have written.
func ofVersion2(t *testing.T, h *Host) {
	t.Helper()
	path := h.path(historyFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(b[8:], 2)
	binary.LittleEndian.PutUint32(b[508:], crc32.Checksum(b[:508], castagnoli))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A host whose history another version of the program wrote is read again at the next start, and
// the set then answers as before; without its trace the set stays as it is.
func TestOutdatedHistory(t *testing.T) {
	long(t)
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", demo(t))
	want := answers(t, s)
	closeEngine(t, e)
	ofVersion2(t, s.Hosts()[1])

	traces, away := s.path("traces"), filepath.Join(t.TempDir(), "traces")
	if err := os.Rename(traces, away); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if s.Status().State != Ready || s.Hosts()[0].History() == nil || s.Hosts()[1].History() != nil {
		t.Errorf("without its traces the set is %s", s.Status().State)
	}
	closeEngine(t, e)

	if err := os.Rename(away, traces); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "read again", answers(t, s), want)
	closeEngine(t, e)
}
