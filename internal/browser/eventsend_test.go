package browser

import (
	"strings"
	"testing"
)

// On the way to the last events it is said where they are looked for, which is from the end of the stretch that Time leaves.
func TestEndOfANarrowedTable(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&during=6.1..6.5"))
	p.Find("grid", "Events")
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	Eval[bool](p, `(() => {
		const { fetch } = window;
		window.fetch = async (url, ...rest) => {
			if (String(url).includes("before=")) await new Promise((go) => (window.release = () => { window.fetch = fetch; go(); return true; }));
			return fetch(url, ...rest);
		};
		document.querySelector("[role=grid][aria-label=Events]").focus();
		return true;
	})()`)
	p.Press("End")
	p.Says("Looking for the last events, back from 6.5")
	Eval[bool](p, "window.release()")
	p.Await("the last events of the stretch, and nothing said of looking", func() (any, bool) {
		got := p.listed()
		words := Eval[string](p, `document.querySelector("#events .told").innerText`)
		return got, len(got) > 0 && seconds(t, got[len(got)-1][0]) > 6_400_000_000 && !strings.Contains(words, "Looking")
	})
}
