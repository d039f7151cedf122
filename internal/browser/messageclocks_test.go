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
