package browser

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Events ahead of those in the table come while another tab is looked at: back at the table, the same rows are in sight.
func TestRowsComeWhileAway(t *testing.T) {
	s, set := demoSite(t)
	ahead := make(chan struct{})
	answer := sync.OnceFunc(func() { close(ahead) })
	t.Cleanup(answer)
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/events") && r.URL.Query().Has("before") {
				select {
				case <-ahead:
				case <-r.Context().Done():
				}
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?tab=events&at=%d", clocksOf(t, set).begin+6e9)))
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	p.Find("grid", "Events").Focus()
	p.Press("ArrowDown")
	p.Press("ArrowDown")
	chosen := func() string {
		return Eval[string](p, `(() => {
			const row = document.querySelector("#events [aria-selected=true]");
			return row?.checkVisibility() ? [Math.round(row.getBoundingClientRect().top), ...row.children[0].childNodes].map((x) => x.textContent ?? x).join(" ") : "";
		})()`)
	}
	was := chosen()
	if was == "" {
		t.Fatal("no event is chosen")
	}
	p.Press("1")
	p.Await("the timeline", func() (any, bool) {
		away := Eval[bool](p, `!document.querySelector("#events").checkVisibility()`)
		return away, away
	})
	answer()
	p.Await("the events ahead", func() (any, bool) {
		n := Eval[int](p, `performance.getEntriesByType("resource").filter((x) => /\/events\?.*before=/.test(x.name) && x.responseEnd > 0).length`)
		return n, n > 0
	})
	p.Press("3")
	p.Await("the same row in the same place: "+was, func() (any, bool) { now := chosen(); return now, now == was })
	p.Await("all rows drawn", func() (any, bool) { got := p.listed(); return len(got), len(got) > 20 })
}

// Who comes back to the table from another tab goes on in it with the keys, by whichever way.
func TestKeysGoOnInTheTable(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?tab=events&at=%d", clocksOf(t, set).begin+6e9)))
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	// How many rows are ahead changes as events come.
	said := func(row string) string {
		return Eval[string](p, `[0, 2, 3, 5].map((i) => document.querySelector("#events [aria-selected=true]")`+row+`?.children[i].textContent ?? "none").join(" ")`)
	}
	at := func(tab string) {
		p.Await("the tab "+tab, func() (any, bool) {
			there := Eval[bool](p, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, "#"+tab))
			return there, there
		})
	}
	p.Find("grid", "Events").Focus()
	p.Press("ArrowDown")
	for _, back := range []func(){func() { p.Press("3") }, func() { Eval[any](p, "history.back()") }} {
		p.Press("1")
		at("timeline")
		back()
		at("events")
		next := said("?.nextElementSibling")
		p.Press("ArrowDown")
		p.Await("the next event: "+next, func() (any, bool) { now := said(""); return now, now == next })
	}
}
