package browser

import (
	"encoding/json"
	"strings"
	"testing"
)

// Of words in tables that scroll sideways the contrast can be told: what says that there is more beyond an edge lies on them, not behind them.
func TestContrastOfWideTablesIsKnown(t *testing.T) {
	rules := axeRules(t)
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	for tab, ready := range map[string]func(){
		"sync&columns=all":         func() { p.Find("grid", "Links") },
		"messages&pair=client~web": func() { p.Find("table", "Latencies of the chosen pair") },
		"statistics":               func() { p.Find("table", "System calls") },
	} {
		p.Open(s.page(set, "?tab="+tab))
		ready()
		Eval[bool](p, string(rules)+";true")
		found := Eval[string](p, `axe.run(document, {runOnly: ["color-contrast"], resultTypes: ["incomplete"]}).then((r) => JSON.stringify(
			r.incomplete.flatMap((v) => v.nodes).filter((n) => document.querySelector(n.target[0])?.closest(".wide") && /gradient/.test(n.failureSummary)).map((n) => n.target.join(" ") + ": " + n.failureSummary)))`)
		var unknown []string
		if err := json.Unmarshal([]byte(found), &unknown); err != nil {
			t.Fatal(err)
		}
		if len(unknown) > 0 {
			t.Errorf("%s: %d words of which the contrast is not known:\n\t%s", tab, len(unknown), strings.Join(unknown[:min(3, len(unknown))], "\n\t"))
		}
	}
	// The table of links with all columns goes on to the right, and at its end to the left.
	p.Open(s.page(set, "?tab=sync&columns=all"))
	p.Find("grid", "Links")
	faint := func(want string) {
		t.Helper()
		p.Await("the faint edges "+want, func() (any, bool) {
			got := Eval[string](p, `(() => { const s = getComputedStyle(document.querySelector(".oflinks .wide")); return s.getPropertyValue("--left") + " " + s.getPropertyValue("--right"); })()`)
			return got, got == want
		})
	}
	faint("1 0.2")
	Eval[bool](p, `(document.querySelector(".oflinks .wide").scrollTo(1e6, 0), true)`)
	faint("0.2 1")
	p.Open(s.page(set, "?tab=sync"))
	p.Find("grid", "Links")
	faint("1 1")
}
