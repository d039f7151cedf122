package browser

import (
	"net/url"
	"strings"
	"testing"
)

// A state that is asked for and not told yet is the selected one by other clocks, too, and not that of the row before.
func TestStateThatIsAskedFor(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205&did=1795229345500000000"))
	inspector := p.Find("complementary", "What is selected")
	stands := func(row, thread string) {
		t.Helper()
		p.Await(row+" is the selected row and has a state", func() (any, bool) {
			q, err := url.Parse(p.Address())
			words := strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ")
			return []string{p.Address(), words}, err == nil && q.Query().Get("row") == row && strings.HasPrefix(words, thread+" ") && strings.Contains(words, " Begin ")
		})
	}
	p.Says("final")
	stands("2.205", "dbwork · 205")
	p.Find("treegrid", "Control flow: rows").Focus()
	// Both keys are struck before the server can answer.
	Eval[bool](p, `["ArrowUp", "r"].forEach((key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}))) ?? true`)
	p.Await("raw time", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "time=raw") })
	stands("2.204", "httpd · 204")
}
