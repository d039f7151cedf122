package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/sync/report"
	"synchroscope/views"
)

// The page that stands alone reads as it should from a file, keeps the rules of accessibility in light and dark, and asks for nothing.
func TestReport(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("jumps", jumps)
	path := filepath.Join(t.TempDir(), "report.html")
	writeReport(t, path, set.Solution(), func(each func(match.Message)) error {
		return set.LinkMessages(context.Background(), 0, 1, func(m match.Message) bool { each(m); return true })
	})
	for _, theme := range []string{"light", "dark"} {
		p := NewPage(t)
		p.Prefer(theme)
		p.Open("file://" + path)
		p.Matches(`All times are those of left, the reference. The clock of right is known to ± \d+`)
		p.Matches(`changes by at most 0.028 ppm a second, but for the steps`)
		p.Matches(`left – right accurate ± .* steps 0`)
		if n := Eval[int](p, "performance.getEntriesByType('resource').length"); n > 0 {
			t.Errorf("the page asked for %d things", n)
		}
		if n := Eval[int](p, "document.scripts.length"); n > 0 {
			t.Errorf("the page has %d scripts", n)
		}
		back := Eval[string](p, "getComputedStyle(document.body).backgroundColor")
		if dark := back == "rgb(20, 22, 26)"; dark != (theme == "dark") {
			t.Errorf("in %s the page is %s", theme, back)
		}
		words := Eval[string](p, "[...document.querySelectorAll('svg text')].map((x) => x.textContent).join(' | ')")
		for _, want := range []string{"step: right set by +30.0", "step: right set by −12.0", "right cannot be later than these"} {
			if !strings.Contains(spaces.Replace(words), want) {
				t.Errorf("%q is not in the pictures: %s", want, words)
			}
		}
		for _, width := range []int64{1440, 400} {
			p.Resize(width, 900)
			if wide := Eval[int64](p, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("on %d pixels the page is %d wide", width, wide)
			}
		}
		if rules, err := os.ReadFile(axe); err == nil {
			checkRules(t, p, rules, "report in "+theme)
		}
	}
}

func writeReport(t *testing.T, path string, s *network.Solution, all report.Messages) {
	t.Helper()
	ids := make([]string, len(s.Hosts))
	for i, h := range s.Hosts {
		ids[i] = h.ID
	}
	c := report.NewCollector(ids)
	if err := all(c.Message); err != nil {
		t.Fatal(err)
	}
	page, err := report.Make("two machines", s, c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := views.Report(page).Render(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
