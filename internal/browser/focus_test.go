package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/ingest"
)

// focused waits until the focus is on what has a name, that of its label or else its words.
func (p *Page) focused(want string) {
	p.t.Helper()
	p.Await("the focus on "+want, func() (any, bool) {
		words := spaces.Replace(Eval[string](p, `(() => {
			const e = document.activeElement;
			return e === document.body ? "nothing" : e.getAttribute("aria-label") ?? (e.getAttribute("role") === "tabpanel" ? "the tab " + e.id : e.innerText.trim());
		})()`))
		return words, words == want
	})
}

// at gives the focus to the button with a name.
func (p *Page) at(button string) {
	p.t.Helper()
	p.Find("button", button).Focus()
}

// The tab that is left takes what had the focus with it: the one that is opened has it then, and keys go on there.
func TestFocusOfAnotherTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&begin=1795229355186453488&end=1795229355756538741"))
	p.at("crunch")
	p.Press("Enter")
	p.focused("the tab timeline")
	p.Says("crunch · 206")
	p.Press("3")
	p.focused("the tab events")
	p.Find("grid", "Events").Focus()
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	p.Press("ArrowDown")
	p.Find("button", "Show in the timeline")
	p.Press("Enter")
	p.focused("the tab timeline")
	p.Press("6")
	p.at("In the timeline")
	p.Press("Enter")
	p.focused("the tab timeline")
	p.Find("tab", "Messages").Click()
	p.focused("Messages")
	// A tab that has it gives it to the one that is opened by a key.
	p.Press("4")
	p.focused("Statistics")
	p.Press("ArrowRight")
	p.focused("Messages")
}

// A way that is at its end, and a range that is not within the window any more, leave the focus beside them.
func TestFocusOnTheWayBack(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.threadRow("dbwork, thread 205")
	p.Says("570 ms")
	p.Says("118 messages in view")
	p.at("Whole set")
	p.focused("Whole set")
	p.Press("Enter")
	p.Says(", all")
	p.Await("one range", func() (any, bool) {
		n := Eval[int](p, `document.querySelectorAll(".crumbs li").length`)
		return n, n == 1
	})
	p.focused("Whole set")
	p.at("Back")
	p.Press("Enter")
	p.focused("Forward")
	p.Press("Enter")
	p.focused("Back")

	p.Press("Enter")
	p.threadRow("dbwork, thread 205")
	must[any](p.Find("region", "Control flow"), `function() { this.querySelector(".beyond button:not([hidden])").focus(); return null }`)
	p.Await("the first of all rows, and the focus on the way down", func() (any, bool) {
		words := spaces.Replace(Eval[string](p, "document.activeElement.textContent"))
		if strings.HasPrefix(words, "▴") {
			p.Press("Enter")
		}
		return words, strings.HasPrefix(words, "▾")
	})
}

// Who presses again and again on the way to the whole set comes to it all the same: what stays where it is comes to rest.
func TestOneRangeWhilePressing(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741"))
	p.Says("118 messages in view")
	Eval[bool](p, `(() => {
		const press = () => [...document.querySelectorAll(".crumbs li button")].find((b) => b.textContent === "Whole set").click();
		window.pressing = setInterval(press, 100);
		return true;
	})()`)
	p.Await("one range", func() (any, bool) {
		n := Eval[int](p, `document.querySelectorAll(".crumbs li").length`)
		return n, n == 1
	})
	Eval[bool](p, "clearInterval(window.pressing) ?? true")
	p.Press("Backspace")
	p.Says("118 messages in view")
}

