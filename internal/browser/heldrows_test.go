package browser

import (
	"strings"
	"testing"
)

// What is said of rows that are not there is said beside a selected row, too; a head on top that is pressed stays where it is, with the rows below
// it; and bookmarks have a button.
func TestRowsStandStill(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?row=2.205&filter=nosuchthread"))
	p.Says("No row matches “nosuchthread”. Clear the filter")
	if covered := Eval[bool](p, `(() => { const rows = [...document.querySelectorAll(".flow .row, .pane .row")].filter((r) => !r.hidden && r.textContent.includes("205")).map((r) => r.getBoundingClientRect().bottom);
		const empty = [...document.querySelectorAll(".empty")].find((e) => !e.hidden && e.textContent.includes("nosuchthread")); return !rows.length || empty.getBoundingClientRect().top < Math.max(...rows); })()`); covered {
		t.Error("the sentence covers the selected row, or there is none")
	}

	p.Find("searchbox", filterLabel).Type("")

	// The head of a host on top.
	scroller := `document.querySelector(".pane:not(.top) .scroller")`
	var before, last string
	p.Await("a head on top, and rows that rest", func() (any, bool) {
		last, before = before, Eval[string](p, scroller+`.querySelector(".row.pin").hidden + " " + `+scroller+`.scrollTop`)
		return before, before == last && strings.HasPrefix(before, "false ") && before != "false 0"
	})
	Eval[bool](p, scroller+`.querySelector(".row.pin .name").click(), true`)
	p.Matches(`Threads [\d ]+ in all of its recording, whether they ran or not`)
	if after := Eval[string](p, scroller+`.querySelector(".row.pin").hidden + " " + `+scroller+`.scrollTop`); after != before {
		t.Errorf("the rows moved as the head on top was pressed: from %s to %s", before, after)
	}

	button := p.Find("button", "Bookmarks…")
	if title := must[string](button, "function() { return this.title }"); !strings.Contains(title, "key B") {
		t.Errorf("the button of bookmarks does not tell their key: %q", title)
	}
	button.Click()
	p.Says("There is none yet. B sets one at the cursor")
	p.Press("Escape")

	// Columns of events that are out of sight.
	p.Resize(900, 700)
	p.Find("tab", "Events").Click()
	p.Await("which columns are out of sight", func() (any, bool) {
		got := Eval[string](p, `document.querySelector("#events .grid").getAttribute("aria-description") + " " + getComputedStyle(document.querySelector("#events .grid")).maskImage.slice(0, 15)`)
		return got, got == "Beyond the right edge: Event, Fields. The table scrolls sideways. linear-gradient"
	})
	Eval[bool](p, `document.querySelector("#events .grid").scrollLeft = 9999, true`)
	p.Await("the same at the other end", func() (any, bool) {
		got := Eval[string](p, `document.querySelector("#events .grid").getAttribute("aria-description")`)
		return got, got == "Beyond the left edge: Time, Since above. The table scrolls sideways."
	})
}
