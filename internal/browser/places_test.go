package browser

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// What is pressed again and again stays where it is, whatever state of a row is told, and so does what stands beside a button whose word is another when it is pressed.
func TestControlsKeepTheirPlaces(t *testing.T) {
	s, set := demoSite(t)
	for _, size := range [][2]int64{{1440, 900}, {1000, 760}} {
		p := NewPage(t)
		p.Resize(size[0], size[1])
		p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.208"))
		p.Says("final")
		p.Find("button", "Follow dbwork · 205")
		// Where what can be pressed about a state is, and the name of the thread; follow is not there for every state.
		places := func() (string, string) {
			at := Eval[[]string](p, `["h2", ".onward", ".sub", ".sub .link", ".chip", ".lists button", ".onward button"].map((s) => {
				const r = document.querySelector(".inspector .state > " + s)?.getBoundingClientRect();
				return r ? [s, Math.round(r.left), Math.round(r.top)].join(" ") : "";
			})`)
			return strings.Join(at[:6], ", "), at[6]
		}
		state := func() string {
			return Eval[string](p, `document.querySelector(".inspector .state .chip")?.innerText ?? ""`)
		}
		const narrow = 1100
		want, follow := places()
		seen := map[string]bool{state(): true}
		for range 8 {
			was := Eval[string](p, `document.querySelector(".inspector .state .kv")?.innerText ?? ""`)
			p.Press(".")
			p.Await("the state after it", func() (any, bool) {
				now := Eval[string](p, `document.querySelector(".inspector .state .kv")?.innerText ?? ""`)
				return now, now != was && now != ""
			})
			seen[state()] = true
			now, button := places()
			if size[0] < narrow { // there words follow the name in its line
				now, want = beforeWords(now), beforeWords(want)
			}
			if now != want {
				t.Errorf("at %d px, %s: %s\nwhere it was %s", size[0], state(), now, want)
			}
			if button != "" && button != follow {
				t.Errorf("at %d px, %s: the button is at %s, where it was at %s", size[0], state(), button, follow)
			}
		}
		if len(seen) < 3 {
			t.Errorf("the states are %v alone", seen)
		}

		head := func() string {
			return Eval[string](p, `[...document.querySelectorAll(".pane .controls .small, .pane .controls select, .pane .controls .check, .filter .others")].map((e) => {
				const r = e.getBoundingClientRect();
				return [r.left, r.right].map((x) => Math.round(x * 4) / 4).join("-");
			}).join(" ")`)
		}
		before := head()
		for _, word := range [][2]string{{"Pin", "Unpin"}, {"Unpin", "Pin"}} {
			p.Find("button", word[0]).Click()
			p.Find("button", word[1])
			if now := head(); now != before {
				t.Errorf("at %d px, with %s pressed the controls are at %s, before at %s", size[0], word[0], now, before)
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