// The key that lists the events from the cursor on leads into their table: the arrow keys go along it at once.
func TestFocusOnTheEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.threadRow("dbwork, thread 205")
	inspector := p.Find("complementary", "What is selected")
	begin := func(at string) {
		t.Helper()
		p.Await("the state that begins at "+at, func() (any, bool) {
			words := strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ")
			return words, strings.Contains(words, "Begin "+at)
		})
	}
	begin("6.042 025 625 s")
	p.Press(".")
	begin("6.495 341 210 s")
	p.Press("e")
	p.focused("Events")
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	// Rows are told apart by what they say: those of earlier events that come meanwhile change their numbers.
	chosen := `(() => {
		const row = (i) => document.querySelector('#events .grid-body [aria-rowindex="' + i + '"]')?.innerText ?? "";
		const at = Number(document.querySelector("#events .grid-body [aria-selected=true]")?.getAttribute("aria-rowindex") ?? NaN);
		const top = document.querySelector("#events .grid-top").getBoundingClientRect().bottom; // rows above are drawn as well, out of sight
		const seen = [...document.querySelectorAll("#events .grid-body [aria-rowindex]")].map((r) => [r.getBoundingClientRect().top, r]).filter(([y]) => y > top - 2);
		const first = seen.sort((a, b) => a[0] - b[0])[0]?.[1];
		return [row(at), row(at + 1), first?.innerText ?? "", first?.previousElementSibling?.innerText ?? ""];
	})()`
	var first string
	p.Await("the same first row in view twice, when earlier events have come", func() (any, bool) {
		before, now := first, Eval[[]string](p, chosen)
		first = now[2]
		return now, first != "" && first == before && now[3] != ""
	})
	if words := spaces.Replace(first); !strings.HasPrefix(words, "6.495 341 210 s") {
		t.Errorf("the events from the selected state on begin with %s", words)
	}
	p.Press("ArrowDown")
	var rows []string
	p.Await("the first row in view chosen", func() (any, bool) {
		rows = Eval[[]string](p, chosen)
		return append(rows, first), rows[0] == first && rows[1] != ""
	})
	p.Press("ArrowDown")
	p.Find("button", "Show in the timeline")
	p.Await("the second row chosen", func() (any, bool) {
		now := Eval[[]string](p, chosen)
		return now, now[0] == rows[1]
	})

	// A state that keys chose counts wherever the pointer rests, until that moves.
	top := func(what string, fits func(time string) bool) {
		t.Helper()
		p.Press("e")
		p.Await(what, func() (any, bool) {
			words := spaces.Replace(Eval[[]string](p, chosen)[2])
			return words, fits(words)
		})
		p.Press("1")
	}
	p.Press("1")
	x, y, width, height := p.Canvas("Control flow").Box()
	p.Point(x+width/3, y+height/2)
	p.Press(",")
	begin("6.042 025 625 s")
	top("the events from the state before on", func(time string) bool { return strings.HasPrefix(time, "6.042 025 625 s") })
	p.Point(x+width/3, y+height/2+1)
	top("the events from the cursor on", func(time string) bool { return strings.HasPrefix(time, "6.17") })
}

// A choice of how to synchronize has the focus while it is on its way and when it is in force.
func TestFocusWhileSynchronizing(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.at("Use client as the reference")
	p.Press("Enter")
	p.Says("reference client")
	p.focused("in force: client")
	p.Press("Enter") // is in force already
	p.at("Synchronize in another way…")
	p.Press("Enter")
	p.at("Synchronize")
	p.Press("Enter")
	p.Says("Synchronized in")
	p.focused("Synchronize")
	p.at("Back to the default")
	p.Press("Enter")
	p.focused("Synchronize in another way…")
}

// An upload is stopped, gone on with, given up and imported by keys alone, and the focus is never lost.
func TestFocusOfAnUpload(t *testing.T) {
	s := newSite(t, ingest.Options{})
	var away atomic.Bool
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/import") {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}
	away.Store(true)
	p := NewPage(t)
	p.Open(s.url)
	p.Says("No trace sets yet.")
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("no archive\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Drop(notes, absolute(t, demoArchive))
	p.focused("Upload shop-4hosts.tar.gz alone")
	p.Press("Enter")
	p.focused("Choose files…")
	p.Says("The server cannot be reached. Trying again…")
	p.at("Stop")
	p.Press("Enter")
	p.focused("Go on")
	p.Press("Enter")
	p.focused("Stop")
	p.Says("The server cannot be reached. Trying again…")
	p.focused("Stop")
	p.Press("Enter")
	p.focused("Go on")
	p.Press("Tab")
	p.focused("Dismiss")
	p.Press("Enter")
	p.focused("Choose files…")
	away.Store(false)
	p.at("Import what is here")
	p.Press("Enter")
	p.focused("shop-4hosts")
}

// What is said of the chosen event is said anew when it is marked, and the way to the first event goes when it was taken.
func TestFocusAmongEvents(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	p.Find("grid", "Events").Focus()
	p.Press("ArrowDown")
	p.at("Compare with others")
	p.Press("Enter")
	p.Await("the mark", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "mark=") })
	p.focused("Compare with others")
	p.Press("ArrowDown") // to the event that is compared
	p.focused("Events")
	p.Matches(`\d[\d.]* .?s (later|earlier)|at the same time`)

	p.Find("textbox", "Fields").Type("time < 1795229352.0 && next_tid == 0")
	p.Press("Enter")
	p.Says("No event from here on is wanted by this filter.")
	p.at("From the first event")
	p.Press("Enter")
	p.Await("the first switches", func() (any, bool) {
		got := p.listed()
		return got, len(got) > 0 && strings.Contains(got[0][6], "next_tid=0")
	})
	p.focused("Events")
}

// Who opens a link to the events, and has not clicked anywhere, moves over them by keys.
func TestKeysOfEventsFromALink(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&at=1795229355300000000"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 10 })
	p.Press("PageDown")
	p.focused("Events")
	p.Says("Compare with others")
	p.chosenInSight("Events")
	before := p.Address()
	p.Press("End")
	p.Await("the last events", func() (any, bool) { a := p.Address(); return a, a != before })
	if last := p.chosenInSight("Events"); !strings.HasPrefix(last, "39.46") {
		t.Errorf("the last event is %q", last)
	}
	p.Press("Home")
	p.Await("the first event chosen", func() (any, bool) {
		first := p.chosenInSight("Events")
		return first, strings.HasPrefix(first, "0.000 000 000 s")
	})
}

