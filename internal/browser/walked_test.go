package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"synchroscope/sync/network"
)

// A bookmark leads back to what was on screen when it was set, under other clocks too, and what it says stays readable there.
func TestBookmarkKeepsItsWindow(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	begin, end := p.settled()
	p.Press("b")
	p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type("the lock is taken")
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmark")
	p.Press("Home")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.Gone("region", "Bookmark")
	back := func() {
		t.Helper()
		p.palette("the lock is taken", "the lock is taken")
		p.strike("Enter", 0)
		p.Await("its text in the panel", func() (any, bool) {
			words := p.Find("region", "Bookmark").Text()
			return words, strings.Contains(words, "the lock is taken")
		})
	}
	back()
	p.Await("the window that it was set in", func() (any, bool) {
		b, e, _ := view(t, p)
		return p.Address(), b >= begin-2 && b <= begin+2 && e >= end-2 && e <= end+2
	})
	// It stays as long as the moment is in sight, and goes with that.
	p.Press("w")
	p.Find("region", "Bookmark")
	p.Press("Home")
	p.Find("region", "Bookmark")
	p.Press("Backspace")
	p.palette("1 s", "Go to 1.000")
	p.strike("Enter", 0)
	p.Gone("region", "Bookmark")

	if _, err := set.Synchronize(context.Background(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	p.Await("another reference", func() (any, bool) {
		got := Eval[string](p, `[...document.querySelectorAll(".row.host")].find((r) => r.querySelector(".name").textContent === "db")?.querySelector(".note").textContent ?? ""`)
		return got, got == "reference, not recorded here" // it began 1.4 s after the first host
	})
	back()
	p.Await("as wide a window by the clock of db", func() (any, bool) {
		b, e, _ := view(t, p)
		return p.Address(), b < begin-9e9 && (e-b) > (end-begin)-200_000 && (e-b) < (end-begin)+200_000
	})
}

// Esc takes away what is selected, and where nothing is any more, the mark; as it does in Events.
func TestEscapeTakesTheMark(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?window=all&row=2.205&did=%d&mark=2~%d", demoFocus.Begin+1000, demoFocus.Begin)))
	p.Says("dbwork · 205")
	p.Press("Escape")
	p.opened("Timeline", []string{"mark="}, []string{"row="})
	p.Press("Escape")
	p.opened("Timeline", nil, []string{"mark=", "row="})
}

// A link that was made under another reference leads to the same moments and says that it was; not any more once one is elsewhere.
func TestLinkOfAnotherReference(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	begin, end := p.settled()
	link := p.Address()
	if !strings.Contains(link, "by=web") {
		t.Fatalf("the link %s does not say by whose clock its times are", link)
	}
	if _, err := set.Synchronize(context.Background(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	p.Open(link)
	const said = "This link was made with web as the reference, and now it is db"
	p.Says(said)
	p.Await("the same moments by db's clock", func() (any, bool) {
		b, e, _ := view(t, p)
		return p.Address(), b < begin-9e9 && e-b < (end-begin)+1000 && e-b > (end-begin)-1000
	})
	p.Press("Home")
	p.Await("nothing said any more", func() (any, bool) { return p.Text(), !strings.Contains(p.Text(), said) })
	p.Press("2")
	p.Says("Use changes the times that everybody sees who looks at this set")
}

// While a filter of events looks, it is said at once, and rows of the one before look so.
func TestFilterOfEventsIsLooking(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	s.listEvents(p, set)
	Eval[bool](p, `(() => {
		window.seen = [];
		const look = () => window.seen.push([document.querySelector("#events .number").textContent, document.querySelector("#events .grid").classList.contains("old")].join());
		new MutationObserver(look).observe(document.querySelector("#events"), { subtree: true, childList: true, characterData: true, attributes: true });
		return true;
	})()`)
	p.Find("textbox", "Where").Type("next_tid == 205")
	p.Find("button", "Filter").Click()
	p.Says("of 770 375 events")
	for _, want := range []string{"Looking for them…,true", "Counting…,false"} {
		p.Await("it to have said "+want, func() (any, bool) {
			seen := strings.Join(Eval[[]string](p, "window.seen"), "\n")
			return seen, strings.Contains(seen, want)
		})
	}
}

// A thread that was there before the stretch that is added up, or after it, is said to have been, where its calls alone are told.
func TestCallsOfAThreadThatLivedBefore(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&row=2.173&alone=1&begin=1795229355186433800&end=1795229355756519553"))
	p.Says("It was there before and after this stretch, too; its calls then are not told.")
	p.Find("combobox", "What was done in").Choose("the whole set")
	p.Await("nothing said of all", func() (any, bool) { return p.Text(), !strings.Contains(p.Text(), "It was there before") })
}
