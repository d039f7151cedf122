package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/ingest"
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

// plus zooms in so many times at once, without a rest in between however slow the machine is.
func (p *Page) plus(times int) {
	p.t.Helper()
	Eval[bool](p, fmt.Sprintf(`[...Array(%d)].every(() => dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true, cancelable: true })) || true)`, times))
}

// Who zooms in step by step, with a rest after each, finds the window that was opened among the ranges as whoever did so at once.
func TestRangesOfStepByStep(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186433800&end=1795229365756519553"))
	p.threadRow("dbwork, thread 205")
	p.ranges("the window that was opened", func(names []string) bool { return len(names) == 2 && spaces.Replace(names[1]) == "10.6 s" })
	for _, narrower := range []string{"7.05 s", "4.70 s", "3.13 s"} {
		p.Press("+")
		p.ranges("a rest at "+narrower, func(names []string) bool { return len(names) == 2 && spaces.Replace(names[1]) == narrower })
	}
	p.Press("+")
	p.ranges("the window that was opened and that of now", func(names []string) bool {
		return len(names) == 3 && spaces.Replace(names[1]) == "10.6 s" && spaces.Replace(names[2]) == "2.09 s"
	})
}

// Ranges are left by who moves out of them, not by who turns to raw time and back: where a clock was set forward a range lies beside the window by that.
func TestRangesOverRawTime(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("forth", fmt.Sprintf(pair, "  step at=20s by=6s"))
	const begin = int64(1767225600000000000)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&row=1.-1", begin+15e9, begin+21e9)))
	p.Says("final")
	p.ranges("the window that was opened", func(names []string) bool { return len(names) == 2 })
	var before []string
	for n := 3; n <= 4; n++ {
		for range 3 {
			p.Press("ArrowRight")
		}
		p.plus(4)
		before = p.ranges("another range", func(names []string) bool { return len(names) == n })
	}
	for _, raw := range []bool{true, false} {
		p.Press("r")
		p.Await("the other time", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "time=raw") == raw })
		time.Sleep(500 * time.Millisecond) // a rest, by which ranges would be left: nothing else tells that none is
	}
	if after := p.ranges("ranges", func(names []string) bool { return len(names) > 0 }); !slices.Equal(after, before) {
		t.Errorf("over raw time the ranges %q become %q", before, after)
	}
}

// A window that is as wide as the set, and lies where nothing of it is, is not told as the whole set.
func TestRangeBesideTheSet(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795231001309722904&end=1795231320963552013"))
	p.ranges("a range of its own", func(names []string) bool { return len(names) == 2 })
	where := func() string {
		return Eval[string](p, `(() => { const b = document.querySelector(".crumbs [aria-current=location]"); return b.textContent + ", " + b.title; })()`)
	}
	before := where()
	p.Press("ArrowRight")
	p.Await("that range a little later", func() (any, bool) {
		now := where()
		return now, now != before && strings.HasPrefix(spaces.Replace(now), "320 s, ")
	})
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
		p.plus(5)
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
