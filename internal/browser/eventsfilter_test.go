package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"synchroscope/ingest"
	"synchroscope/state/occupant"
	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// What compares something is understood in the place of a name, and what is wrong leaves the rows that were there.
func TestComparisonAsName(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	p.Find("grid", "Events").Focus()
	p.Press("/")
	p.focused("Event")
	p.Find("textbox", "Event").Type("host == db")
	p.Press("Enter")
	p.Await("events of db", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 20 && !slices.ContainsFunc(got, func(r []string) bool { return r[3] != "db" })
	})
	p.Says("host == db is in Where now: Event takes names.")
	p.Find("textbox", "Event").Type("next_tid == 205 || prev_tid == 205")
	p.Press("Enter")
	p.Await("switches of a thread", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 0 && !slices.ContainsFunc(got, func(r []string) bool { return r[3] != "db" || !strings.Contains(r[6], "_tid=205") })
	})
	p.Await("both in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "where=host+%3D%3D+db+%26%26+%28next_tid+%3D%3D+205+%7C%7C+prev_tid+%3D%3D+205%29")
	})
	if typed := Eval[string](p, `document.querySelector("#events [aria-label=Event]").value`); typed != "" {
		t.Errorf("Event still has %s", typed)
	}

	// What cannot be read.
	was := p.listed()
	p.scrollEvents(5)
	scrolled := p.topEvent()
	for _, wrong := range []struct{ field, typed, words string }{
		{"Where", "host ==", "Where is not a filter"},
		{"CPU", "two", "CPU takes numbers such as 0, 2-5 or > 3."},
	} {
		p.Find("textbox", wrong.field).Type(wrong.typed)
		p.Find("button", "Filter").Click()
		p.Says(wrong.words)
		if got := p.listed(); len(got) == 0 || !slices.ContainsFunc(was, func(r []string) bool { return r[0] == got[len(got)/2][0] }) {
			t.Errorf("with %q in %s these are listed: %q", wrong.typed, wrong.field, got)
		}
		if got := p.topEvent(); got != scrolled {
			t.Errorf("with %q in %s the event on top is at %q, before at %q", wrong.typed, wrong.field, got, scrolled)
		}
	}
}

// scrollEvents scrolls the events on by so many rows from where they are: those that come ahead of them move them too.
func (p *Page) scrollEvents(rows int) {
	p.t.Helper()
	Eval[float64](p, fmt.Sprintf(`document.querySelector("#events .grid").scrollTop += 22 * %d`, rows))
}

// topEvent is the time of the event that stands on top, as the page writes it; empty where its row is not drawn yet.
func (p *Page) topEvent() string {
	p.t.Helper()
	return Eval[string](p, `(() => {
		const grid = document.querySelector("#events .grid");
		return grid.querySelector("[data-row='" + Math.ceil(grid.scrollTop / 22) + "']")?.firstElementChild.textContent ?? "";
	})()`)
}

// A row is chosen that was drawn anew between the button's going down and up, as where others came.
func TestClickWhileRowsAreDrawn(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	p.AwaitRest("events", func() (string, bool) { got := p.listed(); return fmt.Sprint(got), len(got) > 20 })
	at := Eval[[]float64](p, `(() => {
		const grid = document.querySelector("#events .grid");
		window.pressed = grid.querySelector("[data-row='" + (Math.ceil(grid.scrollTop / 22) + 3) + "']");
		const b = window.pressed.getBoundingClientRect();
		return [b.x + b.width / 2, b.y + b.height / 2];
	})()`)
	p.Point(at[0], at[1])
	want := Eval[string](p, `window.pressed.firstElementChild.textContent`)
	p.Mouse(input.DispatchMouseEventTypeMousePressed, at[0], at[1])
	for _, by := range []int{40, -40} {
		p.scrollEvents(by)
		p.frame()
	}
	p.Await("the row drawn anew", func() (any, bool) { gone := Eval[bool](p, `!window.pressed.isConnected`); return gone, gone })
	p.Mouse(input.DispatchMouseEventTypeMouseReleased, at[0], at[1])
	p.Await("the event that was pressed is chosen", func() (any, bool) {
		got := Eval[string](p, `document.querySelector("#events [aria-selected=true]")?.firstElementChild.textContent ?? ""`)
		return got, got == want
	})
}

