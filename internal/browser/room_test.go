package browser

import (
	"strconv"
	"testing"
)

// On a large screen what a tab has stands side by side, on a small one in one column, or two, and nowhere is the page itself wider
// than the screen. The columns of the table of links that tell whether clocks can be believed are in sight on both.
func TestRoom(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	beside := func(a, b string) string {
		return Eval[string](p, `(() => {
			const box = (name) => [...document.querySelectorAll("[role=tabpanel]:not([hidden]) :is(section, .attributes)")].find((e) => e.checkVisibility() && (e.getAttribute("aria-label") ?? e.querySelector("h2")?.textContent ?? "").replace(/\s/g, " ").startsWith(name))?.getBoundingClientRect()
			const [a, b] = [box("`+a+`"), box("`+b+`")]
			return a && b ? String(a.right <= b.left) : "not there"
		})()`)
	}
	for _, c := range []struct {
		tab, waits string
		large      [][2]string // beside each other on a large screen
		small      [][2]string // on a small one as well
	}{
		{"sync", "10 684 messages were matched", [][2]string{{"Hosts and links", "Links"}, {"Links", "Hosts ± there"}, {"Error over time", "client – web"}, {"client – web", "Each host as"}}, [][2]string{{"Hosts and links", "Links"}, {"Error over time", "client – web"}}},
		{"statistics", "How long system calls took exact", [][2]string{{"Threads", "System calls"}, {"System calls", "How long"}}, nil},
		{"state&of=db&attribute=Threads/205", "1, blocked", [][2]string{{"Attributes", "The chosen attribute"}}, nil},
		{"import", "None: every packet read is as it should be.", [][2]string{{"Hosts", "Anomalies"}}, nil},
	} {
		p.Open(s.page(set, "?tab="+c.tab))
		for _, size := range []struct {
			width, height int64
			beside        [][2]string
		}{{3840, 2160, c.large}, {Width, Height, c.small}} {
			p.Resize(size.width, size.height)
			p.Says(c.waits)
			for _, pair := range c.large {
				want := false
				for _, b := range size.beside {
					want = want || b == pair
				}
				p.Await(c.tab+": "+pair[0]+" and "+pair[1], func() (any, bool) { got := beside(pair[0], pair[1]); return got, got == strconv.FormatBool(want) })
			}
			if wide := Eval[int](p, "document.documentElement.scrollWidth"); wide > int(size.width) {
				t.Errorf("%s is %d px wide on a screen of %d", c.tab, wide, size.width)
			}
			if c.tab == "sync" {
				if hidden := Eval[float64](p, `(() => {
					const table = document.querySelector(".oflinks .wide")
					const head = [...table.querySelectorAll("th")].find((x) => x.textContent === "Violations")
					return head.getBoundingClientRect().right - table.getBoundingClientRect().right
				})()`); hidden > 0 {
					t.Errorf("%v px of the violations of a link are out of sight on a screen of %d px", hidden, size.width)
				}
			}
		}
	}
}
