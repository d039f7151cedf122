package browser

import (
	"regexp"
	"testing"
)

// How well each clock is known at the time that is chosen for Compare stands beside that choice, also before hosts are chosen.
func TestKnownBesideTheTime(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	said := func(pattern string) string {
		t.Helper()
		var found string
		p.Await(pattern+" in Compare", func() (any, bool) {
			words := spaces.Replace(p.Find("region", "Compare two hosts").Text())
			found = regexp.MustCompile(pattern).FindString(words)
			return words, found != ""
		})
		return found
	}
	middle := said(`Known there: db ± \d+ µs, .*cache ± .*, against the clock of web\.`)
	p.Find("combobox", "which is").Choose("the middle of the recording")
	p.Await("other figures", func() (any, bool) {
		now := said(`Known there: .* against the clock of web\.`)
		return now, now != middle
	})
	p.Find("combobox", "Compare host").Choose("db")
	of := said(`Known there: db ± [^,]*, against the clock of web\.`)
	want := Eval[string](p, `[...document.querySelectorAll(".hosts tbody tr")].find((r) => r.innerText.startsWith("db")).cells[3].innerText`)
	if of != "Known there: db "+spaces.Replace(want)+", against the clock of web." {
		t.Errorf("of db it is said %q, and in the table %q", of, want)
	}
}
