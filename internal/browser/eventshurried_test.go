package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Who presses the keys of the list of events faster than the server answers comes to where he would have come had he waited for each answer.
func TestHurriedKeysOfEvents(t *testing.T) {
	s, set := demoSite(t)
	begin := clocksOf(t, set).begin
	const answerLate = `(() => {
		const ask = window.fetch;
		window.fetch = async (...of) => {
			if (String(of[0]).includes("/events?")) await new Promise((go) => setTimeout(go, 400));
			return ask(...of);
		};
		return true;
	})()`
	came := func(keys []string, hurried bool) string {
		t.Helper()
		p := NewPage(t)
		p.Open(s.page(set, fmt.Sprintf("?tab=events&by=web&at=%d", begin+6e9)))
		p.Says("final")
		p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
		p.Find("grid", "Events").Focus()
		raw := false
		rest := func() string {
			var now string
			p.AwaitRest(fmt.Sprint("a chosen event in sight, listed by the times of now, after ", keys), func() (string, bool) {
				now = p.placeInEvents()
				return now, strings.Contains(now, "time=raw") == raw && addressFollows(now) && !strings.Contains(now, "none is selected") && !strings.Contains(now, "Looking") && strings.Contains(now, "busy false")
			})
			return now
		}
		if hurried {
			Eval[bool](p, answerLate)
		}
		for _, key := range keys {
			p.Press(key)
			raw = raw != (key == "r")
			if !hurried {
				rest()
			}
		}
		return rest()
	}
	for _, keys := range []string{"End", "End r", "Home r", "End r r", "End r Home r End", "Home r End r"} {
		keys := strings.Fields(keys)
		if slowly, hurried := came(keys, false), came(keys, true); hurried != slowly {
			t.Errorf("%v in a hurry leads to\n%s\nand slowly to\n%s", keys, hurried, slowly)
		}
	}
}

// Who turns times again and again, while lists are on their way or have just come, is where one turn leads, or where they were.
func TestTimesTurnedInAHurry(t *testing.T) {
	s, set := demoSite(t)
	const at, raw = "1795229359203116349", "1795229349201078353"
	p := NewPage(t)
	for _, pauses := range [][]int{{300, 500}, {900, 300, 550}, {300, 900, 100, 550}, {100, 100, 100, 100}} {
		p.Open(s.page(set, "?tab=events&by=web&begin="+at+"&at="+at+"&where="+url.QueryEscape("tid == 205 || thread == 205")))
		p.Says("final")
		p.Says("is wanted by this filter")
		// The page does it by itself: what a test looks at takes longer than it has.
		came := Eval[string](p, fmt.Sprintf(`(async () => {
			const rest = (ms) => new Promise((go) => setTimeout(go, ms));
			const turn = () => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "r", bubbles: true, cancelable: true}));
			const ask = window.fetch;
			let [waits, since] = [0, 0];
			window.fetch = async (...of) => {
				if (!String(of[0]).includes("/events?")) return ask(...of);
				waits++;
				try {
					await rest(700);
					return await ask(...of);
				} finally {
					[waits, since] = [waits - 1, performance.now()];
				}
			};
			turn();
			for (const pause of %s) {
				await rest(pause);
				turn();
			}
			await rest(100);
			while (waits > 0 || performance.now() - since < 1000) await rest(20);
			return new URLSearchParams(location.search).get("at");
		})()`, strings.ReplaceAll(fmt.Sprint(pauses), " ", ",")))
		want := raw
		if len(pauses)%2 == 1 {
			want = at
		}
		if came != want {
			t.Errorf("times turned, and again after %v ms each: events are listed from %s, want %s", pauses, came, want)
		}
	}
}

