package browser

import (
	"fmt"
	"math"
	"slices"
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
	c := clocksOf(t, set)
	messages := c.messages("cache", "web", begin, end)
	first := slices.IndexFunc(messages, func(m sending) bool { return m.From == c.number("cache") })
	next := first + slices.IndexFunc(messages[first:], func(m sending) bool { return m.From == c.number("web") })
	// after is how long after the sending of the first something was at cache's other end, and what both clocks leave of that open.
	after := func(ns, local int64) string {
		open, _ := c.hosts["cache"].Map.Error(local)
		return fmt.Sprintf("%.2f ± %.2f ms after the mark, certain", float64(ns)/1e6, math.Ceil(float64(open)/1e4)/100)
	}
	way := messages[first].received - messages[first].sent
	p.Press("m")
	p.Says("Message cache → web")
	p.Press("c")
	p.Says("mark · cache")
	p.Press("t")
	status("the other end", "arrival of the chosen message: "+after(way, messages[first].Sent))
	p.Press("t")
	status("the end itself", "sending of the chosen message: At the same time")
	p.Press("m")
	p.Says("Message web → cache")
	status("the next message", "sending of the chosen message: "+after(messages[next].sent-messages[first].sent, messages[first].Sent))
	p.Press("c")
	p.Says("mark · web")

	// At the head of an arrow the clock is that of the host where it arrived.
	x, y, width, height := p.Canvas("Communication").Box()
	p.Point(x+width*float64(messages[next].received-begin)/float64(end-begin)-1, y+height/8+3) // cache's row is the first of four
	status("the clock at its head", "cache local ")
	p.Point(x+width*float64(messages[next].sent-begin)/float64(end-begin)+1, y+height*7/8-3)
	status("the clock at its tail", "web local ")
}
