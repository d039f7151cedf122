package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// The command palette, on one import of the demonstration set.
func TestPalette(t *testing.T) {
	s, set := demoSite(t)
	address := s.page(set, "")
	for name, test := range map[string]func(*testing.T, *Page, string){
		"commands": testPaletteCommands, "clocks": testPaletteClocks, "times": testPaletteTimes, "rows": testPaletteRows, "help": testPaletteHelp,
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPage(t)
			p.Open(address)
			p.threadRow("dbwork, thread 205")
			test(t, p, address)
		})
	}
}

// ctrl is the Ctrl key among the modifiers of a key.
const ctrl = 2

// strike is one key as a keyboard gives it: what its going down would type is not typed where the page
// prevents that, which Press does not heed.
func (p *Page) strike(key string, modifiers int64) {
	p.t.Helper()
	params := input.DispatchKeyEventParams{Type: "keyDown", Modifiers: modifiers, Key: key, Code: key}
	switch {
	case key == "Enter":
		params.Text, params.WindowsVirtualKeyCode = "\r", 13
	case len(key) == 1 && modifiers == 0:
		params.Text = key
	}
	if len(key) == 1 {
		params.Code = "Key" + strings.ToUpper(key)
	}
	for _, kind := range []input.DispatchKeyEventType{"keyDown", "keyUp"} {
		params.Type = kind
		if kind == "keyUp" {
			params.Text = ""
		}
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, params); err != nil {
			p.t.Fatal(err)
		}
	}
}

// palette opens the palette, types, and waits until what is chosen begins with the words given.
func (p *Page) palette(typed, first string) {
	p.t.Helper()
	p.Press(":")
	dialog := p.Find("dialog", "Commands")
	if typed != "" {
		dialog.Find("combobox", "Command, time, host or thread").Type(typed)
	}
	p.Await("a first choice "+first, func() (any, bool) {
		got := Eval[string](p, `document.querySelector("[role=option][aria-selected=true] .words")?.textContent ?? ""`)
		return got, strings.HasPrefix(spaces.Replace(got), first)
	})
}

// cannot looks a command up that can do nothing now: what it needs is said with it, and Enter does nothing.
func (p *Page) cannot(typed string, needs [2]string) {
	p.t.Helper()
	p.palette(typed, needs[0])
	if got := Eval[string](p, `document.querySelector("[role=option][aria-selected=true][aria-disabled=true]")?.textContent ?? ""`); !strings.Contains(got, needs[1]) {
		p.t.Errorf("of %q it is said %q, not %q", typed, got, needs[1])
	}
	at := p.Address()
	p.strike("Enter", 0)
	p.Find("dialog", "Commands")
	if now := p.Address(); now != at {
		p.t.Errorf("%q leads from %s to %s", typed, at, now)
	}
	p.Press("Escape")
	p.Gone("dialog", "Commands")
}

