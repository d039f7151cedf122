package browser

import (
	"strings"
	"testing"
)

// A thread that is gone to is shown as it was while it was there. Where it was not, its inspector says when it was, and leads there.
func TestThreadThatIsNotThere(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229359100000000&end=1795229360300000000"))
	const thread = "get, thread 343"
	inspector := func(what string, has ...string) string {
		t.Helper()
		var words string
		p.Await(what, func() (any, bool) {
			words = strings.Join(strings.Fields(spaces.Replace(p.Find("complementary", "What is selected").Text())), " ")
			for _, w := range has {
				if !strings.Contains(words, w) {
					return words, false
				}
			}
			return words, true
		})
		return words
	}
	p.Says("listed")
	// It was there in a twentieth of the window, and not yet in its middle.
	p.palette("343", "get · 343")
	p.Press("Enter")
	inspector("what it did first", "· 343", "Begin 10.674 552 825 s", "Duration")
	x, _, width, _ := p.Canvas("Control flow").Box()
	_, y, _, height := p.threadRow(thread).Box()
	for side, share := range map[string]float64{"first": 0.05, "last": 0.95} {
		p.Click(x+width*share, y+height/2)
		inspector("when it was there, beside where it was not", "· 343", "not there then", "At ", "There from 10.674 552 825 s", "There until 10.728 241 791 s", "For 53.688 966 ms")
		p.Find("button", "What it did "+side).Click()
		words := inspector("what it did "+side, "Begin 10.", "Duration")
		if edge := map[string]string{"first": "Begin 10.674 552 825 s", "last": "End 10.728 241 791 s"}[side]; !strings.Contains(words, edge) {
			t.Errorf("what it did %s is told as %q, want %q in it", side, words, edge)
		}
	}
}
