package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The browser's Back leads from a tab to the one that was open before, and Forward there again; what else is shown stays.
func TestBackFromTabToTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.url + "/")
	p.Find("link", "shop-4hosts").Click()
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	at := func(tab, query string) {
		t.Helper()
		p.Await(tab+" open", func() (any, bool) {
			return p.Address(), p.Find("tab", tab).State("selected") == "true" && strings.Contains(p.Address(), set.ID()+"?") && strings.Contains(p.Address(), query)
		})
	}
	p.Find("tab", "Synchronization").Click()
	at("Synchronization", "tab=sync")
	p.Press("4")
	at("Statistics", "tab=statistics")
	p.Press("1")
	at("Timeline", "row=2.205")
	p.Press("0")
	p.Await("the whole set", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "window=all") })
	Eval[bool](p, "(history.back(), true)")
	at("Statistics", "window=all")
	at("Statistics", "tab=statistics")
	Eval[bool](p, "(history.back(), true)")
	at("Synchronization", "tab=sync")
	Eval[bool](p, "(history.forward(), true)")
	at("Statistics", "tab=statistics")
	Eval[bool](p, "(history.go(-2), true)")
	at("Timeline", "window=all")
	p.Reload()
	at("Timeline", "window=all")
	p.leave(chromedp.NavigateBack())
	if got := p.Address(); got != s.url+"/" {
		t.Errorf("from the tab that was opened first Back leads to %s", got)
	}
}