// A command is found by a few of its letters, chosen by the arrow keys, and done. What the reader of the screen is
// told to be active is what Enter does.
func testPaletteCommands(t *testing.T, p *Page, _ string) {
	// All of it can be read.
	p.palette("", "Set a bookmark")
	if cut := Eval[[]string](p, `[...document.querySelectorAll("[role=option] .words")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`); len(cut) > 0 {
		t.Errorf("cut are %q", cut)
	}
	p.Press("Escape")
	p.Gone("dialog", "Commands")

	p.palette("whole set", "Show the whole set")
	p.strike("Enter", 0)
	p.Gone("dialog", "Commands")
	p.Says(", all")

	p.palette("raw", "Switch between raw and synchronized time")
	p.strike("Enter", 0)
	p.Await("raw time", func() (any, bool) { got := p.Find("radio", "Raw").State("checked"); return got, got == "true" })

	// Who knows it from other programs by another word finds it by that.
	for typed, words := range map[string]string{
		"export png": "Save the timeline as a picture (PNG)", "hide idle": "List only rows that run in view", "wake-up": "Show or hide who woke whom",
		"help": "Show keys and legend", "theme": "Colours: ", "undo": "Go back to where the window was", "notes": "List the bookmarks", "exclude client": "Leave out the link ",
	} {
		p.palette(typed, words)
		p.Press("Escape")
		p.Gone("dialog", "Commands")
	}

	p.palette("open", "Open ")
	p.Press("ArrowDown")
	active := Eval[string](p, `(() => {
		const id = document.activeElement.getAttribute("aria-activedescendant");
		const on = document.querySelectorAll("[role=option][aria-selected=true]");
		return on.length === 1 && on[0].id === id ? on[0].querySelector(".words").textContent : "";
	})()`)
	name, isOpen := strings.CutPrefix(active, "Open ")
	if !isOpen {
		t.Fatalf("the second choice is %q", active)
	}
	p.strike("Enter", 0)
	p.Await("the tab "+name, func() (any, bool) { got := p.Find("tab", name).State("selected"); return got, got == "true" })

	// Where nothing was lost, that is the answer to where something was.
	p.palette("lost", "No events were lost")
	p.strike("Enter", 0)
	p.Await("the import report", func() (any, bool) { got := p.Find("tab", "Import").State("selected"); return got, got == "true" })

	// It opens over a field as well, and what fits nothing says so and does nothing.
	p.Find("tab", "Timeline").Click()
	p.Press("/")
	p.strike("k", ctrl)
	p.Find("combobox", "Command, time, host or thread").Type("qqqqq")
	p.Says("Nothing fits “qqqqq”.")
	p.strike("Enter", 0)
	p.Find("dialog", "Commands")
	p.Press("Escape")
	p.Gone("dialog", "Commands")
}

// The clocks are found by what is done with them: the reference, links, the tables. All of it leads to their page.
func testPaletteClocks(t *testing.T, p *Page, _ string) {
	inForce := func(words string) {
		t.Helper()
		p.Await("in force: "+words, func() (any, bool) {
			text := p.Find("region", "How it is synchronized").Text()
			return text, strings.Contains(text, words)
		})
	}
	p.palette("reference db", "Make db the reference (pin it)")
	p.strike("Enter", 0)
	p.Await("the clocks' page", func() (any, bool) {
		got := p.Find("tab", "Synchronization").State("selected")
		return got, got == "true"
	})
	inForce("reference db")
	p.Says("Synchronized in")

	p.palette("best reference again", "Let the best host be the reference again")
	p.strike("Enter", 0)
	inForce("reference web, the best")

	p.palette("leave out client db", "Leave out the link client – db")
	p.strike("Enter", 0)
	inForce("without client – db")
	p.palette("default", "Go back to the default synchronization")
	p.strike("Enter", 0)
	inForce("the default")

	// What is in force cannot be chosen, but is found.
	p.palette("make web", "Make web the reference")
	if words := p.Find("dialog", "Commands").Text(); !strings.Contains(words, "in force") {
		t.Errorf("that web is the reference is not said: %s", words)
	}
	p.Press("Escape")
	p.Gone("dialog", "Commands")

	p.Find("tab", "Timeline").Click()
	p.palette("table of hosts", "Go to the table of hosts")
	p.strike("Enter", 0)
	p.Await("the focus in the table of hosts", func() (any, bool) {
		got := Eval[string](p, `document.activeElement.closest("section")?.querySelector("table")?.getAttribute("aria-label") ?? document.activeElement.outerHTML`)
		return got, got == "Hosts"
	})
	p.palette("another way reference", "Synchronize in another way")
	p.strike("Enter", 0)
	p.Find("combobox", "Method")
}

