package browser

import (
	"context"
	"slices"
	"testing"

	"synchroscope/sync/network"
)

// Where somebody else synchronizes a set the figures on a page are others all at once: it says whose clock they are by now, and of raw times, which
// stay, that they are by none.
func TestOthersAreToldOfAnotherReference(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	pages := []struct {
		*Page
		query, want string
	}{
		{p, "", "Synchronized: all times are by db's clock now."},
		{p.Beside(), "?tab=events&time=raw", "Synchronized: db is the reference now."},
	}
	for _, page := range pages {
		page.Open(s.page(set, page.query))
		page.Says("final")
		// What is said goes after a while; here it stays.
		Eval[any](page.Page, `(() => {
			const set = setTimeout;
			window.setTimeout = (f, ms, ...all) => (ms === 8000 ? 0 : set(f, ms, ...all));
		})()`)
		Eval[any](page.Page, `(() => {
			window.told = [];
			new MutationObserver(() => told.push(...[...document.querySelectorAll("#status > span")].map((e) => e.innerText)))
				.observe(document.querySelector("#status"), { subtree: true, childList: true, characterData: true });
		})()`)
	}
	if _, err := set.Synchronize(context.Background(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		page.Await(page.want, func() (any, bool) {
			told := Eval[[]string](page.Page, "window.told")
			return told, slices.Contains(told, page.want)
		})
	}
	// With raw times or the others it is said in the words of these.
	for _, want := range []string{"Synchronized: db is the reference now.", "Synchronized: all times are by db's clock now."} {
		p.Press("r")
		p.Await(want, func() (any, bool) {
			told := Eval[[]string](p, `[...document.querySelectorAll("#status > span")].map((e) => e.innerText)`)
			return told, slices.Contains(told, want)
		})
	}
}
