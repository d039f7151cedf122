package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// attribute is a line of the tree of attributes by its path.
func (p *Page) attribute(path string) Element {
	p.t.Helper()
	var found []Element
	p.Await("the attribute "+path, func() (any, bool) {
		found = found[:0]
		for _, row := range p.Find("treegrid", "Attributes").All("row", "") {
			if yes, err := call[bool](row, "function(w) { return this.title === w }", path); err == nil && yes {
				found = append(found, row)
			}
		}
		return len(found), len(found) == 1
	})
	return found[0]
}

func (p *Page) shows(e func() Element, pattern string) {
	p.t.Helper()
	re := regexp.MustCompile(pattern)
	p.Await(pattern, func() (any, bool) {
		words := strings.Join(strings.Fields(e().Text()), " ")
		return words, re.MatchString(words)
	})
}

// Since when an attribute holds is told to the ns, as the table of events and the timeline tell it.
func TestStateTimes(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	c := clocksOf(t, set)
	const since, until = 1795229345_347_465_574, 1795229345_710_252_024 // by the clock of db
	p.Open(s.page(set, fmt.Sprintf("?tab=state&state=%d&of=db&attribute=Threads%%2F207", c.at("db", 1795229345_470_000_000))))
	p.shows(func() Element { return p.attribute("Threads/207") }, fmt.Sprintf("207 httpd 1 blocked %s %s", regexp.QuoteMeta(c.since("db", since)), regexp.QuoteMeta(c.since("db", until))))
	p.Open(s.page(set, fmt.Sprintf("?tab=events&at=%d", c.at("db", since))))
	p.Matches(regexp.QuoteMeta(c.since("db", since)) + ` \d+ ± \d+ µs ?, (certain|within the error) 02:49:05\.347 465 574 db 1 sched_switch prev_comm="httpd" prev_tid=207`)
}

// Where a recording tells of no thread and no CPU the tab says so, and where it is told what is missing.
func TestStateOfNothing(t *testing.T) {
	p := recordedPage(t, "hello-lost.tar.gz", "?tab=state")
	p.Says("Nothing is known of what loki did: its recording tells of no thread and no CPU. The tab Import has what it lacks.")
	p.Find("tab", "Timeline").Click()
	p.Says("This shows the messages that hosts sent each other. This set has only one host.")

	// Its tracer counted losses until it was stopped, long after the last event: that is said, and also where a press shows nothing else than before.
	p.Says("967 700 lost")
	p.Find("button", Eval[string](p, `document.querySelector(".overview .facts button").textContent`)).Click()
	p.Matches(`562 times between 0\.000 289 130 s and the end of the last packet, 3\.345 s after the last event The largest 8: 0\.194 232 826 s \+ 50\.6 ms 235 238 events, CPU 2 Events 0\.029 299 804 s`)
	Eval[bool](p, `document.querySelector("section.lost p > button").click() ?? true`)
	p.Says("All of this is in view already, up to the last event of the set.")
}

