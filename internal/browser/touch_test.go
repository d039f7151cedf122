package browser

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// fingers does something with fingers at places of the page: "touchStart", "touchMove", and "touchEnd" with none.
func (p *Page) fingers(kind input.DispatchTouchEventType, places ...[2]float64) {
	p.t.Helper()
	params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, at := range places {
		id := float64(i + 1)
		params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: at[0], Y: at[1], ID: &id})
	}
	if _, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// drawn lets fingers go from places to others, by small steps.
func (p *Page) drawn(from, to [][2]float64) {
	p.t.Helper()
	p.fingers("touchStart", from...)
	const steps = 10
	for i := 1; i <= steps; i++ {
		var now [][2]float64
		for k := range from {
			share := float64(i) / steps
			now = append(now, [2]float64{from[k][0] + (to[k][0]-from[k][0])*share, from[k][1] + (to[k][1]-from[k][1])*share})
		}
		p.fingers("touchMove", now...)
	}
	p.fingers("touchEnd")
}

// Fingers on the screen move, zoom, scroll, choose and select.
func TestFingers(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000"))
	p.threadRow("dbwork, thread 205")
	x, y, width, height := p.Canvas("Control flow").Box()
	// window waits until the window is another than before.
	window := func(what string, want func(begin, span float64) bool) (begin, span float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			b, e, ok := view(t, p)
			begin, span = float64(b-1795229355000000000)/570e6, float64(e-b)/570e6
			return fmt.Sprintf("from %.3f, %.3f long", begin, span), ok && want(begin, span)
		})
		return begin, span
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.02 }

	p.drawn([][2]float64{{x + width*0.6, y + height/2}}, [][2]float64{{x + width*0.4, y + height/2 + 5}})
	window("the window a fifth later", func(begin, span float64) bool { return near(begin, 0.2) && near(span, 1) })
	if a := p.Address(); strings.Contains(a, "selection") {
		t.Errorf("one finger selects at once: %s", a)
	}

	p.drawn([][2]float64{{x + width*0.4, y + height/2}, {x + width*0.6, y + height/2}}, [][2]float64{{x + width*0.3, y + height/2}, {x + width*0.7, y + height/2}})
	window("half of it, about its middle", func(begin, span float64) bool { return near(begin, 0.45) && near(span, 0.5) })

	scrolled := func() float64 {
		return must[float64](p.Find("region", "Control flow"), "function() { return this.querySelector('.scroller').scrollTop }")
	}
	before := scrolled()
	p.drawn([][2]float64{{x + width*0.5, y + height*0.8}}, [][2]float64{{x + width*0.5, y + height*0.8 - 66}})
	p.Await("rows moved", func() (any, bool) { now := scrolled(); return now - before, math.Abs(now-before-66) < 2 })
	window("the same window", func(begin, span float64) bool { return near(begin, 0.45) && near(span, 0.5) })

	p.fingers("touchStart", [2]float64{x + width*0.5, y + 50})
	p.fingers("touchEnd")
	p.Await("a row chosen", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "row=") })

	// A finger that rests for a moment draws a selection.
	p.fingers("touchStart", [2]float64{x + width*0.2, y + height/2})
	p.Await("the cursor under the finger", func() (any, bool) {
		return nil, Eval[bool](p, `!document.querySelector(".overlay > .cursor").hidden`)
	})
	p.fingers("touchMove", [2]float64{x + width*0.3, y + height/2})
	p.fingers("touchMove", [2]float64{x + width*0.6, y + height/2})
	p.fingers("touchEnd")
	p.Await("a selection", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "selection=") })
	window("the same window", func(begin, span float64) bool { return near(begin, 0.45) && near(span, 0.5) })
}

