package browser

import (
	"testing"

	"synchroscope/ingest"
)

func TestRenameAndDelete(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.demo()
	p := NewPage(t)
	p.Open(s.url)
	p.Find("link", "shop-4hosts")

	p.Find("button", "Rename").Click()
	p.Find("textbox", "Name").Type("The slow shop")
	p.Press("Enter")
	p.Find("link", "The slow shop")
	p.Reload()
	p.Find("link", "The slow shop").Click()
	p.Await("the title", func() (any, bool) {
		title := Eval[string](p, "document.title")
		return title, title == "The slow shop · Synchroscope"
	})

	p.Open(s.url)
	p.Find("link", "The slow shop")
	p.Find("button", "Delete").Click()
	p.Find("button", "Keep").Click()
	p.Find("link", "The slow shop")
	p.Find("button", "Delete").Click()
	p.Find("button", "Delete with all its files").Click()
	p.Says("No trace sets yet.")
	if n := len(s.engine.Sets()); n != 0 {
		t.Errorf("%d sets are left", n)
	}
}
