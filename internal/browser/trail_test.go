package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// windowAt waits for a window, but for what clock maps round away.
func (p *Page) windowAt(what string, begin, end int64) {
	p.t.Helper()
	const rounded = 10
	p.Await(what, func() (any, bool) {
		b, e, _ := view(p.t, p)
		return fmt.Sprintf("%d to %d, later by %d and %d", b, e, b-begin, e-end), max(b-begin, begin-b, e-end, end-e) <= rounded
	})
}

// The way back leads to what was seen, also where the clock that times are by is another since, and the window went along with other hosts' clocks, which
// are up to an hour apart.
func TestWayBackByOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	was := c.hosts["cache"].Map.Local(c.begin + 30_400_000_000)
	begin, end := c.begin+30_300_000_000, c.begin+30_500_000_000
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&lane=%d.0&was=%d", begin, end, c.number("cache"), was)))
	p.Says("final")
	p.Await("what the CPU did", func() (any, bool) {
		words := p.Find("complementary", "What is selected").Text()
		return words, strings.Contains(words, "On cache")
	})
	p.Press("f")
	p.Await("its state all over the window", func() (any, bool) { b, e, _ := view(t, p); return b, e-b < end-begin })
	closer, closerEnd := p.settled()
	p.Press("r")
	p.opened("Timeline", []string{"time=raw"}, nil)
	// One goes on to another host, by whose clock the window comes back.
	p.Press("Escape")
	p.palette("wget 208 client", "wget · 208 on client")
	p.Press("Enter")
	p.opened("Timeline", []string{"time=raw", fmt.Sprintf("row=%d.208", c.number("client"))}, nil)
	if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({reference: "db"})}).then((r) => r.status)`, set.ID())); code != 200 {
		t.Fatalf("status %d", code)
	}
	p.Await("db as the reference", func() (any, bool) {
		got := Eval[string](p, `[...document.querySelectorAll(".row.host")].find((r) => r.querySelector(".name").textContent === "db")?.querySelector(".note").textContent ?? ""`)
		return got, strings.HasPrefix(got, "reference")
	})
	p.Press("r")
	p.opened("Timeline", []string{"by=db"}, []string{"time=raw"})
	now := clocksOf(t, set)
	// By the clock of the reference, when that of cache was in the middle of what was seen.
	by := func(begin, end int64) (int64, int64) {
		middle := begin + (end-begin)/2
		later := now.at("cache", c.hosts["cache"].Map.Local(middle)) - middle
		return begin + later, end + later
	}
	p.Press("Backspace")
	b, e := by(closer, closerEnd)
	p.windowAt("the state of the CPU", b, e)
	p.Press("Backspace")
	b, e = by(begin, end)
	p.windowAt("what was seen first", b, e)
	// The ranges that lead there are told by it as well.
	p.strike("Backspace", 8)
	b, e = by(closer, closerEnd)
	p.windowAt("the state of the CPU again", b, e)
	p.Press("r")
	local := func(begin, end int64) (int64, int64) {
		middle := begin + (end-begin)/2
		by := now.hosts["client"].Map.Local(now.at("cache", c.hosts["cache"].Map.Local(middle))) - middle
		return begin + by, end + by
	}
	b, e = local(closer, closerEnd)
	p.windowAt("the state of the CPU, by the clock of the host that is selected", b, e)
	p.Press("Backspace")
	b, e = local(begin, end)
	p.windowAt("what was seen first, by that clock", b, e)
}

// The way back lives through a reload, and the browser's history goes along with it as before; who opens the address anew begins a way of his own.
func TestWayBackAfterReload(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	begin, end := p.settled()
	n := Eval[int](p, "history.length")
	p.Press("+")
	closer, closerEnd := p.settled()
	p.Press("Home")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.entries(n + 1)
	p.Press("+")
	third, thirdEnd := p.settled()
	reload := func() {
		t.Helper()
		p.Reload()
		p.threadRow("dbwork, thread 205")
		p.Says("final")
	}
	reload()
	p.windowAt("the window of before", third, thirdEnd)
	p.Press("Backspace")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.Press("Backspace")
	p.windowAt("the window before Home", closer, closerEnd)
	// The browser went along: its Forward leads to where Home was pressed, its Back to here.
	p.goes("1")
	p.opened("Timeline", []string{"window=all"}, nil)
	p.goes("-1")
	p.windowAt("the window before Home", closer, closerEnd)
	reload()
	p.Press("Backspace")
	p.windowAt("the first window", begin, end)
	p.strike("Backspace", 8)
	p.windowAt("the second", closer, closerEnd)
	p.strike("Backspace", 8)
	p.opened("Timeline", []string{"window=all"}, nil)
	p.entries(n + 1)

	// Another page, and back from that to another entry than was left.
	p.Press("Backspace")
	p.windowAt("the window before Home", closer, closerEnd)
	p.goes("1")
	p.opened("Timeline", []string{"window=all"}, nil)
	address := p.Address()
	p.Open(s.url + "/")
	p.Find("link", "shop-4hosts")
	p.goes("-2")
	p.threadRow("dbwork, thread 205")
	p.windowAt("the window before Home", closer, closerEnd)
	p.Press("Backspace")
	p.windowAt("the first window", begin, end)

	without := func(what string, p *Page) {
		t.Helper()
		p.threadRow("dbwork, thread 205")
		p.Says("final")
		if can := Eval[string](p, `[...document.querySelectorAll(".crumbs .step")].map((b) => b.disabled).join()`); can != "true,true" {
			t.Errorf("%s there is a way back: %s", what, can)
		}
	}
	other := p.Beside()
	other.Open(address)
	without("in another tab", other)
	p.Open(s.url + "/")
	p.Open(address)
	without("of an address that is opened", p)

	// What is broken, or of another version, is no way, and neither is a store that refuses.
	for _, kept := range []string{"{", "[7]", `[["` + set.ID() + `","{"]]`, `[["` + set.ID() + `","{\"raw\":false}"]]`} {
		p.Press("+")
		p.settled()
		Eval[bool](p, fmt.Sprintf(`(sessionStorage.setItem("synchroscope.way", %q), Storage.prototype.setItem = () => {}, true)`, kept))
		p.Reload()
		without("of "+kept, p)
	}
	refusing := NewPage(t)
	const refuses = `Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("refused", "SecurityError") } })`
	if _, err := chromedp.Call(refusing.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: refuses}); err != nil {
		t.Fatal(err)
	}
	refusing.Open(address)
	without("where nothing is stored", refusing)
	refusing.Press("+")
	zoomed, zoomedEnd := refusing.settled()
	refusing.Press("Backspace")
	refusing.opened("Timeline", []string{"window=all"}, nil)
	refusing.strike("Backspace", 8)
	refusing.windowAt("the window", zoomed, zoomedEnd)
	refusing.Reload()
	without("after a reload where nothing is stored", refusing)
}

// Who comes back to an entry of the browser's by the other kind of time than the page was left with has the way back and its ranges, told by that.
func TestWayBackAfterReloadByOtherTime(t *testing.T) {
	s, set := demoSite(t)
	did := clocksOf(t, set).hosts["db"].Map.Local((demoFocus.Begin + demoFocus.End) / 2)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&row=2.205&did=%d", demoFocus.Begin-3e9, demoFocus.End+3e9, did)))
	p.threadRow("dbwork, thread 205")
	p.Says("final")
	is := map[bool][]string{true: {"time=raw"}}
	for _, raw := range []bool{false, true} {
		if raw {
			p.Press("r")
		}
		p.opened("Timeline", is[raw], is[!raw])
		p.Press("Home")
		p.ranges("the whole set", func(names []string) bool { return len(names) == 1 })
		closeUp := func(n int) ([]string, int64, int64) {
			p.plus(6)
			names := p.ranges("one range more", func(names []string) bool { return len(names) == n })
			begin, end := p.settled()
			return names, begin, end
		}
		_, first, firstEnd := closeUp(2)
		before, closer, closerEnd := closeUp(3)
		p.Press("3")
		p.opened("Events", is[raw], is[!raw])
		p.Press("r")
		p.opened("Events", is[!raw], is[raw])
		p.Open(s.url + "/")
		p.Find("link", "shop-4hosts")
		p.goes("-2")
		p.threadRow("dbwork, thread 205")
		p.opened("Timeline", is[raw], is[!raw])
		p.windowAt("the window of that entry", closer, closerEnd)
		p.ranges(fmt.Sprintf("the ranges %q", before), func(names []string) bool { return fmt.Sprint(names) == fmt.Sprint(before) })
		p.Press("Backspace")
		p.windowAt("the window before", first, firstEnd)
	}
}

// Which message of its bundle is chosen is in the address: who opens it reads the same, and goes on to the next and the one before.
func TestPlaceInBundleAfterReload(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("10 684 messages in view")
	p.Says("final")
	p.Press("n")
	p.Matches(`Show them one by one`)
	p.Press("m")
	p.Matches(`Message 1 of the \d+ of the bundle`)
	p.Press("m")
	p.Matches(`Message 2 of the \d+ of the bundle`)
	p.settled()
	place := regexp.MustCompile(`Message 2 of the \d+ of the bundle`).FindString(p.Text())
	for _, again := range []func(){p.Reload, func() { p.Open(p.Address()) }} {
		again()
		p.Says(place)
		p.Press("m")
		p.Says(strings.Replace(place, "2", "3", 1))
		p.Press("M")
		p.Says(place)
		p.settled()
	}
	// Who goes on before it is found again goes on from there.
	p.Reload()
	p.Press("m")
	p.Says(strings.Replace(place, "2", "3", 1))
	p.Press("M")
	p.Says(place)
	p.settled()
	// By the hosts' own clocks, too, and no more when another message is chosen.
	p.Press("r")
	p.Says(place)
	p.settled()
	p.Reload()
	p.Says(place)
	p.Press("Escape")
	p.Await("an address without the bundle", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "bundle=") })
}

// Resources are where they were after a reload, be it that somebody scrolled there or that a thread was selected whose CPUs are there, and so is the
// host that is selected in them.
func TestResourcesAfterReload(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("final")
	scrolled := func(section string) float64 { return float64(p.scrolled(section)) }
	resources := func() float64 { return scrolled("Resources") }
	again := func(what string, where func() float64, there float64) {
		t.Helper()
		p.settled()
		p.Reload()
		p.Says("final")
		p.AwaitRest(what, func() (string, bool) { got := where(); return fmt.Sprint(got), got == there })
	}
	choose := func(typed, first string) {
		t.Helper()
		p.palette(typed, first)
		p.Press("Enter")
	}
	// The CPUs of client are among those that are seen from the first row on, once they were brought there.
	choose("crunch 206 db", "crunch · 206 on db")
	p.Await("the CPUs of db", func() (any, bool) { return resources(), resources() > 100 })
	choose("wget 208 client", "wget · 208 on client")
	var there float64
	p.Await("the CPUs of client", func() (any, bool) {
		before := there
		there = resources()
		return there, there > 0 && there < 100 && there == before
	})
	again("the CPUs of client after a reload", resources, there)
	// They stay as nothing is selected any more.
	p.Press("Escape")
	again("the CPUs of client, as nothing is selected", resources, there)

	selected := func() string {
		return Eval[string](p, `document.querySelector("section[aria-label=Resources] [aria-selected=true] .name")?.textContent ?? ""`)
	}
	place := Eval[[]float64](p, `(() => {
		const row = [...document.querySelectorAll("section[aria-label=Resources] [role=row]")].find((e) => e.checkVisibility() && !e.matches(".pin") && e.title.startsWith("client: "));
		const b = row.querySelector(".name").getBoundingClientRect();
		return [b.x + 5, b.y + b.height / 2];
	})()`)
	p.Click(place[0], place[1])
	p.Await("client selected", func() (any, bool) { got := selected(); return got, got == "client" })
	p.settled()
	p.Reload()
	p.Says("final")
	p.Await("client selected after a reload", func() (any, bool) { got := selected(); return got, got == "client" })
	p.Press("Escape")
	p.Await("an address without it", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "lane=") })

	// So it is with Communication, as a message is chosen from where somebody scrolled to.
	p.Open(s.page(set, "?window=all&opened=0,1,2,3&sizes=talk60"))
	p.Says("final")
	p.Says("messages in view")
	talk := func() float64 { return scrolled("Communication") }
	Eval[bool](p, `(document.querySelector("section[aria-label=Communication] .scroller").scrollTop = 1e6, true)`)
	p.Press("n")
	p.Matches("Show them one by one")
	p.settled()
	there = talk()
	again("the rows of Communication after a reload", talk, there)
	p.Press("Escape")
	again("the rows of Communication, as nothing is selected", talk, there)
}