// A time that is typed in any way comes to the middle of the window; one outside of the set is not gone to.
func testPaletteTimes(t *testing.T, p *Page, _ string) {
	const noted = 1795229360_300_000_000
	goes := func(typed, first string, want int64) {
		t.Helper()
		p.palette(typed, first)
		p.strike("Enter", 0)
		p.Await("the time in the middle", func() (any, bool) {
			b, e, ok := view(t, p)
			middle := b + (e-b)/2
			return []int64{b, e}, ok && middle-want < 2 && want-middle < 2
		})
	}
	goes("1795229360300000000", "Go to ", noted)
	goes("+3.5 ms", "Go to ", noted+3_500_000)
	goes("-1 s", "Go to ", noted+3_500_000-1_000_000_000)
	goes("02:49:20.3", "Go to ", noted)
	goes("2026-11-21 02:49:14", "Go to ", 1795229354_000_000_000)
	goes("2 s", "Go to 2.000 000 000 s", Eval[int64](p, `fetch(location.pathname.replace("/sets/", "/api/sets/")).then((r) => r.json()).then((s) => Number(BigInt(s.begin) - 1795229340000000000n))`)+1795229340_000_000_000+2_000_000_000)

	shows := func(typed string, begin, end int64) {
		t.Helper()
		p.palette(typed, "Show ")
		p.strike("Enter", 0)
		p.Await("the stretch that was typed", func() (any, bool) {
			b, e, ok := view(t, p)
			return []int64{b, e}, ok && b == begin && e == end
		})
	}
	shows("02:49:20.1..02:49:20.3", noted-200_000_000, noted)
	shows("02:49:20.3 .. +250 us", noted, noted+250_000)
	// By the clock of a host they are what each of their ends is, and go on by that clock.
	var ends []int64
	for _, typed := range []string{"db 02:49:20.1", "db 02:49:20.3", "db 02:49:20.100250"} {
		p.palette(typed, "Go to ")
		p.strike("Enter", 0)
		p.AwaitRest("the time by db's clock", func() (string, bool) {
			b, e, ok := view(t, p)
			return fmt.Sprint(b, e), ok && b+(e-b)/2 != noted+125_000 && (len(ends) == 0 || b+(e-b)/2 != ends[len(ends)-1])
		})
		b, e, _ := view(t, p)
		ends = append(ends, b+(e-b)/2)
	}
	for typed, last := range map[string]int64{"db 02:49:20.1..db 02:49:20.3": ends[1], "db 02:49:20.1 .. 02:49:20.3": ends[1], "db 02:49:20.1..+250 us": ends[2]} {
		p.palette(typed, "Show ")
		p.strike("Enter", 0)
		p.Await("the stretch by db's clock: "+typed, func() (any, bool) {
			b, e, ok := view(t, p)
			return []int64{b, e}, ok && max(b-ends[0], ends[0]-b, e-last, last-e) < 3
		})
	}
	refused := func(typed, first, why string) {
		t.Helper()
		p.palette(typed, first)
		p.Says(why)
		p.Press("Escape")
	}
	refused("5000 s..5001 s", "Show 5 000", "outside of the set")
	refused("3..2", "Show 3", "it ends before it begins")
	refused("6.1 s..6.1 s", "Show 6", "it has no length")
	// A time of day of another day has that.
	refused("260000 s", "Go to 260 000.000 000 000 s (2026-11-24 03:02:", "outside of the set")

	begin, end, _ := view(t, p)
	p.palette("5000 s", "Go to 5 000")
	p.Says("outside of the set")
	p.strike("Enter", 0)
	p.Find("dialog", "Commands")
	p.Press("Escape")
	if b, e, _ := view(t, p); b != begin || e != end {
		t.Errorf("a time outside of the set moved the window to %d", b)
	}
}

