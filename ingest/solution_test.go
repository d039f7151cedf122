package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/sync/network"
)

// Where both the synchronization and the ends of messages of a host are damaged it is made again of what is stored of what the messages say of the clocks, and the
// set is told as harmed. Where that is damaged, too, the clocks are told as unknown until the host is read again, by the next start.
func TestDamagedSolution(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	harmed := func(what string, s *Set) {
		t.Helper()
		said := s.Status().Harmed
		if len(said) != 1 || !strings.Contains(said[0], s.Hosts()[1].Name()) || !strings.Contains(said[0], "hosts/1/endpoints: block at byte ") {
			t.Errorf("%s: harmed are %q", what, said)
		}
	}
	for what, spoil := range map[string]func(){
		"constraints are whole": func() {},
		"constraints as well":   func() { flipped(t, s.path("constraints"), func(b []byte) int { return len(b) / 2 }) },
	} {
		closeEngine(t, e)
		if err := os.Truncate(s.path("solution"), 300); err != nil {
			t.Fatal(err)
		}
		flipped(t, s.Hosts()[1].path(endpointsFile), func(b []byte) int { return len(b) / 2 })
		spoil()
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		solution := s.Solution()
		harmed(what, s)
		var fault *Fault
		_, err := s.Synchronize(t.Context(), network.Options{})
		if what == "constraints are whole" {
			if err != nil || s.Unsolved() != nil || solution.Unsynchronized(1) || s.Status().Hosts[1].Unsynchronized {
				t.Errorf("%s: %v, unsolved is %v, the status %+v", what, err, s.Unsolved(), s.Status().Hosts[1])
			}
		} else {
			if s.Unsolved() == nil || !errors.As(err, &fault) || fault.Kind != Damage || !strings.Contains(fault.Message, "hosts/1/endpoints") {
				t.Errorf("%s: unsolved is %v, synchronizing fails by %v", what, s.Unsolved(), err)
			}
			if solution == nil || solution != s.Solution() || slices.ContainsFunc([]int32{1, 2, 3}, func(host int32) bool {
				return !solution.Unsynchronized(host) || !s.Status().Hosts[host].Unsynchronized || s.Status().Hosts[host].Component != int(host)
			}) {
				t.Errorf("%s: hosts are told as synchronized: %+v", what, s.Status().Hosts)
			}
			if _, _, err := s.Compare(t.Context(), s.Hosts()[0].Name(), s.Hosts()[1].Name()); !errors.As(err, &fault) || fault.Kind != Damage {
				t.Errorf("%s: hosts are compared: %v", what, err)
			}
			if err := s.Export(t.Context(), new(strings.Builder)); !errors.As(err, &fault) || fault.Kind != Damage {
				t.Errorf("%s: the set is taken away: %v", what, err)
			}
		}
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		equal(t, what+", read again", answers(t, s), want)
		if said := s.Status().Harmed; len(said) > 0 || s.Unsolved() != nil {
			t.Errorf("%s, read again: harmed are %q", what, said)
		}
	}
}

// Where the synchronization can neither be read nor made again for a reason that passes, nothing is taken from one that relates no host to another: it is neither
// stored nor given away as what the messages say.
func TestUnsolvedForNow(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	e := openEngine(t, t.TempDir(), Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	cut := func(name string) {
		if err := os.Truncate(s.path(name), 300); err != nil {
			t.Fatal(err)
		}
	}
	cut("solution")
	before, err := os.ReadFile(s.path("solution"))
	if err != nil {
		t.Fatal(err)
	}
	s.solution.Store(nil)
	ctx, cancel := s.ctx, s.cancel
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.cancel(errStopped) // so that the ends of messages are not read
	if solution := s.Solution(); !solution.Unsynchronized(1) || s.solution.Load() != nil {
		t.Error("what is made of the stored constraints, as the ends of messages cannot be read for now, stays")
	}
	s.ctx, s.cancel = ctx, cancel
	equal(t, "asked again", answers(t, s), want)
	s.solution.Store(nil)
	cut("constraints")
	s.cancel(errStopped)
	if solution := s.Solution(); solution == nil || !solution.Unsynchronized(1) || s.Unsolved() != nil || len(s.Status().Harmed) > 0 {
		t.Fatalf("hosts are related, or a file is to blame: %v, harmed %q", s.Unsolved(), s.Status().Harmed)
	}
	_, _, compared := s.Compare(t.Context(), s.Hosts()[0].Name(), s.Hosts()[1].Name())
	_, synchronized := s.Synchronize(t.Context(), network.Options{})
	for what, err := range map[string]error{"taken away": s.Export(t.Context(), new(strings.Builder)), "compared": compared, "synchronized": synchronized} {
		var fault *Fault
		if !errors.As(err, &fault) || fault.Kind != Conflict || !strings.Contains(fault.Message, "cannot be read now") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after, err := os.ReadFile(s.path("solution")); err != nil || string(after) != string(before) {
		t.Errorf("the stored synchronization is another, %v", err)
	}
}

// A solution by a window that an earlier version stored does not say what that is by the clocks of the hosts. It is found again.
func TestWindowsOfAnEarlierVersion(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	begin, end := number(s.Status().Begin), number(s.Status().End)
	for _, method := range []string{network.MethodHull, "regression"} {
		want, err := s.Synchronize(t.Context(), network.Options{Method: method, Reference: "db", Window: &network.Window{Begin: begin + (end-begin)/4, End: end - (end-begin)/4}})
		if err != nil {
			t.Fatal(err)
		}
		closeEngine(t, e)
		earlier := *want
		earlier.Hosts = slices.Clone(want.Hosts)
		for i := range earlier.Hosts {
			earlier.Hosts[i].Window = nil
		}
		if err := writeSolution(s.path("solution"), &earlier); err != nil {
			t.Fatal(err)
		}
		e = openEngine(t, dir, Options{})
		s = e.Sets()[0]
		for i, h := range s.Solution().Hosts {
			if w := want.Hosts[i].Window; w == nil || h.Window == nil || *h.Window != *w {
				t.Errorf("by %s the window of %s is %v, want %v", method, h.Name, h.Window, w)
			}
		}
	}
}

// A folder in the place of the file of messages is put out of the way, and that is told.
func TestMessagesAside(t *testing.T) {
	raced.Elsewhere(t, "TestHostFailsAlone")
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "demo", shop(t).File(t))
	want := answers(t, s)
	closeEngine(t, e)
	path := s.path(messageLog)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	s = e.Sets()[0]
	equal(t, "made again", answers(t, s), want)
	said := fmt.Sprintf("The set demo (%s): a folder was in the place of its file of messages. It is kept as sets/%s/messages.aside until the set is deleted, and nothing of it is read.", s.ID(), s.ID())
	if !slices.Contains(e.Notices(), said) || !isFolder(path+".aside") {
		t.Errorf("said is %q", e.Notices())
	}
}
