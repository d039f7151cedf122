package browser

import (
	"strings"
	"testing"
)

// The first page says how it works and which keys it has, by a key and by a button; the same key types where one types.
func TestHelpOfTheFirstPage(t *testing.T) {
	s, _ := demoSite(t)
	if _, err := s.engine.Create("another"); err != nil { // of one alone there is nothing to find
		t.Fatal(err)
	}
	p := NewPage(t)
	p.Open(s.url + "/")
	p.Find("link", "shop-4hosts")
	p.strike("?", 0)
	help := p.Find("dialog", "How it works")
	for _, words := range []string{"it becomes one trace set", "Every ± says", "Find trace sets by name, host or date"} {
		if text := help.Text(); !strings.Contains(text, words) {
			t.Errorf("the help does not say %q: %s", words, text)
		}
	}
	p.Press("Escape")
	p.Gone("dialog", "How it works")
	p.Find("button", "How it works, and keys").Click()
	checkThemes(t, p, axeRules(t), "the help of the first page", themes)
	p.Find("dialog", "How it works").Find("button", "Close").Click()
	p.Gone("dialog", "How it works")

	p.Press("/")
	p.Await("the focus in the field", func() (any, bool) { got := Eval[string](p, "document.activeElement.id"); return got, got == "find" })
	p.strike("?", 0)
	p.rest()
	if len(p.All("dialog", "How it works")) > 0 {
		t.Error("what is typed into a field opens the help")
	}
}
