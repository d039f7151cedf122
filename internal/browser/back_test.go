package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// goes goes through the history of the browser as its Back and Forward do.
func (p *Page) goes(by string) {
	p.t.Helper()
	Eval[bool](p, "(history.go("+by+"), true)")
}

// opened waits for a tab that is open, with words in the address and others not.
func (p *Page) opened(tab string, with, without []string) {
	p.t.Helper()
	p.Await(tab+" open", func() (any, bool) {
		address := p.Address()
		yes := p.Find("tab", tab).State("selected") == "true"
		for _, words := range with {
			yes = yes && strings.Contains(address, words)
		}
		for _, words := range without {
			yes = yes && !strings.Contains(address, words)
		}
		return address, yes
	})
}

// entries waits for so many entries in the history of the browser.
func (p *Page) entries(want int) {
	p.t.Helper()
	p.Await("as many entries", func() (any, bool) {
		n := Eval[int](p, "history.length")
		return n, n == want
	})
}

// The browser's Back and Forward lead from tab to tab and over each jump, and every entry brings back what it was left with: what was
// chosen later is in none that was made before.
func TestBackBringsBackWhatWasSeen(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.url + "/")
	p.Find("link", "shop-4hosts").Click()
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	p.Says("118 messages in view")
	p.opened("Timeline", []string{set.ID() + "?", "row=2.205"}, nil)

	p.Press("3")
	p.Find("textbox", "Event").Type("sched_switch")
	p.Find("button", "Filter").Click()
	p.opened("Events", []string{"event=sched_switch"}, nil)
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("5")
	table := p.Find("grid", "Messages from host to host")
	cell(p, table, "web to cache").Click()
	p.opened("Messages", []string{"pair="}, nil)
	p.Press("1")
	p.Says("only web ↔ cache")

	p.goes("-1")
	p.opened("Messages", []string{"pair=", "event=sched_switch"}, nil)
	p.goes("-1")
	p.opened("Events", []string{"event=sched_switch"}, []string{"pair="})
	p.goes("-1")
	p.opened("Timeline", []string{"row=2.205"}, []string{"pair=", "event="})
	p.Says("118 messages in view")
	if strings.Contains(p.Text(), "only web") {
		t.Error("the first timeline shows the messages of two hosts, chosen later")
	}

	// The fields are those of the entry, as well; and forward what was chosen is there again.
	p.goes("1")
	p.opened("Events", []string{"event=sched_switch"}, nil)
	p.Await("the filter in its field", func() (any, bool) {
		typed := Eval[string](p, `document.querySelector("input[aria-label=Event]").value`)
		return typed, typed == "sched_switch"
	})
	p.goes("2")
	p.opened("Timeline", []string{"pair="}, nil)
	p.Says("only web ↔ cache")
	p.goes("-3")
	p.opened("Timeline", []string{"row=2.205"}, []string{"pair="})
	p.leave(chromedp.NavigateBack())
	if got := p.Address(); got != s.url+"/" {
		t.Errorf("from what was opened first Back leads to %s", got)
	}
}

// A jump is an entry of the browser's history, which Back undoes like the page's own way back; each of the two goes along with the other. What
// is moved over without a pause is in the entry that it was done in.
func TestBackUndoesJumps(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	begin, end := p.settled()
	n := Eval[int](p, "history.length")
	p.Press("+")
	p.Press("ArrowRight")
	p.Press("ArrowRight")
	moved, movedEnd := p.settled()
	p.entries(n)
	p.Press("Home")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.entries(n + 1)
	p.goes("-1")
	at := func(what string, begin, end int64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			b, e, _ := view(t, p)
			return p.Address(), b == begin && e == end
		})
	}
	at("the window before Home", moved, movedEnd)
	// The page's own way goes on from there: one step back is to before the movement, and two forward are to Home, which is the entry again.
	p.Press("Backspace")
	at("the window before it was moved", begin, end)
	p.strike("Backspace", 8)
	at("the moved window", moved, movedEnd)
	p.strike("Backspace", 8)
	p.opened("Timeline", []string{"window=all"}, nil)
	p.entries(n + 1)
	// What the page's own way undid the browser's Back does not bring back.
	p.Press("Backspace")
	at("the moved window", moved, movedEnd)
	p.goes("1")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.Press("Backspace")
	at("the moved window", moved, movedEnd)
	p.Press("0")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.entries(n + 1)

	// Two keys are one entry each; one that opens a tab at a place makes one.
	p.Press("e")
	p.opened("Events", []string{"tab=events"}, nil)
	p.entries(n + 2)
	p.goes("-1")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.goes("-1")
	at("the moved window", moved, movedEnd)
}

// A change of an attribute that is gone to, and a time that is typed, are entries of the browser's history; a step back on the own way of the State
// tab is none.
func TestBackInState(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	c := clocksOf(t, set)
	first, second := "since "+c.since("db", 1795229345_347_465_574), "since "+c.since("db", 1795229345_710_252_024)
	p.Open(s.page(set, "?tab=state&state=1795229355471480250&of=db&attribute=Threads%2F207"))
	p.Says(first)
	n := Eval[int](p, "history.length")
	p.Press(".")
	p.Says(second)
	p.entries(n + 1)
	p.goes("-1")
	p.Says(first)
	p.opened("State", []string{"state=1795229355471480250"}, nil)
	p.goes("1")
	p.Says(second)
	p.Press("Backspace")
	p.Says(first)
	p.entries(n + 1)
	p.strike("Backspace", 8)
	p.Says(second)
	p.opened("State", []string{"state="}, []string{"state=1795229355471480250"})
	there := p.Address()
	p.palette("7 s", "Go to 7.000")
	p.strike("Enter", 0)
	p.entries(n + 2)
	p.Gone("dialog", "Commands")
	p.goes("-1")
	p.Says(second)
	p.Await("the entry as it was left", func() (any, bool) { at := p.Address(); return at, at == there })
}

// An entry of the timeline that nobody had scrolled comes back with the first rows, also from another tab, where nothing can be scrolled.
func TestBackToFirstRows(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "") + "?window=all&opened=0,1,2,3")
	titles := []string{"Control flow", "Resources"}
	picture := func() string { return p.rowsSeen(titles) }
	var first string
	p.AwaitRest("the first rows", func() (string, bool) {
		first = picture()
		return p.Address() + " " + first, strings.HasPrefix(first, "0 0 ")
	})
	p.Press("3")
	p.Find("grid", "Events")
	p.Press("1")
	for i, by := range []float64{300, 150} {
		left, top, width, height := p.Find("region", titles[i]).Box()
		p.Wheel(left+width/10, top+height/2, by)
		p.Await(titles[i]+" scrolled", func() (any, bool) { now := p.scrolled(titles[i]); return now, now > 0 })
	}
	p.opened("Timeline", []string{"top=", "cpus"}, nil)
	scrolled := picture()
	p.goes("-1")
	p.opened("Events", nil, []string{"top="})
	p.goes("-1")
	p.AwaitRest("the first rows again: "+first, func() (string, bool) { now := picture(); return now, now == first })
	p.goes("2")
	p.AwaitRest("the rows of later: "+scrolled, func() (string, bool) { now := picture(); return now, now == scrolled })
	p.Press("3")
	p.opened("Events", []string{"top=", "cpus"}, nil)
	p.goes("-3")
	p.AwaitRest("the first rows from another tab: "+first, func() (string, bool) { now := picture(); return now, now == first })
	p.opened("Timeline", nil, []string{"top=", "scroll="})
}
