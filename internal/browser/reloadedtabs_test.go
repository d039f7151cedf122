package browser

import (
	"fmt"
	"strings"
	"testing"
)

// A tab that is scrolled is so after a reload, also one that is not open then; who scrolls it after that is not taken back, and a link begins at
// the top of each.
func TestTabsScrolledAfterAReload(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	link := s.page(set, "") + "?tab=timeline&window=all&state=1795229355471480250&of=db&attribute=Threads%2F207"
	p.Open(link)
	tabs := []struct{ name, key, part string }{
		{"Statistics", "4", "#statistics"}, {"Messages", "5", "#messages"}, {"Synchronization", "2", "#sync"}, {"State", "6", "#state .attributes"},
	}
	const left, top, height, scrolled, room = 0, 1, 3, 4, 5
	see := func(part string) []float64 {
		return Eval[[]float64](p, `(() => {
			const part = document.querySelector("`+part+`"), {left, top, width, height} = part.getBoundingClientRect();
			return [left, top, width, height, Math.round(part.scrollTop), part.scrollHeight - part.clientHeight];
		})()`)
	}
	// at waits until a part rests where it is to be.
	at := func(what, part string, want func(y float64) bool) (y float64) {
		t.Helper()
		p.AwaitRest(what, func() (string, bool) {
			saw := see(part)
			y = saw[scrolled]
			return fmt.Sprint(saw), want(y)
		})
		return y
	}
	was := map[string]float64{}
	for _, tab := range tabs {
		p.Press(tab.key)
		p.opened(tab.name, nil, nil)
		p.AwaitRest(tab.name+" with more than it has room for", func() (string, bool) {
			saw := see(tab.part)
			return fmt.Sprint(saw), saw[room] > 100
		})
		saw := see(tab.part)
		p.Wheel(saw[left]+20, saw[top]+saw[height]*0.7, 300)
		was[tab.part] = at(tab.name+" scrolled", tab.part, func(y float64) bool { return y > saw[scrolled]+50 })
	}
	p.Reload()
	for i := range tabs {
		tab := tabs[len(tabs)-1-i]
		if i > 0 { // the one that was open last is open
			p.Press(tab.key)
		}
		p.opened(tab.name, nil, nil)
		at(fmt.Sprint(tab.name, " where it was, at ", was[tab.part]), tab.part, func(y float64) bool { return y == was[tab.part] })
	}
	// The key of the tab that is open leaves it where it was, however soon it is pressed.
	for i := range tabs {
		tab := tabs[len(tabs)-1-i]
		p.Press(tab.key)
		p.opened(tab.name, nil, nil)
		p.Reload()
		p.Press(tab.key)
		p.opened(tab.name, nil, nil)
		at(fmt.Sprint(tab.name, " where it was, at ", was[tab.part]), tab.part, func(y float64) bool { return y == was[tab.part] })
	}
	p.Reload()
	at("Statistics where they were", "#statistics", func(y float64) bool { return y == was["#statistics"] })
	saw := see("#statistics")
	p.Wheel(saw[left]+20, saw[top]+saw[height]*0.7, -40)
	want := at("Statistics scrolled back", "#statistics", func(y float64) bool { return y < was["#statistics"] })
	p.Press("1")
	p.opened("Timeline", nil, nil)
	p.Press("4")
	at("Statistics where they were scrolled to", "#statistics", func(y float64) bool { return y == want })
	p.Open(s.page(set, "") + "?tab=statistics&window=all")
	p.AwaitRest("Statistics of a link, at their top", func() (string, bool) {
		saw := see("#statistics")
		return fmt.Sprint(saw), saw[room] > 100 && saw[scrolled] == 0
	})
}

// A long table of links is where it was scrolled to as well, and the tab around it where that was.
func TestLinksScrolledAfterAReload(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(600, 420)
	p.Open(s.page(set, "?tab=sync"))
	p.Find("grid", "Links")
	see := func() [3]float64 {
		return Eval[[3]float64](p, `(() => {
			const list = document.querySelector(".links .wide");
			return [list.scrollHeight - list.clientHeight, list.scrollTop, document.querySelector("#sync").scrollTop];
		})()`)
	}
	p.AwaitRest("links that the table has no room for", func() (string, bool) { saw := see(); return fmt.Sprint(saw), saw[0] > 20 })
	Eval[bool](p, `(document.querySelector(".links").scrollIntoView(), document.querySelector(".links .wide").scrollTop = 15, true)`)
	var was [3]float64
	p.AwaitRest("the table scrolled", func() (string, bool) { was = see(); return fmt.Sprint(was), was[1] == 15 && was[2] > 100 })
	p.Reload()
	p.AwaitRest(fmt.Sprint("the table and the tab where they were, at ", was), func() (string, bool) { saw := see(); return fmt.Sprint(saw), saw == was })
}

// The state that was looked at and the events that were listed are there still when the page is loaded again in another tab.
func TestStateAndEventsAfterAReloadElsewhere(t *testing.T) {
	s, set := demoSite(t)
	const state, at = "1795229355704277177", "1795229356704277177"
	p := NewPage(t)
	p.Open(s.page(set, "?tab=state&of=db&attribute=Threads%2F205&by=web&state="+state))
	p.Says("Threads")
	p.Press("3")
	p.Await("the table of events", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "tab=events") })
	p.Press("1")
	p.Await("the timeline", func() (any, bool) {
		return p.Address(), !strings.Contains(p.Address(), "tab=") && !strings.Contains(p.Address(), "state=")
	})
	p.Reload()
	p.Says("final")
	p.Press("6")
	p.Await("the state of before", func() (any, bool) {
		a := p.Address()
		return a, strings.Contains(a, "state="+state) && strings.Contains(a, "of=db") && strings.Contains(a, "attribute=Threads%2F205")
	})
	p.Open(s.page(set, "?tab=events&by=web&at="+at))
	p.Await("events from there on", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "at="+at) })
	p.Press("1")
	p.Await("the timeline again", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "tab=") })
	p.Reload()
	p.Says("final")
	p.Press("3")
	p.Await("the events of before", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "at="+at) })
}
