package browser

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"synchroscope/ingest"
)

// While files are on their way the browser asks before the page is left, and not once they have arrived.
func TestLeaveDuringUpload(t *testing.T) {
	s := newSite(t, ingest.Options{})
	const piece = 1 << 20
	g := s.gated(piece)
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	p.Find("heading", "Trace sets").Click() // a browser asks only who has done something on the page
	p.Reload()
	if n := p.Asked(); n != 0 {
		t.Errorf("asked %d times where nothing is on its way", n)
	}
	p.Find("heading", "Trace sets").Click()
	p.Drop(absolute(t, demoArchive))
	p.Await("bytes at the server", func() (any, bool) { return g.sent.Load(), g.sent.Load() >= piece })
	p.Reload()
	if n := p.Asked(); n != 1 {
		t.Errorf("asked %d times during the upload", n)
	}
	g.breakOff()
	g.most.Store(1 << 40)
	p.Drop(absolute(t, demoArchive)) // goes on, and leads to its set
	p.Find("heading", "Control flow")
	p.Open(s.url)
	if n := p.Asked(); n != 1 {
		t.Errorf("asked %d times after the upload", n)
	}
}

// A theme that is chosen on one page is that of all others that are open.
func TestThemeOfOtherTabs(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Find("heading", "Control flow")
	other := newPage(t, p.ctx)
	other.Open(s.url)
	theme := func(p *Page) string {
		return strings.Join(strings.Fields(Eval[string](p, `(document.documentElement.dataset.theme ?? "system") + " " + document.querySelector("#theme [aria-checked=true]").dataset.themeChoice`)), " ")
	}
	for _, choice := range []string{"dark", "system", "contrast"} {
		Eval[bool](p, `document.querySelector("#theme [data-theme-choice=`+choice+`]").click() ?? true`)
		other.Await(choice+" in the other tab", func() (any, bool) { got := theme(other); return got, got == choice+" "+choice })
	}
	Eval[bool](p, "localStorage.clear() ?? true") // as where a browser forgets what a site has stored
	other.Await("the system's colours in the other tab", func() (any, bool) { got := theme(other); return got, got == "system system" })
}

// A page goes on until the server has answered a reload of it. What was done just before, and what is done meanwhile, holds for the page that comes,
// also where the address was written while the answer was on its way: a browser reloads the one that it had when it asked.
func TestReloadedWhileTheAddressFollows(t *testing.T) {
	s, set := demoSite(t)
	var slow atomic.Bool
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if slow.Load() && r.URL.Path == "/sets/"+set.ID() {
				time.Sleep(time.Second)
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Find("heading", "Control flow")
	slow.Store(true)
	for _, tab := range []struct{ key, name string }{{"3", "Events"}, {"4", "Statistics"}, {"1", "Timeline"}} {
		p.Press(tab.key)
		p.opened(tab.name, nil, nil)
		p.Reload()
		p.opened(tab.name, nil, nil)
		p.Await(tab.name+" in the address", func() (any, bool) {
			now := p.Address()
			return now, strings.Contains(now, "tab="+strings.ToLower(tab.name)) == (tab.key != "1")
		})
	}
}
