package browser

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// seconds reads a time as the page writes it, in ns.
func seconds(t *testing.T, s string) int64 {
	t.Helper()
	digits := strings.NewReplacer("\u202f", "", ".", "", "s", "", " ", "").Replace(s)
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		t.Fatalf("no time: %q", s)
	}
	return n
}

// listEvents opens the Events tab of the demonstration, and waits for its rows.
func (s *site) listEvents(p *Page, set *ingest.Set) {
	p.Open(s.page(set, "?tab=events&window=all"))
	p.Says("770 375 events")
	p.Await("rows", func() (any, bool) { rows := p.listed(); return rows, len(rows) > 10 })
}

// listed returns the rows of the table of events that exist, cell by cell.
func (p *Page) listed() [][]string {
	return Eval[[][]string](p, `[...document.querySelectorAll("#events .grid-body [role=row]")].map((r) => [...r.children].map((c) => c.textContent))`)
}

// All events of the demonstration are one table: turned to any place, filtered, compared
// with each other, and found in the timeline and back.
func TestEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	grid := p.Find("grid", "Events")
	rows := func(what string, enough func(rows [][]string) bool) (got [][]string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			got = p.listed()
			return got, len(got) > 0 && enough(got)
		})
		return got
	}
	rows("events", func(rows [][]string) bool { return len(rows) > 20 })

	// The first and the last of them, and what is between.
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("Home")
	first := rows("the first event", func(rows [][]string) bool {
		return rows[0][1] == "–" && rows[0][0] == "0.000\u202f000\u202f000\u202fs"
	})
	for i := 1; i < len(first); i++ {
		if d := seconds(t, first[i][0]) - seconds(t, first[i-1][0]); d < 0 {
			t.Fatalf("row %d is %d ns before the one above", i, -d)
		}
	}
	p.Press("End")
	rows("the last event", func(rows [][]string) bool {
		last := rows[len(rows)-1]
		return seconds(t, last[0]) > 39_400_000_000
	})

	// A filter, of the name and of a field; a wrong one is told with its place.
	p.Find("textbox", "Event").Type("sched_switch")
	p.Find("textbox", "Where").Type("next_tid == 205")
	p.Find("combobox", "Host").Choose("db")
	p.Find("button", "Filter").Click()
	p.Await("the filters in force in sight, and no other", func() (any, bool) {
		bold := Eval[string](p, `[...document.querySelectorAll("#events input[type=text], #events .filters select")].filter((e) => getComputedStyle(e).fontWeight === "600").map((e) => e.value).join()`)
		return bold, bold == "next_tid == 205,db,sched_switch"
	})
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("Home")
	rows("switches to thread 205 of db", func(rows [][]string) bool {
		for _, r := range rows {
			if r[3] != "db" || r[5] != "sched_switch" || !strings.Contains(r[6], "next_tid=205") {
				return false
			}
		}
		return true
	})
	p.Await("the filter in the address", func() (any, bool) {
		address := p.Address()
		return address, strings.Contains(address, "event=sched_switch&where=next_tid+%3D%3D+205&host=db")
	})
	p.Find("textbox", "Where").Type("next_tid ==")
	p.Find("button", "Filter").Click()
	p.Matches(`Where is not a filter: column 12: expected a field or a value`)
	dim := func() (any, bool) {
		style := Eval[string](p, `getComputedStyle(document.querySelector("#events .grid-body [role=row] > *")).fontStyle`)
		return style, style == "italic"
	}
	p.Await("rows that are seen to be of the filter before", dim)

	// A field that no event has is told, with what may be meant.
	p.Find("textbox", "Where").Type("next_tdi == 205 && colour == 3")
	p.Find("button", "Filter").Click()
	p.Says("No kind of event of db has a field next_tdi; did you mean next_tid? No kind of event of db has a field colour.")

	// It is told as well where the rest of the filter finds something.
	p.Find("textbox", "Where").Type("next_tid == 205 || next_tdi == 205")
	p.Find("button", "Filter").Click()
	p.Says("No kind of event of db has a field next_tdi; did you mean next_tid?")
	rows("switches to the thread, although a field is misspelt", func(rows [][]string) bool { return len(rows) > 0 })
	p.Await("rows that are seen to be of this filter", func() (any, bool) { style, old := dim(); return style, !old })

	// Where nothing is found a press looks from the first event, and what was put into the wrong field is told.
	p.Find("textbox", "Where").Type("time < 1795229352.0 && next_tid == 0")
	p.Find("button", "Go to the timeline's window").Click()
	p.Find("button", "Filter").Click()
	p.Says("No event from here on is wanted by this filter.")
	p.Find("button", "From the first event").Click()
	rows("switches ahead of the window", func(rows [][]string) bool {
		return len(rows) > 0 && strings.Contains(rows[0][6], "next_tid=0") && seconds(t, rows[0][0]) < 2_800_000_000
	})
	p.Find("textbox", "Event").Type("sched_(switch)")
	p.Find("button", "Filter").Click()
	p.Says("Event takes a name such as sched_*; what compares fields belongs in Where.")
	p.Find("button", "Go to the timeline's window").Click()
	p.Find("textbox", "Event").Type("sched_nothing")
	p.Find("button", "Filter").Click()
	p.Says("No event of the set is wanted by this filter.")
	p.Gone("button", "From the first event")

	// One chosen by the keyboard is told in full, and two are compared by what the clocks allow.
	p.Find("button", "All events").Click()
	rows("events of other hosts", func(rows [][]string) bool { return len(rows) > 20 && rows[0][5] != "sched_switch" })
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("ArrowDown")
	p.Press("c")
	chosen := p.Find("region", "The chosen event")
	p.Press("ArrowDown")
	p.Await("the order of two events", func() (any, bool) {
		words := strings.Join(strings.Fields(chosen.Text()), " ")
		return words, regexp.MustCompile(`From the mark on \w+ at \d\.\d{3}( \d{3})* s: .*(certain|within the error, so either may have come first)`).MatchString(words)
	})

	// Into the timeline, at the time and the thread that ran, and back.
	var at, when string
	p.Await("the row of the chosen event", func() (any, bool) {
		at = grid.State("activedescendant")
		when = Eval[string](p, fmt.Sprintf(`document.getElementById(%q)?.firstElementChild.textContent ?? ""`, at))
		return at, when != ""
	})
	p.Press("Enter")
	p.Find("region", "Control flow")
	p.Await("the cursor at the event", func() (any, bool) {
		words := p.Text()
		return words, strings.Contains(words, spaces.Replace(when))
	})

	// What is marked is marked on all pages: in the timeline, in State, which says how its time lies to it. Esc among the events takes it away.
	p.Matches(`mark · \w+`)
	p.Press("e")
	rows("the event on top", func(rows [][]string) bool { return rows[0][0] == when })
	marked := func(want int) {
		t.Helper()
		p.Await(fmt.Sprintf("%d marked rows", want), func() (any, bool) {
			n := Eval[int](p, `document.querySelectorAll("#events .marked").length`)
			return n, n == want
		})
	}
	p.Press("PageUp")
	marked(1)
	p.Find("tab", "State").Click()
	p.shows(func() Element { return p.Find("tabpanel", "State") }, `State of .* at \S+( \d{3})* s .*(after|before) the mark(,|:) (certain|within the error)`)
	p.Find("tab", "Events").Click()
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	p.Press("Escape")
	marked(0)
	p.Await("no mark in the address", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "mark=") })
}

