package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// scrolled is how far the rows of a section of the timeline are scrolled.
func (p *Page) scrolled(title string) int {
	p.t.Helper()
	return Eval[int](p, `Math.round(document.querySelector("section[aria-label='`+title+`'] .scroller").scrollTop)`)
}

// rowsSeen is how far sections of the timeline are scrolled, and the threads that Control flow lists.
func (p *Page) rowsSeen(titles []string) string {
	p.t.Helper()
	var all []string
	for _, title := range titles {
		all = append(all, fmt.Sprint(p.scrolled(title)))
	}
	return strings.Join(append(all, p.listedThreads("Control flow: rows")...), " ")
}

// selectedInSight are the titles of the selected rows of a section of which all is in sight.
func (p *Page) selectedInSight(title string) string {
	p.t.Helper()
	return Eval[string](p, `(() => {
		const {top, bottom} = document.querySelector("section[aria-label='`+title+`'] .scroller").getBoundingClientRect();
		return [...document.querySelectorAll("section[aria-label='`+title+`'] [role=row][aria-selected=true]")].filter((e) => e.checkVisibility())
			.filter((e) => e.getBoundingClientRect().top >= top && e.getBoundingClientRect().bottom <= bottom).map((e) => e.title).join();
	})()`)
}

// openTimeline opens the tab from another one, by its key, which may be held until it repeats itself, or by its name.
func (p *Page) openTimeline(by string) {
	p.t.Helper()
	switch by {
	case "1":
		p.Press("1")
		return
	case "1, held":
		for _, repeats := range []bool{false, true} {
			params := input.DispatchKeyEventParams{Type: "rawKeyDown", Key: "1", Code: "Digit1", AutoRepeat: &repeats}
			if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, params); err != nil {
				p.t.Fatal(err)
			}
		}
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyUp", Key: "1", Code: "Digit1"}); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	x, y, width, height := p.Find("tab", "Timeline").Box()
	p.Click(x+width/2, y+height/2)
}

// An address that says how far the timeline is scrolled is one of another tab as well: whoever opens the timeline from there, by a key or by its
// name, sees the rows that it says. What is chosen on that tab goes before it.
func TestScrolledTimelineOpenedFromAnotherTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?opened=0,1,2,3"))
	p.Says("blocked in wait4")
	titles := []string{"Control flow", "Communication", "Resources"}
	for i, by := range []float64{300, 130, 150} {
		left, top, width, height := p.Find("region", titles[i]).Box()
		before := p.scrolled(titles[i])
		p.Wheel(left+width/10, top+height/2, by)
		p.Await(titles[i]+" scrolled", func() (any, bool) { now := p.scrolled(titles[i]); return now, now > before })
	}
	picture := func() string { return p.rowsSeen(titles) }
	said := regexp.MustCompile(`top=[-\d.]+&.*scroll=talk\d{2,3}\.cpus\d{2,3}`)
	p.Await("all three in the address", func() (any, bool) { return p.Address(), said.MatchString(p.Address()) })
	var was string
	p.AwaitRest("rows that are scrolled", func() (string, bool) {
		was = picture()
		return was, !strings.HasPrefix(was, "0 ")
	})
	link := p.Address()
	for _, by := range []string{"1", "1, held", "Timeline"} {
		p.Press("3")
		p.Find("grid", "Events")
		p.Reload()
		p.Find("grid", "Events")
		p.openTimeline(by)
		p.AwaitRest("the rows of before: "+was, func() (string, bool) { now := picture(); return now, now == was })
		p.Await("opened by "+by+" the address of before: "+link, func() (any, bool) { now := p.Address(); return now, now == link })
	}

	p.Press("3")
	p.Reload()
	p.Find("grid", "Events")
	p.palette("writer 173", "writer · 173 on db")
	p.strike("Enter", 0)
	p.AwaitRest("the thread that was chosen there in sight", func() (string, bool) {
		now := p.selectedInSight("Control flow")
		return now, now == "writer, thread 173"
	})
	p.Await("nothing of how far Control flow was scrolled in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), ".173") && !strings.Contains(p.Address(), "top=")
	})
}

// The row of a CPU that an address of another tab selects is brought into sight when the timeline is opened from there, as far as by an address of the
// timeline itself.
func TestSelectedCPUOpenedFromAnotherTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	const query = "?window=all&lane=3.1"
	p.Open(s.page(set, "") + query)
	sees := func() (at int) {
		t.Helper()
		p.AwaitRest("CPU 1 of web in sight", func() (string, bool) {
			at = p.scrolled("Resources")
			seen := p.selectedInSight("Resources")
			return fmt.Sprint(seen, " ", at), at > 0 && strings.HasPrefix(seen, "CPU 1 of web")
		})
		return at
	}
	at := sees()
	for _, by := range []string{"1", "Timeline"} {
		p.Open(s.page(set, "") + query + "&tab=events")
		p.Find("grid", "Events")
		p.openTimeline(by)
		if now := sees(); now != at {
			t.Errorf("opened by %s Resources are scrolled to %d, and by the address to %d", by, now, at)
		}
		if strings.Contains(p.Address(), "scroll=") {
			t.Errorf("opened by %s the address says how far that is scrolled: %s", by, p.Address())
		}
	}
}

// A page that comes back with a message picked shows the rows that it showed: those of the message's ends, which a key that picks it brings in sight, and
// where somebody scrolled away from them, to the first row too, those.
func TestReloadedByConnectionWithAMessage(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?opened=0&flows=1"))
	p.Says("connection")
	at := func() int { return p.scrolled("Communication") }
	said := func() bool { return strings.Contains(p.Address(), "scroll=") }
	comesBack := func() {
		t.Helper()
		was, link := at(), p.Address()
		p.Reload()
		p.AwaitRest(fmt.Sprintf("Communication scrolled by %d", was), func() (string, bool) { now := at(); return fmt.Sprint(now), now == was })
		p.Await("the address of before: "+link, func() (any, bool) { now := p.Address(); return now, now == link })
	}
	for i := 0; i < 3 || at() == 0 && i < 9; i++ {
		before := p.Address()
		p.Press("m")
		p.Await("another message in the address", func() (any, bool) {
			return p.Address(), p.Address() != before && strings.Contains(p.Address(), "message=")
		})
		p.AwaitRest("rows that stand", func() (string, bool) { return fmt.Sprint(at()), true })
	}
	p.Await("nothing of it in the address", func() (any, bool) { return p.Address(), !said() })
	comesBack()

	left, top, width, height := p.Find("region", "Communication").Box()
	p.Wheel(left+width/10, top+height/2, -500)
	p.Await("the first row, and that in the address", func() (any, bool) { return p.Address(), at() == 0 && said() })
	comesBack()
}