// The place in time stays while filters change, however far from it the first event is that one of them wants.
func TestPlaceWhileFiltersChange(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355186912682"))
	// The time of the row on top, once the rows are those of a host.
	of := func(host string) string {
		t.Helper()
		var first string
		p.Await("events of "+host, func() (any, bool) {
			got := p.listed()
			others := slices.ContainsFunc(got, func(r []string) bool { return r[3] != got[0][3] })
			first = p.topEvent()
			return got, len(got) > 20 && first != "" && (host == "all" && others || host != "all" && !others && got[0][3] == host)
		})
		return first
	}
	whole := of("all")
	host := p.Find("combobox", "Host")
	host.Choose("db")
	db := of("db")
	host.Choose("web")
	web := of("web")
	if seconds(t, web) < seconds(t, whole) || seconds(t, db) <= seconds(t, whole) {
		t.Fatalf("from %s on: db from %s, web from %s", whole, db, web)
	}
	host.Choose("db")
	if again := of("db"); again != db {
		t.Errorf("db begins at %s, and after web at %s", db, again)
	}
	host.Choose("all")
	if again := of("all"); again != whole {
		t.Errorf("all begin at %s, and after two hosts at %s", whole, again)
	}
	// Nothing there, and all again.
	p.Find("textbox", "Event").Type("sched_nothing")
	p.Press("Enter")
	p.Says("No event from here on is wanted by this filter.")
	p.Find("button", "All events").Click()
	if again := of("all"); again != whole {
		t.Errorf("all begin at %s, and after none at %s", whole, again)
	}
	// From where one scrolled to, if one did.
	p.scrollEvents(40)
	var scrolled string
	p.Await("rows further down", func() (any, bool) {
		scrolled = p.topEvent()
		return scrolled, scrolled != "" && seconds(t, scrolled) > seconds(t, whole)
	})
	host.Choose("db")
	if again := of("db"); seconds(t, again) < seconds(t, scrolled) {
		t.Errorf("db begins at %s, and %s was on top", again, scrolled)
	}
}

// Keys lead from the filters to the rows and back, and on: none is a dead end.
func TestKeysOfFilters(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	p.Find("textbox", "Host's clock").Focus()
	for _, next := range []string{"Host", "CPU", "Event", "Fields", "Events"} {
		p.Press("Tab")
		p.focused(next)
	}
	p.Press("ArrowDown")
	p.Find("region", "The chosen event")
	for _, next := range []string{"When in the whole set", "Show in the timeline"} {
		p.Press("Tab")
		p.focused(next)
	}
	for _, last := range []string{"When in the whole set", "Events"} {
		p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
		p.focused(last)
	}
	p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	p.focused("Fields")
	p.Press("ArrowDown")
	p.focused("Events")

	// Enter goes to the rows that are wanted, and stays where there are none or what was typed cannot be read.
	p.Find("textbox", "CPU").Type("two")
	p.Press("Enter")
	p.Says("CPU takes numbers such as 0, 2-5 or > 3.")
	p.focused("CPU")
	p.Press("Escape")
	p.Await("nothing wrong", func() (any, bool) {
		words := Eval[string](p, `document.querySelector("#events .told:not([hidden])")?.innerText ?? ""`)
		return words, words == ""
	})
	p.focused("CPU")
	p.Find("textbox", "Event").Type("sched_switch")
	p.Press("Enter")
	p.focused("Events")
	p.Await("switches", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 20 && !slices.ContainsFunc(got, func(r []string) bool { return r[5] != "sched_switch" })
	})
	p.Press("ArrowDown")
	p.Matches(`sched_switch on \w+, CPU`)

	// Esc clears a filter, and leaves one that has nothing.
	p.Press("/")
	p.focused("Event")
	p.Press("Escape")
	p.Await("all events", func() (any, bool) {
		got := p.listed()
		return got, slices.ContainsFunc(got, func(r []string) bool { return r[5] != "sched_switch" })
	})
	p.focused("Event")
	p.Press("Escape")
	p.focused("Events")
}

