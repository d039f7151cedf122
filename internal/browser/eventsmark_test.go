package browser

import (
	"regexp"
	"strings"
	"testing"
)

// That an event is marked is said, and seen in its row; where a filter leaves it out, the mark is told of still, and led to.
func TestMarkAmongEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("Home")
	p.Await("the first event", func() (any, bool) {
		got := p.listed()
		return got, got[0][0] == "0.000\u202f000\u202f000\u202fs"
	})
	p.Gone("button", "Mark on client at 0.000 000 000 s")
	p.Press("c")
	p.Await("words in the status line", func() (any, bool) {
		words := Eval[string](p, `document.getElementById("status").innerText`)
		return words, strings.Contains(words, "Marked: choose another event to compare with it.")
	})
	chosen := p.Find("region", "The chosen event")
	said := func(pattern string) {
		t.Helper()
		p.Await("of the chosen event: "+pattern, func() (any, bool) {
			words := spaces.Replace(strings.Join(strings.Fields(chosen.Text()), " "))
			return words, regexp.MustCompile(pattern).MatchString(words)
		})
	}
	said(`Marked: choose another event to compare with it\.`)
	p.Press("ArrowDown")
	said(`From the mark on \w+ at 0\.000 000 000 s: .* later`)
	look := Eval[[]string](p, `(() => {
		const look = (e) => getComputedStyle(e).backgroundColor + getComputedStyle(e, "::before").content;
		const marked = document.querySelector("#events .marked");
		return [look(marked), look(marked.nextElementSibling.nextElementSibling)];
	})()`)
	if look[0] == look[1] || !strings.Contains(look[0], "⚑") {
		t.Errorf("the marked row has the look %s, another one %s", look[0], look[1])
	}

	p.Find("textbox", "Where").Type("time > 1795229355.0")
	p.Find("button", "Filter").Click()
	p.Await("later events", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 0 && seconds(t, got[0][0]) > 5_000_000_000
	})
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("ArrowDown")
	said(`From the mark on \w+ at 0\.000 000 000 s: .* later`)
	p.Matches(`Mark on \w+ at 0\.000 000 000 s`)
	p.Press("Escape")
	p.Await("no mark", func() (any, bool) {
		words := Eval[string](p, `document.getElementById("events").innerText`)
		return words, !strings.Contains(words, "ark on ")
	})
}
