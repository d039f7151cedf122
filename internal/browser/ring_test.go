package browser

import (
	"testing"

	"synchroscope/ingest"
)

// What has the focus has a ring all around it: the table of events also along its heads, and a tab within its part of the page, so that the line
// of the chosen tab stays in sight. What a chosen loss says stands on the ground of its row.
func TestRingsInSight(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.written("discarding", discarding)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 5 })
	p.Find("grid", "Events").Focus()
	p.Press("l")
	p.Await("a chosen loss on one ground", func() (any, bool) {
		grounds := Eval[[]string](p, `(() => {
			const row = document.querySelector("#events .lost[aria-selected=true]");
			return row ? [row, row.querySelector(".wide")].map((e) => getComputedStyle(e).backgroundColor) : [];
		})()`)
		return grounds, len(grounds) == 2 && grounds[0] == grounds[1]
	})
	p.Await("a ring along the heads", func() (any, bool) {
		ring := Eval[[]string](p, `[document.querySelector("#events .grid"), document.querySelector("#events .grid-top")].map((e) => getComputedStyle(e)).map((s, i) => i ? s.boxShadow : s.outlineColor + s.outlineOffset)`)
		return ring, ring[1] != "none"
	})
	p.Press("7")
	p.Find("tabpanel", "Import").Focus()
	p.Await("a ring within the tab", func() (any, bool) {
		ring := Eval[[]string](p, `(() => {
			const tab = document.getElementById("import"), s = getComputedStyle(tab);
			return [String(tab.matches(":focus-visible")), s.outlineStyle, s.outlineOffset];
		})()`)
		return ring, ring[0] == "true" && ring[1] == "solid" && ring[2] == "-2px"
	})
}
