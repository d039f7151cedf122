package browser

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"synchroscope/handlers"
	"synchroscope/handlers/live"
	"synchroscope/ingest"
	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/workload"
	"synchroscope/trace/ctf/text/texttest"
)

const (
	demoArchive = "../../cmd/synchroscope/demo/shop-4hosts.tar.gz"
	traces      = "../../../shared/traces"
)

// demoFocus is the slow query that the demonstration opens on: thread 205 of the
// database holds the lock that the threads 208 and 210 wait for.
var demoFocus = live.Focus{
	Host: "db", Begin: 1795229345_185_000_000, End: 1795229345_755_000_000, TID: 205,
	Why: "One of the slow requests of this recording: on db, httpd · 204 answers only when crunch · 206 ends. Until then dbwork · 205, which started it, holds the lock that two others wait for.",
}

// imported is the data of a server that has read the demonstration set and nothing else: what demoSite copies.
var imported struct {
	sync.Mutex
	dir string // "" before the first test that wants it
	set string
}

func TestMain(m *testing.M) {
	Main(m, func() { os.RemoveAll(imported.dir) })
}

// A site is a server with its engine, as serve puts them together.
type site struct {
	t      testing.TB
	engine *ingest.Engine
	focus  map[string]live.Focus
	url    string
	// restart stops the server and starts another on the same data, at the same address. Sets are those of the engine from then on.
	restart func()
	// between stands between the network and the application, nil for nothing.
	between func(http.Handler) http.Handler
}

func newSite(t *testing.T, o ingest.Options) *site {
	t.Helper()
	return siteOn(t, t.TempDir(), o)
}

// siteOn is a site on the data of a directory.
func siteOn(t *testing.T, dir string, o ingest.Options) *site {
	t.Helper()
	s := &site{t: t, focus: make(map[string]live.Focus)}
	var app atomic.Pointer[handlers.Server]
	start := func() {
		t.Helper()
		engine, err := ingest.Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		s.engine = engine
		app.Store(handlers.New(engine, handlers.Options{Log: slog.New(slog.DiscardHandler), Hosts: []string{"127.0.0.1"}, Focus: s.focus}))
	}
	start()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.between != nil {
			s.between(app.Load()).ServeHTTP(w, r)
			return
		}
		app.Load().ServeHTTP(w, r)
	}))
	s.url = server.URL
	stop := func(between func()) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := app.Load().Close(ctx); err != nil {
			t.Error(err)
		}
		between()
		if err := s.engine.Close(ctx); err != nil {
			t.Error(err)
		}
	}
	s.restart = func() {
		t.Helper()
		stop(func() {})
		start()
	}
	t.Cleanup(func() { stop(server.Close) })
	return s
}

// create makes sets of some names, without any file.
func (s *site) create(names ...string) {
	s.t.Helper()
	for _, name := range names {
		if _, err := s.engine.Create(name); err != nil {
			s.t.Fatal(err)
		}
	}
}

// add uploads an archive as a set of its own and starts its import.
func (s *site) add(name, path string) *ingest.Set {
	s.t.Helper()
	set, err := s.engine.Create(name)
	if err != nil {
		s.t.Fatal(err)
	}
	s.start(set, path)
	return set
}

func (s *site) start(set *ingest.Set, path string) {
	s.t.Helper()
	archive, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := set.Upload(context.Background(), filepath.Base(path), 0, int64(len(archive)), strings.NewReader(string(archive))); err != nil {
		s.t.Fatal(err)
	}
	if err := set.Import(); err != nil {
		s.t.Fatal(err)
	}
}

// simulated imports what the tracers of a scenario's machines would have recorded, and waits until it is ready.
func (s *site) simulated(name, text string) *ingest.Set {
	s.t.Helper()
	described, err := scenario.Parse(strings.NewReader(text), name, scenario.Options{Seed: 1, Workload: workload.Check})
	if err != nil {
		s.t.Fatal(err)
	}
	dir := filepath.Join(s.t.TempDir(), name)
	if _, err := simulate.Run(s.t.Context(), described, simulate.Options{Seed: 1, Out: dir}); err != nil {
		s.t.Fatal(err)
	}
	set, err := s.engine.ImportPaths(name, dir)
	if err != nil {
		s.t.Fatal(err)
	}
	s.ready(set)
	return set
}

// demoSite is a site of its own with the demonstration set, ready. The set is read once for all tests, each gets a copy of what
// came of it.
func demoSite(t *testing.T) (*site, *ingest.Set) {
	t.Helper()
	imported.Lock()
	defer imported.Unlock()
	if imported.dir == "" {
		importDemo(t)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(imported.dir)); err != nil {
		t.Fatal(err)
	}
	s := siteOn(t, dir, ingest.Options{})
	set, ok := s.engine.Set(imported.set)
	if !ok {
		t.Fatal("the copy has no demonstration set")
	}
	s.focus[set.ID()] = demoFocus
	return s, set
}

// importDemo reads the demonstration set into imported.
func importDemo(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "demonstration")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := ingest.Open(dir, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, engine: engine}
	set := s.add("shop-4hosts", demoArchive)
	s.ready(set)
	if err := engine.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	imported.dir, imported.set = dir, set.ID()
}

// written imports a trace that is written as text, and waits until it is ready.
func (s *site) written(name, text string) *ingest.Set {
	s.t.Helper()
	set, err := s.engine.ImportPaths(name, texttest.Dir(s.t, text))
	if err != nil {
		s.t.Fatal(err)
	}
	s.ready(set)
	return set
}

func (s *site) ready(set *ingest.Set) {
	s.t.Helper()
	if err := set.Wait(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}

// page is the address of a set, of the demonstration with what fromFirstLook says.
func (s *site) page(set *ingest.Set, query string) string {
	if _, demo := s.focus[set.ID()]; demo {
		query = fromFirstLook(query)
	}
	return s.url + "/sets/" + set.ID() + query
}

// fromFirstLook is a query of the demonstration that says something as it is for somebody who came from what the bare address opens on:
// with its window and its row, unless it says others.
func fromFirstLook(query string) string {
	values, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
	if err != nil || len(values) == 0 || len(values) == 1 && values.Has("tab") || values.Get("time") == "raw" {
		return query
	}
	if !values.Has("begin") && !values.Has("window") {
		query += "&begin=1795229355186453488&end=1795229355756538741"
	}
	if !values.Has("row") && !values.Has("selection") {
		query += "&row=2.205"
	}
	return query
}

// archiveOf is the path of one of the traces that are not part of the project, or "".
func archiveOf(name string) string {
	path := filepath.Join(traces, name)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return absolute
}

// recorded is archiveOf for a test that is about nothing else: it is skipped where the archive is not here.
func recorded(t *testing.T, name string) string {
	t.Helper()
	path := archiveOf(name)
	if path == "" {
		t.Skipf("the recording %s is not beside the project, so it is not looked at", name)
	}
	return path
}

// recordedPage is a page of a site with a recording alone, ready, at a query.
func recordedPage(t *testing.T, name, query string) *Page {
	t.Helper()
	archive := recorded(t, name)
	s := newSite(t, ingest.Options{})
	set := s.add(name, archive)
	s.ready(set)
	p := NewPage(t)
	p.Open(s.page(set, query))
	return p
}
