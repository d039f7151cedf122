package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// When other clocks are in force, or raw time is chosen, the events that are listed are told by them at once, until there are those that the
// server lists by them: no row, and no place, has a time that is half of one and half of the other.
func TestEventsUnderOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&by=web&event=sched_*&during=6.1..6.2&cpu=0"))
	p.Matches(`6\.1\d\d \d{3} \d{3} s .* sched_`)
	p.Says("final")
	// Whatever is told as a time, as soon as it is told.
	Eval[bool](p, `(() => {
		const told = window.told = new Set(), page = document.getElementById("events");
		const look = () => {
			for (const row of page.querySelectorAll(".grid-body [role=row]")) told.add("row " + row.firstElementChild.textContent.slice(0, -8));
			told.add("place " + page.querySelector(".railed > input").getAttribute("aria-valuetext")?.slice(0, -8));
		};
		new MutationObserver(look).observe(page, {subtree: true, childList: true, characterData: true, attributes: true});
		look();
		return true;
	})()`)
	near := regexp.MustCompile(`^(row|place) 6\.(099|1\d\d|200) \d$`) // by db's clock the set begins a bit later
	wrong := func(what string) {
		t.Helper()
		for _, words := range Eval[[]string](p, "[...window.told].map((x) => x.replace(/[\u202f\u00a0]/g, ' '))") {
			if !near.MatchString(words) {
				t.Errorf("%s %q was told", what, words)
			}
		}
	}
	for _, body := range []string{`{reference: "db"}`, `{}`} {
		var before string
		p.Await("events that stay as they are", func() (any, bool) {
			was := before
			before = Eval[string](p, `document.querySelector("#events .grid-body").textContent`)
			return before, before == was
		})
		if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify(%s)}).then((r) => r.status)`, set.ID(), body)); code != 200 {
			t.Fatalf("status %d", code)
		}
		p.Await("events at other times", func() (any, bool) {
			now := Eval[string](p, `document.querySelector("#events .grid-body").textContent`)
			changed := strings.SplitN(now, "–", 2)[0] != strings.SplitN(before, "–", 2)[0] // the time of the first, before how long it was after none
			return now, changed && Eval[bool](p, `document.querySelectorAll("#events .grid-body [role=row]").length > 5`)
		})
		p.Matches(`final`)
		wrong("by the clocks of " + body)
	}
}

// lateClocks keeps the clocks from the page until it is told to let them through, and counts the lists of events that came.
const lateClocks = `(() => {
	const waiting = []
	let through = false
	window.letClocks = () => {
		through = true
		for (const give of waiting.splice(0)) give()
		return true
	}
	const Plain = WebSocket
	window.WebSocket = class extends Plain {
		set onmessage(take) {
			super.onmessage = take && ((e) => {
				const clocks = new Uint8Array(e.data)[0] === 3
				if (clocks && !through) waiting.push(() => take(e))
				else take(e)
			})
		}
	}
	window.lists = 0
	const ask = window.fetch
	window.fetch = async (...of) => {
		const answer = await ask(...of)
		if (String(of[0]).includes("/events?")) window.lists++
		return answer
	}
})()`

// By raw time a page that is loaded again lists events before it knows any clocks. As they come it stays where it was, though the first event there is
// seconds later, and raw time leads back from there to where it was turned to.
func TestRawListAsClocksCome(t *testing.T) {
	s, set := demoSite(t)
	const at = int64(1795229359203116349)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?tab=events&by=web&begin=%d&end=%d&at=%d&where=%s", at, at+2e9, at, url.QueryEscape("tid == 205 || thread == 205"))))
	p.Says("final")
	p.Says("is wanted by this filter")
	listed := func() string {
		address, _ := url.Parse(p.Address())
		return address.Query().Get("at")
	}
	turn := func(raw bool) {
		t.Helper()
		before := listed()
		p.Press("r")
		p.AwaitRest("the list by the other time", func() (string, bool) {
			now := p.Address()
			return now, strings.Contains(now, "time=raw") == raw && listed() != before
		})
	}
	turn(true)
	raw := listed()
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: lateClocks}); err != nil {
		t.Fatal(err)
	}
	p.Reload()
	came := func(what string, more int) int {
		t.Helper()
		p.AwaitRest(what, func() (string, bool) {
			n := Eval[int](p, "lists")
			return fmt.Sprint(n), n > more
		})
		return Eval[int](p, "lists")
	}
	before := came("events before there are clocks", 0)
	p.Matches(`02:49:14\.470 220 892 web 1 sched_wakeup_new`)
	Eval[bool](p, "letClocks()")
	came("events by the clocks", before)
	p.Says("final")
	p.Await("a place that is in the address for long enough", func() (any, bool) {
		now := Eval[float64](p, "performance.now()")
		since := Eval[float64](p, "window.since ??= performance.now()")
		return listed(), now-since > 1000
	})
	if now := listed(); now != raw {
		t.Errorf("as clocks came the list by raw time went from %s to %s", raw, now)
	}
	turn(false)
	if now := listed(); now != fmt.Sprint(at) {
		t.Errorf("raw time and back, loaded again before there were clocks, lead from %d to %s", at, now)
	}
}
