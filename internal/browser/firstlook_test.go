package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// asFirstLook has the page take all that it is told of the set for a first look, until window.whole says that the set is read.
const asFirstLook = `(() => {
	const Plain = WebSocket
	window.WebSocket = class extends Plain {
		set onmessage(f) { super.onmessage = (e) => f(altered(e)) }
		addEventListener(type, f, ...more) { super.addEventListener(type, type === "message" ? (e) => f(altered(e)) : f, ...more) }
	}
	function altered(e) {
		const bytes = new Uint8Array(e.data)
		if (bytes[0] !== 1 || window.whole) return e
		const set = JSON.parse(new TextDecoder().decode(bytes.subarray(8)))
		const text = new TextEncoder().encode(JSON.stringify({...set, state: "importing", preview: true}))
		const data = new Uint8Array(8 + text.length)
		data.set(bytes.subarray(0, 8))
		data.set(text, 8)
		return new MessageEvent("message", {data: data.buffer})
	}
})()`

// A first look keeps no messages: Messages does not say that there are none, and says when there will be some.
func TestMessagesOfAFirstLook(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: asFirstLook}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?tab=messages"))
	p.Says("What was exchanged is added up once the import reads it.")
	if words := Eval[string](p, `document.querySelector("#messages").innerText`); strings.Contains(words, "0 messages") {
		t.Errorf("there are said to be no messages: %s", words)
	}
	Eval[bool](p, "window.whole = true")
	if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s", {method: "PATCH", body: JSON.stringify({name: "shop"})}).then((r) => r.status)`, set.ID())); code != 200 {
		t.Fatalf("status %d", code)
	}
	p.Matches(`\d+ messages`)
	p.Says("db ↔ web")
}

// What is said of a request that a thread is shown for is told by the times of now, whatever they were when it was chosen.
func TestRequestUnderOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?by=web&tab=messages"))
	p.Says("At server")
	Eval[bool](p, `(document.querySelector("#messages .requests tbody button, #messages .requests tbody a").click(), true)`)
	note := func() string {
		return spaces.Replace(Eval[string](p, `document.querySelector(".inspector .note.opened")?.innerText ?? ""`))
	}
	begin := func() string {
		return spaces.Replace(Eval[string](p, `[...document.querySelectorAll(".inspector .kv dt")].find((x) => x.textContent === "Begin")?.nextElementSibling.innerText ?? ""`))
	}
	// The state that is shown lies in the request, which took half a second.
	in := func(was string) func() (string, bool) {
		return func() (string, bool) {
			words, at := note(), begin()
			var from, to, state float64
			digits := func(s string) string { return strings.ReplaceAll(s, " ", "") }
			n := 0
			if _, stretch, ok := strings.Cut(digits(words), "from"); ok {
				n, _ = fmt.Sscanf(stretch, "%fsto%fs", &from, &to)
			}
			k, _ := fmt.Sscanf(digits(at), "%fs", &state)
			return words + " / " + at, words != was && n == 2 && k == 1 && from <= state && state < to
		}
	}
	p.AwaitRest("a request in which the state lies", in(""))
	was := note()
	p.Press("r")
	p.AwaitRest("the same by raw times", in(was))
	raw := note()
	p.Press("r")
	p.AwaitRest("the same as before", func() (string, bool) { now := note(); return now, now == was && now != raw })
}
