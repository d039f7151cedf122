package ingest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"synchroscope/catalog"
	"synchroscope/internal/raced"
	"synchroscope/state/history"
	"synchroscope/sync/match"
)

// flipped flips a bit of a byte of a file.
func flipped(t testing.TB, path string, at func(b []byte) int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[at(b)] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// inLeaf is a byte in the payload of the first leaf of a history.
func inLeaf(b []byte) int {
	page := int(binary.LittleEndian.Uint32(b[20:]))
	for at := 4096; at < len(b); at += page * int(binary.LittleEndian.Uint32(b[at+44:])) {
		if b[at+4] == 1 {
			return at + page/2
		}
	}
	return -1
}

// What is damaged inside a history is met when it is looked at, and said with host, file and place, there and in the report, also by the next process where the
// traces are gone. Where they are not, that reads the host again.
func TestDamageMet(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	closeEngine(t, e)
	flipped(t, s.Hosts()[1].path(historyFile), inLeaf)

	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	h := s.Hosts()[1]
	begin, _ := h.History().Bounds()
	err := h.History().Full(t.Context(), begin, func(history.Interval) bool { return true })
	f := s.Damaged(err)
	if f == nil || f.Kind != Damage || !strings.Contains(f.Message, h.Name()) || !strings.Contains(f.Message, "hosts/1/history.tree: block ") || !strings.Contains(f.Message, "checksum") || strings.Contains(f.Message, dir) {
		t.Fatalf("damage in a leaf is %v, told as %+v", err, f)
	}
	told := func(s *Set) {
		t.Helper()
		if !slices.ContainsFunc(s.Anomalies(), func(a HostAnomaly) bool {
			return a.Kind == "damaged-history" && a.Host == h.Name() && a.Message == f.Message
		}) {
			t.Errorf("the report does not say %q", f.Message)
		}
		if st := s.Status(); !slices.Equal(st.Harmed, []string{f.Sentence()}) || st.State != Ready || st.Hosts[1].State != done {
			t.Errorf("the set is %s, its second host %s, damaged are %q", st.State, st.Hosts[1].State, st.Harmed)
		}
	}
	s.Damaged(err)
	told(s)
	closeEngine(t, e)

	back := tracesAway(t, s)
	e = openEngine(t, dir, Options{})
	told(e.Sets()[0])
	closeEngine(t, e)
	back()
	e, s = readAgain(t, dir, "read again", want)
	if st := s.Status(); len(st.Harmed) > 0 {
		t.Errorf("damaged are %q when all is read again", st.Harmed)
	}
	closeEngine(t, e)
}

// A file of messages that is damaged or gone is made anew from what the hosts noted, at the first question; where it is damaged after it was opened, at the one after
// that which met it.
func TestDamagedMessages(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	path := s.path(messageLog)
	for what, spoil := range map[string]func(){
		"flipped": func() { flipped(t, path, func(b []byte) int { return len(b) / 2 }) },
		"emptied": func() { os.WriteFile(path, nil, 0o600) },
		"removed": func() { os.Remove(path) },
		"a folder": func() { // which cannot be read, as a part of a disk
			os.Remove(path)
			os.MkdirAll(filepath.Join(path, "with", "something"), 0o700)
		},
	} {
		closeEngine(t, e)
		spoil()
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		equal(t, what, answers(t, s), want)
	}
	flipped(t, path, func(b []byte) int { return len(b) / 2 })
	err := s.Messages(t.Context(), math.MinInt64, math.MaxInt64, true, func(match.Message) bool { return true })
	if f := s.Damaged(err); f == nil || !strings.Contains(f.Sentence(), "The messages cannot be read: messages: block at byte ") {
		t.Errorf("damage in the messages is %v, told as %+v", err, f)
	}
	equal(t, "asked again", answers(t, s), want)

	closeEngine(t, e)
	os.Remove(path)
	flipped(t, s.Hosts()[2].path(endpointsFile), func(b []byte) int { return len(b) / 2 })
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	err = s.Messages(t.Context(), math.MinInt64, math.MaxInt64, true, func(match.Message) bool { return true })
	if f := s.Damaged(err); f == nil || !strings.Contains(f.Message, "hosts/2/endpoints: block at byte ") {
		t.Errorf("damage in the endpoints is %v, told as %+v", err, f)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "read again", answers(t, s), want)
	closeEngine(t, e)
}

// Errors that no file of the set is to blame for are none of its.
func TestUndamaged(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	for _, err := range []error{nil, errors.New("some"), os.ErrNotExist, &history.CorruptError{File: "/elsewhere/history.tree"}, &os.PathError{Path: s.path("solution"), Err: os.ErrNotExist}} {
		if f := s.Damaged(err); f != nil {
			t.Errorf("%v is told as %v", err, f)
		}
	}
}

// Who goes away while a host's files are read, and a machine that lacks something, say nothing of the files.
func TestNothingIsDamagedByWhoGoesAway(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := s.Hosts()[0]
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded, os.ErrClosed, errDeleted, errStopped, syscall.EMFILE, syscall.ENOMEM, syscall.ENOSPC} {
		for _, err := range []error{h.losing(cause), &os.PathError{Path: h.path(historyFile), Err: cause}, fmt.Errorf("reading: %w", h.losing(fmt.Errorf("at 5: %w", cause)))} {
			if f := s.Damaged(err); f != nil {
				t.Errorf("%v is told as %v", err, f)
			}
		}
	}
	if err := s.Messages(t.Context(), math.MinInt64, math.MaxInt64, true, func(match.Message) bool { return false }); err != nil {
		t.Fatal(err)
	}
	for cause, again := range map[error]bool{syscall.EIO: true, os.ErrClosed: false, syscall.EMFILE: false, syscall.ENOSPC: false, context.Canceled: false} {
		m, err := s.store()
		if err != nil {
			t.Fatal(err)
		}
		s.reading(m, &os.PathError{Op: "read", Path: s.path(messageLog), Err: cause})
		if s.messages.Load() != m != again {
			t.Errorf("messages are made again after %v: %v", cause, !again)
		}
	}
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the page is closed"))
	if _, err := h.Losses(gone, LossQuery{}); err != nil && s.Damaged(err) != nil {
		t.Errorf("%v is told of the file", err)
	}
	if _, err := os.Stat(h.path(harmFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the host is noted as damaged: %v", err)
	}
}

// Of a set whose rows were damaged nothing is removed, also where its import fails; of one that was ready once its traces and archives stay.
func TestClearedOfAFailedImport(t *testing.T) {
	for _, c := range []struct {
		spared, again bool
		want          []string
	}{
		{false, false, nil},
		{false, true, []string{"files", "traces", keptTraces + "-1"}},
		{true, false, []string{"files", "hosts", "traces", keptTraces + "-1"}},
	} {
		e := openEngine(t, t.TempDir(), Options{})
		s, err := e.Create("set")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"files", "hosts", "traces", keptTraces + "-1"} {
			if err := os.MkdirAll(filepath.Join(s.path(name), "kept"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		s.row.Spared, s.row.Again = c.spared, c.again
		if err := s.clear(); err != nil {
			t.Fatal(err)
		}
		var left []string
		entries, _ := os.ReadDir(s.dir)
		for _, entry := range entries {
			if entry.IsDir() {
				left = append(left, entry.Name())
			}
		}
		if !slices.Equal(left, c.want) {
			t.Errorf("%+v: %q are left", c, left)
		}
	}
}

// That the rows of a set were damaged is known to later processes, too, until the set is ready: what was unpacked of its archives is put aside, once of each, and so are
// archives that it does not know. What is aside goes when it is ready; the archives stay, and are told of.
func TestSparedUntilReady(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s, err := e.Create("set")
	if err != nil {
		t.Fatal(err)
	}
	if s.row, err = e.catalog.Update(s.id, func(r *catalog.Set) { r.Spared = true }); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.path("files"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path("files", "lost.zip"), []byte("an archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, start := range []struct {
		unpacked []string
		want     int // folders aside
	}{{[]string{"0"}, 1}, {[]string{"0", "1" + partial}, 1}, {[]string{"0", "1"}, 2}, {[]string{"1"}, 2}, {nil, 2}} {
		for _, name := range start.unpacked {
			if err := os.MkdirAll(s.path("traces", name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		if kept, err := s.kept(); err != nil || len(kept) != start.want || isFolder(s.path("traces")) {
			t.Errorf("with %q unpacked %q are aside, %v", start.unpacked, kept, err)
		}
		if _, lost := s.expires(); lost {
			t.Error("it is given up like another upload")
		}
	}
	if err := errors.Join(nameIn(s, shop(t).File(t)), s.Import(), s.Wait(t.Context())); err != nil {
		t.Fatal(err)
	}
	if s.row.Spared {
		t.Error("it is ready and still spared")
	}
	for range 2 {
		if kept, err := s.kept(); err != nil || len(kept) > 0 {
			t.Errorf("it is ready, and %q are aside, %v", kept, err)
		}
		if !isFile(s.path("files", "lost.zip")) {
			t.Error("an archive that it does not know is removed")
		}
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		if said := e.Notices(); len(said) != 1 || !strings.Contains(said[0], "files/lost.zip") {
			t.Errorf("said is %q", said)
		}
	}
	closeEngine(t, e)
}
