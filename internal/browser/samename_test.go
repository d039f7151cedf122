package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// A set that would be called as another is keeps its name, and it is said why, also to who listens.
func TestRenameAsAnother(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.create("alpha", "beta")
	p := NewPage(t)
	p.Open(s.url)
	p.Find("button", "Rename beta").Click()
	p.Find("textbox", "Name").Type("alpha")
	p.Press("Enter")
	p.Says(`There is another set called "alpha" already.`)
	p.Await("the reason said", func() (any, bool) {
		var all []string
		for _, e := range p.All("alert", "") {
			all = append(all, e.Text())
		}
		return fmt.Sprintf("%q", all), slices.Contains(all, `There is another set called "alpha" already.`)
	})
	p.Find("link", "alpha")
	p.Find("link", "beta")

	// It is of that attempt: whoever thinks better of it reads it no more.
	gone := func() {
		t.Helper()
		p.Await("no reason", func() (any, bool) { text := p.Text(); return text, !strings.Contains(text, "already") })
	}
	p.Find("button", "Rename beta").Click()
	p.Press("Enter")
	gone()

	p.Find("button", "Rename beta").Click()
	p.Find("textbox", "Name").Type("gamma")
	p.Press("Enter")
	p.Find("link", "gamma")
	gone()
}

// A set that is had back while another has been given its name meanwhile gets a number behind it, as one that is made anew would.
func TestHadBackBesideItsName(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.create("alpha", "beta")
	p := NewPage(t)
	p.Open(s.url)
	p.Find("button", "Delete alpha").Click()
	undo := p.Find("button", "Undo: bring back alpha")
	p.Find("button", "Rename beta").Click()
	p.Find("textbox", "Name").Type("alpha")
	p.Press("Enter")
	p.Find("link", "alpha")
	undo.Click()
	p.Find("link", "alpha (2)")
	p.Find("link", "alpha")
}
