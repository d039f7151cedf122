package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A drawing of rows, as each frame tells of it.
type frame struct {
	Rows   int    `json:"rows"`
	Blank  int    `json:"blank"`  // of them lack a part of the window
	Coarse int    `json:"coarse"` // of them are stretched from a coarser level
	Window string `json:"window"`
}

// watch keeps what each frame of Control flow says that it drew.
func (p *Page) watch() {
	p.t.Helper()
	Eval[bool](p, `window.told = []; addEventListener("drawn", (e) => told.push({...e.detail})); true`)
}

func (p *Page) told() []frame { return Eval[[]frame](p, "told") }

// forget starts anew.
func (p *Page) forget() { Eval[bool](p, "told.length = 0; true") }

// sharp waits until the last frame is as fine as pixels and lacks nothing.
func (p *Page) sharp() {
	p.t.Helper()
	p.Await("a sharp picture", func() (any, bool) {
		all := Eval[[]frame](p, "told.slice(-1)")
		if len(all) == 0 {
			Eval[bool](p, `dispatchEvent(new KeyboardEvent("keydown", {key: "F24"})); true`)
			return "no frame", false
		}
		last := all[0]
		return last, last.Rows > 0 && last.Blank == 0 && last.Coarse == 0
	})
}

// While the window moves, through all depths and from end to end, each frame draws each row over
// its whole width, stretched where the right level is not there yet, and at rest all is sharp.
func testMotion(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?rows=all"))
	p.watch()
	p.threadRow("dbwork, thread 205")
	p.Press("ArrowRight")
	p.sharp()
	// What is fetched ahead at the beginning is there once a step needs nothing from the server.
	before := Eval[string](p, "told.at(-1).window")
	p.Press("Home")
	p.Await("a frame of the whole set, for one of before is sharp as well", func() (any, bool) {
		now := Eval[string](p, "told.at(-1).window")
		return now, now != before
	})
	p.sharp()
	p.forget()

	moved := func(letter string, frames int) {
		t.Helper()
		from := Eval[int](p, "told.length")
		p.Hold(letter, fmt.Sprintf("%d frames with %s", frames, letter), func() (any, bool) { n := Eval[int](p, "told.length") - from; return n, n > frames })
	}
	for _, step := range []struct {
		letter string
		frames int
	}{{"w", 30}, {"d", 30}, {"w", 40}, {"a", 30}, {"s", 30}, {"d", 20}, {"w", 60}, {"d", 30}, {"s", 90}} {
		moved(step.letter, step.frames)
	}
	// Far jumps, as a click in the overview makes them.
	strip := p.Canvas("Events over the whole set")
	x, y, width, height := strip.Box()
	for _, share := range []float64{0.1, 0.9, 0.4, 0.6} {
		p.Press("+")
		p.Press("+")
		p.Click(x+share*width, y+height/2)
	}
	p.sharp()
	windows := make(map[string]bool)
	for i, f := range p.told() {
		windows[f.Window] = true
		if f.Blank > 0 {
			t.Errorf("frame %d, window %s: %d of %d rows are blank in part", i, f.Window, f.Blank, f.Rows)
		}
	}
	if len(windows) < 100 {
		t.Errorf("the window had %d places only", len(windows))
	}
	last := p.Canvas("Control flow").Count("--panel")
	if last == 0 {
		t.Error("nothing is drawn")
	}
}

