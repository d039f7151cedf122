package browser

import (
	"strings"
	"testing"
)

// The row of a connection has nothing to show beside the rows: what is selected stays, there and in the address.
func TestConnectionLeavesWhatIsSelected(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?row=2.205&did=1795229345400000000&flows=1&opened=0&window=all"))
	const chosen = `dbwork · 205 .*db, child of httpd · 204 .*Events of this thread`
	p.Matches(chosen)
	// The page may write what it was opened with in another order, at any time.
	address := func() string { return Eval[string](p, "[...new URLSearchParams(location.search)].sort().join('&')") }
	before := ""
	p.AwaitRest("the address", func() (string, bool) { before = address(); return before, strings.Contains(before, "did") })
	var row Element
	p.Await("a connection of cache", func() (any, bool) {
		for _, row = range p.Find("treegrid", "Communication: rows").All("row", "") {
			if strings.Contains(row.Text(), "↔") {
				return row.Text(), true
			}
		}
		return nil, false
	})
	row.Click()
	p.Await("the connection pointed out", func() (any, bool) { state := row.State("selected"); return state, state == "true" })
	p.Matches(chosen)
	p.AwaitRest("the address as it was", func() (string, bool) { now := address(); return now, now == before })
}

// A host that is selected is so in each section that has its row, also after the address was opened.
func TestSelectedHostAfterOpening(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?row=1.-1&window=all"))
	for _, section := range []string{"Control flow", "Communication"} {
		row := p.hostRow(section, "client")
		p.Await("client selected in "+section, func() (any, bool) { state := row.State("selected"); return state, state == "true" })
	}
}
