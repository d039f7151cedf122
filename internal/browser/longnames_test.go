package browser

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Names that begin alike are told apart wherever there is no room for all of them: they give way in the middle, and their last letters stay.
func TestNamesThatBeginAlike(t *testing.T) {
	const begin = "ip-10-0-3-217-production-worker-eu-central-1b-autoscaling-"
	s := newSite(t, ingest.Options{})
	set := s.simulated("alike", strings.NewReplacer("host left", "host "+begin+"left", "host right", "host "+begin+"right", "link left right", "link "+begin+"left "+begin+"right", "from=left to=right", "from="+begin+"left to="+begin+"right").Replace(fmt.Sprintf(pair, "")))
	p := NewPage(t)
	p.Resize(1280, 720)
	// What of some elements is to be seen: the box of their last letters, inside of all that cuts.
	seen := func(css string) string {
		return Eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => {
			const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
			let last = null;
			while (texts.nextNode()) if (texts.currentNode.data.trim()) last = texts.currentNode;
			const range = document.createRange();
			const end = last.data.trimEnd().length;
			range.setStart(last, Math.max(0, end - 4));
			range.setEnd(last, end);
			const box = range.getBoundingClientRect();
			for (let up = last.parentElement; up; up = up.parentElement) {
				const b = up.getBoundingClientRect();
				if (getComputedStyle(up).overflowX !== "visible" && (box.right > b.right + 1 || box.left < b.left - 1)) return "cut by " + up.className + ": " + e.textContent;
			}
			return last.data.trimEnd().slice(-4);
		}).join("|")`, css))
	}
	for _, c := range []struct{ tab, css, want string }{
		{"", ".row.host .name", "left|ight"},
		{"messages", ".matrix tbody th", "left|ight"},
		{"messages", ".matrix thead th:not(.corner, .total)", "left|ight"},
		{"sync", ".graph .node-name", "ight"},
		{"sync", ".graph .node-name", "left"},
		{"sync", ".graph .node-note", " µs"},
		{"events", ".grid-body [role='row'] [role='gridcell']:nth-child(4)", "left"},
		{"events", ".grid-body [role='row'] [role='gridcell']:nth-child(4)", "ight"},
	} {
		p.Open(s.page(set, "?tab="+c.tab))
		p.Await(c.tab+": the ends of names in "+c.css, func() (any, bool) {
			saw := spaces.Replace(seen(c.css))
			return saw, strings.Contains(saw, c.want) && !strings.Contains(saw, "cut by")
		})
	}
	p.Open(s.page(set, "?tab=sync"))
	drawn := p.Canvas("The constraint points").Listen()
	p.Resize(1300, 720)
	p.Await("what the points mean is on the plot", func() (any, bool) {
		_, words := drawn()
		saw := fmt.Sprint(words)
		for _, w := range words {
			if strings.HasSuffix(w.Words, "right cannot be later than these") && strings.Contains(w.Words, "…") {
				return saw, true
			}
		}
		return saw, false
	})
}