// A thread is found by its name or number and becomes the selected row, wherever one is; a host as well.
func testPaletteRows(t *testing.T, p *Page, _ string) {
	p.Find("tab", "Synchronization").Click()
	// Of several by one name it is said when each of them was there.
	p.palette("crunch", "crunch · 206 on db, from 6.0")
	saw := spaces.Replace(p.Find("dialog", "Commands").Text())
	if n := len(regexp.MustCompile(`crunch · \d+ on db, from \d+\.\d{3} s, \d+(\.\d+)? m?s`).FindAllString(saw, -1)); n != 15 {
		t.Errorf("of %d threads it is said when they were there in %s", n, saw)
	}
	p.Press("Escape")
	// Of so many that not all are listed it is said how many there are, and every host has some.
	p.palette("httpd", "httpd · ")
	p.Says("The first 60 of 689; type more to have fewer.")
	saw = p.Find("dialog", "Commands").Text()
	for _, host := range fourHosts.hosts {
		if host != "client" && !strings.Contains(saw, " on "+host) { // which runs none
			t.Errorf("of %s there is none in %s", host, saw)
		}
	}
	p.Press("Escape")
	p.palette("crunch 206", "crunch · 206 on db")
	p.strike("Enter", 0)
	p.Await("the selected row", func() (any, bool) {
		got := p.threadRow("crunch, thread 206").State("selected")
		return got, got == "true"
	})
	p.palette("cache", "cache")
	p.strike("Enter", 0)
	p.Await("the selected host", func() (any, bool) {
		got := Eval[string](p, `document.querySelector(".row.host.selected .name")?.textContent ?? ""`)
		return got, got == "cache"
	})
	// A name is before commands that have its letters.
	p.palette("db", "db")
	p.Press("Escape")
}

// The help tells of every key that the palette tells of, as it does.
func testPaletteHelp(t *testing.T, p *Page, _ string) {
	p.palette("", "")
	const listed = `[...document.querySelectorAll("[role=option]:has(kbd)")].map((o) => o.querySelector("kbd").textContent + " " + o.querySelector(".words").textContent)`
	var commands []string
	p.Await("commands with keys", func() (any, bool) {
		commands = Eval[[]string](p, listed)
		return commands, len(commands) > 15
	})
	p.Press("Escape")
	p.Gone("dialog", "Commands")
	p.Press("?")
	p.Find("dialog", "Keys and legend").Find("heading", "Keys and mouse")
	help := Eval[[]string](p, `[...document.querySelectorAll("dialog.help .keys tr:has(kbd)")].map((r) => r.querySelector("kbd").textContent + " " + r.querySelector(".words").textContent)`)
	told := make(map[string]bool)
	for _, line := range help {
		told[line] = true
	}
	for _, line := range commands {
		if !told[line] {
			t.Errorf("the help does not tell of %q", line)
		}
	}
	// A key that does different things on different tabs stands below each of them, and once.
	tabs := make(map[string]bool)
	for _, line := range Eval[[]string](p, `[...document.querySelectorAll("dialog.help .keys tr:has(kbd)")].map((r) => r.closest(".view").querySelector("h3").textContent + ": " + r.querySelector("kbd").textContent + (r.querySelector("td .minor")?.textContent ?? ""))`) {
		if tabs[line] {
			t.Errorf("the help tells twice of %q", line)
		}
		tabs[line] = true
	}
}

// The help has the keys of each view by themselves, those of every view first, and a field on top that leaves what is looked for of keys
// and meanings alike: by words, by a key, by what other programs call it.
func TestHelpNarrowed(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	p.Press("?")
	dialog := p.Find("dialog", "Keys and legend")
	heads := Eval[[]string](p, `[...document.querySelectorAll("dialog.help h3")].map((h) => h.textContent)`)
	if want := []string{"In every view", "Timeline", "Synchronization", "Events", "Statistics", "Messages", "State"}; !slices.Equal(heads, want) {
		t.Errorf("the help is by %q, not %q", heads, want)
	}
	left := func(typed string, want ...string) {
		t.Helper()
		dialog.Find("searchbox", "Find in the help").Type(typed)
		p.Await("what fits "+typed, func() (any, bool) {
			got := Eval[[]string](p, `[...document.querySelectorAll("dialog.help :is(.keys tr, .columns > section > section > h2)")].filter((e) => e.checkVisibility()).map((e) => (e.querySelector("kbd")?.textContent ?? "") + ": " + (e.querySelector(".words") ?? e).textContent)`)
			return got, slices.Equal(got, want)
		})
	}
	left("raw", "R: Switch between raw and synchronized time")
	left("before unsynchronized", "R: Switch between raw and synchronized time")
	left("m", "M: Choose the next message; first the one that the selected thread waited for", "Shift + M: Choose the message before")
	left("events mark", "C: Mark the chosen event, to compare others with it", "Shift + C or Esc: Take the mark away")
	left("whisker", ": Messages")
	// What is saved as a file is told of, though it has no key.
	left("export picture", ": Save the timeline as a picture (PNG)")
	left("export archive", ": Save the whole set as one archive")
	left("xyzzy")
	p.Says("Nothing fits “xyzzy”.")
	p.Press("Escape") // clears the field
	p.Await("all of it again", func() (any, bool) {
		n := Eval[int](p, `[...document.querySelectorAll("dialog.help .keys tr")].filter((e) => e.checkVisibility()).length`)
		return n, n > 60
	})
	p.Press("Escape")
	p.Gone("dialog", "Keys and legend")
}

