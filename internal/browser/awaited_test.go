package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// lists notes each list of the first rows of Control flow that is seen, and holds back by 150 ms what tells which rows run (kind 11).
const lists = `(() => {
	const Plain = WebSocket
	window.WebSocket = class extends Plain {
		set onmessage(f) {
			super.onmessage = f && ((e) => new Uint8Array(e.data)[0] === 11 ? setTimeout(() => f.call(this, e), 150) : f.call(this, e))
		}
	}
	window.lists = []
	const look = () => {
		const rows = [...document.querySelectorAll("[aria-label='Control flow'] .row.thread")].map((e) => e.title).sort().join()
		if (rows && rows !== lists.at(-1)) lists.push(rows)
		requestAnimationFrame(look)
	}
	requestAnimationFrame(look)
})()`

// Of a set that is read no row is listed that does not run in view, also before it is known which ones do: none flashes. Where that is not told,
// all are listed after a moment.
func TestNoRowFlashes(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: lists}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?begin=1795229355300000000&end=1795229355400000000"))
	p.Matches(`3 220 threads, \d+ listed`)
	p.settled()
	for _, rows := range Eval[[]string](p, "lists") {
		if strings.Contains(rows, "kthreadd, thread 2") || strings.Contains(rows, "dbwork, thread 192") {
			t.Errorf("rows that do not run were listed: %.300s", rows)
		}
	}
	silent := NewPage(t)
	if _, err := chromedp.Call(silent.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: strings.Replace(lists, "e), 150)", "e), 3e6)", 1)}); err != nil {
		t.Fatal(err)
	}
	silent.Open(s.page(set, "?begin=1795229355300000000&end=1795229355400000000"))
	silent.Await("all rows", func() (any, bool) {
		now := Eval[[]string](silent, "lists")
		return now, len(now) > 0 && strings.Contains(now[len(now)-1], "dbwork, thread 192")
	})
}
