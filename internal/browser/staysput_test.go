package browser

import (
	"fmt"
	"testing"
)

// Nothing moves for words that come and go: those of a comparison, what is pressed of another synchronization, and the pairs beside the matrix.
func TestWhatIsSaidMovesNothing(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	top := func(selector string) float64 {
		t.Helper()
		return Eval[float64](p, fmt.Sprintf(`Math.round(document.querySelector(%q).getBoundingClientRect().top * 4) / 4`, selector))
	}
	stays := func(width int64, selector, what string, before float64) {
		t.Helper()
		if now := top(selector); now != before {
			t.Errorf("at %d px, %s: it is at %v, and was at %v", width, what, now, before)
		}
	}
	for _, width := range []int64{1280, 1920} {
		p.Resize(width, 720)
		p.Open(s.page(set, "?tab=sync"))
		p.Matches(`Known there: .*, against the clock of web`)
		const graph = "#sync .ofgraph"
		before := top(graph)
		p.Find("combobox", "Compare host").Choose("web")
		p.Await("the words of web alone", func() (any, bool) {
			words := Eval[string](p, `document.querySelector(".compare > .minor").innerText`)
			return words, words == ""
		})
		stays(width, graph, "with the reference chosen", before)
		p.Find("combobox", "with host").Choose("cache")
		p.Matches(`(cache is ahead of|cache is behind) web by`)
		stays(width, graph, "with two hosts compared", before)

		// What becomes of a change is told in as many lines as it takes, and in whole; what is pressed stays under the mouse.
		const opener, change = "#sync .force [aria-controls=resync]", "#sync .force > .minor"
		p.Open(s.page(set, "?tab=sync"))
		p.Matches(`Known there: .*, against the clock of web`)
		at, left := top(opener), Eval[float64](p, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().left`, opener))
		p.palette("reference db", "Make db the reference (pin it)")
		p.strike("Enter", 0)
		p.Matches(`In force: .*reference db.* Synchronized in`)
		stays(width, opener, "with another reference", at)
		if now := Eval[float64](p, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().left`, opener)); now != left {
			t.Errorf("at %d px, with another reference: the button is at %v, and was at %v", width, now, left)
		}
		if !Eval[bool](p, fmt.Sprintf(`(() => { const e = document.querySelector(%q), f = e.closest(".force"); return e.scrollHeight <= e.clientHeight && e.getBoundingClientRect().bottom <= f.getBoundingClientRect().bottom })()`, change)) {
			t.Errorf("at %d px: what became of the change is cut", width)
		}
		p.Find("button", "Back to the default").Click()
		p.Matches(`In force: the default.* Synchronized in`)
		stays(width, opener, "back at the default", at)
	}
	for _, width := range []int64{1110, 1410} {
		p.Resize(width, 800)
		p.Open(s.page(set, "?tab=messages"))
		p.Find("table", "Both ways together")
		place := func() string {
			return Eval[string](p, `(() => { const b = document.querySelector("table[aria-label='Both ways together']").getBoundingClientRect(); const above = document.querySelector(".matrix").getBoundingClientRect(); return [b.left - above.left, b.top - above.top].map(Math.round).join(); })()`)
		}
		before := place()
		p.Find("button", "client ↔ web").Click()
		p.Await("the pair", func() (any, bool) { return nil, Eval[bool](p, `!!document.querySelector(".pair:not([hidden])")`) })
		if now := place(); now != before {
			t.Errorf("at %d px, with a pair chosen the pairs are at %s, and were at %s", width, now, before)
		}
	}
}

// A host that is selected has its facts beside the timeline; a time of day is told to be by whose clock; and what a window can be saved as is a press away.
func TestHostFactsAndWays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	c := clocksOf(t, set)
	p.Open(s.page(set, ""))
	p.hostRow("Communication", "db").Click()
	p.Matches(`db host, with a clock of its own Clock known to ` + c.everKnown("db") + `, best to worst Recorded from \d+\.\d{3} s until \d+\.\d{3} s By its clock [\d:.]+ to [\d:.]+ UTC For \d+\.\d+ s Threads [\d ]+ in all of its recording, whether they ran or not Events [\d ]+ Lost none`)
	p.Find("button", "All of its recording").Click()
	p.Matches(`db recorded from \d+\.\d{3} s to \d+\.\d{3} s`)
	p.hostRow("Communication", "web").Click()
	p.Matches(`web host, with a clock of its own Clock known to exactly: it is the reference`)

	p.palette("0..1", "Show 0.000 000 000 s to 1.000 000 000 s (02:49:09.203 116 349 to 02:49:10.203 116 349 UTC by the clock of web)")
	p.Press("Escape")
	p.Gone("dialog", "Commands")

	p.Find("button", "Save…").Click()
	p.Matches(`Save what every thread did in the window \(CSV\)`)
	p.Matches(`Save the messages of the window \(CSV\)`)
}
