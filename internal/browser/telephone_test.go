package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// touched is a page on a screen for fingers.
func touched(t *testing.T, width, height int64) *Page {
	t.Helper()
	p := NewPage(t)
	p.Resize(width, height)
	if _, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}); err != nil {
		t.Fatal(err)
	}
	return p
}

// On the screen of a telephone each section shows the row of a host and two more, the selected one among them. Where that has no room the tab
// scrolls, under a finger as well, down to the last section, and what is selected stays at its bottom.
func TestRowsOnATelephone(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, 360, 640)
	sections := []string{"Control flow", "Communication", "Resources"}
	for _, size := range [][2]int64{{360, 640}, {375, 667}, {360, 740}, {499, 640}, {500, 640}, {360, 360}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000&row=2.205"))
		at := fmt.Sprintf("at %d x %d", size[0], size[1])
		p.hostRow("Communication", "cache")
		inspector := p.Find("complementary", "What is selected")
		for _, name := range sections {
			p.Await("two rows and their host in "+name+" "+at, func() (any, bool) {
				_, _, _, rows := p.Canvas(name).Box()
				return rows, rows >= 66
			})
		}
		// top is where what is selected begins, once that is told.
		var top float64
		p.AwaitRest("what is selected "+at, func() (string, bool) {
			_, y, _, height := inspector.Box()
			top = y
			return fmt.Sprint(y, height), height >= 60
		})
		_, line, _, _ := p.Find("contentinfo", "").Box()
		if _, _, _, height := inspector.Box(); top+height > line {
			t.Errorf("%s what is selected goes to %.0f, below the status line at %.0f", at, top+height, line)
		}
		if size[1] > 360 {
			_, y, _, height := p.threadRow("dbwork, thread 205").Box()
			_, rows, _, room := p.Canvas("Control flow").Box()
			if y < rows+21 || y+height > rows+room+1 || y+height > top {
				t.Errorf("%s the selected row is at %.0f, the rows go from %.0f to %.0f, and what is selected is told from %.0f on", at, y, rows, rows+room, top)
			}
		}
		if wide := Eval[int](p, "document.documentElement.scrollWidth"); wide > int(size[0]) {
			t.Errorf("%s the page is %d px wide", at, wide)
		}
		Eval[any](p, `document.querySelector("#timeline").scrollTo(0, 9999)`)
		p.Await("all of Resources above what is selected "+at, func() (any, bool) {
			_, y, _, height := p.Find("region", "Resources").Box()
			_, told, _, _ := inspector.Box()
			return []float64{y, height, told}, y+height <= told+1 && math.Abs(told-top) < 2
		})
	}

	// The line around rows that have the keys lies below the head of their section.
	p.Resize(360, 640)
	p.Find("treegrid", "Control flow: rows").Focus()
	p.Press("ArrowUp")
	p.Await("a line around the rows alone", func() (any, bool) {
		at := Eval[[]float64](p, `(() => {
			const pane = document.querySelector('section[aria-label="Control flow"]'), ring = getComputedStyle(pane, "::after");
			return [parseFloat(ring.top), parseFloat(ring.height), pane.querySelector(".head").offsetHeight, pane.querySelector(".scroller").clientHeight];
		})()`)
		return at, math.Abs(at[0]-at[2]) < 2 && math.Abs(at[1]-at[3]) < 2
	})

	// With nothing selected the sections have the room down to the status line, and what is closed gives up its own.
	p.Resize(360, 740)
	p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000&row="))
	p.hostRow("Communication", "cache")
	p.Find("button", "Resources").Click()
	p.Await("all of the room taken", func() (any, bool) {
		_, y, _, height := p.Find("region", "Resources").Box()
		_, line, _, _ := p.Find("contentinfo", "").Box()
		return []float64{y, height, line}, math.Abs(y+height-line) < 2
	})
	p.Find("button", "Resources").Click()

	p.Resize(360, 640)
	p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000&row=2.205"))
	p.Says("blocked in wait4")
	for _, from := range []string{`section[aria-label="Control flow"] h2`, ".overview .strip"} {
		Eval[any](p, `document.querySelector("#timeline").scrollTo(0, 0)`)
		begin, end, _ := view(t, p)
		at := Eval[[]float64](p, fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()`, from))
		p.drawn([][2]float64{{at[0], at[1]}}, [][2]float64{{at[0], at[1] - 50}})
		p.Await("the tab moved by a finger on "+from, func() (any, bool) {
			now := Eval[float64](p, `document.querySelector("#timeline").scrollTop`)
			return now, now > 20
		})
		if b, e, _ := view(t, p); b != begin || e != end {
			t.Errorf("a finger that moved the tab by %s moved the window", from)
		}
	}
}

// On the screen of a telephone the plot of a link says in fewer words what its points mean, with the names of the hosts, no range lies under
// what can be pressed beside it, and the last is in sight; the help is no wider than its window.
func TestWordsOnATelephone(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, 360, 740)
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	p.Says("what each message says about")
	drawn := p.Canvas("The constraint points").Listen()
	p.Resize(360, 640)
	p.Await("what the points mean", func() (any, bool) {
		_, words := drawn()
		saw := fmt.Sprint(words)
		return saw, strings.Contains(saw, "client → web: web not later") && strings.Contains(saw, "web → client: web not earlier")
	})

	p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000&row=2.205"))
	p.threadRow("dbwork, thread 205")
	ranges := func(n int) {
		t.Helper()
		p.AwaitRest(fmt.Sprintf("%d ranges, the last of them whole", n), func() (string, bool) {
			at := Eval[[]float64](p, `(() => {
				const [list, last, notes] = [".crumbs ol", ".crumbs li:last-child button", ".crumbs .notes"].map((css) => document.querySelector(css).getBoundingClientRect());
				return [document.querySelectorAll(".crumbs li").length, list.left, last.left, last.right, list.right, notes.left];
			})()`)
			return fmt.Sprint(at), at[0] == float64(n) && at[1] <= at[2] && at[3] <= at[4]+1 && at[4] <= at[5]
		})
	}
	ranges(2)
	for n := 3; n < 6; n++ {
		for range 5 {
			p.Press("+")
		}
		ranges(n)
	}

	// So they are where what is said of raw times takes a line of its own.
	p.Resize(360, 640)
	p.Open(s.page(set, "?begin=1795232954000000000&end=1795232954570000000&row=2.205&time=raw"))
	p.Says("received before sent")
	p.Await("ranges above the rows", func() (any, bool) {
		_, y, _, height := p.Find("button", "Back").Box()
		at := Eval[[]float64](p, `(() => { const line = document.querySelector(".crumbs").getBoundingClientRect(); return [line.top, line.bottom]; })()`)
		return []any{y, height, at}, height > 14 && at[0] <= y && y+height <= at[1]
	})

	p.Find("button", "Keys and legend").Click()
	p.Says("Switch between raw and synchronized time")
	if wide := must[[]int](p.Find("dialog", "Keys and legend"), "function() { return [this.scrollWidth, this.clientWidth] }"); wide[0] > wide[1] {
		t.Errorf("the help is %d px wide in a window of %d", wide[0], wide[1])
	}
}
