package browser

import "testing"

// An event that is to be shown in the timeline is to be seen there: where all of the set is, the window is drawn in about it.
func TestEventShownFromTheWholeSet(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?filter="))
	p.threadRow("dbwork, thread 205")
	p.Press("Home")
	p.settled()
	p.Press("3")
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("ArrowDown")
	p.Find("button", "Show in the timeline").Click()
	p.Find("heading", "Control flow")
	p.Await("a window in which it is seen", func() (any, bool) {
		begin, end := p.settled()
		return [2]int64{begin, end}, end-begin <= 100_000_000
	})
}