// The keys of plots, graphs and tables stand in the help, with what has to have the focus, and do what it says.
func TestKeysOfPlots(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&window=all&link=db~web"))
	p.Says("final")
	p.Press("?")
	p.Find("dialog", "Keys and legend").Find("heading", "Keys and mouse")
	help := spaces.Replace(strings.Join(Eval[[]string](p, `[...document.querySelectorAll("dialog.help .keys tr")].map((r) => r.textContent)`), "\n"))
	for _, line := range []string{
		"Page UpScroll rows up by a page",
		"EndGo to the last row (tree of rows)",
		"← →←: close the attribute, or go to the one it is in. →: open the attribute (tree of attributes)",
		"↑ ↓ ← →Go to the nearest host that way (graph of hosts)",
		"↑ ↓ Home EndChoose another link (table of links)",
		"Page Up, Page DownGo back, or on, along the plot by a tenth of it (error over time)",
		". ,Go to the next message or the one before (messages of the link)",
		"Enter or SpaceShow the latencies of the pair, spread out and over time (matrix)",
		"Page Up, Page DownGo back, or on, by twenty dots (latency over time)",
		"Home EndGo to the first or the last event (table)",
	} {
		if !strings.Contains(help, line) {
			t.Errorf("the help does not say %q, but\n%s", line, help)
		}
	}
	p.Press("Escape")
	p.Gone("dialog", "Keys and legend")
	slider := p.Find("slider", "Instant of the error plot").Focus()
	at := func() string { return must[string](slider, "function() { return this.getAttribute('aria-valuenow') }") }
	for _, key := range []string{"End", "PageUp", "ArrowLeft", "Home", "PageDown"} {
		before := at()
		p.Press(key)
		p.Await("another instant by "+key, func() (any, bool) { now := at(); return now, now != before })
	}

	// On a low screen too what such a key tells is in sight, where the plot came into sight for its having the keys.
	p.Resize(1280, 720)
	seen := func(plot string) {
		t.Helper()
		slider := p.Find("slider", plot)
		must[any](slider, "function() { this.blur(); this.closest('[role=tabpanel]').scrollTo(0, 0); return null }")
		slider.Focus()
		p.Await("the words below the plot of the "+plot, func() (any, bool) {
			below := Eval[float64](p, `document.querySelector("#status").getBoundingClientRect().top - document.activeElement.closest("section").querySelector(".readout").getBoundingClientRect().bottom`)
			return below, below >= 0
		})
	}
	seen("Instant of the error plot")
	p.Open(s.page(set, "?tab=messages&window=all&pair=web~db"))
	seen("Dot of the plot of latencies")
	// The same keys lead the same way along both.
	slider = p.Find("slider", "Dot of the plot of latencies").Focus()
	for _, key := range []string{"Home", "PageDown"} {
		p.Press(key)
	}
	p.Await("the twentieth dot after the first", func() (any, bool) { now := at(); return now, now == "20" })
}

