package browser

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Every host is shown as the reference with what the errors would add up to; one is put in force by a press, and the best
// again. The way of the import to its accuracy is told in words and drawn.
func TestWhatIfReference(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	rows := func() []string {
		return strings.Split(strings.TrimSpace(Eval[string](p, `[...document.querySelectorAll("table[aria-label='Each host as the reference'] tbody tr")].map((r) => [...r.cells].map((c) => c.innerText.trim()).join("|")).join("\n")`)), "\n")
	}
	var first []string
	p.Await("four candidates, the best first and in force", func() (any, bool) {
		first = rows()
		return first, len(first) == 4 && strings.HasPrefix(first[0], "web best|") && strings.HasSuffix(first[0], "|in force") && strings.HasSuffix(first[1], "|Use")
	})
	// The largest error with a host as the reference is the width of the dark part of its bar.
	wrong := Eval[string](p, `[...document.querySelectorAll("table[aria-label='Each host as the reference'] tbody tr")].filter((r) => {
		const [sum, most] = [r.querySelector(".sums i"), r.querySelector(".sums b")].map((x) => parseFloat(x.style.width));
		return !(most > 0 && most <= sum && sum <= 100);
	}).map((r) => r.innerText).join()`)
	if wrong != "" {
		t.Errorf("the bars of %s", wrong)
	}
	const use = `[...document.querySelectorAll(".candidates [data-host=client]")][0]`
	Eval[bool](p, use+`.scrollIntoView({block: "center"}), true`)
	place := func() float64 { return math.Round(Eval[float64](p, use+".getBoundingClientRect().top")) }
	before := place()
	p.Find("button", "Use client as the reference").Click()
	p.Await("client in force", func() (any, bool) {
		for _, r := range rows() {
			if strings.HasPrefix(r, "client|") {
				return r, strings.HasSuffix(r, "|in force")
			}
		}
		return rows(), false
	})
	p.Says("reference: client")
	// What became of it is told beside the button, and in few words in the status line: where it stands else is a screen above.
	told := func(where string, parts ...string) {
		t.Helper()
		p.Await("what became of it, in "+where, func() (any, bool) {
			words := spaces.Replace(Eval[string](p, `document.querySelector("`+where+`").innerText`))
			return words, !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(words, s) })
		})
	}
	told("#status", "Synchronized: all times are by client's clock now.") // goes after a while
	told(".candidates", "Synchronized in ", "Known at worst to, before and now: ", "web exact → ±")
	if now := place(); math.Abs(now-before) > 1 {
		t.Errorf("the button that was pressed was at %v, and is at %v", before, now)
	}
	p.Find("button", "Use web as the reference").Click()
	p.Says("reference: web")
	p.Await("the same as before", func() (any, bool) {
		now := rows()
		return now, strings.Join(now, "\n") == strings.Join(first, "\n")
	})

	p.Matches(`After \S+ \S+ of reading all 4 hosts were related to each other, half of them known to ± .* or better; after \S+ \S+ to ± .*, the worst to ± `)
	if n := Eval[int](p, `document.querySelectorAll(".toaccuracy path.median, .toaccuracy path.worst").length`); n != 2 {
		t.Errorf("%d lines are drawn", n)
	}
	// The words of the picture are as large as they are meant to be, whatever room there is, and all of that is used.
	for _, size := range [][2]int64{{1280, 720}, {3840, 2160}, {1440, 900}} {
		p.Resize(size[0], size[1])
		p.Await("a picture as wide as its room", func() (any, bool) {
			got := Eval[[]float64](p, `(() => {
				const [svg, room] = [document.querySelector(".toaccuracy svg"), document.querySelector(".milestones")];
				const style = getComputedStyle(room);
				return [svg.getBoundingClientRect().width / (room.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)), svg.getScreenCTM().a * parseFloat(getComputedStyle(svg.querySelector("text")).fontSize)];
			})()`)
			return got, got[0] > 0.97 && got[0] < 1.01 && got[1] >= 11
		})
	}
	list := set.Milestones()
	if last := list[len(list)-1]; last.Hosts != 4 || last.Of != 4 || last.Median == nil || *last.Worst < *last.Median {
		t.Errorf("the last milestone is %+v", last)
	}
}
