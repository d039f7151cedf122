package browser

import (
	"fmt"
	"testing"
)

// ranges waits for what is enough of the ranges the window was narrowed through, and returns how they are called.
func (p *Page) ranges(what string, enough func(names []string) bool) (names []string) {
	p.t.Helper()
	p.Await(what, func() (any, bool) {
		names = Eval[[]string](p, `[...document.querySelectorAll(".crumbs li button")].map((b) => b.textContent)`)
		return names, enough(names)
	})
	return names
}

// The ranges that one zoomed in through are there after a reload, and not for who opens the address anew.
func TestRangesAfterReload(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Press("Home")
	p.ranges("the whole set", func(names []string) bool { return len(names) == 1 })
	for n := range 3 {
		for range 5 {
			p.Press("+")
		}
		p.ranges(fmt.Sprintf("%d ranges", n+2), func(names []string) bool { return len(names) == n+2 })
	}
	p.settled()
	before := p.ranges("ranges", func([]string) bool { return true })
	p.Reload()
	p.threadRow("dbwork, thread 205")
	p.ranges(fmt.Sprintf("after a reload %q", before), func(names []string) bool { return fmt.Sprint(names) == fmt.Sprint(before) })
	p.Find("navigation", "Ranges").Find("button", before[1]).Click()
	p.ranges("back at the first", func(names []string) bool { return len(names) == 2 && names[1] == before[1] })

	address := p.Address()
	p.Open(s.page(set, "?tab=events"))
	p.Open(address)
	p.threadRow("dbwork, thread 205")
	p.ranges("of an address that is opened its own", func(names []string) bool { return len(names) == 2 })
}
