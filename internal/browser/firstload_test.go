package browser

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// held keeps the states of rows from the page until it is told to let them through.
const held = `(() => {
	const waiting = []
	let through = false
	window.letThrough = () => {
		through = true
		for (const give of waiting.splice(0)) give()
		return true
	}
	window.asked = []
	const Plain = WebSocket
	window.WebSocket = class extends Plain {
		send(text) {
			const q = JSON.parse(text)
			if (q.op === "states") window.asked.push(q)
			super.send(text)
		}
		set onmessage(take) {
			super.onmessage = (e) => {
				const states = new Uint8Array(e.data)[0] === 4
				if (states && !through) waiting.push(() => take(e))
				else take(e)
			}
		}
	}
})()`

// Of a set that is read to its end the page asks for the rows on its screen before anything else, coarsely at first. As long as
// nothing of them is there they say that they are loading.
func TestFirstLoad(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: held}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?rows=all"))
	c := p.Canvas("Control flow")
	p.Await("rows that say that they are loading", func() (any, bool) {
		n := c.Count("--ink2")
		return n, n > 20
	})
	if n := c.Count("--blk"); n > 0 {
		t.Errorf("%d pixels are drawn of states that have not come", n)
	}
	if *statesDir != "" {
		p.keep(*statesDir, "loading")
	}
	type question struct {
		View, Columns int
		Rows          []int
	}
	asked := Eval[[]question](p, "window.asked")
	const flow = 1
	if len(asked) == 0 || asked[0].View != flow {
		t.Fatalf("asked first: %+v", asked)
	}
	for _, q := range asked {
		if q.View == flow && (len(q.Rows) > 40 || q.Columns > 1024) {
			t.Errorf("before anything is there %d columns of %d rows are asked for; the screen has some 14", q.Columns, len(q.Rows))
		}
	}
	Eval[bool](p, "window.letThrough()")
	p.Await("states in the place of the words", func() (any, bool) {
		words, blocked := c.Count("--ink2"), c.Count("--blk")
		return []int{words, blocked}, words == 0 && blocked > 1000
	})
}
