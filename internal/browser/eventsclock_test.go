package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
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
