package ingest

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/state/kernel"
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

// tracesAway takes the traces of a set away until back is called.
func tracesAway(t *testing.T, s *Set) (back func()) {
	t.Helper()
	traces, away := s.path("traces"), filepath.Join(t.TempDir(), "traces")
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	move(traces, away)
	return func() { t.Helper(); move(away, traces) }
}

// readAgain opens an engine, waits until its one set is read again, and holds what that answers against what it did.
func readAgain(t *testing.T, dir, what, want string) (*Engine, *Set) {
	t.Helper()
	e := openEngine(t, dir, Options{})
	s := e.Sets()[0]
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, what, answers(t, s), want)
	return e, s
}

// A host whose history another version of the program wrote is read again at the next start, and
// the set then answers as before; without its trace the set stays as it is.
func TestOutdatedHistory(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	closeEngine(t, e)
	ofVersion2(t, s.Hosts()[1])

	back := tracesAway(t, s)
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if s.Status().State != Ready || s.Hosts()[0].History() == nil || s.Hosts()[1].History() != nil {
		t.Errorf("without its traces the set is %s", s.Status().State)
	}
	closeEngine(t, e)

	back()
	e, _ = readAgain(t, dir, "read again", want)
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

// A history that was damaged where all of it hangs on, cut, emptied or removed is made again at the next start, and the set answers as before.
// Without its traces the set says what is wrong with which file, and shows its other hosts.
func TestDamagedHistory(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	closeEngine(t, e)
	path := s.Hosts()[1].path(historyFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(at int) []byte {
		b := slices.Clone(whole)
		b[at] ^= 1
		return b
	}
	names := int(binary.LittleEndian.Uint32(whole[2048+24:])) // the last block of the names
	for what, b := range map[string][]byte{
		"truncated": whole[:len(whole)-1], "emptied": {}, "removed": nil, "header": flip(20), "finish": flip(2048 + 20),
		"names": flip(4096 + 4096*names + 60),
	} {
		t.Run(what, func(t *testing.T) {
			spoil := func() {
				t.Helper()
				err := os.Remove(path)
				if b != nil {
					err = os.WriteFile(path, b, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			spoil()
			back := tracesAway(t, s)
			e := openEngine(t, dir, Options{})
			left := e.Sets()[0]
			if st := left.Status(); st.State != Ready || st.Hosts[0].State != done || st.Hosts[1].State != broken {
				t.Errorf("without its traces the set is %s, its hosts %s and %s", st.State, st.Hosts[0].State, st.Hosts[1].State)
			}
			why := left.Hosts()[1].Unreadable()
			if !strings.Contains(why, historyFile) || left.Hosts()[0].Unreadable() != "" || left.Hosts()[0].History() == nil {
				t.Errorf("the history of the second host is not there because of %q, that of the first of %q", why, left.Hosts()[0].Unreadable())
			}
			if !slices.ContainsFunc(left.Anomalies(), func(a HostAnomaly) bool { return a.Kind == "no-history" && a.Message == why }) {
				t.Errorf("the report does not say %q", why)
			}
			closeEngine(t, e)
			back()
			e = openEngine(t, dir, Options{})
			again := e.Sets()[0]
			if !again.Again() && again.Status().State != Ready {
				t.Errorf("the set is %s", again.Status().State)
			}
			if err := again.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			equal(t, "read again", answers(t, again), want)
			closeEngine(t, e)
		})
	}
}

// A host whose states an earlier model built is shown, and said to be of that. They are built anew where that is wanted.
func TestEarlierModel(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	told := func(s *Set) (hosts []string) {
		for _, a := range s.Anomalies() {
			if a.Kind == earlierModel {
				hosts = append(hosts, a.Host)
			}
		}
		return hosts
	}
	count := s.Status().Anomalies
	if got := told(s); len(got) > 0 {
		t.Errorf("%v are said to be of an earlier model", got)
	}
	closeEngine(t, e)
	h := s.Hosts()[1]
	b, err := os.ReadFile(h.path(historyFile))
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(b[36:], 0)
	binary.LittleEndian.PutUint32(b[508:], crc32.Checksum(b[:508], castagnoli))
	if err := os.WriteFile(h.path(historyFile), b, 0o600); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	if got := told(s); !slices.Equal(got, []string{h.Name()}) || s.Status().State != Ready || s.Status().Anomalies != count+1 {
		t.Errorf("%v are said to be of an earlier model in a set that is %s, want %s", got, s.Status().State, h.Name())
	}
	closeEngine(t, e)
	for range 2 {
		e = openEngine(t, dir, Options{Rebuild: true})
		s = e.Sets()[0]
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		equal(t, "built anew", answers(t, s), want)
		if got := told(s); len(got) > 0 || s.Hosts()[1].History().Stats().Model != kernel.Version {
			t.Errorf("%v are said to be of an earlier model when all is built anew", got)
		}
		closeEngine(t, e)
	}
}

// A final checkpoint that is damaged or gone hides its host no longer than to the next start: the host is read again, from its beginning, and the set answers
// as before. Without its traces the set says what is wrong with which file, and shows its other hosts.
func TestDamagedFinalCheckpoint(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	for what, spoil := range map[string]func(path string) error{
		"flipped": func(path string) error {
			flipped(t, path, func(b []byte) int { return len(b) / 2 })
			return nil
		},
		"removed": os.Remove,
	} {
		side, err := e.catalog.Checkpoint(s.id, 1)
		if err != nil {
			t.Fatal(err)
		}
		closeEngine(t, e)
		name := checkpointName(side.Generation)
		if err := spoil(s.Hosts()[1].path(name)); err != nil {
			t.Fatal(err)
		}
		back := tracesAway(t, s)
		e = openEngine(t, dir, Options{})
		left := e.Sets()[0]
		if why := left.Hosts()[1].Unreadable(); !strings.Contains(why, name) || left.Hosts()[0].History() == nil {
			t.Errorf("the second host is not there because of %q, the first of %q", why, left.Hosts()[0].Unreadable())
		}
		closeEngine(t, e)
		back()
		e, s = readAgain(t, dir, what+" and read again", want)
	}
	closeEngine(t, e)
}
