package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// rowsTold notes which row lies below which as each connection of the page tells first.
const rowsTold = `{
	const Plain = WebSocket
	window.rowsTold = []
	window.WebSocket = class extends Plain {
		constructor(url) {
			super(url)
			let first = true
			this.addEventListener("message", ({data}) => {
				if (!first || new Uint8Array(data)[0] !== 10) return
				first = false
				const n = new Uint32Array(data, 8, 1)[0]
				rowsTold.push(new Uint32Array(data, 16 + 4 * n, n).join())
			})
		}
	}
}`

// A server that read a set while somebody looked has its rows by other numbers than one that is started anew on the same data: what is drawn
// stays all the same, that of each thread in its own row.
func TestDrawnStaysAfterARestart(t *testing.T) {
	s, hold := slowedSite(t, 15)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: rowsTold}); err != nil {
		t.Fatal(err)
	}
	set := s.add("shop", demoArchive)
	p.Open(s.page(set, ""))
	p.Says("events/s")
	p.Await("rows while more are read", func() (any, bool) {
		got := p.listedThreads("Control flow: rows")
		return got, len(got) > 0
	})
	hold.letGo()
	s.ready(set)
	p.Says("final")
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.Matches(`118 messages in view`)
	p.Says("blocked in wait4")
	listed := func() string {
		return fmt.Sprint(p.listedThreads("Control flow: rows"), p.listedThreads("Resources: rows"))
	}
	// looks is what the panes have drawn.
	looks := func() string {
		return Eval[string](p, `JSON.stringify(["Control flow", "Resources", "Communication"].map((pane) => {
			const canvas = document.querySelector("section[aria-label='" + pane + "'] canvas");
			const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {willReadFrequently: true});
			copy.drawImage(canvas, 0, 0);
			const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
			let sum = 0;
			for (let i = 0; i < data.length; i++) sum = (sum * 31 + data[i]) | 0;
			return sum;
		}))`)
	}
	p.allDrawn()
	p.rest()
	rows, drawn := listed(), looks()
	Eval[bool](p, "(() => { window.frames.length = 0; return true })()")
	for range 2 {
		s.restart()
		p.Says("Connection lost; what is drawn stays.")
		p.drawnAgain()
		for range 30 {
			p.frame()
		}
		p.rest()
		if got := listed(); got != rows {
			t.Errorf("listed are %s, and were %s", got, rows)
		}
		if got := looks(); got != drawn {
			t.Errorf("it looks otherwise than before: %s, and was %s", got, drawn)
		}
	}
	if got := Eval[string](p, `window.frames.filter((f) => f.blank > 0 || f.rows === 0).length + " of " + window.frames.length`); !strings.HasPrefix(got, "0 of ") || got == "0 of 0" {
		t.Errorf("%s frames have blank rows, or none", got)
	}
	if told := Eval[[]string](p, "rowsTold"); len(told) < 2 || told[0] == told[1] {
		t.Errorf("the new server has the rows by the numbers of the one before: nothing is tested by %d connections", len(told))
	}
	// What is asked and answered from now on is of the same rows.
	p.Press("Escape")
	p.Press("0")
	p.Matches(`10 684 messages in view`)
	p.settled()
	rows, drawn = listed(), looks()
	p.Reload()
	p.Matches(`10 684 messages in view`)
	p.AwaitRest("the same after a reload: "+drawn, func() (string, bool) { return looks(), listed() == rows && looks() == drawn })
}