// A double click on an event leads to the thread that ran, whatever was chosen before.
func TestEventsDoubleClick(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	c := clocksOf(t, set)
	const local = 1795229345_347_465_574 // by the clock of db
	p.Open(s.page(set, fmt.Sprintf("?tab=events&at=%d", c.at("db", local))))
	var at []float64
	p.AwaitRest("the event, once those before it have come", func() (string, bool) {
		rows := p.listed()
		at = Eval[[]float64](p, `[...document.querySelectorAll("#events .grid-body [role=row]")].filter((r) => r.textContent.includes("prev_tid=207 ")).slice(0, 1).flatMap((r) => { const b = r.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })`)
		return fmt.Sprint(rows, at), len(at) == 2 && len(rows) > 0 && !strings.HasPrefix(spaces.Replace(rows[0][0]), c.since("db", local))
	})
	p.DoubleClick(at[0], at[1])
	p.Await("the event in the timeline", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Text()), " ")
		return words, strings.Contains(p.Address(), "row=") && !strings.Contains(p.Address(), "tab=events") && strings.Contains(words, c.since("db", local))
	})
}

// The last events come in the place of what is there, which is not taken away before; what was chosen is told of as long as one scrolls
// on, and not any more at the end.
func TestEventsToTheEnd(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	p.Find("grid", "Events").Focus()
	p.Press("ArrowDown")
	chosen := p.Find("region", "The chosen event")
	first := chosen.Text()
	// The address has it, whether its row is listed or far above, and who opens that is told of the same.
	before := ""
	reloaded := func(where string, rows int) {
		t.Helper()
		p.Await("the chosen event in the address, and another place", func() (any, bool) {
			m := regexp.MustCompile(`&at=(\d+)&chosen=\d+~\d{19}~\d+$`).FindStringSubmatch(strings.ReplaceAll(p.Address(), "%7E", "~"))
			if m == nil || m[1] == before {
				return p.Address(), false
			}
			before = m[1]
			return before, true
		})
		p.Reload()
		p.Await("the same event after a reload, "+where, func() (any, bool) {
			chosen := Eval[[]string](p, `[...document.querySelectorAll("#events .grid-body [aria-selected=true], #events .chosen:not([hidden])")].map((e) => e.innerText)`)
			return chosen, len(chosen) == rows+1 && spaces.Replace(chosen[rows]) == spaces.Replace(first)
		})
		chosen = p.Find("region", "The chosen event")
	}
	reloaded("in its row", 1)
	for range 12 { // far enough that the first page is let go
		Eval[any](p, `(() => { const g = document.querySelector("#events [role=grid]"); g.scrollTop = g.scrollHeight; })()`)
		p.Await("more events", func() (any, bool) {
			below := Eval[int](p, `(() => { const g = document.querySelector("#events [role=grid]"); return g.scrollHeight - g.scrollTop - g.clientHeight; })()`)
			return below, below > 1000
		})
	}
	if now := chosen.Text(); now != first {
		t.Errorf("after scrolling the chosen event is %q, was %q", now, first)
	}

	reloaded("above what is listed", 0)
	p.Find("button", "Show in the timeline").Click()
	p.Find("heading", "Control flow")

	p.Press("3")
	p.Find("grid", "Events").Focus()
	Eval[bool](p, `(() => {
		window.blank = 0;
		const body = document.querySelector("#events .grid-body");
		new MutationObserver(() => body.childElementCount || window.blank++).observe(body, {childList: true});
		return true;
	})()`)
	p.Press("ArrowDown")
	p.Find("region", "The chosen event")
	p.Press("End")
	p.Gone("region", "The chosen event")
	c := clocksOf(t, set)
	end := c.begin
	for name, h := range c.hosts {
		end = max(end, c.at(name, h.End))
	}
	p.Await("the last event", func() (any, bool) {
		rows := p.listed()
		return rows, len(rows) > 0 && spaces.Replace(rows[len(rows)-1][0]) == told(end-c.begin)
	})
	if n := Eval[int](p, "window.blank"); n > 0 {
		t.Errorf("the table was empty %d times on the way to the end", n)
	}
}

