package browser

import (
	"testing"

	"synchroscope/sync/network"
)

// The link that is shown stays when other clocks make another one the best known, also where nobody chose it.
func TestLinkStays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	first := func() (any, bool) {
		saw := Eval[[]string](p, `["#sync .oflinks tbody tr", "#sync .ofpoints h2"].map((css) => document.querySelector(css)?.innerText.split(/[\t\n]/)[0].trim())`)
		return saw, saw[0] == "cache – web" && saw[1] == "client – web"
	}
	p.Await("a link that is shown", func() (any, bool) {
		saw, _ := first()
		return saw, saw.([]string)[1] == "client – web"
	})
	if _, err := set.Synchronize(t.Context(), network.Options{Method: "regression"}); err != nil {
		t.Fatal(err)
	}
	p.Await("another link ahead in the table, and the same one shown", first)
}
