package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// hold has Enter go down and repeat itself once before it comes up.
func (p *Page) hold() {
	p.t.Helper()
	params := input.DispatchKeyEventParams{Type: "keyDown", Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13}
	for _, repeats := range []bool{false, true} {
		params.AutoRepeat = &repeats
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, params); err != nil {
			p.t.Fatal(err)
		}
		// What the key did is done, and the focus is where it leads, before it repeats itself.
		p.Await("a focus", func() (any, bool) {
			on := Eval[string](p, `document.activeElement.localName`)
			return on, on == "button" || on == "input"
		})
	}
	params = input.DispatchKeyEventParams{Type: "keyUp", Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}
	if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// A key that is held a little too long begins the editing of a name, or ends it, and does not do the other as well.
func TestRenameWithAHeldKey(t *testing.T) {
	s := newSite(t, ingest.Options{})
	if _, err := s.engine.Create("alpha"); err != nil {
		t.Fatal(err)
	}
	p := NewPage(t)
	p.Open(s.url)
	p.Find("link", "alpha")
	is := func(want string) {
		t.Helper()
		if on := Eval[string](p, `document.activeElement.localName + " " + (document.activeElement.value || document.activeElement.textContent)`); on != want {
			t.Fatalf("the focus is on %q, want %q", on, want)
		}
	}
	Eval[any](p, `[...document.querySelectorAll("li.set button")].find((b) => b.textContent === "Rename").focus()`)
	p.hold()
	is("input alpha")
	p.hold() // the name stays
	is("button Rename")
	p.Press("Enter")
	p.Find("textbox", "Name").Type("beta")
	p.hold()
	p.Find("link", "beta")
	is("button Rename")
}
