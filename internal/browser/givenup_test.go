package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// Escape gives up a stretch that is being drawn: what was selected before is selected again, and the pointer that moves on, still down, selects nothing.
func TestEscapeGivesUpADrag(t *testing.T) {
	s, set := demoSite(t)
	begin := clocksOf(t, set).begin
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?by=web&begin=%d&end=%d", begin+6e9, begin+7e9)))
	p.Says("final")
	left, top, width, height := p.Canvas("Control flow").Box()
	mouse := func(kind input.DispatchMouseEventType, share float64) {
		p.Mouse(kind, left+share*width, top+height/2)
	}
	selected := func() string {
		address, _ := url.Parse(p.Address())
		return address.Query().Get("selection")
	}
	mouse(input.DispatchMouseEventTypeMousePressed, 0.2)
	mouse(input.DispatchMouseEventTypeMouseMoved, 0.3)
	mouse(input.DispatchMouseEventTypeMouseReleased, 0.3)
	var before string
	p.AwaitRest("a selection", func() (string, bool) { before = selected(); return before, before != "" })

	mouse(input.DispatchMouseEventTypeMousePressed, 0.5)
	mouse(input.DispatchMouseEventTypeMouseMoved, 0.6)
	p.Await("another selection", func() (any, bool) { now := selected(); return now, now != before && now != "" })
	p.Press("Escape")
	p.AwaitRest("what was selected", func() (string, bool) { now := selected(); return now, now == before })
	mouse(input.DispatchMouseEventTypeMouseMoved, 0.8)
	mouse(input.DispatchMouseEventTypeMouseReleased, 0.8)
	p.frame()
	p.AwaitRest("what was selected, still", func() (string, bool) { now := selected(); return now, now == before })
	p.Press("Escape")
	p.Await("nothing selected", func() (any, bool) { now := selected(); return now, now == "" })
}

// A selection of a few ns, less than a window can show alone, is in its middle when it is zoomed to.
func TestZoomToAFewNanoseconds(t *testing.T) {
	s, set := demoSite(t)
	begin := clocksOf(t, set).begin + 6e9
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?by=web&begin=%d&end=%d&selection=%d~%d", begin, begin+1000, begin+500, begin+507)))
	p.Says("final")
	p.Press("f")
	p.Await("the selection in the middle", func() (any, bool) {
		address, _ := url.Parse(p.Address())
		q := address.Query()
		var from, to int64
		fmt.Sscan(q.Get("begin"), &from)
		fmt.Sscan(q.Get("end"), &to)
		middle := begin + 503 - (from+to)/2
		return strings.Join([]string{q.Get("begin"), q.Get("end")}, " to "), to-from < 60 && -2 <= middle && middle <= 2
	})
}
