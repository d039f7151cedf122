package browser

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The ends of a message that was on its way for less than the error of the clocks are told as such, among the events as in the timeline: no message
// arrives before it is sent.
func TestMessageEndsCompared(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	// Of web, the reference, the clock is exact.
	all := slices.DeleteFunc(c.messages("web", "cache", math.MinInt64, math.MaxInt64), func(m sending) bool { return m.From != c.number("web") })
	m := slices.MinFunc(all, func(x, y sending) int { return cmp.Compare(x.received-x.sent, y.received-y.sent) })
	if open, ok := c.hosts["cache"].Map.Error(m.Received); !ok || m.received-m.sent > open {
		t.Fatalf("the clocks, known to %d ns, tell the latency of %d ns", open, m.received-m.sent)
	}
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?tab=events&mark=%d~%d&host=cache&at=%d&where=%s", m.From, m.Sent, m.received-1, fmt.Sprintf("local_time==%d", m.Received))))
	p.Await("the arrival", func() (any, bool) { got := p.listed(); return got, len(got) > 0 })
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("Home")
	const same = `later, certain: the sending came first, as it is the same message; how much later is within the error\.`
	chosen := p.Find("region", "The chosen event")
	p.Await("the order of the two ends", func() (any, bool) {
		words := spaces.Replace(strings.Join(strings.Fields(chosen.Text()), " "))
		return words, regexp.MustCompile(`From the mark on web at .*: \S+ ± \S+ .s ` + same).MatchString(words)
	})

	p.Open(s.page(set, fmt.Sprintf("?mark=%d~%d&begin=%d&end=%d", m.From, m.Sent, m.received-500, m.received+500)))
	x, _, width, _ := p.Canvas("Communication").Box()
	_, y, _, height := p.hostRow("Communication", "cache").Box()
	under := func(share float64, words string) {
		t.Helper()
		p.Point(x+width*share, y+height/2)
		p.Await("under the pointer: "+words, func() (any, bool) {
			said := spaces.Replace(Eval[string](p, `document.querySelector(".flagged").innerText + " | " + document.getElementById("status").innerText`))
			return said, strings.Count(said, words) >= 1
		})
	}
	under(0.5, "after the mark, certain: the sending came first, as it is the same message; how much later is within the error")
	under(0.9, "after the mark, certain: a message went from web to cache in between; how much later is within the error")
	under(0.1, "after the mark: within the error, so either may have come first")
}

// Where the whole set is in view most messages are in bundles. One that is not is told with its threads all the same, and the key to its other end
// leads to the thread there.
func TestThreadsOfALoneMessage(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Matches(`messages in view`)
	p.Press("m")
	panel := p.Find("complementary", "What is selected")
	said := func(pattern string) {
		t.Helper()
		p.Await(pattern, func() (any, bool) {
			saw := strings.Join(strings.Fields(panel.Text()), " ")
			return saw, regexp.MustCompile(pattern).MatchString(saw)
		})
	}
	said(`Message cache → web httpd · 314 → wget · 827`)
	p.Press("t")
	said(`^wget · 827 .*Message cache → web httpd · 314 → wget · 827`)
}
