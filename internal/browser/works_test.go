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
	reach(s.page(set, ""), "shop")
	p.Find("tab", "Events").Click()
	p.Find("radio", "Dark").Click()
	p.Find("tab", "Import").Click()
	if p.Find("tab", "Import").State("selected") != "false" {
		t.Fatal("Import is open before the script is there")
	}
	viewer()
	p.opened("Import", nil, nil)
	p.Says("Add to this set")
	if p.Find("radio", "Dark").State("checked") != "true" {
		t.Error("the theme is not the one that was chosen")
	}

	reach(s.url+"/", "Trace sets")
	p.Find("button", "How it works, and keys").Click()
	p.Find("radio", "Light").Click()
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
	if p.Find("radio", "Dark").State("checked") != "true" {
		t.Error("what lies under the dialog was pressed")
	}
}
