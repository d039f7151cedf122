package browser

import (
	"fmt"
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
		p.Matches(`76 listed and 6 that do not fit, 372 fit, 296 of these do not run in view`)
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
	p.Resize(2200, 800)
	p.Matches(`3 220 threads, 76 listed and 6 that do not fit, 372 fit, 296 of these do not run in view ▴ cache, client : \d+ rows above`)
	p.Find("checkbox", "only rows that run in view")
}

// The button of all commands has its word wherever the head has room for it, and never at the cost of the set's name.
func TestWordOfCommands(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("final")
	look := func(width int64, name string, word bool) {
		t.Helper()
		p.Resize(width, 800)
		p.Await(fmt.Sprintf("at %d px, of %s: the word %v, and nothing cut", width, name, word), func() (any, bool) {
			saw := Eval[[]float64](p, `(() => {
				const [word, name, head] = ["#finder-open .word", "#set-name", "header.top"].map((e) => document.querySelector(e));
				return [word.clientWidth || word.getBoundingClientRect().width, name.scrollWidth - name.clientWidth, head.scrollWidth - head.clientWidth];
			})()`)
			return saw, (saw[0] > 0) == word && saw[1] <= 1 && saw[2] <= 0 && strings.Contains(p.Text(), name)
		})
	}
	for _, width := range []int64{Width, 1360, 1300, 1280, 1200, 1120, 800, 400} {
		look(width, "shop-4hosts", true)
	}
	look(1024, "shop-4hosts", false)
	if err := set.Rename("a recording of four hosts"); err != nil {
		t.Fatal(err)
	}
	look(1280, "a recording of four hosts", false)
	look(Width+200, "a recording of four hosts", true)
	if err := set.Rename("shop"); err != nil {
		t.Fatal(err)
	}
	look(1280, "shop", true)
}

// On a small screen the head of Communication keeps its hands, and the words that say whether messages were received before they
// were sent; what the colours of bundles mean waits for more room. The hands of Messages stay with their words.
func TestHeadsOfMessages(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(640, 360)
	p.Open(s.page(set, "?window=all")) // in bundles at any size
	p.Says("none received before sent")
	p.Await("the hands of Communication in sight", func() (any, bool) {
		over := Eval[float64](p, `(() => {
			const head = [...document.querySelectorAll(".pane .head")].find((e) => e.querySelector("h2").textContent === "Communication");
			return Math.max(...[...head.querySelectorAll("button, .backward")].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().right)) - head.getBoundingClientRect().right;
		})()`)
		return over, over <= 0
	})
	p.Find("tab", "Messages").Click()
	p.Says("Shown by")
	if apart := Eval[float64](p, `document.querySelector("#messages-measure").getBoundingClientRect().top - document.querySelector("label[for=messages-measure]").getBoundingClientRect().bottom`); apart > 0 {
		t.Errorf("what matters is chosen %v px below its words", apart)
	}
	p.Resize(Width, Height)
	p.Find("tab", "Timeline").Click()
	p.Await("what the colours mean", func() (any, bool) {
		width := Eval[float64](p, `document.querySelector(".latencykey").getBoundingClientRect().width`)
		return width, width > 100
	})
}

// On a small screen the status line tells by dots that there is more of how a moment lies to the mark.
func TestStatusGivesWay(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(640, 360)
	p.Open(s.page(set, "?window=all"))
	p.Says("none received before sent")
	x, y, width, height := p.Find("application", "Control flow: chart").Box()
	p.Point(x+width/3, y+height/2)
	p.Press("c")
	p.Point(x+width/2, y+height/2)
	p.Says("after the mark")
	p.Await("a status line that ends in sight", func() (any, bool) {
		over := Eval[float64](p, `Math.max(...[...document.querySelectorAll("#status > span")].map((e) => e.getBoundingClientRect().right)) - innerWidth`)
		return over, over <= 0
	})
}

// At every width the head of the page has room for the name of the set, and for all that stands beside it; tabs keep their names, one of which is
// shortened on the narrowest.
func TestHeadNamesTheSet(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	for _, width := range []int64{360, 410, 520, 580, 640, 721, 761, 860, 960, 991, 1024, 1160, 1280, Width} {
		p.Resize(width, 600)
		p.Await("the name, and all within the window", func() (any, bool) {
			saw := Eval[[]float64](p, `[innerWidth, document.getElementById("set-name").clientWidth,
				Math.max(...[...document.querySelectorAll("header.top > *, header.top [role=tab]")].map((e) => e.getBoundingClientRect().right))]`)
			return saw, saw[0] == float64(width) && saw[1] >= 60 && saw[2] <= saw[0]
		})
		want := "Timeline Synchronization Events Statistics Messages State Import"
		if width <= 720 {
			want = strings.Replace(want, "Synchronization", "Sync", 1)
		}
		if tabs := Eval[string](p, `[...document.querySelectorAll("[role=tab]")].map((e) => e.innerText.trim()).join(" ")`); tabs != want {
			t.Errorf("at %d pixels the tabs are %s", width, tabs)
		}
	}
}

// What is chosen in the head becomes bold in its place: nothing beside it moves.
func TestChosenInTheHeadStays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, width := range []int64{Width, 1000, 1920} {
		p.Resize(width, 800)
		p.Open(s.page(set, ""))
		p.Says("final")
		places := func() string {
			return Eval[string](p, `[...document.querySelectorAll("header.top [role=tab], header.top [role=radio]")].map((e) => {
				const b = e.getBoundingClientRect();
				return [e.textContent, b.x, b.y, b.width, b.height].join(" ");
			}).join("\n")`)
		}
		was := places()
		for _, b := range append(p.All("tab", ""), p.All("radio", "")...) {
			b.Click()
			p.Await("the choice", func() (any, bool) {
				state := b.State("selected") + b.State("checked")
				return state, state == "true"
			})
			if now := places(); now != was {
				t.Fatalf("%d pixels wide, with %s chosen, the head is\n%s\nand was\n%s", width, b.Text(), now, was)
			}
		}
	}
}
