package browser

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// What is pressed again and again stays where it is, whatever state of a row is told.
func TestRowStatesKeepControlsInPlace(t *testing.T) {
	s, set := demoSite(t)
	for _, size := range [][2]int64{{1440, 900}, {1000, 760}, {900, 760}} {
		for row, follow := range map[string]string{"2.208": "Follow dbwork · 205", "1.208": "Follow the message from web: httpd · 227"} {
			p := NewPage(t)
			p.Resize(size[0], size[1])
			p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row="+row))
			p.Says("final")
			p.Find("button", follow)
			statesInPlace(t, p, fmt.Sprintf("at %d px, row %s", size[0], row), size[0] < 1100)
		}
	}
}

// statesInPlace goes through the states after the selected one; on a narrow page the words about it follow each other in a line.
func statesInPlace(t *testing.T, p *Page, where string, narrow bool) {
	t.Helper()
	// Where what can be pressed about a state is, and the name of the thread; and the button to follow, which is not there for every state.
	places := func() (string, string) {
		at := Eval[[]string](p, `["h2", ".onward", ".sub", ".sub .link", ".chip", ".lists button", ".onward button"].map((s) => {
			const r = document.querySelector(".inspector .state > " + s)?.getBoundingClientRect();
			return r ? [s, Math.round(r.left), Math.round(r.top)].join(" ") : "";
		})`)
		all := strings.Join(at[:6], ", ")
		if narrow {
			all = beforeWords(all)
		}
		return all, at[6]
	}
	told := func(part string) string {
		return Eval[string](p, `document.querySelector(".inspector .state .`+part+`")?.innerText ?? ""`)
	}
	want, follow := places()
	seen := map[string]bool{told("chip"): true}
	for range 8 {
		was := told("kv")
		p.Press(".")
		p.Await("the state after it", func() (any, bool) { now := told("kv"); return now, now != was && now != "" })
		seen[told("chip")] = true
		now, button := places()
		if now != want {
			t.Errorf("%s, %s: %s\nwhere it was %s", where, told("chip"), now, want)
		}
		if button != "" && button != follow {
			t.Errorf("%s, %s: the button is at %s, where it was at %s", where, told("chip"), button, follow)
		}
	}
	if len(seen) < 3 {
		t.Errorf("%s: the states are %v alone", where, seen)
	}
}

// What stands beside a button whose word is another when it is pressed keeps its place.
func TestHeadKeepsItsPlaces(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.208&filter=dbwork"))
	p.Says("final")
	for _, width := range []int64{2200, Width, 1000} {
		p.Resize(width, 800)
		p.rest()
		places := func() string {
			return Eval[string](p, `[...document.querySelectorAll(".pane .controls .small, .pane .controls select, .pane .controls .check, .filter input, .filter .others")].map((e) => {
				const r = e.getBoundingClientRect();
				return [r.left, r.right].map((x) => Math.round(x * 4) / 4).join("-");
			}).join(" ")`)
		}
		before := places()
		for _, word := range [][2]string{{"Pin", "Unpin"}, {"Unpin", "Pin"}, {"Hide: rows that do not fit go", "Dim: rows that do not fit stay"}, {"Dim: rows that do not fit stay", "Hide: rows that do not fit go"}} {
			p.Find("button", word[0]).Click()
			p.Find("button", word[1])
			if now := places(); now != before {
				t.Errorf("at %d px, with %s pressed the controls are at %s, before at %s", width, word[0], now, before)
			}
		}
	}
}

func beforeWords(places string) string {
	before, _, _ := strings.Cut(places, ".sub")
	return before
}

// The control that lists rows that run has one name, of which a narrow head shows the beginning.
func TestOneNameOfRowsThatRun(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("final")
	const name = "only rows that run in view"
	for _, width := range []int64{2200, Width, 1280, 1000, 760} {
		p.Resize(width, 800)
		p.Await(fmt.Sprintf("at %d px the name, or its beginning", width), func() (any, bool) {
			words := strings.TrimSpace(Eval[string](p, `document.querySelector(".pane .check").innerText`))
			return strconv.Quote(words), len(words) >= len("only rows that run") && strings.HasPrefix(name, words) && (width < 2200 || words == name)
		})
	}
	p.palette("only rows that run in view", "List only rows that run in view, or all")
}