// An underscore in a filter is whole, on any screen and wherever between two of its pixels the field begins.
func TestUnderscoresOfFilters(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	fields := []string{"Event", "Where", "Fields"}
	for _, ratio := range []float64{0.8, 1, 1.25, 1.5, 2} {
		screen := emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 720, DeviceScaleFactor: ratio}
		if _, err := chromedp.Call(p.ctx, emulation.SetDeviceMetricsOverride, screen); err != nil {
			t.Fatal(err)
		}
		p.Open(s.page(set, "?tab=events&event=a_a&where=a_a&fields=a_a"))
		p.Says("is not a filter")
		drawn := make(map[string]int) // how dark the underscore is, by field and place
		most := 0
		for part := range 10 {
			Eval[bool](p, fmt.Sprintf(`(document.querySelector("#events").style.paddingTop = "0.%dpx", true)`, part))
			p.frame()
			picture, err := png.Decode(bytes.NewReader(p.Picture()))
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range fields {
				x, y, _, height := p.Find("textbox", field).Box()
				var lines []int
				for row := int((y + 3) * ratio); row < int((y+height-2)*ratio); row++ {
					dark := 0
					for column := int((x + 6) * ratio); column < int((x+40)*ratio); column++ {
						dark += 255 - int(color.GrayModel.Convert(picture.At(column, row)).(color.Gray).Y)
					}
					lines = append(lines, dark)
				}
				blank, ink := slices.Min(lines), 0
				for i := len(lines) - 1; i >= 0 && (ink == 0 || lines[i] > blank); i-- { // up to the gap below the letters
					ink += lines[i] - blank
				}
				drawn[fmt.Sprintf("%s 0.%d below a pixel", field, part)] = ink
				most = max(most, ink)
			}
		}
		for where, ink := range drawn {
			if ink < most*95/100 {
				t.Errorf("at %g pixels a pixel the underscore of %s is %d dark, of others %d", ratio, where, ink, most)
			}
		}
	}
}

