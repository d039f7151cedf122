package browser

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// What is pressed, and dropped, on a page before its script is there is done once that is.
func TestDoneBeforeThePageWorks(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.add("shop", tarred(t, "shop-4hosts.tar.gz", texttest.Functions))
	s.ready(set)
	held := map[string]chan struct{}{"viewer": make(chan struct{}), "home": make(chan struct{})}
	come := func(script string) func() { return sync.OnceFunc(func() { close(held[script]) }) }
	viewer, home := come("viewer"), come("home")
	t.Cleanup(viewer) // or the server would wait for what is held, also where the test fails
	t.Cleanup(home)
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for script, there := range held {
				if strings.HasPrefix(r.URL.Path, "/static/"+script+"-") {
					<-there
				}
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	reach := func(url, words string) {
		t.Helper()
		Eval[bool](p, "location.assign("+strconv.Quote(url)+"), true")
		p.Await("the page "+url, func() (any, bool) { at := p.Address(); return at, at == url })
		p.Says(words)
	}
	// Where the mouse goes is told by the page itself: a page that draws nothing has no accessibility tree to ask.
	press := func(selector string) {
		t.Helper()
		at := Eval[[2]float64](p, `(() => {
			const b = document.querySelector(`+strconv.Quote(selector)+`).getBoundingClientRect();
			return [b.x + b.width / 2, b.y + b.height / 2];
		})()`)
		p.Click(at[0], at[1])
	}
	reach(s.page(set, ""), "shop")
	press("#tab-events")
	press("[data-theme-choice=dark]")
	press("#tab-import")
	if Eval[string](p, "document.querySelector('#tab-import').ariaSelected") != "false" {
		t.Fatal("Import is open before the script is there")
	}
	viewer()
	p.opened("Import", nil, nil)
	p.Says("Add to this set")
	if p.Find("radio", "Dark").State("checked") != "true" {
		t.Error("the theme is not the one that was chosen")
	}

	reach(s.url+"/", "Trace sets")
	press("#help-open")
	press("[data-theme-choice=light]")
	p.Drop(absolute(t, demoArchive))
	p.Drop(tarred(t, "other.tar.gz", texttest.Functions))
	home()
	for _, name := range []string{"other", "shop-4hosts"} {
		p.Await("the set "+name, func() (any, bool) {
			sets := s.engine.Sets()
			return len(sets), slices.ContainsFunc(sets, func(set *ingest.Set) bool { return set.Status().Name == name && set.Status().State == ingest.Ready })
		})
	}
	// A dialog is over what was pressed after it.
	if Eval[string](p, "document.querySelector('[data-theme-choice=dark]').ariaChecked") != "true" {
		t.Error("what lies under the dialog was pressed")
	}
}

// What is typed behind a key that leads to a field, before the page's script is there, stands in that field then.
func TestTypedBeforeThePageWorks(t *testing.T) {
	s, set := demoSite(t)
	there := make(chan struct{})
	let := sync.OnceFunc(func() { close(there) })
	t.Cleanup(let) // or the server would wait for what is held, also where the test fails
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/static/viewer-") {
				<-there
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	Eval[bool](p, "location.assign("+strconv.Quote(s.page(set, ""))+"), true")
	p.Await("the page", func() (any, bool) { at := p.Address(); return at, strings.HasPrefix(at, s.url) })
	p.Await("that it is on its way", func() (any, bool) {
		words := Eval[string](p, "document.querySelector('main')?.innerText ?? ''")
		return words, strings.Contains(words, "The page is on its way…")
	})
	for _, key := range strings.Split("/tid == 207", "") {
		p.Press(key)
	}
	p.Press("Backspace")
	p.Press("6")
	let()
	p.Await("the filter", func() (any, bool) {
		is := Eval[string](p, "document.activeElement.value ?? ''")
		return is, is == "tid == 206"
	})
	p.Says("1 listed")
	p.Await("it in the address, and nothing of keys that its letters are", func() (any, bool) {
		at := p.Address()
		return at, strings.Contains(at, "filter=tid") && !strings.Contains(at, "tab=") && !strings.Contains(at, "time=")
	})
}

// The page connects to its set before its script is there, goes on with that connection and what came over it, and makes no other. That it is on its
// way is said, and keys that are pressed meanwhile count. Where no script comes the connection is closed, and the page says what it lacks.
func TestConnectedBeforeThePageWorks(t *testing.T) {
	s, set := demoSite(t)
	there := make(chan struct{})
	let := sync.OnceFunc(func() { close(there) })
	t.Cleanup(let) // or the server would wait for what is held, also where the test fails
	var missing atomic.Bool
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/static/viewer-") {
				<-there
				if missing.Load() {
					http.NotFound(w, r)
					return
				}
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	for _, source := range []string{sockets, framesCounted} {
		if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
		t.Fatal(err)
	}
	connections := func() string {
		return Eval[string](p, `sockets.map((s) => ["being opened", "open", "closing", "closed"][s.readyState] + ", " + s.frames + " frames").join("; ")`)
	}
	Eval[bool](p, "location.assign("+strconv.Quote(s.page(set, ""))+"), true")
	p.Await("what the server tells first, without a script", func() (any, bool) {
		if !strings.HasPrefix(p.Address(), s.url) {
			return "another page", false
		}
		now := connections()
		return now, strings.HasPrefix(now, "open, ") && !strings.Contains(now, " 0 frames") && !strings.Contains(now, ";")
	})
	text := func(want string) {
		t.Helper()
		p.Await(want, func() (any, bool) {
			words := Eval[string](p, "document.querySelector('main').innerText")
			return words, strings.Contains(words, want)
		})
	}
	text("The page is on its way…")
	p.Press("6")
	p.Press("2")
	let()
	p.opened("Synchronization", nil, nil)
	p.Says("reference web")
	text("Reference")
	if words := p.Text(); strings.Contains(words, "on its way") {
		t.Errorf("a page that works says %s", words)
	}
	p.Press("1")
	p.Says("blocked in wait4")
	if now := connections(); !strings.HasPrefix(now, "open, ") || strings.Contains(now, ";") {
		t.Errorf("the page has these connections: %s", now)
	}
	missing.Store(true)
	p.Reload()
	p.Await("no connection without a script", func() (any, bool) {
		now := connections()
		return now, strings.HasPrefix(now, "clos") && !strings.Contains(now, ";")
	})
	text("A part of this page did not come, or cannot be read: the server, or the way to it, may have been away.")
	missing.Store(false)
	Eval[bool](p, "[...document.querySelectorAll('main button')].find((b) => b.checkVisibility() && b.textContent === 'Load it again').click() ?? true")
	p.Says("blocked in wait4")
}

// framesCounted counts the frames that come over the connections of sockets.
const framesCounted = `{
	const Plain = WebSocket;
	window.WebSocket = class extends Plain { frames = 0; constructor(url) { super(url); this.addEventListener("message", () => this.frames++) } };
}`
