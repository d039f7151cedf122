package browser

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

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
