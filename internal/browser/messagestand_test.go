package browser

import (
	"strings"
	"testing"
)

// At which end of a chosen message one stands is the same after the page is loaded again, where it is not the end of the selected row too.
func TestEndOfAMessageStays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=1.208"))
	p.Says("Follow the message from web")
	words := func() string {
		_, after, _ := strings.Cut(p.Find("complementary", "What is selected").Text(), "Go to where it was ")
		line, _, _ := strings.Cut(after, "\n")
		return line
	}
	message := func() string {
		return Eval[string](p, "((q) => [q.get('message'), q.get('row')].join())(new URLSearchParams(location.search))")
	}
	for _, step := range []string{"m", "t", "another row", "Shift+m", "t"} {
		left := message()
		if step == "another row" {
			p.hostRow("Communication", "cache").Click()
		} else {
			p.Press(step)
		}
		p.Says("Go to where it was ")
		p.Await("another message in the address, or the other end", func() (any, bool) { now := message(); return now, now != left })
		before := words()
		p.Open(p.Address())
		p.Says("Go to where it was ")
		if now := words(); now != before {
			t.Errorf("after %s the way leads to where it was %q, and once it is loaded again to where it was %q", step, before, now)
		}
	}
}
