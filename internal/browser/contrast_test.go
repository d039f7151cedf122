package browser

import (
	"slices"
	"testing"
)

// Where backgrounds and shadows are not to be relied on, what is chosen is outlined, on every tab: the system may take them away
// altogether.
func TestChosenIsOutlined(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	plain := func(what string) {
		t.Helper()
		p.Await(what+" with something chosen, all of which is outlined", func() (any, bool) {
			got := Eval[[]string](p, `(() => {
				const chosen = [...document.querySelectorAll(":is(tr, td, [role=row], [role=option])[aria-selected=true], button[aria-pressed=true]")].filter((e) => e.checkVisibility());
				return ["of " + chosen.length, ...chosen.filter((e) => { const c = getComputedStyle(e); return c.outlineStyle !== "solid" || parseFloat(c.outlineWidth) < 2 }).map((e) => e.outerHTML.slice(0, 120))];
			})()`)
			return got, len(got) == 1 && got[0] != "of 0"
		})
	}
	// Of what lies between two parts only the background shows.
	apart := func(what, line, part string) {
		t.Helper()
		ground := func(of string) string {
			return Eval[string](p, `getComputedStyle(document.querySelector("`+of+`")).backgroundColor`)
		}
		if a, b := ground(line), ground(part); a == b {
			t.Errorf("between %s there is no line: both have the ground %s", what, a)
		}
	}
	for _, features := range [][]string{{"forced-colors", "active"}, {"prefers-contrast", "more"}} {
		p.Prefer("dark", features...)
		p.Open(s.page(set, "?wakes=1&flows=1"))
		p.threadRow("dbwork, thread 205")
		plain("the timeline")
		p.Says("child of httpd")
		apart("the parts of the timeline", ".splitter.row", ".plot")
		if line := Eval[string](p, `getComputedStyle(document.querySelector(".inspector .link")).textDecorationLine`); line != "underline" {
			t.Errorf("what can be pressed within a sentence has the line %q", line)
		}
		p.Open(s.page(set, "?tab=sync"))
		plain("the links")
		apart("the parts of the synchronization", "#sync", "#sync .card")
		p.Find("button", "Use client as the reference")
		grounds := Eval[[]string](p, `["#sync .card", ".sums", ".sums i", ".sums b"].map((of) => getComputedStyle(document.querySelector(of)).backgroundColor)`)
		if slices.Sort(grounds); len(slices.Compact(grounds)) != 4 {
			t.Errorf("the bars of what each host costs as the reference, and what is about them, have the grounds %s", grounds)
		}
		p.Open(s.page(set, "?tab=state&row=2.205"))
		p.attribute("Threads/205")
		plain("the state")
		p.Open(s.page(set, "?tab=messages&window=all&pair=web~db"))
		p.Says("4 762 messages")
		plain("the messages")
		p.Open(s.page(set, "?tab=events"))
		p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
		Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
		p.Press("ArrowDown")
		plain("the events")
	}
}

// Where the system takes backgrounds away the cells of the matrix have lines, and those with messages others than those without.
func TestCellsHaveLines(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Prefer("dark", "forced-colors", "active")
	p.Open(s.page(set, "?tab=messages&window=all"))
	p.Says("exchanged most")
	lines := func(kind string) []string {
		return Eval[[]string](p, `[...new Set([...document.querySelectorAll("[role=grid] td.`+kind+`")].map((e) => { const c = getComputedStyle(e); return c.borderStyle + " " + c.borderWidth }))]`)
	}
	some, none := lines("some"), lines("none")
	if len(some) != 1 || some[0] != "solid 1px" || len(none) != 1 || none[0] != "dotted 1px" {
		t.Errorf("cells with messages have lines %q, cells without %q", some, none)
	}
}

// Where the system has its own colours the cells of the matrix have the shades that the legend tells of, and text that can be read on them.
func TestCellsHaveShades(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, scheme := range []string{"light", "dark"} {
		p.Prefer(scheme, "forced-colors", "active")
		p.Open(s.page(set, "?tab=messages&window=all"))
		p.Says("Shade of a cell: few")
		p.Says("exchanged most")
		// Of each kind how many shades there are and, of what stands in cells, the least contrast.
		const shades = `(() => {
			const g = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
			const rgb = (c) => { g.fillStyle = c; g.fillRect(0, 0, 1, 1); return [...g.getImageData(0, 0, 1, 1).data].slice(0, 3); };
			const light = (c) => rgb(c).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
			const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
			const ground = (e) => getComputedStyle(e).backgroundColor;
			const cells = [...document.querySelectorAll("[role=grid] td.some")];
			const least = Math.min(...cells.flatMap((e) => [...e.querySelectorAll("b, small")].map((x) => contrast(getComputedStyle(x).color, ground(e)))));
			const kinds = (all) => new Set(all.map((e) => rgb(ground(e)).join())).size;
			return [kinds([...document.querySelectorAll(".heats i")]), kinds(cells), kinds(cells.filter((e) => e.style.getPropertyValue("--heat") === "1.000")), least];
		})()`
		if got := Eval[[]float64](p, shades); got[0] != 4 || got[1] < 4 || got[2] != 1 || got[3] < 7 {
			t.Errorf("in %s colours of the system the legend has %v shades, cells %v, those with most %v, and text has a contrast of %v", scheme, got[0], got[1], got[2], got[3])
		}
	}
}
