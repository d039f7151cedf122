package ingest

import (
	"errors"
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
	for _, name := range []string{"solution", "constraints"} {
		if err := os.Truncate(s.path(name), 300); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(s.path("solution"))
	if err != nil {
		t.Fatal(err)
	}
	s.solution.Store(nil)
	s.cancel(errStopped) // so that the ends of messages are not read
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
