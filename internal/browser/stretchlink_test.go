package browser

import (
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// A link whose only time is the stretch in the head of Time says by whose clock that is, and means the same events under another reference.
func TestStretchUnderAnotherReference(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=timeline&during=6.1..6.2&cpu=0"))
	p.Await("whose time it is in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "by=web") })
	link := strings.Replace(p.Address(), "?", "?tab=events&", 1)
	told := func() string {
		return Eval[string](p, `[document.querySelector("#events .number").textContent, document.querySelector("#events .grid-body [role=row] [role=gridcell]:nth-child(3)")?.textContent].join(" ")`)
	}
	p.Open(link)
	p.Says("of 770 375 events")
	want := told()
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	p.Open(link)
	p.Says("This link was made with web as the reference, and now it is db")
	p.Await("the same events: "+want, func() (any, bool) { got := told(); return got, got == want })
	p.Await("the stretch and the address by the other clock", func() (any, bool) {
		typed := Eval[string](p, `document.querySelector("#events input[aria-label=Time]").value`)
		return typed + " " + p.Address(), typed != "6.1..6.2" && strings.HasPrefix(typed, "6.") && strings.Contains(p.Address(), "by=db")
	})
}

// A loss that is chosen among the events stands in the address, which brings it back.
func TestLossInTheAddress(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("overflowing", overflowing)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Says("Next loss")
	p.Find("button", "Next loss").Click()
	p.Find("button", "Next loss").Click()
	told := func() string {
		return Eval[string](p, `((e) => e.checkVisibility() ? e.querySelector("h2").textContent : "")(document.querySelector("#events .chosen"))`)
	}
	p.Await("the loss in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "lost=") })
	var want string
	p.AwaitRest("the second loss told of, and in the address", func() (string, bool) {
		want = told()
		return want + p.Address(), strings.Contains(want, "lost")
	})
	p.Reload()
	p.Await("the same loss: "+want, func() (any, bool) { got := told(); return got, got == want })
	// Also where the list begins elsewhere.
	p.Open(regexp.MustCompile(`&at=\d+`).ReplaceAllString(p.Address(), "&at="+set.Status().Begin))
	p.Await("the same loss: "+want, func() (any, bool) { got := told(); return got, got == want })
	p.Find("gridcell", Eval[string](p, `document.querySelector("#events .grid-body [role=row]:not(.lost) [role=gridcell]").textContent`)).Click()
	p.Await("the event in its place", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "chosen=") && !strings.Contains(p.Address(), "lost=")
	})
}

// An address that asks for a tab that there is not says so, until another is opened.
func TestLinkToNoTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=foo"))
	const words = "The address asks for a view foo. There is none, so it is the timeline that is open."
	told := func(want bool) {
		t.Helper()
		p.Await("what is told of the tab", func() (any, bool) {
			now := p.Find("contentinfo", "").Text()
			return now, strings.Contains(now, words) == want
		})
	}
	told(true)
	p.Press("3")
	p.opened("Events", nil, nil)
	told(false)
	p.Press("1")
	p.opened("Timeline", nil, nil)
	told(false)
}
