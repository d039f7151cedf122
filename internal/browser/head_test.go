package browser

import (
	"strings"
	"testing"
)

// With a pin, a filter and wake-ups the head of Control flow cuts no word: what matters less gives way.
func TestHeadGivesWay(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?pin=2.205&filter=status+%3D%3D+blocked&wakes=1&row=2.205&others=dim"))
	for _, width := range []int64{Width, 1280, 1100} {
		p.Resize(width, 800)
		p.Matches(`82 listed, 372 fit, 296 of these do not run here`)
		p.Await("a head in which nothing is cut", func() (any, bool) {
			cut := Eval[[]string](p, `(() => {
				const head = [...document.querySelectorAll(".pane .head")].find((e) => e.querySelector("h2").textContent === "Control flow");
				const box = head.getBoundingClientRect();
				const seen = [...head.querySelectorAll("h2, small, button, select, label, .beyond, .controls")].filter((e) => e.checkVisibility() && e.clientWidth > 1);
				return seen.filter((e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > box.right + 1).map((e) => e.textContent);
			})()`)
			return strings.Join(cut, "|"), len(cut) == 0
		})
	}
	// With room again all is said.
	p.Resize(1920, 800)
	p.Matches(`3 220 threads, 82 listed, 372 fit, 296 of these do not run here ▴ cache, client : \d+ rows above`)
	p.Find("checkbox", "only rows that run in view")
}