// What one zoomed in through stays above, to come back to; back and forward go the way the window went.
func testWaysBack(t *testing.T, p *Page, address string) {
	p.Open(address)
	p.threadRow("dbwork, thread 205")
	p.Press("Home")
	ranges := p.Find("navigation", "Ranges")
	names := func() []string {
		var out []string
		for _, b := range ranges.All("button", "") {
			if name := must[string](b, "function() { return this.textContent }"); name != "←" && name != "→" {
				out = append(out, name)
			}
		}
		return out
	}
	shows := func(n int) []string {
		t.Helper()
		var got []string
		p.Await(fmt.Sprintf("%d ranges", n), func() (any, bool) { got = names(); return got, len(got) == n })
		return got
	}
	narrower := func() {
		t.Helper()
		now := func() (begin, end int64) { begin, end, _ = view(t, p); return begin, end }
		b, e := now()
		whole := e == b
		for range 5 {
			p.Press("+")
		}
		p.Await("another address", func() (any, bool) {
			b2, e2 := now()
			return p.Address(), e2 != b2 && (whole || e2-b2 < (e-b)/4)
		})
		p.settled() // slow presses are written one by one
	}
	shows(1)
	p.Await("the whole set in the address", func() (any, bool) {
		b, e, _ := view(t, p)
		return p.Address(), b == e
	})
	narrower()
	first := shows(2)
	firstBegin, firstEnd, _ := view(t, p)
	narrower()
	if got := shows(3); got[1] != first[1] {
		t.Errorf("the range zoomed in from is %q, was %q", got[1], first[1])
	}
	thirdBegin, thirdEnd, _ := view(t, p)

	is := func(what string, begin, end int64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			b, e, _ := view(t, p)
			return fmt.Sprint(b, " ", e), b == begin && e == end
		})
	}
	ranges.All("button", "")[3].Click() // after back, forward and the whole set
	is("the range zoomed in from", firstBegin, firstEnd)
	shows(2)
	p.Find("button", "Back").Click()
	is("where the window was before", thirdBegin, thirdEnd)
	p.Find("button", "Forward").Click()
	is("forward again", firstBegin, firstEnd)
	p.Press("Backspace")
	is("back by key", thirdBegin, thirdEnd)
	p.do(chromedp.KeyEvent(kb.Backspace, chromedp.KeyModifiers(chromedp.ModifierShift)))
	is("forward by key", firstBegin, firstEnd)
	shows(2)
	p.Find("button", "Whole set").Click()
	shows(1)
	p.Says(", all")
}

// The overview shows the window where it is in the set, and moves it by hand.
func testMiniMap(t *testing.T, p *Page, address string) {
	p.Open(address)
	p.threadRow("dbwork, thread 205")
	strip := p.Canvas("Events over the whole set")
	x, y, width, height := strip.Box()
	// A stretch drawn with the mouse is the window.
	drag := func(from, to float64) {
		t.Helper()
		y := y + height/2
		p.Mouse("mousePressed", x+from*width, y)
		p.Mouse("mouseMoved", x+(from+to)/2*width, y)
		p.Mouse("mouseMoved", x+to*width, y)
		p.Mouse("mouseReleased", x+to*width, y)
	}
	brush := func() (left, right float64) {
		t.Helper()
		bx, _, bw, _ := p.Find("slider", "Window").Box()
		return (bx - x) / width, (bx + bw - x) / width
	}
	lies := func(from, to float64) {
		t.Helper()
		p.Await(fmt.Sprintf("the window from %.2f to %.2f of the set", from, to), func() (any, bool) {
			l, r := brush()
			return fmt.Sprintf("%.3f to %.3f", l, r), l > from-0.01 && l < from+0.01 && r > to-0.01 && r < to+0.01
		})
	}
	drag(0.2, 0.4)
	lies(0.2, 0.4)
	drag(0.3, 0.6) // its middle
	lies(0.5, 0.7)
	drag(0.7, 0.9) // its end
	lies(0.5, 0.9)
	p.Await("the address of the window", func() (any, bool) {
		b, e, ok := view(t, p)
		return p.Address(), ok && e-b > 15_000_000_000 && e-b < 16_500_000_000
	})
	words := Eval[string](p, `document.querySelector("[role=slider]").getAttribute("aria-valuetext")`)
	if !strings.Contains(words, "15.") && !strings.Contains(words, "16.") {
		t.Errorf("the window is said to be %q", words)
	}
	// What it shows is still there after a look into another tab.
	shown := strip.Digest()
	p.Find("tab", "Events").Click()
	p.Find("grid", "Events")
	p.frame()
	p.Find("tab", "Timeline").Click()
	p.Await("a strip with room", func() (any, bool) {
		_, _, width, height := strip.Box()
		return fmt.Sprint(width, " by ", height), width > 0 && height > 0
	})
	p.Await("the strip as it was", func() (any, bool) {
		now := strip.Digest()
		return now, now == shown
	})
}