// control has the key Ctrl go down.
func (p *Page) control() {
	p.t.Helper()
	params := input.DispatchKeyEventParams{Type: "keyDown", Modifiers: ctrl, Key: "Control", Code: "ControlLeft"}
	if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// wheelWithControl turns the wheel at a place of the page, as it is turned with Ctrl, and by fingers on a trackpad without.
func (p *Page) wheelWithControl(x, y, down float64) {
	p.t.Helper()
	params := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 0.001, DeltaY: down, Modifiers: ctrl}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// Fingers spread on a trackpad come as a wheel with Ctrl and without the key: what is under them stays under them. With the key it is a wheel.
func TestSpreadOnATrackpad(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355000000000&end=1795229355570000000"))
	p.threadRow("dbwork, thread 205")
	x, y, width, height := p.Canvas("Control flow").Box()
	wheel := func(down float64) {
		t.Helper()
		p.wheelWithControl(x+width/2, y+height/2, down)
	}
	span := func(what string, want float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			b, e, ok := view(t, p)
			return float64(e-b) / 570e6, ok && math.Abs(float64(e-b)/570e6-want) < 0.02
		})
	}
	for range 10 {
		wheel(-10 * math.Ln2)
	}
	span("half of the window", 0.5)
	p.control()
	wheel(100)
	span("a turn of the wheel out", 0.5*math.Exp(0.25))
}

// The wheel with Ctrl zooms the timeline wherever it is turned over it, and nowhere the browser's page: on the edges between the parts at the
// pointer, beside the canvases at the nearest end of the window.
func TestWheelAroundTheCanvas(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1440, 900)
	const begin, span = 1795229355000000000, 570000000
	left, top, width, height := 0.0, 0.0, 0.0, 0.0
	for _, at := range []struct {
		over  string
		x, y  func() float64
		share float64 // of the window, what stays there
	}{
		{"the left edge of the canvas", func() float64 { return left + 2 }, func() float64 { return top + height/2 }, 0},
		{"the right edge of the canvas", func() float64 { return left + width - 2 }, func() float64 { return top + height/2 }, 1},
		{"the names of rows", func() float64 { return left - 60 }, func() float64 { return top + height/2 }, 0},
		{"the head of a section", func() float64 { return left + width/2 }, func() float64 { return top - 14 }, 0.5},
		{"the panel", func() float64 { return 1440 - 20 }, func() float64 { return top + height/2 }, 1},
		{"the facts beside the overview", func() float64 { return 40 }, func() float64 { return 80 }, 0},
	} {
		p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", begin, begin+span)))
		p.threadRow("dbwork, thread 205")
		left, top, width, height = p.Canvas("Control flow").Box()
		Eval[bool](p, `(addEventListener("wheel", (e) => { window.held = e.defaultPrevented }), true)`)
		p.control()
		p.wheelWithControl(at.x(), at.y(), -100)
		p.Await("a closer look over "+at.over, func() (any, bool) {
			b, e, ok := view(t, p)
			held := Eval[bool](p, "window.held === true")
			stays := float64(b) + at.share*float64(e-b) - (begin + at.share*span)
			return fmt.Sprint(b-begin, e-b, held), ok && held && math.Abs(float64(e-b)/span-math.Exp(-0.25)) < 0.001 && math.Abs(stays) < span*0.003
		})
	}
}

