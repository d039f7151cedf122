package browser

import "testing"

// A reader of screens finds the page by its one heading of the first level, and every list of ranges and table by a name.
func TestNamesOfParts(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Find("heading", "shop-4hosts")
	if got := Eval[string](p, `[...document.querySelectorAll("h1")].map((h) => h.textContent).join()`); got != "shop-4hosts" {
		t.Errorf("headings of the first level: %q", got)
	}
	p.Find("list", "Ranges")
	p.Find("tab", "Import").Click()
	p.Find("table", "Hosts")
}
