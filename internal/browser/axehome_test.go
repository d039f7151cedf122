package browser

import (
	"bytes"
	"errors"
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

// What is there only at times keeps the rules of accessibility as well: an unfinished upload, a deleted set, a refusal, the
// anomalies of a report, and the times of a system call.
func TestAccessibilityOfWhatIsRare(t *testing.T) {
	rules := axeRules(t)
	s, shop := demoSite(t)
	odd, err := s.engine.ImportPaths("losses", texttest.Dir(t, lossy))
	if err != nil {
		t.Fatal(err)
	}
	half, err2 := s.engine.Create("half")
	gone, err3 := s.engine.Create("gone")
	if err := errors.Join(err2, err3); err != nil {
		t.Fatal(err)
	}
	s.ready(odd)
	if _, err := half.Upload(t.Context(), "half.zip", 0, 100, bytes.NewReader([]byte("half"))); err != nil {
		t.Fatal(err)
	}
	if err := s.engine.Discard(gone.ID()); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	p := NewPage(t)
	p.Open(s.url)
	p.Find("button", "Go on…")
	p.Find("list", "Deleted lately")
	p.Drop(absolute(t, folder))
	p.Says("There is no file in it.")
	p.Find("searchbox", "Find trace sets by name, host or date")
	checkThemes(t, p, rules, "home in the middle of things", themes)

	p.Open(s.page(gone, ""))
	p.Find("button", "Undo: bring back gone")
	checkThemes(t, p, rules, "the page of a deleted set", themes)

	p.Open(s.page(odd, "?tab=import"))
	p.Says("Events were lost by the tracer.")
	checkThemes(t, p, rules, "a report with anomalies", themes)

	p.Open(s.page(shop, "?tab=statistics"))
	p.Find("searchbox", "Show only what has these words").Type("flock")
	p.Find("table", "How long system calls took").Find("button", "flock").Click()
	p.Says("half took")
	checkThemes(t, p, rules, "the times of a system call", themes)

	p.Open(s.page(shop, "?tab=events"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	p.Find("textbox", "Where").Type("next_tid ==")
	p.Find("button", "Filter").Click()
	p.Says("Where is not a filter")
	checkThemes(t, p, rules, "events beside a filter that is none", themes)
}
