package browser

import (
	"slices"
	"strings"
	"testing"
)

// What compares something is understood in the place of a name, and what is wrong leaves the rows that were there.
func TestComparisonAsName(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	p.Find("grid", "Events").Focus()
	p.Press("/")
	p.focused("Event")
	p.Find("textbox", "Event").Type("host == db")
	p.Press("Enter")
	p.Await("events of db", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 20 && !slices.ContainsFunc(got, func(r []string) bool { return r[3] != "db" })
	})
	p.Says("host == db is in Where now: Event takes names.")
	p.Find("textbox", "Event").Type("next_tid == 205 || prev_tid == 205")
	p.Press("Enter")
	p.Await("switches of a thread", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 0 && !slices.ContainsFunc(got, func(r []string) bool { return r[3] != "db" || !strings.Contains(r[6], "_tid=205") })
	})
	p.Await("both in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "where=host+%3D%3D+db+%26%26+%28next_tid+%3D%3D+205+%7C%7C+prev_tid+%3D%3D+205%29")
	})
	if typed := Eval[string](p, `document.querySelector("#events [aria-label=Event]").value`); typed != "" {
		t.Errorf("Event still has %s", typed)
	}

	// What cannot be read.
	was := p.listed()
	scrolled := Eval[int](p, `(() => { const grid = document.querySelector("#events .grid"); grid.scrollTop = 110; return grid.scrollTop; })()`)
	for _, wrong := range []struct{ field, typed, words string }{
		{"Where", "host ==", "Where is not a filter"},
		{"CPU", "two", "CPU takes numbers such as 0, 2-5 or > 3."},
	} {
		p.Find("textbox", wrong.field).Type(wrong.typed)
		p.Find("button", "Filter").Click()
		p.Says(wrong.words)
		if got := p.listed(); len(got) == 0 || !slices.ContainsFunc(was, func(r []string) bool { return r[0] == got[len(got)/2][0] }) {
			t.Errorf("with %q in %s these are listed: %q", wrong.typed, wrong.field, got)
		}
		if got := Eval[int](p, `document.querySelector("#events .grid").scrollTop`); got != scrolled {
			t.Errorf("with %q in %s the rows are scrolled by %d px, before by %d", wrong.typed, wrong.field, got, scrolled)
		}
	}
}
