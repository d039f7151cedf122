package ingest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/internal/raced"
	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// coarseShop records the shop of the library for five seconds, with clocks of two hosts that tick.
func coarseShop(t *testing.T) (dir string, clocks *truth.Truth) {
	t.Helper()
	s, err := scenario.Load("web", scenario.Options{Seed: 5, Duration: 5e9})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Hosts {
		switch h := &s.Hosts[i]; h.Name {
		case "web":
			h.Clock.Resolution = 4_000_000
		case "db":
			h.Clock.Resolution = 1_000_000
		}
	}
	dir = filepath.Join(t.TempDir(), "coarse")
	if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: 5, Out: dir}); err != nil {
		t.Fatal(err)
	}
	if clocks, err = truth.Read(dir); err != nil {
		t.Fatal(err)
	}
	return dir, clocks
}

// Clocks that tick are found and named, and what they do to the bounds is in them: whatever the number of workers, after
// stops in the middle, from what is stored, and when it is synchronized once more. That is never further off
// than its bound, which is true of the times recorded as well.
func TestCoarseClocks(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	dir, clocks := coarseShop(t)
	e := openEngine(t, t.TempDir(), Options{Workers: 1})
	s := importPath(t, e, "coarse", dir)
	want, first := answers(t, s), report(t, s.Solution())

	ticks := make(map[string]int64)
	for _, h := range s.Solution().Hosts {
		ticks[h.Name] = h.Tick
	}
	if ticks["web"] != 4_000_000 || ticks["db"] != 1_000_000 || ticks["client"] != 0 || ticks["cache"] != 0 {
		t.Errorf("clocks tick by %v", ticks)
	}
	told := make(map[string]string)
	for _, a := range s.Anomalies() {
		if a.Kind == "coarse-clock" {
			told[a.Host] = a.Message
		}
	}
	if len(told) != 2 || !strings.Contains(told["web"], "by 4 ms at once") || !strings.Contains(told["db"], "by 1 ms at once") {
		t.Errorf("of coarse clocks the import says %q", told)
	}
	held(t, s.Solution(), clocks)

	for _, o := range []network.Options{{Reference: "db"}, {}} {
		again, err := s.Synchronize(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		held(t, again, clocks)
	}
	equal(t, "synchronized again", report(t, s.Solution()), first)
	if err := os.Remove(s.path("constraints")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Synchronize(t.Context(), network.Options{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "with constraints made again", report(t, s.Solution()), first)
	closeEngine(t, e)

	where := t.TempDir()
	o := Options{Workers: 3, saveEvery: 5 * time.Millisecond}
	e = openEngine(t, where, o)
	if _, err := e.ImportPaths("coarse", dir); err != nil {
		t.Fatal(err)
	}
	stops := 0
	for ; e.Sets()[0].Status().State == Importing && stops < 5; stops++ {
		events := e.Sets()[0].Status().Events
		for st := e.Sets()[0].Status(); st.State == Importing && st.Events < events+2000; st = e.Sets()[0].Status() {
			time.Sleep(time.Millisecond)
		}
		closeEngine(t, e)
		e = openEngine(t, where, o)
	}
	if err := e.Sets()[0].Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stops < 2 {
		t.Errorf("it was stopped %d times", stops)
	}
	equal(t, "by three workers, and stopped", answers(t, e.Sets()[0]), want)
}

// held holds a solution against the truth.
func held(t *testing.T, s *network.Solution, clocks *truth.Truth) {
	t.Helper()
	samples := make([][]truth.Sample, len(s.Hosts))
	for i := range s.Hosts {
		k := slices.IndexFunc(clocks.Hosts, func(h truth.Host) bool { return h.Name == s.Hosts[i].Name })
		samples[i] = clocks.Hosts[k].Samples
	}
	judged := 0
	for i := range s.Hosts {
		h := &s.Hosts[i]
		for k, sample := range samples[i] {
			if sample.Local < h.Begin || sample.Local > h.End {
				continue
			}
			bound, ok := h.Map.Error(sample.Local)
			off := h.Map.Reference(sample.Local) - samples[h.Reference][k].Local
			if off = max(off, -off); !ok || off > bound+2 {
				t.Fatalf("%s is off by %d ns, its bound is %d", h.Name, off, bound)
			}
			judged++
		}
	}
	for _, k := range s.Links {
		if k.Class != hull.Accurate || k.Violations > 0 {
			t.Errorf("the link between %s and %s: %v, %d violations", s.Hosts[k.A].Name, s.Hosts[k.B].Name, k.Class, k.Violations)
		}
	}
	if judged < 100 {
		t.Errorf("%d instants were looked at", judged)
	}
}
