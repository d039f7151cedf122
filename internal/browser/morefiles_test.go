package browser

import (
	"archive/tar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// tarred is a trace that is written as text, as an archive of a name.
func tarred(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := tar.NewWriter(f)
	if err := w.AddFS(os.DirFS(texttest.Dir(t, text))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// symbolsFile is a text of what functions are called.
func symbolsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "synchroscope-symbols")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is added and was stopped goes on with the same file, also where that was sent by another name, for the set has one of its own.
func TestAddedGoesOn(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.add("shop", tarred(t, "shop-4hosts.tar.gz", texttest.Functions))
	s.ready(set)
	g := s.gated(1 << 20)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=import"))
	p.Says("Add to this set")
	p.Upload("Files to add", absolute(t, demoArchive))
	p.Says("shop-4hosts (2).tar.gz")
	p.Await("some of it is sent", func() (any, bool) { n := g.sent.Load(); return n, n >= 1<<20 })
	p.Find("button", "Stop").Click()
	g.breakOff()
	p.Says("What has arrived is kept for a day.")
	// The same file goes on with it on this page, be it loaded again; from there, too, by the list of sets.
	for range 2 {
		sent := g.sent.Load()
		p.Drop(absolute(t, demoArchive))
		p.Await("more of it is sent", func() (any, bool) { n := g.sent.Load(); return n, n >= sent+1<<20 })
		p.Find("button", "Stop").Click()
		g.breakOff()
		p.Says("What has arrived is kept for a day.")
		p.Reload()
		p.Says("Add to this set")
	}
	if n := len(s.engine.Sets()); n != 2 {
		t.Errorf("%d sets", n)
	}
	g.most.Store(1 << 40)
	p.Open(s.url)
	p.Find("button", "Go on…")
	p.Drop(absolute(t, demoArchive))
	p.Await("the set", func() (any, bool) { at := p.Address(); return at, strings.Contains(at, "/sets/") })
	p.Matches(`shop \(2\)`)
	p.Find("tab", "Import").Click()
	p.Matches(`From shop-4hosts\.tar\.gz \([\d.]+ KiB\) and shop-4hosts \(2\)\.tar\.gz \([\d.]+ MiB\);`)
	p.Matches(`cache .*read`)
}

// Where a set lacks a machine, or what functions are called, both are added to what is there, and nothing of that is sent again: all is read as another set. What cannot be
// used is told of before anything is sent.
func TestAddToASet(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.add("shop", tarred(t, "web.tar", texttest.Functions))
	s.ready(set)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=import"))
	p.Matches(`Names of functions on web need the symbols of their programs, .* They can be made now, and be added below: nm -A -C -S`)
	p.Find("tab", "Timeline").Click()
	p.palette("forgotten machine", "Add machines or texts to this set")
	p.strike("Enter", 0)
	p.focused("Choose files…")
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("no archive\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Drop(notes)
	p.Says("notes.txt is not an archive: zip, tar, tar.gz, tar.xz and tar.zst are accepted.")
	other := strings.Replace(texttest.Functions, `hostname="web"`, `hostname="db"`, 1)
	p.Upload("Files to add", tarred(t, "web.tar", other), symbolsFile(t, "shopd:0000000000001206 T handle(int)\n"))
	p.Await("another set", func() (any, bool) {
		at := p.Address()
		return at, strings.Contains(at, "/sets/") && !strings.Contains(at, set.ID())
	})
	p.Matches(`shop \(2\)`)
	p.Find("tab", "Import").Click()
	p.Matches(`From web\.tar \([\d.]+ KiB\), web \(2\)\.tar \([\d.]+ KiB\) and synchroscope-symbols \(37 B\);`)
	p.Matches(`db .*read 100 %.*web .*read 100 %`)
	p.Await("no word of what has no names", func() (any, bool) {
		words := Eval[string](p, "document.querySelector('#import').innerText")
		return words, !strings.Contains(words, "the symbols of their programs")
	})
	functions := func(want string) {
		t.Helper()
		id := regexp.MustCompile(`/sets/([0-9a-f]+)`).FindStringSubmatch(p.Address())[1]
		p.Open(s.url + "/sets/" + id + "?tab=state&state=2500000000&of=web&open=Threads&open=Threads%2F12")
		p.Says(want)
	}
	functions("handle(int)")

	// A text alone, dropped on any tab, takes the place of the one of its kind.
	p.Find("tab", "Timeline").Click()
	at := p.Address()
	p.Drop(symbolsFile(t, "shopd:0000000000001206 T handle_all\n"))
	p.Await("a third set", func() (any, bool) {
		now := p.Address()
		return now, strings.Contains(now, "/sets/") && now[:strings.Index(now, "/sets/")+12] != at[:strings.Index(at, "/sets/")+12]
	})
	p.Matches(`shop \(3\)`)
	functions("handle_all")

	// The first is as it was, and the list has all.
	p.Open(s.page(set, "?tab=import"))
	p.Matches(`Names of functions on web need the symbols of their programs`)
	p.Open(s.url)
	for _, name := range []string{"shop", "shop (2)", "shop (3)"} {
		p.Find("link", name)
	}

	// Such a text alone makes no set.
	p.Upload("Trace archives", symbolsFile(t, "shopd:0000000000001206 T handle(int)\n"))
	p.Says("synchroscope-symbols says what is in traces: drop it together with the archive of those, or open their set and add it there, under Import.")
	if n := len(s.engine.Sets()); n != 3 {
		t.Errorf("%d sets", n)
	}
}