// A key that needs something to be chosen says so where nothing is, and a page of rows is as long where the timeline comes up for it.
func TestKeysThatNeedMore(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Matches(`10 684 messages in view`)
	p.Says("dbwork · 205")
	p.Press("Escape")
	p.Says("Click a state or a message to see its times.")
	p.Press("p")
	p.Says("This key pins the row of a thread: select one first.")
	for _, k := range []struct{ key, says string }{
		{"f", "This key shows what is selected: select a stretch of time, a state or a message first."},
		{"c", "This key marks the moment under the pointer: point at a row, or select a state or a message, first."},
		{"Shift+c", "Nothing is marked."},
		{"t", "This key leads to the other end of a message: choose one first."},
		{"h", "There is no filter of rows that others could not fit."},
		{"Backspace", "There is no window to go back to."},
		{"Shift+Backspace", "There is no window to go forward to."},
	} {
		key, shift := strings.CutPrefix(k.key, "Shift+")
		if shift {
			p.strike(key, 8)
		} else {
			p.Press(key)
		}
		p.Says(k.says)
	}
	// The palette says so too, of those as of the keys of the timeline that go on from what is selected.
	for typed, needs := range map[string][2]string{
		"zoom to the selection":           {"Zoom to the selection", "This key shows what is selected: select a stretch of time, a state or a message first."},
		"select the time from the mark":   {"Select the time from the mark", "This key selects the time of a state or a message: select one first."},
		"follow what the selected state":  {"Follow what the selected state waited for", "This key goes on from a state: select one first."},
		"go to the next state":            {"Go to the next state", "These keys go along the row of a thread, a CPU or an interrupt: select one first."},
		"go to the state before":          {"Go to the state before", "These keys go along the row of a thread, a CPU or an interrupt: select one first."},
		"pin the selected row to the top": {"Pin the selected row", "This key pins the row of a thread: select one first."},
		"mark the moment":                 {"Mark the moment", "This key marks the moment under the pointer: point at a row, or select a state or a message, first."},
		"where the host of the selected":  {"Go to where the host of the selected row recorded", "This key goes to where a host recorded: select a row of it first."},
	} {
		p.cannot(typed, needs)
	}
	// What a key says goes when another does what it does.
	p.Press("f")
	p.Says("This key shows what is selected")
	p.strike("c", 8)
	p.Says("Nothing is marked.")
	p.Press("+")
	p.Await("nothing said of keys that need more", func() (any, bool) {
		words := Eval[string](p, `[...document.querySelectorAll("#status > :not(.sr)")].map((e) => e.textContent).join(" ")`)
		return words, !strings.Contains(words, "selected:") && !strings.Contains(words, "marked")
	})
	p.Find("tab", "Events").Click()
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	p.Press("c")
	p.Says("This key marks an event: choose one first.")
	p.Press("?")
	p.Matches(`Events Move L Go to the next loss, a place where events were lost .* Select C Mark the chosen event, to compare others with it`)
	// What marks is one key everywhere, and no key that chooses messages marks.
	if words := p.Find("dialog", "Keys and legend").Text(); regexp.MustCompile(`(?m)^\s*M\s+(Compare|Take)`).MatchString(words) {
		t.Errorf("M marks as well: %s", words)
	}
	p.Press("Escape")
	p.Find("tab", "State").Click()
	p.Find("treegrid", "Attributes")
	p.Press(".")
	p.Says("These keys go along an attribute: choose one first.")

	p.Open(s.page(set, "?tab=state&window=all&row=0.1&selection=1795229349203133487~1795229349203133488"))
	p.Find("treegrid", "Attributes")
	p.Press(":")
	p.Find("combobox", "Command, time, host or thread").Type("Scroll rows down by a page")
	// Which rows run is told late: whoever has scrolled meanwhile is not led back to the selected one.
	Eval[bool](p, `(() => {
		const { prototype } = WebSocket;
		const { send } = prototype;
		window.held = [];
		prototype.send = function (m) { String(m).includes('"by":"busy"') ? held.push([this, m]) : send.call(this, m); };
		window.release = () => { prototype.send = send; for (const [socket, m] of held) send.call(socket, m); return held.length > 0; };
		return true;
	})()`)
	p.Press("Enter")
	const rows = `[...document.querySelectorAll(".pane")].find((e) => e.querySelector("h2").textContent === "Control flow")`
	down := func() (any, bool) {
		top := Eval[float64](p, rows+`.querySelector(".scroller").scrollTop`)
		return top, top > 100
	}
	p.Await("rows further down by a page", down)
	count := func() string { return Eval[string](p, rows+`.querySelector(".head").textContent`) }
	all := count()
	p.Await("it is asked which rows run", func() (any, bool) { yes := Eval[bool](p, "held.length > 0"); return yes, yes })
	Eval[bool](p, "window.release()")
	p.Await("the rows that run", func() (any, bool) { now := count(); return now, now != all })
	if top, still := down(); !still {
		t.Errorf("the rows that run are told, and it is led back to %v", top)
	}

	// Where the window is added up the way back is the same.
	p.Press("1")
	p.Press("+")
	p.Await("a part of the set", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "window=all") })
	for _, tab := range []string{"statistics", "messages"} {
		p.Find("tab", strings.ToUpper(tab[:1])+tab[1:]).Click()
		// What is told of is what the address says, and what a page that is loaded anew tells of.
		told := func(whole bool) {
			t.Helper()
			p.Await("sums of the window", func() (any, bool) {
				words := p.Text()
				return words, regexp.MustCompile(`0\.000 000 000 s to 39\.`).MatchString(words) == whole && regexp.MustCompile(`\d s to \d`).MatchString(words)
			})
		}
		told(false)
		p.Press("Backspace")
		p.Await("the whole set again", func() (any, bool) {
			return p.Address(), strings.Contains(p.Address(), "window=all") && strings.Contains(p.Address(), "tab="+tab)
		})
		told(true)
		p.palette("go forward again", "Go forward again")
		p.strike("Enter", 0)
		p.Await("the part again", func() (any, bool) {
			return p.Address(), !strings.Contains(p.Address(), "window=all") && strings.Contains(p.Address(), "tab="+tab)
		})
		told(false)
		p.Press("Backspace")
		told(true)
		p.strike("Backspace", 8)
		told(false)
	}
}

