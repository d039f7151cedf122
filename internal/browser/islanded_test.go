package browser

import (
	"fmt"
	"strings"
	"testing"
)

// Who looks at the timeline while somebody else leaves out the links of a host, so that nothing relates its clock to the others any more, or takes
// them back, sees what who opens it then sees: the host lies elsewhere, though the reference is the same.
func TestHostIsolatedByAnother(t *testing.T) {
	s, set := demoSite(t)
	begin := clocksOf(t, set).begin
	address := s.page(set, fmt.Sprintf("?by=web&begin=%d&end=%d", begin+14e9, begin+14e9+57e7))
	p := NewPage(t)
	shown := func(p *Page) string {
		return spaces.Replace(Eval[string](p, `[...document.querySelectorAll("#timeline .pane")].map((pane) => pane.innerText).join("\n\n")`))
	}
	rest := func(p *Page) (words string) {
		p.AwaitRest("the timeline", func() (string, bool) {
			words = shown(p)
			return words, strings.Contains(p.Text(), "final") && strings.Contains(words, "in view")
		})
		return words
	}
	p.Open(address)
	before := rest(p)
	for _, body := range []string{`{exclude: [["db", "web"], ["client", "db"]]}`, `{}`} {
		if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify(%s)}).then((r) => r.status)`, set.ID(), body)); code != 200 {
			t.Fatalf("status %d", code)
		}
		fresh := NewPage(t)
		fresh.Open(address)
		var want string
		fresh.Await("another picture than before", func() (any, bool) { want = rest(fresh); return want, want != before })
		p.Await("the same as on a page that was opened just now:\n"+want, func() (any, bool) { now := shown(p); return now, now == want })
		before = want
	}
}
