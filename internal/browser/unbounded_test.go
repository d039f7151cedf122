package browser

import "testing"

// By clocks without bounds a latency does not look exact, and of a message that is received before it is sent nothing is said of bounds.
func TestMessageWithoutBounds(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.Find("button", "Synchronize in another way…").Click()
	p.Find("combobox", "Method").Choose("regression")
	p.Find("button", "Synchronize").Click()
	p.Says("In force: method regression")
	p.Press("1")
	p.Says("2 received before sent")
	p.Press("m")
	p.Matches(`Message cache → web .* Latency −\S+ µs ± \? .*Received before sent by the estimated clocks, one of which has no bound here`)
}
