package ingest

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/sync/network"
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
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
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

// What its user had chosen of its synchronization stays with a set that is read again.
func TestOutdatedSynchronization(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want, err := s.Synchronize(t.Context(), network.Options{Reference: "db", Exclude: [][2]string{{"client", "web"}}})
	if err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	ofVersion2(t, s.Hosts()[1])
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "read again", report(t, s.Solution()), report(t, want))
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	equal(t, "after another start", report(t, e.Sets()[0].Solution()), report(t, want))
}

// A set of which nothing can be read again has failed, and says why. What was uploaded of it stays until it is deleted.
func TestOutdatedUnreadable(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	closeEngine(t, e)
	var metadata []string
	for _, h := range s.Hosts() {
		for _, trace := range h.row.Traces {
			metadata = append(metadata, filepath.Join(h.place(trace), "metadata"))
		}
	}
	for i, h := range s.Hosts() {
		ofVersion2(t, h)
		if err := os.WriteFile(metadata[i], []byte("nothing"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // also at a start after that
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		if err := s.Wait(t.Context()); err == nil {
			t.Fatal("a set without a trace that can be read was read")
		}
		if st := s.Status(); st.State != Failed || st.Name != "demo" || !strings.Contains(st.Error, "no host could be read") || !strings.Contains(st.Error, "its traces are kept") {
			t.Errorf("the set is %s: %s", st.State, st.Error)
		}
		for _, path := range metadata {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("a trace is gone: %v", err)
			}
		}
		closeEngine(t, e)
	}
	e = openEngine(t, dir, Options{})
	if err := e.Delete(s.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.path()); !os.IsNotExist(err) {
		t.Errorf("what was deleted is still there: %v", err)
	}
}