// How many events the filters want is told: of all at once, of some when they are counted; where there are none, no way leads to the first.
func TestEventsCounted(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	number := func(want string) {
		t.Helper()
		p.Await("the number "+want, func() (any, bool) {
			got := spaces.Replace(Eval[string](p, `document.querySelector("#events .number")?.textContent ?? ""`))
			return got, got == want
		})
	}
	number("770 375 events")
	p.Find("textbox", "Where").Type("next_tid == 173 && prev_tid == 0")
	p.Press("Enter")
	p.Await("switches", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 0 && strings.Contains(got[0][6], "next_tid=173")
	})
	all := s.count(set, "next_tid == 173 && prev_tid == 0")
	if all < 2 {
		t.Fatalf("%d events", all)
	}
	number(fmt.Sprintf("%d of 770 375 events", all))
	p.Find("textbox", "Event").Type("sched_nothing")
	p.Press("Enter")
	number("0 of 770 375 events")
	p.Says("No event of the set is wanted by this filter.")
	p.Gone("button", "From the first event")
	p.Find("button", "All events").Click()
	number("770 375 events")
}

// count is how many events of a set a filter wants, as they are listed.
func (s *site) count(set *ingest.Set, where string) (n int) {
	s.t.Helper()
	f, err := filter.Parse(where)
	if err != nil {
		s.t.Fatal(err)
	}
	matchers := make(map[string]*filter.Matcher)
	err = set.Events(s.t.Context(), ingest.EventQuery{Begin: -1 << 62, End: 1 << 62}, func(h *ingest.Host, at int64, ev *trace.Event) bool {
		if matchers[h.Name()] == nil {
			matchers[h.Name()] = f.Matcher(h.Name(), new(occupant.Switches))
		}
		if matchers[h.Name()].Match(ev, at) {
			n++
		}
		return true
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// Rows that are of another filter, as the new ones are on their way, cannot be chosen by the mouse or a key; the new ones can.
func TestRowsOfBeforeAreNotChosen(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	s.listEvents(p, set)
	Eval[bool](p, `(() => {
		const { fetch } = window;
		window.fetch = async (url, ...rest) => {
			if (String(url).includes("next_tid")) await new Promise((go) => (window.release = () => { window.fetch = fetch; go(); return true; }));
			return fetch(url, ...rest);
		};
		return true;
	})()`)
	p.Find("textbox", "Where").Type("next_tid == 205")
	p.Find("button", "Filter").Click()
	p.Says("Looking for them…")
	chosen := func() string {
		return Eval[string](p, `[document.querySelectorAll("#events [aria-selected=true]").length, !document.querySelector("#events .chosen").hidden].join()`)
	}
	x, y, _, _ := p.Find("grid", "Events").Box()
	choose := func() {
		p.Click(x+200, y+120)
		p.Press("ArrowDown")
	}
	choose()
	p.Press("Enter")
	if got := chosen(); got != "0,false" || strings.Contains(p.Address(), "chosen=") {
		t.Errorf("of the rows of before some are chosen: %s, %s", got, p.Address())
	}
	Eval[bool](p, "window.release()")
	p.Says("of 770 375 events")
	if got := chosen(); got != "0,false" {
		t.Errorf("with the new rows there is chosen %s", got)
	}
	choose()
	p.Await("a new row to be chosen", func() (any, bool) {
		return chosen() + p.Address(), chosen() == "1,true" && strings.Contains(p.Address(), "chosen=")
	})
}
