package browser

import (
	"testing"

	"synchroscope/ingest"
)

// What a page stored is not there for the page of the next test, nor for another one that is open beside it.
func TestPagesForget(t *testing.T) {
	s := newSite(t, ingest.Options{})
	stored := func(p *Page) string { return Eval[string](p, "localStorage.getItem('theme') ?? ''") }
	for range 2 {
		t.Run("a page", func(t *testing.T) {
			p := NewPage(t)
			p.Open(s.url)
			if got := stored(p); got != "" {
				t.Errorf("the page before left the theme %q", got)
			}
			Eval[bool](p, "(localStorage.setItem('theme', 'dark'), true)")
			other := NewPage(t)
			other.Open(s.url)
			if got := stored(other); got != "" {
				t.Errorf("the page beside has the theme %q", got)
			}
			tab := p.Beside()
			tab.Open(s.url)
			if got := stored(tab); got != "dark" {
				t.Errorf("another tab of the page has the theme %q", got)
			}
		})
	}
}
