package browser

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// axe is the checker of accessibility rules, a development dependency of web/.
const axe = "../../web/node_modules/axe-core/axe.min.js"

// Every page in either theme keeps the rules of WCAG 2.2 A and AA and what is good
// practice beside them, with a real set behind it.
func TestAccessibility(t *testing.T) {
	rules := axeRules(t)
	s := newSite(t, ingest.Options{})
	set := s.demo()
	for _, theme := range [][]string{{"light"}, {"dark"}, {"light", "prefers-contrast", "more"}, {"dark", "prefers-contrast", "more"}} {
		t.Run(strings.Join(theme, " "), func(t *testing.T) {
			p := NewPage(t)
			p.Prefer(theme[0], theme[1:]...)
			p.Open(s.url)
			p.Find("link", "shop-4hosts")
			checkRules(t, p, rules, "home")

			p.Open(s.page(set, ""))
			inspector := p.Find("complementary", "What is selected")
			p.Await("the view at rest", func() (any, bool) {
				words := inspector.Text()
				return words, strings.Contains(words, "blocked in wait4")
			})
			checkRules(t, p, rules, "timeline")

			p.Find("tab", "Synchronization").Click()
			p.Find("grid", "Links")
			checkRules(t, p, rules, "synchronization")

			p.Find("tab", "Events").Click()
			p.Find("grid", "Events")
			p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
			checkRules(t, p, rules, "events")

			p.Find("tab", "Statistics").Click()
			p.Find("table", "System calls")
			checkRules(t, p, rules, "statistics")

			p.Find("tab", "Messages").Click()
			p.Find("grid", "Messages from host to host")
			checkRules(t, p, rules, "messages")

			p.Find("tab", "State").Click()
			p.attribute("Threads/205")
			checkRules(t, p, rules, "state")

			p.Find("tab", "Import").Click()
			p.Find("heading", "Anomalies")
			checkRules(t, p, rules, "import")

			p.Press("?")
			p.Find("dialog", "Keys and legend")
			checkRules(t, p, rules, "help")
			p.Press("Escape")
			p.Gone("dialog", "Keys and legend")

			p.palette("cru", "crunch")
			checkRules(t, p, rules, "palette")
			p.Press("Escape")
			p.Gone("dialog", "Commands")
			p.Find("tab", "Timeline").Click()
			p.Press("b")
			p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type("noted in " + strings.Join(theme, " "))
			checkRules(t, p, rules, "a new bookmark")
			p.strike("Enter", 0)
			p.Gone("dialog", "Bookmark")
			p.Press("B")
			p.Find("dialog", "Bookmarks").Find("button", "Edit “noted in "+strings.Join(theme, " ")+"”")
			checkRules(t, p, rules, "bookmarks")
		})
	}
}

// axeRules is the checker; the test is skipped where it is not installed.
func axeRules(t *testing.T) []byte {
	t.Helper()
	rules, err := os.ReadFile(axe)
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("axe-core is not installed, so accessibility is not checked; (cd web && npm ci)")
	}
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// checkRules runs axe on the page as it is. The page's policy allows no foreign script,
// so the checker comes through the debugger, which stands above it.
func checkRules(t *testing.T, p *Page, rules []byte, what string) {
	t.Helper()
	Eval[bool](p, string(rules)+";true")
	found := Eval[string](p, `axe.run(document, {resultTypes: ["violations"]}).then((r) => JSON.stringify(
		r.violations.map((v) => ({rule: v.id, help: v.help, where: v.nodes.map((n) => n.target.join(" ") + ": " + n.failureSummary)}))))`)
	var violations []struct {
		Rule, Help string
		Where      []string
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Errorf("%s: %s (%s):\n\t%s", what, v.Help, v.Rule, strings.Join(v.Where, "\n\t"))
	}
}