// Fingers move and zoom the plot of a link's messages as it comes, of all of them, and the address has which part they show.
func TestFingersOnThePlotOfALink(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, Width, Height)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	canvas := p.Canvas("The constraint points of the chosen link")
	Eval[any](p, `document.querySelector("#sync .ofpoints").scrollIntoView()`)
	p.AwaitRest("the plot in its place", func() (string, bool) { _, y, _, _ := canvas.Box(); return fmt.Sprint(y), y > 0 })
	x, y, width, height := canvas.Box()
	y += height / 2
	part := func(what string, want func(begin, span float64) bool) (begin, span float64) {
		t.Helper()
		p.AwaitRest(what, func() (string, bool) {
			var b, e int64
			at := Eval[string](p, `new URLSearchParams(location.search).get("plot") ?? ""`)
			if _, err := fmt.Sscanf(at, "%d~%d", &b, &e); err != nil {
				return at, false
			}
			begin, span = float64(b%1_000_000_000_000)/1e9, float64(e-b)/1e9
			return at, want(begin, span)
		})
		return begin, span
	}
	p.drawn([][2]float64{{x + width*0.4, y}, {x + width*0.6, y}}, [][2]float64{{x + width*0.25, y}, {x + width*0.75, y}})
	begin, span := part("two fifths of 36 s", func(_, span float64) bool { return math.Abs(span-14.5) < 0.3 })
	p.drawn([][2]float64{{x + width*0.4, y}, {x + width*0.6, y}}, [][2]float64{{x + width*0.3, y}, {x + width*0.7, y}})
	begin, span = part("half of it", func(_, now float64) bool { return math.Abs(now/span-0.5) < 0.03 })
	p.drawn([][2]float64{{x + width*0.6, y}}, [][2]float64{{x + width*0.4, y}})
	part("what comes later", func(b, now float64) bool { return b-begin > 0.15*span && b-begin < 0.3*span && now == span })
	if scale := Eval[float64](p, "visualViewport.scale"); scale != 1 {
		t.Errorf("the page is zoomed by %v", scale)
	}
}

// scrolledTo is how far what scrolls around an element is scrolled, the page or a part of it.
const scrolledTo = `function() { for (let e = this; e; e = e.parentElement) if (e.scrollTop > 0) return e.scrollTop; return scrollY }`

// plotOfALink is that of the page of clocks that is open, once its messages are there: in the middle of what is seen, with the focus.
func (p *Page) plotOfALink() Canvas {
	p.t.Helper()
	p.Says("what each message says about")
	plot := p.Canvas("The constraint points")
	p.Await("points", func() (any, bool) { n := plot.Count("--sys"); return n, n > 100 })
	must[any](plot.Element, "function() { this.scrollIntoView({ block: 'center' }); this.parentElement.focus({ preventScroll: true }); return null }")
	return plot
}

