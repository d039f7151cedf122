package browser

import (
	"fmt"
	"strings"
	"testing"
)

// Two figures that stand for what looks alike say what each is of: how well a clock is known is told of one instant of the selected state however one came to it, of the
// whole set by the bounds and not by the columns of the strip, and what is added up says by whose clock it is counted.
func TestFiguresSayWhatTheyAreOf(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Matches(`Begin on db \S+ \S+ \S+ Known to ± \d+ µs, at its begin`)
	// db is the host that is known worst when all are known best, and cache that when they are known worst.
	c := clocksOf(t, set)
	least, _, _ := strings.Cut(c.everKnown("db"), " to ")
	_, most, _ := strings.Cut(c.everKnown("cache"), " to ")
	p.Await("the best of db to the worst of cache", func() (any, bool) {
		got := strings.Join(strings.Fields(spaces.Replace(Eval[string](p, `document.querySelector(".overview .facts .t:last-child").innerText`))), " ")
		return got, got == least+" to "+most
	})

	p.Find("tab", "Statistics").Click()
	p.Matches(`Time spent is counted by each host's own clock: by web's, as the timeline has it, it is up to 0\.01\d+ % more or less\.`)
	p.Find("radio", "Raw").Click()
	p.Await("nothing of other clocks", func() (any, bool) {
		got := Eval[string](p, `document.querySelector("#statistics .ownclock").innerText`)
		return got, got == ""
	})
	p.Find("tab", "Timeline").Click()
	p.Matches(`dbwork · 205 .* Begin on db`)
	p.Await("nothing of how well its own clock is known", func() (any, bool) {
		got := Eval[string](p, `document.querySelector(".inspector").innerText`)
		return got, strings.Contains(got, "Begin on db") && !strings.Contains(got, "Known to")
	})
	// A time stands in one line, also where the words before it take much of the panel, as beside a scroll bar.
	p.Resize(1280, 720)
	p.Open(s.page(set, fmt.Sprintf("?window=all&row=%d.2&did=%d&sizes=side260", c.number("cache"), c.hosts["cache"].Map.Local(c.begin+30_000_000_000))))
	p.Matches(`Begin on cache \S+ \S+ \S+ `)
	p.Await("times in one line", func() (any, bool) {
		broken := Eval[[]string](p, `[...document.querySelectorAll(".inspector dd")].filter((e) => {
			const r = document.createRange();
			r.selectNodeContents(e);
			return /^\d\d:\d\d:[\d.\s]+$/.test(e.textContent) && new Set([...r.getClientRects()].map((b) => Math.round(b.top))).size > 1;
		}).map((e) => e.previousSibling.textContent + " " + e.textContent)`)
		return broken, len(broken) == 0
	})
}

// What is known of a time is in one line. Where the panel is as narrow as with a scroll bar it keeps from its edge as all else does.
func TestFiguresKeepFromTheEdge(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?begin=1795229355186433800&end=1795229355756519553&row=2.205&did=1795229345470000000&sizes=side285"))
	p.Await("all of the figures within", func() (any, bool) {
		saw := Eval[[]string](p, `(() => {
			const panel = document.querySelector(".inspector"), edge = panel.getBoundingClientRect().left + panel.clientWidth - 16;
			return [...panel.querySelectorAll(".kv dd")].map((e) => {
				const text = document.createRange();
				text.selectNodeContents(e);
				const over = Math.round(text.getBoundingClientRect().right - edge);
				return (over > 0 ? over + " px beyond: " : "") + e.textContent;
			});
		})()`)
		lines := strings.Join(saw, "; ")
		return lines, strings.Contains(lines, "at its begin") && !strings.Contains(lines, "px beyond")
	})
}
