package ingest

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// errorsBy are the errors of all messages of a set by two solutions, added up.
func errorsBy(t *testing.T, s *Set, one, two *network.Solution) (sums [2]int64) {
	t.Helper()
	if err := s.Messages(t.Context(), math.MinInt64/4, math.MaxInt64/4, true, func(m match.Message) bool {
		for i, by := range []*network.Solution{one, two} {
			ns, ok := by.ErrorBetween(m.From, m.To, m.Sent, m.Received)
			if !ok {
				t.Fatalf("%+v has no error", m)
			}
			sums[i] += ns
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return sums
}

// The pairs of a set that is ready are compared once for each synchronization, however many ask at once, and known to all that ask later. By a method without
// bounds there is nothing to know. What cannot be compared has the errors of both clocks, until somebody can.
func TestPaired(t *testing.T) {
	dir := t.TempDir()
	var log strings.Builder
	e := openEngine(t, dir, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	set := importPath(t, e, "demo", shop(t).File(t))
	solution := set.Solution()
	got := make([]*network.Solution, 5)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			var err error
			if got[i], err = set.Paired(t.Context(), solution); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, other := range got {
		if other != got[0] {
			t.Error("two who ask get two answers")
		}
	}
	sums := errorsBy(t, set, solution, got[0])
	if sums[1] >= sums[0] {
		t.Errorf("errors add up to %d, by pairs to %d", sums[0], sums[1])
	}
	equal(t, "with pairs", report(t, got[0]), report(t, solution))

	kept := set.comparisons
	names := [2]string{solution.Hosts[0].Name, solution.Hosts[1].Name}
	direct, version, err := set.Compare(t.Context(), names[0], names[1])
	if err != nil || version != solution.Version || set.comparisons != kept {
		t.Fatalf("compared in version %d of %d: %v", version, solution.Version, err)
	}
	constraints, err := set.constraints()
	if err != nil {
		t.Fatal(err)
	}
	if want, err := constraints.Compare(network.Config{}, names); err != nil || !want[0].Map.Equal(direct.Map) {
		t.Errorf("what is kept says %v, what is not %v, %v", direct.Map.Bounds(), want, err)
	}

	gone, leave := context.WithCancel(t.Context())
	leave()
	renewed, err := set.Synchronize(t.Context(), network.Options{Reference: "db"})
	if err != nil || set.comparisons != nil {
		t.Fatalf("after a new synchronization the comparisons are kept: %v", err)
	}
	if _, err := set.Paired(gone, renewed); !errors.Is(err, context.Canceled) {
		t.Errorf("for somebody who has left: %v", err)
	}
	paired, err := set.Paired(t.Context(), renewed)
	if err != nil || paired == renewed || paired.Version != renewed.Version {
		t.Fatal(err)
	}
	if sums := errorsBy(t, set, renewed, paired); sums[1] >= sums[0] {
		t.Errorf("with another reference errors add up to %d, by pairs to %d", sums[0], sums[1])
	}
	other, err := set.Synchronize(t.Context(), network.Options{Method: "regression"})
	if err != nil {
		t.Fatal(err)
	}
	if paired, err := set.Paired(t.Context(), other); err != nil || paired != other || set.comparisons != nil {
		t.Errorf("by a method without bounds hosts are compared: %v", err)
	}
	_, err = set.Synchronize(t.Context(), network.Options{})
	if err != nil {
		t.Fatal(err)
	}

	closeEngine(t, e)
	e = openEngine(t, dir, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	set = e.Sets()[0]
	away := func(from, to string) {
		t.Helper()
		for _, h := range set.Hosts() {
			if err := os.Rename(h.path(from), h.path(to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(set.path("constraints")); err != nil {
		t.Fatal(err)
	}
	away(endpointsFile, "elsewhere")
	last := set.Solution()
	for range 2 {
		if paired, err := set.Paired(t.Context(), last); err != nil || paired != last {
			t.Errorf("what cannot be compared: %v", err)
		}
	}
	if n := strings.Count(log.String(), "the hosts cannot be compared"); n != 1 {
		t.Errorf("that hosts cannot be compared is logged %d times", n)
	}
	if _, _, err := set.Compare(t.Context(), names[0], names[1]); err == nil {
		t.Error("what cannot be compared is")
	}
	away("elsewhere", endpointsFile)
	if _, _, err := set.Compare(t.Context(), names[0], names[1]); err != nil {
		t.Error(err)
	}
	if paired, err := set.Paired(t.Context(), last); err != nil || paired == last {
		t.Errorf("when hosts can be compared again: %v", err)
	}
}
