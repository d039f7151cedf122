package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// What is told of a chosen message, and of a bundle, is by the clocks that are in force, also once these are others of the same reference.
func TestChosenMessageByOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	told := func(p *Page) string {
		words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		return regexp.MustCompile(`(Sent|First sent) .* Size`).FindString(words)
	}
	p := NewPage(t)
	synchronize := func(exclude string) {
		t.Helper()
		if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({reference: "web", exclude: %s})}).then((r) => r.status)`, set.ID(), exclude)); code != 200 {
			t.Fatalf("status %d", code)
		}
	}
	for key, query := range map[string]string{"n": "?window=all", "m": "?begin=1795229355000000000&end=1795229355300000000"} {
		p.Open(s.page(set, query))
		p.Matches(`messages in view`)
		p.Says("final")
		p.Press(key)
		p.Await("what is chosen by "+key, func() (any, bool) { saw := told(p); return saw, saw != "" })
		p.Await("its address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "message=") })
		other := p.Beside()
		same := func(which string) (saw string) {
			t.Helper()
			other.Open(p.Address())
			p.Await("what a page has that is opened with the address, "+which, func() (any, bool) {
				saw = told(other)
				here := told(p)
				return []string{here, saw}, saw != "" && here == saw
			})
			return saw
		}
		before := same("by the clocks of before")
		synchronize(`[["client", "web"], ["db", "web"]]`)
		if after := same("by others"); after == before {
			t.Errorf("by other clocks too it is %s", after)
		}
		synchronize("[]")
	}
}

// Who stands on a message of a bundle goes on to the next of them also by other clocks, and the address has the message that is told of.
func TestMessagesOfBundleByOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	synchronize := func(by string) {
		t.Helper()
		was := p.Find("contentinfo", "").Text()
		if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: %q}).then((r) => r.status)`, set.ID(), by)); code != 200 {
			t.Fatalf("status %d", code)
		}
		p.Await("the other clocks", func() (any, bool) { saw := p.Find("contentinfo", "").Text(); return saw, saw != was })
	}
	words := func(p *Page) string {
		return strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
	}
	told := regexp.MustCompile(`Message \S+ → .* Size`)
	p.Open(s.page(set, "?window=all"))
	p.Matches(`messages in view`)
	p.Says("final")
	p.Press("n")
	p.Await("a bundle", func() (any, bool) { saw := words(p); return saw, strings.Contains(saw, "Show them one by one") })
	other := p.Beside()
	number := 0
	for _, step := range []struct {
		by, key string
		to      int
	}{
		{"", "m", 1},
		{`{"reference": "web", "exclude": [["client", "web"], ["db", "web"]]}`, "m", 2},
		{`{"reference": "web", "method": "regression"}`, "m", 3},
		{`{"reference": "web"}`, "M", 2},
		{`{"reference": "db"}`, "m", 3},
		{"raw", "M", 2},
		{"raw", "m", 3},
		{"{}", "M", 2},
	} {
		switch step.by {
		case "":
		case "raw":
			p.Press("r")
		default:
			synchronize(step.by)
		}
		stands := func() {
			p.Matches(fmt.Sprintf(`Message %d of the \d+ of the bundle`, number))
		}
		if number > 0 {
			stands()
		}
		p.Press(step.key)
		number = step.to
		stands()
		opened := ""
		p.Await(fmt.Sprintf("message %d as a page has it that is opened with the address", number), func() (any, bool) {
			if address := p.Address(); address != opened {
				opened = address
				other.Open(opened)
			}
			here, there := told.FindString(words(p)), told.FindString(words(other))
			return []string{here, there}, here != "" && here == there
		})
	}
}
