package browser

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// axe is the checker of accessibility rules, a development dependency of web/.
const axe = "../../web/node_modules/axe-core/axe.min.js"

// themes are what a page is looked at in: what the system asks for, as Prefer has it.
var themes = [][]string{{"light"}, {"dark"}, {"light", "prefers-contrast", "more"}, {"dark", "prefers-contrast", "more"}}

// Every page keeps the rules of WCAG 2.2 A and AA and what is good practice beside them, in each theme, with a real set behind it.
func TestAccessibility(t *testing.T) {
	rules := axeRules(t)
	s, set := demoSite(t)
	p := NewPage(t)
	check := func(what string) {
		t.Helper()
		checkThemes(t, p, rules, what, themes)
	}
	p.Open(s.url)
	p.Find("link", "shop-4hosts")
	check("home")

	p.Open(s.page(set, ""))
	inspector := p.Find("complementary", "What is selected")
	p.Await("the view at rest", func() (any, bool) {
		words := inspector.Text()
		return words, strings.Contains(words, "blocked in wait4")
	})
	check("timeline")

	p.Press("?")
	p.Find("dialog", "Keys and legend")
	check("help")
	p.Press("Escape")
	p.Gone("dialog", "Keys and legend")

	p.palette("cru", "crunch")
	check("palette")
	p.Press("Escape")
	p.Gone("dialog", "Commands")

	p.Press("b")
	p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type("noted")
	check("a new bookmark")
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmark")
	p.Press("B")
	p.Find("dialog", "Bookmarks").Find("button", "Edit “noted”")
	check("bookmarks")
	p.Press("Escape")
	p.Gone("dialog", "Bookmarks")

	p.Find("tab", "Synchronization").Click()
	p.Find("grid", "Links")
	check("synchronization")

	p.Find("tab", "Messages").Click()
	p.Find("grid", "Messages from host to host")
	check("messages")

	p.Find("tab", "State").Click()
	p.attribute("Threads/205")
	check("state")

	p.Find("tab", "Import").Click()
	p.Find("heading", "Anomalies")
	check("import")

	// Of these each has more elements than all others together, and those of a tab are still there, if hidden, after it was left.
	p.Open(s.page(set, "?tab=events"))
	p.Find("grid", "Events")
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	check("events")

	p.Open(s.page(set, "?tab=statistics"))
	p.Find("table", "System calls")
	check("statistics")
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

// checkThemes holds the page as it is against all rules in each of some themes, and leaves it in the first.
func checkThemes(t *testing.T, p *Page, rules []byte, what string, themes [][]string) {
	t.Helper()
	defer p.Prefer(themes[0][0], themes[0][1:]...)
	for _, theme := range themes {
		p.Prefer(theme[0], theme[1:]...)
		checkRules(t, p, rules, what+" in "+strings.Join(theme, " "))
	}
}

// checkRules runs axe on the page as it is.
func checkRules(t *testing.T, p *Page, rules []byte, what string) {
	t.Helper()
	// The page's policy allows no foreign script, so the checker comes through the debugger, which stands above it.
	if !Eval[bool](p, "window.axe !== undefined") {
		Eval[bool](p, string(rules)+";true")
	}
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
