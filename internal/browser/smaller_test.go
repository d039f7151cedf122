package browser

import "testing"

// What is selected and was in sight stays so when the window of the browser gets smaller.
func TestSelectedInASmallerWindow(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(3840, 2160)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	selected := func() (saw any, seen bool) {
		place := Eval[[]float64](p, `(() => {
			const pane = document.querySelector("section[aria-label='Control flow'] .scroller").getBoundingClientRect();
			const row = document.querySelector("section[aria-label='Control flow'] [role=row][aria-selected=true]:not([hidden])")?.getBoundingClientRect();
			return row ? [pane.top, row.top, row.bottom, pane.bottom] : [];
		})()`)
		return place, len(place) == 4 && place[0] <= place[1] && place[2] <= place[3]
	}
	p.Await("the selected row in sight", selected)
	p.Resize(1280, 720)
	p.Await("the window smaller", func() (any, bool) {
		_, _, width, _ := p.Find("region", "Control flow").Box()
		return width, width < 1280
	})
	p.frame()
	p.Await("the selected row in sight", selected)

	// One that was scrolled away on purpose stays away.
	left, top, width, height := p.Canvas("Control flow").Box()
	p.Wheel(left+width/2, top+height/2, 4000)
	p.Await("the row out of sight", func() (any, bool) { saw, seen := selected(); return saw, !seen })
	p.Resize(1280, 680)
	p.frame()
	if saw, seen := selected(); seen {
		t.Errorf("the row that was scrolled away is back: %v", saw)
	}
}