// Wherever the window was sent from, by the palette, an event, a point of the synchronization or a message, each jump is
// a step of its own that Backspace takes back, also one that follows another at once.
func testJumps(t *testing.T, p *Page, address string) {
	p.Open(address)
	p.threadRow("dbwork, thread 205")
	type window struct{ begin, end int64 }
	var now window
	goes := func(what string, yes func(window) bool) window {
		t.Helper()
		p.Await(what, func() (any, bool) {
			begin, end, _ := view(t, p)
			now = window{begin, end}
			return now, yes(now)
		})
		return now
	}
	back := func(to window) {
		t.Helper()
		p.Press("Backspace")
		goes(fmt.Sprintf("back at %v", to), func(w window) bool { return w == to })
	}
	opened := goes("a window", func(w window) bool { return w.end > w.begin })
	p.Press("ArrowRight")
	start := goes("a window beside it", func(w window) bool { return w.begin > opened.begin })
	time := func(typed, first string) window {
		t.Helper()
		from := now
		p.palette(typed, first)
		p.strike("Enter", 0)
		return goes("the window at "+typed, func(w window) bool { return w.begin > from.begin+1e9 })
	}
	first := time("20s", "Go to 20.000")
	time("30s", "Go to 30.000")
	back(first)
	back(start)

	p.Find("tab", "Events").Click()
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 0 })
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("End")
	p.Await("the last event", func() (any, bool) {
		rows := p.listed()
		return rows, len(rows) > 0 && seconds(t, rows[len(rows)-1][0]) > 39_400_000_000
	})
	p.Press("ArrowDown")
	p.Press("Enter")
	last := goes("the window at the last event", func(w window) bool { return w.begin > start.end })

	p.Find("tab", "Synchronization").Click()
	plot := p.Canvas("The constraint points")
	var places []float64
	height := 0.
	p.Await("messages of a link", func() (any, bool) {
		_, _, _, height = plot.Box()
		places = plot.Inked(height/6, "--panel")
		return places, len(places) > 10
	})
	left, top, _, _ := plot.Box()
	for _, x := range places {
		p.Click(left+x, top+height/6)
		p.frame()
		if p.Find("tab", "Timeline").State("selected") == "true" {
			break
		}
	}
	goes("the window at a message", func(w window) bool { return w != last && w.end-w.begin < 1e9 })
	back(last)
	back(start)
}

// However far rows are scrolled at once, by the scroller, the wheel or keys, no frame has a blank one: of all 3 220 rows
// something is at hand soon after the set is opened.
func testScroll(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?rows=all"))
	p.threadRow("dbwork, thread 205")
	Eval[any](p, `(() => {
		window.blank = []
		addEventListener("drawn", (e) => window.blank.push(e.detail.blank), true)
		window.scroller = document.querySelector(".pane:not(.top) .scroller")
		return null
	})()`)
	// Places that were not looked at before: each is seen first in one frame, and five of them must be whole.
	place, whole := 0, 0
	p.Await("five places in turn that are whole at first, wherever the rows are scrolled to", func() (any, bool) {
		place++
		blank := Eval[int](p, fmt.Sprintf(`new Promise((done) => {
			window.blank.length = 0
			window.scroller.scrollTop = (%d * 0.381966 %% 1) * window.scroller.scrollHeight
			const look = () => window.blank.length > 0 ? done(window.blank[0]) : requestAnimationFrame(look)
			look()
		})`, place))
		if whole++; blank > 0 {
			whole = 0
		}
		return fmt.Sprintf("%d blank at place %d", blank, place), whole == 5
	})
	Eval[any](p, "window.blank.length = 0")
	left, top, width, height := p.Canvas("Control flow").Box()
	for range 12 {
		p.Wheel(left+width/2, top+height/2, -3*height)
	}
	for range 12 {
		p.Press("PageUp")
	}
	p.Find("treegrid", "Control flow: rows").Focus()
	for _, key := range []string{"End", "PageUp", "PageUp", "PageDown"} {
		p.Press(key)
	}
	p.frame()
	if blank := Eval[[]int](p, "window.blank"); len(blank) < 8 || slices.Max(blank) > 0 {
		t.Errorf("rows that are blank in the frames while they are scrolled: %v", blank)
	}
}
