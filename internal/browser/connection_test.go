package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// sockets has the connections of the page in a list, and leads new ones astray while away is set.
const sockets = `{
	const Plain = WebSocket;
	window.sockets = [];
	window.WebSocket = class extends Plain { constructor(url) { super(window.away ? url + "-away" : url); window.sockets.push(this) } };
}`

// Of a server that cannot be reached it is not said how fast it goes on with an import; it is connected to again by itself.
func TestConnectionLost(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: sockets}); err != nil {
		t.Fatal(err)
	}
	set := s.add("shop", demoArchive)
	var others []*ingest.Set
	for i := range 5 { // they slow it
		others = append(others, s.add(fmt.Sprintf("beside it %d", i+1), demoArchive))
	}
	footer := func(what string, with, without string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			words := spaces.Replace(p.Find("contentinfo", "").Text())
			return words, strings.Contains(words, with) && (without == "" || !strings.Contains(words, without))
		})
	}
	p.Open(s.page(set, ""))
	footer("the rate", "events/s", "")
	Eval[bool](p, "(() => { window.away = true; window.sockets.forEach((s) => s.close()); return true })()")
	footer("no rate while the connection is lost", "Connection lost; what is drawn stays. Trying again…", "events/s")
	Eval[bool](p, "(() => { window.away = false; return true })()")
	footer("the connection back", "", "Connection lost")
	for _, set := range others {
		if err := s.engine.Delete(set.ID()); err != nil {
			t.Fatal(err)
		}
	}
	s.ready(set)
	footer("the end", "final", "Connection lost")
}
