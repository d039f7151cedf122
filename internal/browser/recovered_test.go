package browser

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// A set that is deleted during its import and had back is read anew, and rows get numbers as they come: of those that were in view nothing
// is said that means numbers of before.
func TestHadBackDuringItsImport(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	for i := range 3 { // they only have to slow the one that is looked at
		s.add(fmt.Sprintf("another shop, %d", i+1), demoArchive)
	}
	set := s.add("shop", demoArchive)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	rows := func(least int) {
		t.Helper()
		p.Await("rows", func() (any, bool) {
			words := p.Find("region", "Control flow").Text()
			n := 0
			if m := threadCount.FindStringSubmatch(words); m != nil {
				n, _ = strconv.Atoi(strings.ReplaceAll(m[1], " ", ""))
			}
			return words, n >= least
		})
	}
	rows(1000)
	Eval[bool](p, `(() => {
		const e = document.querySelector("section[aria-label='Control flow'] .scroller");
		e.scrollTop = e.scrollHeight;
		window.said = [];
		new MutationObserver(() => { const m = /There is no row \d+/.exec(document.querySelector("footer").textContent); if (m) said.push(m[0]); }).observe(document.querySelector("footer"), { subtree: true, childList: true, characterData: true });
		return true;
	})()`)
	p.frame()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+"/api/sets/"+set.ID(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	p.Find("button", "Undo: bring back shop").Click()
	p.Gone("region", "The set was deleted")
	rows(demoThreads)
	if said := Eval[[]string](p, "[...new Set(said)]"); len(said) > 0 {
		t.Errorf("it is said %q", said)
	}
}
