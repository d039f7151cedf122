package browser

import "testing"

// On a page that is so low, as one of 1280 × 720 that is shown twice as large, what does not fit of Events is scrolled to, and lies on nothing else.
func TestLowEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(640, 360)
	p.Open(s.page(set, "?tab=events&window=all"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 2 })
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("ArrowDown")
	p.Find("button", "Show in the timeline")

	const hit = `(() => {
		const line = document.querySelector("footer").getBoundingClientRect();
		return document.elementFromPoint(line.left + line.width / 2, line.top + 3).closest("footer, #events").tagName;
	})()`
	if got := Eval[string](p, hit); got != "FOOTER" {
		t.Errorf("on the line at the bottom lies %s", got)
	}
	p.Wheel(300, 100, 1000)
	p.Await("the way to the timeline in sight", func() (any, bool) {
		x, y, width, height := p.Find("button", "Show in the timeline").Box()
		end := Eval[float64](p, `document.querySelector("footer").getBoundingClientRect().top`)
		return []float64{x, y, width, height, end}, height > 0 && y+height <= end
	})
}