// chosenInSight waits until the chosen row of a table or tree lies wholly between its head and its end; it returns what stands there.
func (p *Page) chosenInSight(name string) string {
	p.t.Helper()
	var words string
	p.Await("the chosen row in sight", func() (any, bool) {
		got := Eval[[]string](p, `(() => {
			const all = document.querySelector("[aria-label='`+name+`'][tabindex]");
			const row = all.querySelector("[role=row][aria-selected=true]");
			if (!row) return ["", "nothing is chosen"];
			const [r, a] = [row.getBoundingClientRect(), all.getBoundingClientRect()];
			const top = a.top + all.querySelector("[role=rowgroup]").offsetHeight;
			return [row.innerText, r.top < top - 1 ? "above" : r.bottom > a.top + all.clientHeight + 1 ? "below" : ""];
		})()`)
		words = spaces.Replace(got[0])
		return got, got[1] == ""
	})
	return words
}

// The same in State at a time.
func TestKeysOfStateFromALink(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=state&state=1795229355300000000&of=db&open=Threads"))
	p.Await("attributes", func() (any, bool) {
		n := Eval[int](p, `document.querySelectorAll("#state [role=treegrid] [aria-level]").length`)
		return n, n > 2
	})
	p.Press("PageDown")
	p.Await("an attribute chosen, and the tree with the keys", func() (any, bool) {
		saw := Eval[string](p, `document.activeElement.role + " " + (document.querySelector("#state [role=treegrid] [aria-selected=true]")?.innerText ?? "none")`)
		return saw, strings.HasPrefix(saw, "treegrid ") && saw != "treegrid none"
	})
	p.chosenInSight("Attributes")
	// Lines that were not there yet are chosen as well.
	p.Press("End")
	p.Await("the last attribute", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "attribute=Threads%2F626") })
	p.chosenInSight("Attributes")
}

// In the tree of rows End leads to the last one and Ctrl + Home to the first; Home alone shows the whole set there too.
func TestKeysOfRows(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?rows=all"))
	p.threadRow("dbwork, thread 205")
	begin, end := p.settled()
	p.Find("treegrid", "Control flow: rows").Focus()
	chosen := func(what string, want func(index, count int) bool) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			saw := Eval[[]int](p, `(() => {
				const tree = document.querySelector("[role=treegrid][aria-label='Control flow: rows']");
				return [tree.querySelector("[aria-selected=true]")?.ariaRowIndex, tree.ariaRowCount].map(Number);
			})()`)
			return saw, want(saw[0], saw[1])
		})
	}
	p.Press("End")
	chosen("the last row", func(index, count int) bool { return count > 3000 && index == count })
	p.strike("Home", ctrl)
	chosen("the first row", func(index, _ int) bool { return index == 1 })
	if b, e := p.settled(); b != begin || e != end {
		t.Errorf("the window is %d to %d, it was %d to %d", b, e, begin, end)
	}
	p.Press("Home")
	p.Await("the whole set", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "window=all") })
}

// A dialog leaves the focus where it was, and a ring about it only where there was one, whether it is opened by the mouse or by a key.
func TestFocusAfterDialog(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("final")
	focus := func() string {
		return Eval[string](p, `(() => {
			const e = document.activeElement, ring = e.matches(":focus-visible") ? "with a ring" : "without one";
			return (e === document.body ? "nothing" : e.getAttribute("aria-label") ?? e.textContent) + " " + ring;
		})()`)
	}
	leave := func(dialog, want string) {
		t.Helper()
		p.Find("dialog", dialog)
		p.Press("Escape")
		p.Gone("dialog", dialog)
		p.Await("the focus on "+want, func() (any, bool) { at := focus(); return at, at == want })
	}
	const keys, commands = "Keys and legend", "Commands"
	p.Find("button", keys).Click()
	p.Find("dialog", keys)
	if at := focus(); at != "Find in the help with a ring" {
		t.Errorf("in the dialog that the mouse opened the focus is on %s", at)
	}
	leave(keys, "nothing without one")
	p.Press("?")
	leave(keys, "nothing without one")
	p.Find("button", commands).Click()
	leave(commands, "nothing without one")

	// What was pressed with the mouse has no ring before, and none after.
	p.Find("tab", "Events").Click()
	p.Find("button", keys).Click()
	leave(keys, "Events without one")
	p.Press("ArrowRight")
	p.Find("button", keys).Click()
	leave(keys, "Statistics with a ring")
	p.at(keys)
	p.Press("Enter")
	leave(keys, keys+" with a ring")
}
