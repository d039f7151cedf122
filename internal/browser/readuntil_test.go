package browser

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// thirdRead is a site with the demonstration set, of which a third of every host is read, and no more until hold lets go.
func thirdRead(t *testing.T) (*site, *ingest.Set, *hold) {
	t.Helper()
	s, hold := heldSite(t)
	set := s.add("shop", demoArchive)
	hold.until("a third of every host is read", func() bool {
		hosts := set.Status().Hosts
		return len(hosts) == 4 && !slices.ContainsFunc(hosts, func(h ingest.HostStatus) bool { return h.Progress < 1.0/3 })
	})
	return s, set, hold
}

// What a running import has not read yet is said to be not read, wherever it is pointed at, and covered in all three parts of the timeline;
// nothing is told of it as if it were known.
func TestNotReadYet(t *testing.T) {
	s, set, hold := thirdRead(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229330000000000&end=1795229400000000000"))
	flow, talk := p.Canvas("Control flow"), p.Canvas("Communication")
	told, line := talk.Listen(), p.Color("--line")
	p.Resize(Width, Height-20) // nothing new is drawn of what is held
	x, _, width, _ := flow.Box()
	at := x + width*0.97 // after the end of all recordings
	words := func(y float64) string {
		p.Point(at, y)
		p.frame()
		return strings.Join(strings.Fields(spaces.Replace(Eval[string](p, `[...document.querySelectorAll(".tooltip:not([hidden]), .flagged, #status > :not(.sr)")].map((e) => e.innerText).join(" | ")`))), " ")
	}
	// The middle of a host's row, or of one so many below it.
	row := func(section, host string, below float64) float64 {
		_, y, _, height := p.hostRow(section, host).Box()
		return y + height*(below+0.5)
	}
	says := func(what, pattern, section string, below float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			said := words(row(section, "cache", below))
			return said, regexp.MustCompile(pattern).MatchString(said)
		})
	}
	says("a thread that is not read so far", `cache \S+ \S+ \S+, not read yet \| \S+ · \d+ cache not read yet \| .*cache local \S+ \S+ \S+ \| not read yet \|.* · \d+: not read yet`, "Control flow", 2)
	says("CPUs that are not read so far", `CPUs of cache: not read yet`, "Resources", 0)
	p.Matches(`messages? in view so far none received before sent so far`)
	p.Await("slanting lines over messages that are not read", func() (any, bool) {
		lines, _ := told()
		return lines, slices.ContainsFunc(lines, func(l Line) bool { return l.Color == line && math.Abs(l.X1-l.X0) > 5 && l.X1 > width*0.9 })
	})
	hold.letGo()
	s.ready(set)
	// What is known to have been recorded by nobody is told as such.
	says("a time after the end of a recording", `not there then .*not recorded here`, "Control flow", 2)
	p.Await("no word of more messages", func() (any, bool) {
		words := spaces.Replace(p.Find("region", "Communication").Text())
		return words, strings.Contains(words, "messages in view") && !strings.Contains(words, "so far")
	})
}

// answersHeld keeps states and messages from the page while heldBack is set, and gives them to it in their order after that.
const answersHeld = `{
	const Plain = WebSocket
	const waiting = []
	window.heldBack = false
	window.giveBack = () => {
		heldBack = false
		for (const give of waiting.splice(0)) give()
		return true
	}
	window.WebSocket = class extends Plain {
		set onmessage(take) {
			super.onmessage = (e) => {
				if (heldBack && [4, 5].includes(new Uint8Array(e.data)[0])) waiting.push(() => take(e))
				else take(e)
			}
		}
	}
}`

// When an import ends, what is drawn may be older than that: nothing is said to have ended, or not to have been recorded, until an answer comes that
// knows all.
func TestNotReadYetAtTheEnd(t *testing.T) {
	s, set, hold := thirdRead(t)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: answersHeld}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?begin=1795229330000000000&end=1795229400000000000"))
	flow, line := p.Canvas("Control flow"), p.Color("--line")
	x, _, width, _ := flow.Box()
	covered := func(section string) func() bool {
		told := p.Canvas(section).Listen()
		return func() bool {
			lines, _ := told()
			return slices.ContainsFunc(lines, func(l Line) bool { return l.Color == line && math.Abs(l.X1-l.X0) > 5 && l.X1 > width*0.9 })
		}
	}
	says := func(what, pattern, section string, below float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			_, y, _, height := p.hostRow(section, "cache").Box()
			p.Point(x+width*0.97, y+height*(below+0.5)) // after the end of all recordings
			p.frame()
			said := strings.Join(strings.Fields(spaces.Replace(Eval[string](p, `[...document.querySelectorAll(".tooltip:not([hidden])")].map((e) => e.innerText).join(" | ")`))), " ")
			return said, regexp.MustCompile(pattern).MatchString(said)
		})
	}
	says("a thread that is not read so far", `not read yet`, "Control flow", 2)
	messages := covered("Communication")
	p.Resize(Width, Height-20)
	p.Await("slanting lines over messages that are not read", func() (any, bool) { return nil, messages() })

	Eval[bool](p, "heldBack = true")
	hold.letGo()
	s.ready(set)
	p.Await("the end of the import", func() (any, bool) {
		words := p.Find("contentinfo", "").Text()
		return words, strings.Contains(words, "final")
	})
	p.frame()
	says("a thread of which what is drawn does not tell the end", `not read yet`, "Control flow", 2)
	says("CPUs of which it does not", `Use of CPUs cache not read yet`, "Resources", 0)
	messages()
	p.Resize(Width, Height)
	p.Await("slanting lines over messages of which it does not", func() (any, bool) { return nil, messages() })
	Eval[bool](p, "giveBack()")
	says("a time after the end of a recording", `cache not there then`, "Control flow", 2)
	says("CPUs after the end of a recording", `Use of CPUs cache nothing known`, "Resources", 0)
	p.frame()
	messages()
	p.Resize(Width, Height-20)
	p.Await("no lines over what is read", func() (any, bool) { return nil, !messages() })
}