// Fingers move the plot of a link and zoom it around where they are, and not the page; up and down one moves the page.
func TestFingersOnTheLink(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, 768, 1024)
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	plot := p.plotOfALink()
	for range 3 {
		p.Press("+")
	}
	told := regexp.MustCompile(`([\d.]+) s from ([\d. ]+) s on`)
	part := func() (begin, span float64) {
		words := spaces.Replace(Eval[string](p, `document.querySelector(".ofpoints h2").textContent`))
		if m := told.FindStringSubmatch(words); m != nil {
			span, _ = strconv.ParseFloat(m[1], 64)
			begin, _ = strconv.ParseFloat(strings.ReplaceAll(m[2], " ", ""), 64)
		}
		return begin, span
	}
	await := func(what string, want func(begin, span float64) bool) (begin, span float64) {
		t.Helper()
		p.AwaitRest(what, func() (string, bool) {
			begin, span = part()
			return fmt.Sprintf("%.4f s from %.4f s on", span, begin), want(begin, span)
		})
		return begin, span
	}
	begin, span := await("a part", func(_, span float64) bool { return span > 0 })
	x, y, width, height := plot.Box()
	const left, right = 64, 8 // of the paper
	across := width - left - right
	at := func(px float64) float64 { return begin + span*(px-x-left)/across }
	middle := x + left + across/2

	// One finger moves it as the mouse does.
	p.drawn([][2]float64{{middle, y + height/2}}, [][2]float64{{middle - 150, y + height/2 + 4}})
	want := begin + span*150/across
	begin, span = await("the part that a finger moved", func(b, s float64) bool { return math.Abs(b-want) < span*0.02 && s == span })

	// Two zoom it: what is under them stays there, however they lie.
	for _, fingers := range [][2][2]float64{{{60, 0}, {120, 0}}, {{5, 40}, {5, 80}}} {
		from, to := fingers[0], fingers[1]
		around := func(off [2]float64) [][2]float64 {
			return [][2]float64{{middle - 60 - off[0], y + height/2 - off[1]}, {middle - 60 + off[0], y + height/2 + off[1]}}
		}
		under := at(middle - 60)
		scrolled := must[float64](plot.Element, scrolledTo)
		half := span / 2
		p.drawn(around(from), around(to))
		begin, span = await("half of the part", func(_, s float64) bool { return math.Abs(s-half) < half*0.03 })
		if now := at(middle - 60); math.Abs(now-under) > span*0.03 {
			t.Errorf("between the fingers %v is at %.4f s, was %.4f s", fingers, now, under)
		}
		if now := must[float64](plot.Element, scrolledTo); now != scrolled {
			t.Errorf("the fingers %v moved the page by %v", fingers, now-scrolled)
		}
	}
	// One of them may rest, and the other go up.
	scrolled := must[float64](plot.Element, scrolledTo)
	half := span / 2
	p.drawn([][2]float64{{middle, y + height/2 + 40}, {middle + 5, y + height/2}}, [][2]float64{{middle, y + height/2 + 40}, {middle + 5, y + height/2 - 40}})
	begin, span = await("half of the part", func(_, s float64) bool { return math.Abs(s-half) < half*0.03 })
	if now := must[float64](plot.Element, scrolledTo); now != scrolled {
		t.Errorf("two fingers moved the page by %v", now-scrolled)
	}
	if scale := Eval[float64](p, "visualViewport.scale"); scale != 1 {
		t.Errorf("the page is %v as large", scale)
	}

	// Up and down a finger moves the page.
	before := must[float64](plot.Element, scrolledTo)
	p.drawn([][2]float64{{middle, y + height*0.8}}, [][2]float64{{middle + 2, y + height*0.8 - 120}})
	p.Await("the page to be moved", func() (any, bool) {
		now := must[float64](plot.Element, scrolledTo)
		return []float64{before, now}, math.Abs(now-before) > 40
	})
	await("the same part", func(b, s float64) bool { return math.Abs(b-begin) < span*0.02 && s == span })
}

// What is let go beside the plot of a link, before it moved, is let go: neither does the mouse move it any more, nor is a finger the second one.
func TestPressLetGoBesideThePlot(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, 1280, 900)
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	plot := p.plotOfALink()
	var begin, span int64
	part := func(what string, want func(b, s int64) bool) {
		t.Helper()
		p.AwaitRest(what, func() (string, bool) {
			var b, e int64
			at := Eval[string](p, `new URLSearchParams(location.search).get("plot") ?? ""`)
			if _, err := fmt.Sscanf(at, "%d~%d", &b, &e); err != nil || !want(b, e-b) {
				return at, false
			}
			begin, span = b, e-b
			return at, true
		})
	}
	p.Press("+")
	part("a part", func(_, s int64) bool { return s > 0 })
	p.Press("+")
	wider := span
	part("a smaller part", func(_, s int64) bool { return 0 < s && s < wider })
	x, y, width, height := plot.Box()
	y += height / 2
	p.Mouse("mousePressed", x+width-2, y)
	for _, far := range []float64{-1, 1, 5} {
		p.Mouse("mouseMoved", x+width+far, y)
	}
	p.Mouse("mouseReleased", x+width+5, y)
	for i := range 6 {
		p.Point(x+width-10-40*float64(i), y)
	}
	p.rest()
	first, whole := begin, span
	part("the same part", func(b, s int64) bool { return b == first && s == whole })
	p.drawn([][2]float64{{x + width/2, y}}, [][2]float64{{x + width/2 - 100, y}})
	part("the part that one finger moved", func(b, s int64) bool { return b > first && s == whole })
}
