package ingest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/sync/match"
	"synchroscope/trace"
)

// Several sets at once on one slot: all advance together, and each ends as if it were alone.
func TestSeveralSets(t *testing.T) {
	from := busyShop(t)
	want := from.reference(t)
	e := openEngine(t, t.TempDir(), Options{Workers: 1})
	path := from.File(t)
	var sets []*Set
	for range 3 {
		s, err := e.ImportPaths("set", path)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	for _, s := range sets {
		if err := s.Import(); err != nil {
			t.Fatal(err)
		}
	}
	together := false
	for {
		changed := e.Changed()
		reading, over := 0, 0
		for _, s := range sets {
			st := s.Status()
			if st.State == Importing && st.Events > 0 {
				reading++
			}
			if st.State != Importing {
				over++
			}
		}
		together = together || reading == len(sets)
		if over == len(sets) {
			break
		}
		<-changed
	}
	if !together {
		t.Error("at no time had all three sets something to show")
	}
	for _, s := range sets {
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		equal(t, "beside two others", answers(t, s), want)
	}
}

// A set may be deleted at any moment of its import; nothing of it is left, now or after a
// restart, and its neighbour does not notice.
func TestDeleteDuringImport(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{Workers: 2})
	from := shop(t)
	neighbour := importPath(t, e, "neighbour", from.File(t))
	for _, events := range []int64{0, 1, from.Events / 8, from.Events * 2 / 3, from.Events} {
		s, err := e.ImportPaths("gone", from.File(t))
		if err != nil {
			t.Fatal(err)
		}
		for {
			changed := s.Changed()
			if st := s.Status(); st.Events >= events || st.State != Importing {
				break
			}
			<-changed
		}
		if err := e.Delete(s.ID()); err != nil {
			t.Fatal(err)
		}
		if _, ok := e.Set(s.ID()); ok {
			t.Error("the deleted set is still listed")
		}
		if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
			t.Errorf("at %d events: its folder is left: %v", events, err)
		}
	}
	wantFault(t, "deleted twice", e.Delete("0000000000000000"), NotFound)
	answers(t, neighbour)
	closeEngine(t, e)

	// What a crash left of a set that is being deleted, and a folder that nobody knows.
	stray := filepath.Join(dir, "sets", "00000000000000aa")
	if err := os.MkdirAll(stray, 0o700); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{})
	if sets := e.Sets(); len(sets) != 1 || sets[0].Status().Name != "neighbour" {
		t.Errorf("%d sets after the restart", len(sets))
	}
	if _, err := os.Stat(stray); !os.IsNotExist(err) {
		t.Error("a folder without a row is left")
	}
}

// A set whose deletion a crash interrupted is gone after the next start.
func TestDeletionIsFinished(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "half gone", shop(t).File(t))
	if _, err := e.catalog.Move(s.id, "deleting", nil); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	if len(e.Sets()) != 0 {
		t.Error("the set is back")
	}
	if found := filesBelow(t, e); len(found) > 0 {
		t.Errorf("%d files left", len(found))
	}
}

// A checkpoint that is damaged costs time, not answers.
func TestDamagedCheckpoint(t *testing.T) {
	raced.Elsewhere(t, "TestSeveralSets")
	from := busyShop(t)
	want := from.reference(t)
	dir := t.TempDir()
	e := openEngine(t, dir, Options{Workers: 2, saveEvery: 1})
	s, err := e.ImportPaths("demo", from.File(t))
	if err != nil {
		t.Fatal(err)
	}
	for {
		changed := s.Changed()
		if s.Status().Events > from.Events/3 {
			break
		}
		<-changed
	}
	closeEngine(t, e)
	if s.Status().State != Importing {
		t.Fatal("it was over before it was stopped")
	}
	damage := func(pattern string, edit func([]byte)) {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no %s", pattern)
		}
		for _, path := range found {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			edit(b)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	damage(s.path("hosts", "0", "checkpoint-*"), func(b []byte) { b[len(b)/2] ^= 1 })
	damage(s.path("hosts", "1", "endpoints"), func(b []byte) { b[30] ^= 1 })
	damage(s.path("hosts", "2", "history.tree"), func(b []byte) { clear(b) })
	if err := os.RemoveAll(s.path("hosts", "3")); err != nil {
		t.Fatal(err)
	}
	e = openEngine(t, dir, Options{Workers: 2})
	if err := e.Sets()[0].Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "resumed from damaged checkpoints", answers(t, e.Sets()[0]), want)
}

