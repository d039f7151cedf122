package browser

import (
	"strings"
	"testing"
)

// Two messages are compared by what is known of their ends; between the ends of one message its own way decides what the clocks leave
// open.
func TestCursorOnMessages(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	const begin, end = 1795229355_286_453_488, 1795229355_406_538_741
	p.Open(s.page(set, "?begin=1795229355286453488&end=1795229355406538741"))
	p.Matches(`38 messages in view`)
	status := func(what, words string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			got := strings.Join(strings.Fields(spaces.Replace(p.Find("contentinfo", "").Text())), " ")
			return got, strings.Contains(got, words)
		})
	}
	p.Press("m")
	p.Says("Message cache → web")
	p.Press("c")
	p.Says("mark · cache")
	p.Press("t")
	status("the other end", "arrival of the chosen message: 1.29 ± 0.15 ms after the mark, certain")
	p.Press("t")
	status("the end itself", "sending of the chosen message: At the same time")
	p.Press("m")
	p.Says("Message web → cache")
	status("the next message", "sending of the chosen message: 1.36 ± 0.15 ms after the mark, certain")
	p.Press("c")
	p.Says("mark · web")

	// At the head of an arrow the clock is that of the host where it arrived.
	x, y, width, height := p.Canvas("Communication").Box()
	const arrival = 1795229355_290_288_573 // at cache, whose row is the first of four
	p.Point(x+width*float64(arrival-begin)/float64(end-begin)-1, y+height/8+3)
	status("the clock at its head", "cache local ")
	p.Point(x+width*float64(1795229355_288_509_051-begin)/float64(end-begin)+1, y+height*7/8-3)
	status("the clock at its tail", "web local ")
}
