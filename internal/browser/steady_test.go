package browser

import (
	"strings"
	"testing"
)

// What is under the mouse stays where it is: the filters of Events as nothing is found, the plot of a link as a point of it is told of, and the
// box of Statistics as what is listed gets short. Over a plot that shows all, the wheel scrolls the page.
func TestNothingMovesUnderTheMouse(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1440, 900)
	place := func(what string) [2]float64 {
		t.Helper()
		return Eval[[2]float64](p, `(() => { const b = [...document.querySelectorAll("`+what+`")].find((e) => e.checkVisibility()).getBoundingClientRect(); return [b.left, b.top]; })()`)
	}
	stays := func(what string, before [2]float64) {
		t.Helper()
		if after := place(what); after != before {
			t.Errorf("%s moved from %v to %v", what, before, after)
		}
	}

	p.Open(s.page(set, "?tab=events"))
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	filters := place("#events .filters")
	p.Find("textbox", "Event").Type("sched_nothing")
	p.Find("button", "Filter").Click()
	p.Says("is wanted by this filter.")
	stays("#events .filters", filters)

	p.Open(s.page(set, "?tab=statistics"))
	p.Matches(`crunch 206 db 4\d\d\.\d ms`)
	box := place("#statistics .over input")
	p.Find("searchbox", "Show only what has these words").Type("nobody is called so")
	p.Matches(`Threads with the [\d ]+ threads that never ran here None that ran here has`)
	stays("#statistics .over input", box)

	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	p.Says("minus the estimate of the link alone")
	plot := place("#sync .ofpoints canvas")
	x, y, width, height := p.Canvas("The constraint points of the chosen link").Box()
	p.Point(x+width/2, y+height/2)
	p.Find("group", "Messages of the link. Plus and minus zoom, left and right move, up and down stretch the height, 0 shows all. Full stop and comma go from message to message, Enter shows it in the timeline.").Focus()
	p.Press(".")
	p.Matches(`message \w+ → \w+ at \S+( \d{3})* s, latency \S+ .s by the estimate of the link alone, \S+ .s by the clock in force`)
	stays("#sync .ofpoints canvas", plot)
	p.Wheel(x+width/2, y+height/2, 300)
	p.Await("the page scrolled", func() (any, bool) {
		top := Eval[float64](p, `document.getElementById("sync").scrollTop`)
		return top, top > 100
	})
	if zoomed := strings.Contains(p.Address(), "plot="); zoomed {
		t.Error("the wheel zoomed where all was shown")
	}
}