// A host whose trace is gone when the import goes on fails alone, and says why.
func TestHostFailsAlone(t *testing.T) {
	recorded := busyShop(t)
	from := t.TempDir()
	dir := t.TempDir()
	e := openEngine(t, dir, Options{Workers: 1})
	first := importPath(t, e, "archive", recorded.File(t))
	if err := os.CopyFS(from, os.DirFS(first.path("traces", "0"))); err != nil {
		t.Fatal(err)
	}
	s, err := e.ImportPaths("folder", from)
	if err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
	if s.Status().State != Importing {
		t.Fatal("it was over before it was stopped")
	}
	if err := os.RemoveAll(filepath.Join(from, "db")); err != nil {
		t.Fatal(err)
	}
	check := func(s *Set) {
		t.Helper()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		st := s.Status()
		db := slices.IndexFunc(st.Hosts, func(h HostStatus) bool { return h.Name == "db" })
		if st.State != Ready || len(st.Hosts) != 4 || db < 0 || st.Hosts[db].State != "failed" || st.Events != recorded.Events-recorded.Hosts["db"] {
			t.Errorf("%s, %d events, %+v", st.State, st.Events, st.Hosts)
		}
		said := false
		for _, a := range s.Anomalies() {
			said = said || a.Host == "db" && a.Kind == "host-failed" && strings.Contains(a.Message, "metadata")
		}
		if !said {
			t.Errorf("nothing is said of it: %+v", s.Anomalies())
		}
		for i, h := range s.Solution().Hosts {
			if _, ok := h.Map.Error(h.Begin); !ok && i != db {
				t.Errorf("%s is not synchronized", h.Name)
			}
		}
	}
	e = openEngine(t, dir, Options{})
	s, _ = e.Set(s.ID())
	check(s)
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s, _ = e.Set(s.ID())
	check(s)
}

// While an import runs, everything can be asked at any time, and what was published stays true.
func TestQueriesDuringImport(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{Workers: 2})
	s, err := e.ImportPaths("demo", busyShop(t).File(t))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for range 2 {
		wg.Go(func() {
			progress, events := 0.0, int64(0)
			for ctx.Err() == nil {
				st := s.Status()
				if st.Progress < progress || st.Events < events || st.Progress > 1 {
					t.Errorf("progress %v after %v, %d events after %d", st.Progress, progress, st.Events, events)
				}
				progress, events = st.Progress, st.Events
				for _, h := range s.Hosts() {
					if tree := h.History(); tree != nil {
						begin, end := tree.Bounds()
						var sum uint32
						edges := []int64{begin, (begin + end) / 2, end + 1}
						counted, _, err := h.Density(t.Context(), edges, edges, nil)
						for _, n := range counted {
							sum += n
						}
						if err != nil || end > begin && sum == 0 {
							t.Errorf("%s is known from %d to %d and has no event: %v", h.Name(), begin, end, err)
						}
					}
					h.Threads(0)
				}
				if err := s.Messages(ctx, -1<<63, 1<<63-1, false, func(match.Message) bool { return true }); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	wg.Wait()
}

// Events are read again from the traces: all of them, in order of the clock asked for, from any
// time on.
func TestEvents(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	from := shop(t)
	s := importPath(t, e, "demo", from.File(t))
	for _, raw := range []bool{false, true} {
		var all []int64
		err := s.Events(t.Context(), EventQuery{Begin: -1 << 63, End: 1<<63 - 1, Raw: raw}, func(_ *Host, at int64, _ *trace.Event) bool {
			if n := len(all); n > 0 && at < all[n-1] {
				t.Fatalf("event %d at %d after %d", n, at, all[n-1])
			}
			all = append(all, at)
			return true
		})
		if err != nil || int64(len(all)) != from.Events {
			t.Fatalf("raw %v: %d events, %v", raw, len(all), err)
		}
		begin, end := all[len(all)/3], all[len(all)*2/3]
		want := 0
		for _, at := range all {
			if at >= begin && at < end {
				want++
			}
		}
		got, own := 0, 0
		q := EventQuery{Begin: begin, End: end, Raw: raw}
		if err := s.Events(t.Context(), q, func(*Host, int64, *trace.Event) bool { got++; return true }); err != nil || got != want {
			t.Errorf("raw %v: %d events in the range, want %d, %v", raw, got, want, err)
		}
		q.Host = "web"
		err = s.Events(t.Context(), q, func(h *Host, _ int64, ev *trace.Event) bool {
			if h.Name() != "web" {
				t.Errorf("%s is of %s", ev.Class.Name, h.Name())
			}
			own++
			return true
		})
		if err != nil || own == 0 || own >= got {
			t.Errorf("raw %v: %d of %d events are of one host, %v", raw, own, got, err)
		}
	}
}