// A reload right after End, be the last events there or not, lists them; what was chosen is in sight.
func TestReloadedRightAfterEnd(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, waits := range []bool{false, true} {
		p.Open(s.page(set, fmt.Sprintf("?tab=events&by=web&at=%d", clocksOf(t, set).begin+6e9)))
		p.Says("final")
		p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
		p.Find("grid", "Events").Focus()
		// The page does it by itself: what a test looks at takes longer than it has.
		Eval[bool](p, fmt.Sprintf(`(() => {
			const grid = document.activeElement;
			grid.dispatchEvent(new KeyboardEvent("keydown", {key: "End", bubbles: true, cancelable: true}));
			const look = () => (!%t || location.search.includes("chosen=") ? location.reload() : setTimeout(look, 1));
			setTimeout(look, 20);
			return true;
		})()`, waits))
		p.AwaitRest("the last events", func() (string, bool) {
			now := p.placeInEvents()
			return now, strings.Contains(now, "39.465 356 754 s") && (!waits || strings.Contains(now, "chosen 39.465 356 754 s")) && Eval[bool](p, `performance.getEntriesByType("navigation")[0].type === "reload"`)
		})
	}
}

// The chosen event stays in sight as times turn, though by the other times more events lie between it and the one on top.
func TestChosenStaysInSightAsTimesTurn(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?tab=events&by=web&at=%d", clocksOf(t, set).begin+6e9)))
	p.Says("final")
	p.Await("events", func() (any, bool) { got := p.listed(); return got, len(got) > 20 })
	p.Press("r")
	p.AwaitRest("events by raw times", func() (string, bool) { now := p.placeInEvents(); return now, strings.Contains(now, "time=raw") })
	p.Find("grid", "Events").Focus()
	p.Press("ArrowDown")
	p.Press("PageDown")
	var raw string
	p.AwaitRest("an event that is chosen, in sight", func() (string, bool) {
		raw = p.placeInEvents()
		return raw, strings.Contains(raw, "\nchosen ")
	})
	p.Press("r")
	p.AwaitRest("the same event in sight", func() (string, bool) {
		now := p.placeInEvents()
		clock := strings.Split(raw[strings.Index(raw, "\nchosen "):], " | ")[1]
		return now, !strings.Contains(now, "time=raw") && strings.Contains(now, "\nchosen ") && strings.Contains(now[strings.Index(now, "\nchosen "):], clock)
	})
}

// addressFollows tells whether the event that the address has is the one that is told of: the address follows a moment later.
func addressFollows(place string) bool {
	chosen := regexp.MustCompile(`^chosen=\d+~\d*(\d{9})~`).FindStringSubmatch(place)
	return chosen != nil && strings.Contains(strings.ReplaceAll(place, " ", ""), "."+chosen[1])
}

// placeInEvents tells where in the list of events one is: what the address says of it, what is said of reading, the rows in sight and the chosen event.
func (p *Page) placeInEvents() string {
	p.t.Helper()
	address, err := url.Parse(p.Address())
	if err != nil {
		p.t.Fatal(err)
	}
	q := address.Query()
	return spaces.Replace(fmt.Sprintf("chosen=%s time=%s\n", q.Get("chosen"), q.Get("time")) + Eval[string](p, `(() => {
		const grid = document.querySelector("#events [role=grid]");
		if (!grid) return "no list";
		const { top, bottom } = grid.getBoundingClientRect();
		const head = grid.querySelector(".grid-body").getBoundingClientRect().top + grid.scrollTop;
		const seen = [...grid.querySelectorAll(".grid-body [role=row]")].filter((row) => row.getBoundingClientRect().top >= Math.max(top, head - 1) && row.getBoundingClientRect().top < bottom);
		const words = (row) => row ? [0, 2, 3, 4, 5].map((i) => row.children[i]?.textContent).join(" | ") : "none";
		const chosen = seen.findIndex((row) => row.ariaSelected === "true");
		return ["busy " + grid.ariaBusy, "told " + document.querySelector("#events .told").innerText, "first " + words(seen[0]), chosen < 0 ? "none is selected in sight" : "chosen " + words(seen[chosen]), document.querySelector("#events .chosen").innerText.slice(0, 300)].join("\n");
	})()`))
}