// What stands in an empty filter as an example finds events of the very set, whatever kind they are of.
func TestExamplesOfFilters(t *testing.T) {
	s, demo := demoSite(t)
	ticks := strings.NewReplacer("event 0 app:tick", "event 0 app:tick\n  fields {count i32}", "1.000000000 app:tick", "1.000000000 app:tick count=3\n1.500000000 app:tick count=4\n2.000000000 app:tick count=5").Replace(tick)
	set := s.written("ticks", ticks)
	p := NewPage(t)
	for _, c := range []struct {
		set                  *ingest.Set
		event, where, fields string
	}{
		{demo, "sched_*", "next_tid == ", "words, or next_tid == "},
		{set, "app:*", "count == 3", "words, or count == 3"},
	} {
		p.Open(s.page(c.set, "?tab=events"))
		p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 0 })
		examples := make(map[string]string)
		for _, field := range []string{"Where", "Time", "Host's clock", "CPU", "Event", "Fields"} {
			examples[field] = must[string](p.Find("textbox", field), "function() { return this.placeholder }")
		}
		if examples["Event"] != c.event || !strings.HasPrefix(examples["Where"], c.where) || !strings.HasPrefix(examples["Fields"], c.fields) {
			t.Errorf("of %s these are the examples: %q", c.set.Status().Name, examples)
		}
		for field, example := range examples {
			p.Find("textbox", field).Type(strings.TrimPrefix(example, "words, or "))
			p.Press("Enter")
			p.Await(fmt.Sprintf("what %q in %s finds", example, field), func() (any, bool) {
				words := Eval[string](p, `location.search + " " + (document.querySelector("#events .told").hidden ? "" : document.querySelector("#events .told").innerText)`)
				return words, regexp.MustCompile(`[?&](where|during|clock|cpu|event|fields)=\S*\s*$`).MatchString(words) && len(p.listed()) > 0
			})
			p.Find("button", "All events").Click()
		}
	}

	// Where no thread is known for want of events of the kernel, the others are pointed to.
	p.Open(s.page(set, ""))
	p.Says("This shows what each thread does. What was recorded, 3 events, is in the tab Events. The recordings lack sched_switch")
}

// What the empty filter of the time shows is by the clock of now, after raw time and back too: it lies in the set, which has less than 40 s.
func TestExampleByTheClockOfNow(t *testing.T) {
	s, demo := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(demo, "?tab=events&window=all"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 0 })
	example := func() string {
		return must[string](p.Find("textbox", "Time"), "function() { return this.placeholder }")
	}
	first := example()
	p.Press("r")
	p.Await("another by the hosts' own clocks", func() (any, bool) { now := example(); return now, now != first })
	p.Press("r")
	p.Await("one that lies in the set", func() (any, bool) {
		now := example()
		from, to, _ := strings.Cut(now, "..")
		begin, err := strconv.ParseFloat(from, 64)
		end, wrong := strconv.ParseFloat(to, 64)
		return now, err == nil && wrong == nil && begin >= 0 && end < 40
	})
}

// While an import runs its events, and messages, are awaited in words that hold: nothing is said of a filter where there is none, or of other hosts
// that are not known yet, and that they are looked for again and again is not told.
func TestAwaitedWhileImporting(t *testing.T) {
	s, hold := slowedSite(t, 8)
	set := s.add("shop", demoArchive)
	events, messages := NewPage(t), NewPage(t)
	events.Open(s.page(set, "?tab=events"))
	messages.Open(s.page(set, "?tab=messages"))
	for p, selector := range map[*Page]string{events: "#events .told", messages: "#messages .readout > span"} {
		Eval[bool](p, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q), now = () => e.hidden || document.body.textContent.includes("import is finished") ? "" : e.textContent;
			window.told = [now()];
			new MutationObserver(() => told.at(-1) !== now() && told.push(now())).observe(e, {childList: true, characterData: true, subtree: true, attributes: true});
			return true;
		})()`, selector))
	}
	hold.letGo()
	s.ready(set)
	events.Await("events", func() (any, bool) { n := len(events.listed()); return n, n > 10 })
	told := strings.Join(Eval[[]string](events, "told.filter((s) => s)"), "|")
	if strings.Contains(told, "wanted by this filter") || strings.Count(told, "|") > 2 {
		t.Errorf("of events was said %q", told)
	}
	messages.Says("10 684 messages")
	if told := strings.Join(Eval[[]string](messages, "told"), "|"); strings.Contains(told, "This set is of one host") {
		t.Errorf("of messages was said %q", told)
	}
}

// In raw time the table counts seconds, as all else does, and no time of a row is cut.
func TestRawEventsUncut(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&time=raw"))
	for _, width := range []int64{Width, 1280} {
		p.Resize(width, 800)
		p.Await("times to the ns, each once", func() (any, bool) {
			rows := p.listed()
			cut := Eval[[]string](p, `[...document.querySelectorAll("#events .grid-body [role=row]")].flatMap((r) => [...r.children].slice(0, 3)).filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`)
			return fmt.Sprint(cut, rows), len(rows) > 10 && len(cut) == 0 && strings.HasSuffix(rows[5][0], "s") && rows[5][0] != rows[5][2]
		})
	}
	// What is typed into its head is as its rows have it.
	p.Find("textbox", "Time").Type("3.5..3.6")
	p.Find("button", "Filter").Click()
	p.Await("events of that stretch", func() (any, bool) {
		rows := p.listed()
		return rows, len(rows) > 10 && strings.HasPrefix(rows[0][0], "3.5")
	})
}