// What the palette does in the timeline waits for what the timeline has to load, and what has nothing to do says so.
func TestPaletteFromAnotherTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages"))
	p.palette("choose the next message", "Choose the next message; first the one that the selected thread waited for")
	p.strike("Enter", 0)
	p.Await("a message chosen in the timeline", func() (any, bool) {
		at := p.Address()
		return at, strings.Contains(at, "message=") && !strings.Contains(at, "tab=")
	})
	p.Matches(`Message \w+ → \w+ .* Sent .* Received .* Latency`)
	p.Await("that there is nothing to wait for", func() (any, bool) { return p.Text(), !strings.Contains(p.Text(), "one is chosen when") })

	p.Open(s.page(set, "?tab=sync"))
	p.palette("how the clocks became known", "Go to how the clocks became known during the import")
	p.strike("Enter", 0)
	p.Await("the focus on the plot's card", func() (any, bool) {
		got := Eval[string](p, "document.activeElement.innerText")
		return got, strings.HasPrefix(got, "Accuracy while it was imported")
	})
	// The attribute of a selected row is chosen as State comes up for it.
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.Says("dbwork · 205")
	p.palette("next change of the attribute", "Go to the next change of the attribute")
	p.strike("Enter", 0)
	p.Await("a change of the thread", func() (any, bool) {
		at := p.Address()
		return at, strings.Contains(at, "tab=state") && strings.Contains(at, "attribute=Threads%2F205")
	})
	// Where there is nothing to go back to, that is the answer, and not what has the letters by chance; nothing is done then.
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	p.Await("an address of what is shown", func() (any, bool) { at := p.Address(); return at, strings.Contains(at, "begin=") })
	for typed, needs := range map[string][2]string{
		"undo":             {"Go back to where the window was", "There is no window to go back to."},
		"go forward again": {"Go forward again", "There is no window to go forward to."},
		"take the mark":    {"Take the mark away", "Nothing is marked."},
	} {
		p.cannot(typed, needs)
	}
}