// From the timeline a key leads to all that is known of the host at the cursor, with the selected thread
// in sight; the values are those of that time by both clocks, and keys lead from change to change.
func testState(t *testing.T, p *Page, address string, c clocks) {
	const begun, ended = 1795229345_243_699_343, 1795229345_696_946_739 // by the clock of db
	since, until := regexp.QuoteMeta(c.since("db", begun)), regexp.QuoteMeta(c.since("db", ended))
	lasted := float64(c.at("db", ended)-c.at("db", begun)) / 1e6
	p.Open(address)
	p.Says("blocked in wait4")
	left, top, width, height := p.Canvas("Control flow").Box()
	p.Point(left+width/2, top+height/2)
	p.frame()
	p.Press("v")
	thread := func() Element { return p.attribute("Threads/205") }
	p.shows(thread, fmt.Sprintf(`^▾ ?205 dbwork 1 blocked %s %s %.1f ms$`, since, until, lasted))
	p.shows(func() Element { return p.attribute("Threads/205/System_call") }, `System_call wait4 6\.0`)
	chosen := func() Element { return p.Find("region", "The chosen attribute") }
	p.shows(chosen, fmt.Sprintf(`Threads/205 1, blocked since %s · until %s · %.3f ms on db: since 02:49:05\.243 699 343 · until 02:49:05\.696 946 739`, since, until, lasted))

	// The next change is where this state ended, on that very ns, and the one before leads back to where it began.
	thread().Click()
	p.Press(".")
	p.shows(thread, `205 dbwork 5 waiting for a CPU `+until)
	p.shows(func() Element { return p.Find("tabpanel", "State") }, `State of .*at `+c.near("db", ended)+` db 02:49:05\.696 946 739 ± `+c.known("db", ended))
	// The way back leads to the time before, and forward again to that very ns.
	p.Press("Backspace")
	p.shows(thread, `205 dbwork 1 blocked `+since)
	p.strike("Backspace", 8)
	p.shows(thread, `205 dbwork 5 waiting for a CPU `+until)
	p.shows(func() Element { return p.Find("tabpanel", "State") }, `State of .*at `+c.near("db", ended)+` db 02:49:05\.696 946 739 ± `+c.known("db", ended))
	p.strike("Backspace", 8)
	p.Says("There is no time to go forward to.")
	p.Press(",")
	p.shows(thread, `205 dbwork 1 blocked `+since)
	p.Press(",")
	p.Press(".") // both count, however fast
	p.shows(thread, `205 dbwork 1 blocked `+since)
	p.shows(func() Element { return p.Find("tabpanel", "State") }, `at `+c.near("db", begun))
	p.Await("the time in the address", func() (any, bool) {
		a := p.Address()
		return a, strings.Contains(a, "tab=state") && strings.Contains(a, fmt.Sprintf("&state=%d", c.at("db", begun)/1e6)) && strings.Contains(a, "of=db") && strings.Contains(a, "attribute=Threads%2F205")
	})

	// So does what is open: a link opens with the same lines.
	lines := func() string {
		return Eval[string](p, `[...document.querySelectorAll("#state [role=row][title]")].filter((e) => !e.hidden).map((e) => e.title).join(" ")`)
	}
	before := lines()
	p.Await("the open attributes in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "&open=Threads%2F205") })
	p.Reload()
	p.Await("the same lines", func() (any, bool) { now := lines(); return now + " where there was " + before, now == before })

	// A search lists names and values from all over the tree, with their paths.
	p.Press("/")
	p.Find("searchbox", "List attributes that have these words in name or value").Type("dbwork")
	p.shows(func() Element { return p.attribute("Threads/205/Name") }, `Threads/205/Name dbwork`)
	p.Says("2 attributes with “dbwork” in name or value")

	p.Await("the search in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "find=dbwork") })

	// The address brings it all back, and another host has other attributes.
	p.Reload()
	p.attribute("Threads/205/Name")
	p.Find("combobox", "State of").Choose("client")
	p.Says("0 attributes with “dbwork”")
	Eval[bool](p, `(() => { const f = document.querySelector("#state input"); f.value = ""; f.dispatchEvent(new Event("input")); return true })()`)
	p.shows(func() Element { return p.attribute("CPUs") }, `^▸ ?CPUs 2 attributes`)

	p.Find("button", "In the timeline").Click()
	p.Await("the timeline", func() (any, bool) {
		selected := p.Find("tab", "Timeline").State("selected")
		return fmt.Sprint(selected), selected == "true"
	})
}

// Whoever goes along the states of a row by keys, with no pointer anywhere, sees all of the time of the state that is
// selected, and sets a bookmark there, though the middle of the window is elsewhere.
func TestMomentOfAState(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all&row=2.205"))
	p.Matches(`dbwork · 205 .* exit_group Begin 6\.50`)
	p.Press("b")
	p.Says("dbwork · 205 on db, at 6.50")
	p.Press("Escape")
	p.Gone("dialog", "Bookmark")
	p.Press("v")
	p.shows(func() Element { return p.Find("tabpanel", "State") }, `State of .*at 6\.50`)
	p.shows(func() Element { return p.attribute("Threads/205/System_call") }, `System_call exit_group 6\.49`)
}

// Wherever the tree of attributes is scrolled to, the row on top says what the first line in sight is a part of, and leads up to it.
func TestStateSaysWhereItIs(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	c := clocksOf(t, set)
	p.Open(s.page(set, fmt.Sprintf("?tab=state&state=%d&of=db&attribute=Threads%%2F207", c.at("db", 1795229345_470_000_000))))
	p.attribute("Threads/207")
	way := func(want string) {
		t.Helper()
		p.Await("where one is: "+want, func() (any, bool) {
			saw := Eval[[]any](p, `(() => { const e = document.querySelector("#state .line-way"), b = e.getBoundingClientRect(); return [e.innerText, document.elementFromPoint(b.x + 20, b.y + b.height / 2) === e || e.contains(document.elementFromPoint(b.x + 20, b.y + b.height / 2))]; })()`)
			return saw, saw[0] == want && saw[1] == true
		})
	}
	way("in Threads")
	first := func() float64 {
		return Eval[float64](p, `document.querySelector("#state .lines").getBoundingClientRect().top + document.querySelector("#state .attributes").scrollTop`)
	}
	was := first()
	Eval[any](p, `document.querySelector("#state .attributes").scrollTop = 0`)
	way("all attributes")
	if is := first(); is != was {
		t.Errorf("lines moved by %v pixels as more was said above them", is-was)
	}
	p.attribute("Threads").Click()
	p.Press("ArrowDown")
	p.Press("ArrowRight")
	Eval[any](p, `(() => { const e = document.querySelector("#state .attributes"); e.scrollTop = 22 * (Number(document.querySelector("#state [aria-selected=true]").dataset.line) + 2); })()`)
	way("in Threads › " + Eval[string](p, `document.querySelector("#state .chosen h2").innerText.split("/")[1] + (document.querySelector("#state [aria-selected=true] .name small")?.innerText ?? "")`))
	at := Eval[[]float64](p, `(() => { const b = document.querySelector("#state .line-way .link").getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	p.Click(at[0], at[1])
	p.shows(func() Element { return p.Find("region", "The chosen attribute") }, "^Threads")
}

// By each host's own clock the state is that of the same instant of its host, wherever the timeline goes along with another, and so it is by the
// clock of another reference.
func TestStateByOtherClocks(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	const at = 1795229345_470_000_000 // by the clock of db
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?row=%d.%d&begin=%d&end=%d&tab=state&state=%d&of=db&attribute=Threads%%2F205&open=Threads%%2F205", c.number("client"), 208, c.begin+9_000_000_000, c.begin+9_500_000_000, c.at("db", at))))
	told := func(place, known string) {
		t.Helper()
		p.shows(func() Element { return p.Find("tabpanel", "State") }, `State of .*at `+place+` db 02:49:05\.(470 000 000|469 999 999|470 000 001)\b`+known)
		p.shows(func() Element { return p.attribute("Threads/205/System_call") }, `System_call wait4`)
	}
	told(c.near("db", at), "")
	p.Press("r")
	p.Await("the state by the host's own clock, in the address", func() (any, bool) {
		a := p.Address()
		return a, regexp.MustCompile(`time=raw.*&state=1795229345(470000000|469999999|470000001)&`).MatchString(a)
	})
	told(`[\d .]+ s`, " ±")
	if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({reference: "db"})}).then((r) => r.status)`, set.ID())); code != 200 {
		t.Fatalf("status %d", code)
	}
	p.Press("r")
	told(`[\d .]+ s`, ", reference")
	p.Await("the state by the clock of the new reference, in the address", func() (any, bool) {
		a := p.Address()
		return a, !strings.Contains(a, "time=raw") && regexp.MustCompile(`&state=1795229345(470000000|469999999|470000001)&`).MatchString(a)
	})
}
