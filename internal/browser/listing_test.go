package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

// A thread that is not among the first 200 of its host is found by its name, and in the order that it is first in; and a file has all threads.
func TestStatisticsListing(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&spent=set"))
	p.Matches(`Threads [\d ]+ threads ran here; the 200 of each host that are first in this order; [\d ]+ others are not listed`)

	// What there is, of hosts in turn: numbers of threads by how long they were blocked.
	there := func(order, narrow string, limit int) []string {
		t.Helper()
		return Eval[[]string](p, fmt.Sprintf(`fetch("/api/sets/%s/statistics?begin=%s&end=%s&limit=%d&order=%s&narrow=%s").then((r) => r.json()).then((a) => a.hosts.flatMap((h) => h.threads.map((x) => x.tid + " " + h.host)))`,
			set.ID(), set.Status().Begin, set.Status().End, limit, order, narrow))
	}
	rows := func() []string {
		t.Helper()
		return Eval[[]string](p, `[...document.querySelectorAll("table[aria-label=Threads] tbody tr")].map((r) => r.cells[1].innerText + " " + r.cells[2].innerText)`)
	}
	ends := there("-on_cpu", "", 2000)
	rare := ends[len(ends)-1]
	host := rare[strings.Index(rare, " ")+1:]
	for _, x := range ends { // of the host that is first the one that ran least
		if strings.HasSuffix(x, " db") {
			rare, host = x, "db"
			break
		}
	}
	words := p.Find("searchbox", "Show only what has these words")
	words.Type(rare)
	p.Await("the thread of "+host+" that ran least", func() (any, bool) {
		got := rows()
		return got, slices.Contains(got, rare)
	})
	// The words stand in any order.
	words.Type(host + " " + strings.Fields(rare)[0])
	p.Await("the same thread", func() (any, bool) {
		got := rows()
		return got, slices.Contains(got, rare)
	})

	sleepers := there("on_cpu", "sleep", 200)
	words.Type("sleep")
	p.Await("those that are called so, of all", func() (any, bool) {
		got := len(rows())
		if more := Eval[bool](p, fmt.Sprintf(`(() => { const b = [...document.querySelectorAll("#statistics .card button")].find((b) => b.innerText.replace(/\s/g, " ") === "All %d rows"); b?.click(); return !!b; })()`, len(sleepers))); more {
			got = len(rows())
		}
		return []int{got, len(sleepers)}, got == len(sleepers)
	})
	if listed := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/statistics?begin=%s&end=%s").then((r) => r.json()).then((a) => a.hosts.flatMap((h) => h.threads.filter((x) => x.name === "sleep")).length)`, set.ID(), set.Status().Begin, set.Status().End)); listed >= len(sleepers) {
		t.Fatalf("%d of %d are among the first anyway", listed, len(sleepers))
	}

	// In another order, of all.
	words.Type("")
	p.Matches(`[\d ]+ others are not listed`)
	for range 2 {
		p.staying("Threads")
		p.Find("table", "Threads").Find("button", "Number").Click()
	}
	last := ""
	for _, x := range there("-tid", "", 2000) {
		var a, b int
		fmt.Sscan(x, &a)
		fmt.Sscan(last, &b)
		if a > b {
			last = x
		}
	}
	p.Await("the thread with the highest number", func() (any, bool) {
		got := rows()
		return got, len(got) > 0 && got[0] == last
	})

	Eval[bool](p, kept)
	p.Find("button", "Save as CSV: threads").Click()
	p.Matches(`shop-4hosts-threads-\S+\.csv is saved\.`)
	all := Eval[[][]string](p, "window.kept.splice(0)")
	text := Eval[string](p, fmt.Sprintf("window.blobs[%q].text()", all[0][1]))
	if lines := strings.Count(text, "\r\n") - 1; lines != len(ends) {
		t.Errorf("the file has %d threads of %d", lines, len(ends))
	}

	// Those that never had a CPU are counted, and listed if that is wanted: by a switch that the address keeps.
	still := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/statistics?begin=%s&end=%s").then((r) => r.json()).then((a) => a.hosts.reduce((n, h) => n + h.still, 0))`, set.ID(), set.Status().Begin, set.Status().End))
	box := fmt.Sprintf("with the %d\u00a0threads that never ran here", still)
	p.Open(s.page(set, "?tab=statistics&spent=set&narrow=kthreadd"))
	p.Says("None that ran here has “kthreadd”.")
	// It is pressed, the rows are drawn anew, and it is let go.
	var x, y, width, height float64
	p.AwaitRest("the switch", func() (string, bool) {
		x, y, width, height = p.Find("checkbox", box).Box()
		return fmt.Sprint(x, y), true
	})
	p.Mouse(input.DispatchMouseEventTypeMousePressed, x+width/2, y+height/2)
	Eval[any](p, `document.querySelector("#statistics input[type=search]").dispatchEvent(new Event("input"))`)
	p.frame()
	p.Mouse(input.DispatchMouseEventTypeMouseReleased, x+width/2, y+height/2)
	p.Await("it in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "&still=1") })
	listed := func() {
		t.Helper()
		p.Await("those that never ran", func() (any, bool) {
			got := Eval[[]string](p, `[...document.querySelectorAll("table[aria-label=Threads] tbody tr")].map((r) => r.cells[0].innerText + " " + r.cells[3].innerText)`)
			return got, slices.Equal(got, []string{"kthreadd –", "kthreadd –", "kthreadd –", "kthreadd –"})
		})
	}
	listed()
	if !Eval[bool](p, `document.activeElement.type === "checkbox"`) {
		t.Error("the switch has lost the focus to the table that was drawn anew")
	}
	Eval[bool](p, kept)
	p.Find("button", "Save as CSV: threads").Click()
	p.Matches(`shop-4hosts-threads-\S+\.csv is saved\.`)
	all = Eval[[][]string](p, "window.kept.splice(0)")
	text = Eval[string](p, fmt.Sprintf("window.blobs[%q].text()", all[0][1]))
	if lines := strings.Count(text, "\r\n") - 1; lines != 4 {
		t.Errorf("the file has %d threads, of 4 that are shown", lines)
	}
	p.Reload()
	listed()
	if !Eval[bool](p, `document.querySelector("#statistics .still input").checked`) {
		t.Error("the switch is off in a page that is opened with it")
	}
}

// staying waits until a table has not been drawn anew for a while: what is pressed in it stays in its place.
func (p *Page) staying(table string) {
	p.t.Helper()
	var before string
	var since time.Time
	p.Await("a table that stays: "+table, func() (any, bool) {
		if now := p.Find("table", table).Text(); now != before {
			before, since = now, time.Now()
		}
		return before, time.Since(since) > 600*time.Millisecond
	})
}
