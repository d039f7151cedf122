package browser

import (
	"strings"
	"testing"
)

// What is selected and was in sight stays so when the window of the browser gets smaller.
func TestSelectedInASmallerWindow(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(3840, 2160)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	// On a large screen all of Resources is in sight.
	p.Await("the CPUs of all hosts", func() (any, bool) {
		room := Eval[[]int](p, `((e) => [e.scrollHeight, e.clientHeight, document.querySelectorAll("section[aria-label='Resources'] [role=row]:not([hidden])").length])(document.querySelector("section[aria-label='Resources'] .scroller"))`)
		return room, room[0] <= room[1] && room[2] >= 12
	})
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

// Rows that a smaller window scrolls by itself, so that the selected one stays in sight, are no place that somebody has scrolled to:
// the address does not keep it.
func TestNobodyScrolled(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	scrolled := func() int {
		return Eval[int](p, `document.querySelector("section[aria-label='Control flow'] .scroller").scrollTop`)
	}
	p.Says("blocked in wait4")
	p.Await("the selected row brought into sight", func() (any, bool) { at := scrolled(); return at, at > 0 })
	before := scrolled()
	p.Resize(1280, 600)
	p.Await("the rows scrolled by the smaller window", func() (any, bool) { at := scrolled(); return at, at != before })
	p.frame()
	p.Press("r")
	p.Await("raw time and no more in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "time=raw")
	})
	if strings.Contains(p.Address(), "top=") {
		t.Errorf("the address keeps a place: %s", p.Address())
	}
}

// While a stretch is drawn, its length and what is said of the moment under the cursor are both to be read.
func TestLengthBesideTheCursor(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, size := range [][2]int64{{1280, 720}, {1280, 560}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, ""))
		p.threadRow("dbwork, thread 205")
		x, y, width, height := p.Canvas("Control flow").Box()
		for _, to := range []float64{0.22, 0.3, 0.8} {
			p.Mouse("mousePressed", x+width*0.2, y+height/2)
			p.Mouse("mouseMoved", x+width*to, y+height/2)
			p.Await("both flags, apart", func() (any, bool) {
				saw := Eval[[]float64](p, `[".range .flag", ".flagged", ".axis"].flatMap((which) => {
					const b = document.querySelector(which).getBoundingClientRect();
					return [b.left, b.top, b.right, b.bottom];
				})`)
				range_, flag := saw[:4], saw[4:8]
				shown := range_[2] > range_[0] && flag[2] > flag[0]
				apart := range_[2] <= flag[0] || flag[2] <= range_[0] || range_[3] <= flag[1] || flag[3] <= range_[1]
				return saw, shown && apart && flag[3] <= saw[11]+2
			})
			p.Mouse("mouseReleased", x+width*to, y+height/2)
			p.Press("Escape")
			p.Await("nothing selected", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "selection") })
		}
	}
}
