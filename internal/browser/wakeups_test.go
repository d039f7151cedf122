package browser

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	drawn := flow.Listen()
	p.Press("u")
	p.Matches(`\d+ wake-ups? who woke whom of the selected thread other`)
	accent(20, 2000)
	_, top, _, _ := flow.Box()
	middle := func(row string) float64 {
		_, y, _, height := p.threadRow(row).Box()
		return y + height/2 - top
	}
	p.Await("a line from the row of crunch to that of the chosen thread", func() (any, bool) {
		lines, _ := drawn()
		from, to, accent := middle("crunch, thread 206"), middle("dbwork, thread 205"), p.Color("--accent")
		return fmt.Sprint(from, to, lines), slices.ContainsFunc(lines, func(l Line) bool {
			return l.Color == accent && l.X0 == l.X1 && math.Abs(l.Y0-from) < 8 && math.Abs(l.Y1-to) < 8
		})
	})
	p.Await("the address to keep it", func() (any, bool) { a := p.Address(); return a, len(a) > 7 && a[len(a)-7:] == "wakes=1" })
	p.Reload()
	p.Matches(`\d+ wake-ups? who woke whom`)
	flow = p.Canvas("Control flow")
	accent(20, 2000)
	// The help tells of their looks at every width.
	p.Press("?")
	p.Matches(`Those to and from the selected thread are thick and in the colour of what is selected, the others thin and dark`)
	p.Press("Escape")
	p.Find("button", "who woke whom").Click()
	accent(0, 0)
	if words := p.Text(); strings.Contains(words, "of the selected thread") {
		t.Errorf("without arrows their looks are told: %s", words)
	}
}
