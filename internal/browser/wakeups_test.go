package browser

import (
	"testing"
)

// Arrows from the threads that woke to those that slept come with a key and go with the button: those of the chosen
// thread, which crunch woke at its end, stand out; how many there are is said, and the address keeps it.
func TestWakeups(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Matches(`Woken by crunch`)
	flow := p.Canvas("Control flow")
	accent := func(least, most int) {
		t.Helper()
		p.Await("arrows of the chosen thread", func() (any, bool) { n := flow.Count("--accent"); return n, n >= least && n <= most })
	}
	accent(0, 0)
	if state := p.Find("button", "who woke whom").State("pressed"); state != "false" {
		t.Errorf("pressed is %q at first", state)
	}
	p.Press("u")
	p.Matches(`\d+ wake-ups? who woke whom`)
	accent(20, 2000)
	p.Await("the address to keep it", func() (any, bool) { a := p.Address(); return a, len(a) > 7 && a[len(a)-7:] == "wakes=1" })
	p.Reload()
	p.Matches(`\d+ wake-ups? who woke whom`)
	flow = p.Canvas("Control flow")
	accent(20, 2000)
	p.Find("button", "who woke whom").Click()
	accent(0, 0)
}
