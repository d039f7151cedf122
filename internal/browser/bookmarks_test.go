package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// flags are the places of the bookmarks on the time axis or the strip, CSS pixels from its left.
func (p *Page) flags(on string) []float64 {
	p.t.Helper()
	return Eval[[]float64](p, fmt.Sprintf(`(() => {
		const left = document.querySelector(%q).getBoundingClientRect().left;
		return [...document.querySelectorAll(%q)].map((f) => Math.round(f.getBoundingClientRect().left - left));
	})()`, on, on+" .bookmark:not([hidden])"))
}

func (p *Page) wantFlags(what, on string, want func([]float64) bool) {
	p.t.Helper()
	p.Await(what, func() (any, bool) { got := p.flags(on); return got, want(got) })
}

// setBookmark sets the first bookmark, by keys, and waits for its flag.
func (p *Page) setBookmark(text string) {
	p.t.Helper()
	p.Press("b")
	p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type(text)
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmark")
	p.wantFlags("a flag", ".axis", func(x []float64) bool { return len(x) == 1 })
}

// A bookmark is set by keys on the selected row, kept by the server, drawn as a flag, found again in the list and the
// palette, stays with its event under other clocks, and is edited and deleted by keys.
func TestBookmarks(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")

	const text = `the <b>lock</b> "&amp;" is taken`
	p.Press("b")
	dialog := p.Find("dialog", "Bookmark")
	p.Says("dbwork · 205 on db, at 6.")
	dialog.Find("textbox", "Text of the bookmark").Type("")
	p.strike("Enter", 0)
	p.Says("A bookmark needs a text.")
	dialog.Find("textbox", "Text of the bookmark").Type(text)
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmark")
	width := Eval[float64](p, `document.querySelector(".axis").clientWidth`)
	// Nothing is pointed at, so it is where the selected state begins: at 6.042 026 s in the window of 570.09 ms from 5.983 317 s on.
	const share = (6.042026 - 5.983317) / 0.57009
	there := func(x []float64) bool { return len(x) == 1 && x[0] > width*share-2 && x[0] < width*share+2 }
	p.wantFlags("a flag where the state begins", ".axis", there)
	p.wantFlags("a flag on the strip", ".strip", func(x []float64) bool { return len(x) == 1 && x[0] > 20 && x[0] < width/2 })
	list, err := set.Bookmarks()
	if err != nil || len(list) != 1 || list[0].TID != 205 || list[0].Text != text {
		t.Fatalf("the server keeps %+v, %v", list, err)
	}

	// Another reference host names all times anew; the bookmark and the window go along.
	if _, err := set.Synchronize(context.Background(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	p.Await("another reference", func() (any, bool) {
		got := Eval[string](p, `[...document.querySelectorAll(".row.host")].find((r) => r.querySelector(".name").textContent === "db")?.querySelector(".note").textContent ?? ""`)
		return got, got == "reference"
	})
	p.wantFlags("the flag where it was", ".axis", there)
	p.Press("r") // raw
	p.wantFlags("the flag where it was, in raw time", ".axis", there)
	p.Press("r")

	p.Await("the window by db's clock, synchronized, in the address", func() (any, bool) {
		begin, _, _ := view(t, p)
		return p.Address(), begin > 0 && begin < 1795229350_000_000_000 && !strings.Contains(p.Address(), "time=raw")
	})

	// It is there after a reload, from far away, in the list and in the palette.
	p.Reload()
	p.threadRow("dbwork, thread 205")
	p.wantFlags("the flag after a reload", ".axis", there)
	p.Press("Home")
	p.wantFlags("the flag in the whole set", ".axis", func(x []float64) bool { return len(x) == 1 && x[0] < width/3 })
	p.Press("B")
	p.Find("dialog", "Bookmarks")
	p.Says(text)
	p.Says("dbwork · 205 on db")
	if n := Eval[int](p, `document.querySelectorAll(".bookmark-list b").length`); n != 0 {
		t.Error("the text of a bookmark became markup")
	}
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmarks")
	p.wantFlags("the flag where it was again", ".axis", there)
	p.Await("the row of the bookmark to be selected", func() (any, bool) {
		got := p.threadRow("dbwork, thread 205").State("selected")
		return got, got == "true"
	})
	p.Press("Home")
	p.palette("lock tak", text)
	p.strike("Enter", 0)
	p.wantFlags("the flag where it was, by the palette", ".axis", there)

	p.Press("B")
	p.Find("dialog", "Bookmarks")
	p.Press("e")
	p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type("let go")
	p.strike("Enter", 0)
	p.Find("dialog", "Bookmarks").Find("button", "Edit “let go”")
	p.Find("button", "Delete “let go”").Click()
	p.Says("There is none yet.")
	p.Says("“let go” was deleted.")
	status := func(want string) {
		t.Helper()
		p.Await("the status line to say "+want, func() (any, bool) {
			got := Eval[string](p, `document.querySelector("#status").innerText`)
			return got, strings.Contains(got, "The bookmark is ") && strings.Contains(got, want)
		})
	}
	status("The bookmark is deleted.")
	p.Press("Enter") // Undo has the focus
	p.Find("dialog", "Bookmarks").Find("button", "Edit “let go”")
	p.Gone("button", "Undo")
	status("The bookmark is there again.")
	p.Press("Escape")
	p.wantFlags("the flag again", ".axis", func(x []float64) bool { return len(x) == 1 })
	p.Press("B")
	p.Find("dialog", "Bookmarks").Find("button", "Delete “let go”").Click()
	p.Says("There is none yet.")
	p.Press("Escape")
	p.wantFlags("no flag", ".axis", func(x []float64) bool { return len(x) == 0 })
	status("The bookmark is deleted.")
	if list, err := set.Bookmarks(); err != nil || len(list) != 0 {
		t.Errorf("the server keeps %+v, %v", list, err)
	}
}

// Whoever goes to a bookmark on the row that is selected keeps the message that is chosen; to one on another row, that and what its
// thread did are selected, and with the window what was selected before comes back, and the bookmark's again.
func TestChosenAroundBookmark(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	chosen := func() string {
		u, err := url.Parse(p.Address())
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join([]string{u.Query().Get("row"), u.Query().Get("did"), u.Query().Get("message")}, " ")
	}
	want := func(what, want string) {
		t.Helper()
		p.Await(what, func() (any, bool) { got := chosen(); return []string{got, want}, got == want })
	}
	p.Press("b")
	p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type("here")
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmark")
	p.Press("m")
	p.Await("a message beside the selected state", func() (any, bool) {
		got := chosen()
		return got, regexp.MustCompile(`^2\.205 \d+ \d+~\d+~\d+~\d+$`).MatchString(got)
	})
	before := chosen()
	text := func() string { return spaces.Replace(p.Find("complementary", "What is selected").Text()) }
	message := regexp.MustCompile(`Received after sent|Latency`)
	p.Await("the message in words", func() (any, bool) { return text(), message.MatchString(text()) })

	p.Press("Home")
	visit := func() {
		t.Helper()
		p.Press("B")
		p.Find("dialog", "Bookmarks")
		p.strike("Enter", 0)
		p.Gone("dialog", "Bookmarks")
		p.Await("the window at the bookmark", func() (any, bool) {
			begin, end, ok := view(t, p)
			return p.Address(), ok && end-begin < 10_000_000_000
		})
	}
	visit()
	p.Await("the message and the state of the bookmark", func() (any, bool) {
		return text(), message.MatchString(text()) && strings.Contains(text(), "blocked in wait4") && strings.HasSuffix(chosen(), strings.Fields(before)[2])
	})

	// From another row with what its thread did, and the message.
	p.Press("Home")
	p.palette("crunch 206", "crunch · 206 on db")
	p.strike("Enter", 0)
	p.Await("another row", func() (any, bool) { return chosen(), regexp.MustCompile(`^2\.206 \d+ `).MatchString(chosen()) })
	p.Press("m")
	p.Await("a message", func() (any, bool) { return chosen(), regexp.MustCompile(`^2\.206 \d+ \d+~`).MatchString(chosen()) })
	other := chosen()
	p.Press("Home")
	visit()
	p.Await("the state of the bookmark alone", func() (any, bool) {
		got := chosen()
		return []string{got, text()}, strings.HasPrefix(got, "2.205 ") && strings.HasSuffix(got, " ") && strings.Contains(text(), "blocked in wait4")
	})
	there := chosen()
	p.Press("Backspace")
	want("what was selected before", other)
	p.Await("it in words", func() (any, bool) {
		return text(), strings.Contains(text(), "dbwork · 206 later crunch") && message.MatchString(text())
	})
	p.strike("Backspace", 8)
	want("what the bookmark is on", there)
	p.Await("that in words", func() (any, bool) {
		return text(), strings.Contains(text(), "blocked in wait4") && !message.MatchString(text())
	})
}

// A bookmark stands on the row that the mouse shows, thread or host; on the one that keys select after that; and on the selected
// one where the mouse shows none.
func TestBookmarkUnderThePointer(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	row := p.threadRow("crunch, thread 206")
	left, top, width, _ := p.Canvas("Control flow").Box()
	over := func(e Element) {
		t.Helper()
		_, y, _, height := e.Box()
		p.Point(left+width*0.3, y+height/2)
	}
	asked := func(where string) {
		t.Helper()
		p.Press("b")
		p.Find("dialog", "Bookmark")
		p.Says(where + ", at 6.")
		p.Press("Escape")
		p.Gone("dialog", "Bookmark")
	}
	over(row)
	asked("crunch · 206 on db")
	p.Point(left+width*0.3, top+5) // the row of the host stays on top
	asked("db")
	over(row)
	p.Find("treegrid", "Control flow: rows").Focus()
	p.Press("ArrowUp")
	p.Await("the row above selected", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "row=2.204") })
	asked("httpd · 204 on db")

	// So it does in the other views, on the row that is drawn and on its name, whatever is selected.
	for _, view := range []string{"Communication", "Resources"} {
		web := p.hostRow(view, "web")
		over(web)
		asked("web")
		x, y, width, height := web.Box()
		p.Point(x+width/2, y+height/2)
		asked("web")
	}
	p.Find("treegrid", "Control flow: rows").Focus()
	p.Press("ArrowUp")
	p.Await("the row above that selected", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "row=2.204") })
	p.Press("ArrowDown")
	p.Await("the row selected again", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "row=2.204") })
	asked("httpd · 204 on db")
}

// Whether an edit is kept or given up, its bookmark has the focus in the list then, so that keys go on from there.
func TestBookmarkEditedAmongOthers(t *testing.T) {
	s, set := demoSite(t)
	for i, text := range []string{"first", "second", "third"} {
		if _, err := set.AddBookmark(ingest.Bookmark{Host: 2, TID: -1, Time: 1795229345_000_000_000 + int64(i)*1e9, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	focused := func(text string) {
		t.Helper()
		p.Await("the focus on "+text, func() (any, bool) {
			got := Eval[string](p, `document.activeElement.matches(".bookmark-list .go") ? document.activeElement.querySelector(".text").textContent : document.activeElement.outerHTML`)
			return got, got == text
		})
	}
	p.Press("B")
	focused("first")
	p.Press("ArrowDown")
	focused("second")
	p.Press("e")
	p.Find("dialog", "Bookmark")
	p.Press("Escape")
	focused("second")
	p.Press("e")
	p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type("another")
	p.strike("Enter", 0)
	focused("another")
	p.Press("ArrowDown")
	focused("third")
}

// What another page has set is in the list of this one when it is opened, without a reload, and the line that has the focus keeps it.
func TestBookmarksOfAnotherPage(t *testing.T) {
	s, set := demoSite(t)
	p, other := NewPage(t), NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	note := func(page *Page, text string) {
		t.Helper()
		page.Press("b")
		page.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark").Type(text)
		page.strike("Enter", 0)
		page.Gone("dialog", "Bookmark")
	}
	note(p, "mine")
	other.Open(s.page(set, "?begin=1795229352000000000&end=1795229353000000000"))
	other.wantFlags("no flag far from it", ".axis", func(x []float64) bool { return len(x) == 0 })
	other.wantFlags("its flag on the strip", ".strip", func(x []float64) bool { return len(x) == 1 })
	note(other, "earlier, from beside")

	p.Press("B")
	p.Says("2 bookmarks")
	p.Says("earlier, from beside")
	p.Await("the focus on the bookmark that had it", func() (any, bool) {
		saw := Eval[string](p, `document.activeElement.innerText`)
		return saw, strings.HasSuffix(saw, "mine")
	})
	p.wantFlags("flags of both on the strip", ".strip", func(x []float64) bool { return len(x) == 2 })
}

// What another page of the same browser sets, edits and deletes is here at once, without turning to this one.
func TestBookmarksOfAnotherTab(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	other := p.Beside()
	for _, page := range []*Page{p, other} {
		page.Open(s.page(set, ""))
		page.threadRow("dbwork, thread 205")
	}
	other.Press("b")
	other.Find("textbox", "Text of the bookmark").Type("slow here")
	other.Press("Enter")
	other.Gone("dialog", "Bookmark")
	p.wantFlags("the flag of the other tab", ".strip", func(x []float64) bool { return len(x) == 1 })
	other.Press("B")
	other.Find("button", "Delete “slow here”").Click()
	p.wantFlags("no flag any more", ".strip", func(x []float64) bool { return len(x) == 0 })
}

// What is set elsewhere while this page is in sight is drawn as soon as somebody turns to it.
func TestBookmarksOfAWindowBeside(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.wantFlags("no flag", ".strip", func(x []float64) bool { return len(x) == 0 })
	begin := set.Solution().Hosts[0].Map.Local(1795229355186453488)
	if _, err := set.AddBookmark(ingest.Bookmark{Host: 0, TID: -1, Time: begin, Text: "from elsewhere"}); err != nil {
		t.Fatal(err)
	}
	Eval[bool](p, `window.dispatchEvent(new Event("focus"))`)
	p.wantFlags("the flag of another page", ".strip", func(x []float64) bool { return len(x) == 1 })
}

// A bookmark that is set while the server is asked for all of them stays, also where the answer, of the time before, comes after it.
func TestBookmarkSetWhileAsking(t *testing.T) {
	s, set := demoSite(t)
	var late atomic.Bool
	held, release := make(chan struct{}), make(chan struct{})
	s.between = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != "GET" || !strings.HasSuffix(r.URL.Path, "/bookmarks") || !late.CompareAndSwap(true, false) {
				next.ServeHTTP(w, r)
				return
			}
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			close(held)
			<-release
			w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
			if _, err := w.Write(answer.Body.Bytes()); err != nil {
				t.Error(err)
			}
		})
	}
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	late.Store(true)
	Eval[bool](p, `window.dispatchEvent(new Event("focus"))`)
	<-held
	p.Press("b")
	p.Find("textbox", "Text of the bookmark").Type("slow here")
	p.Press("Enter")
	p.Gone("dialog", "Bookmark")
	one := func(x []float64) bool { return len(x) == 1 }
	p.wantFlags("the flag", ".strip", one)
	Eval[bool](p, `(() => {
		window.least = 1;
		new MutationObserver(() => { least = Math.min(least, document.querySelectorAll(".strip .bookmark:not([hidden])").length); }).observe(document.querySelector(".strip .bookmarks"), {subtree: true, attributes: true, childList: true});
		return true;
	})()`)
	close(release)
	p.Await("the late answer", func() (any, bool) {
		n := Eval[int](p, `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/bookmarks") && e.responseEnd > 0).length`)
		return n, n >= 3
	})
	p.rest()
	p.wantFlags("the flag still", ".strip", one)
	if Eval[int](p, "least") != 1 {
		t.Error("the flag went for a moment")
	}
}

// All of a long note stands in the list. On the axis the flags are reached by keys, from one to the next, and what is noted is
// told in the flag's name and beside it; the focus stays with a bookmark wherever the window goes.
func TestLongNote(t *testing.T) {
	s, set := demoSite(t)
	long := strings.TrimSpace(strings.Repeat("The lock is taken by the thread that nobody waits for. ", 30))
	for i, text := range []string{"first", long, "third"} {
		if _, err := set.AddBookmark(ingest.Bookmark{Host: 2, TID: 205, Time: 1795229345_000_000_000 + int64(i)*1e8, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.threadRow("dbwork, thread 205")
	p.Press("B")
	p.Find("dialog", "Bookmarks")
	p.Says(long)
	p.Await("the whole note in the list", func() (any, bool) {
		saw := Eval[[]int](p, `[...document.querySelectorAll(".bookmark-list .text")].map((e) => e.scrollHeight - e.clientHeight)`)
		return saw, len(saw) == 3 && saw[0]+saw[1]+saw[2] <= 3
	})
	p.Press("Escape")
	p.Gone("dialog", "Bookmarks")

	// In the whole set the three are one flag.
	told := func() string {
		return Eval[string](p, `[...document.querySelectorAll(".bookmark-told")].filter((e) => e.checkVisibility()).map((e) => e.textContent).join("|")`)
	}
	p.Find("button", "3 bookmarks: first; "+long+"; third").Focus()
	p.Await("all three beside the flag", func() (any, bool) { return told(), told() == "first"+long+"third" })
	flag := func(text string) { t.Helper(); p.focused("Bookmark: " + text) }
	p.Press("Enter")
	for range 3 {
		p.Press("+")
	}
	flag("first")
	p.Await("the first alone beside the flag", func() (any, bool) { return told(), told() == "first" })
	p.Press("ArrowRight")
	flag(long)
	p.Await("the note beside the next flag", func() (any, bool) { return told(), told() == long })
	p.Press("Tab")
	p.Await("nothing told", func() (any, bool) { return told(), told() == "" })
	p.strike("Tab", 8)
	flag(long)
	p.Press("Enter")
	p.Await("its flag in the middle", func() (any, bool) {
		got := Eval[float64](p, `((f, a) => (f.left - a.left) / a.width)(document.activeElement.getBoundingClientRect(), document.querySelector(".axis").getBoundingClientRect())`)
		return got, got > 0.49 && got < 0.51
	})
	flag(long)
}

// A bookmark that the server kept while nobody heard its answer is not set twice by whoever tries again.
func TestBookmarkSetOnce(t *testing.T) {
	s, set := demoSite(t)
	var tried atomic.Int32
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" && strings.HasSuffix(r.URL.Path, "/bookmarks") && tried.Add(1) == 1 {
				app.ServeHTTP(httptest.NewRecorder(), r)
				w.Header().Set("Content-Length", "9")
				w.WriteHeader(http.StatusCreated)
				http.NewResponseController(w).Flush() // or the browser would ask once more by itself
				panic(http.ErrAbortHandler)
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Press("b")
	dialog := p.Find("dialog", "Bookmark")
	dialog.Find("textbox", "Text of the bookmark").Type("here")
	p.strike("Enter", 0)
	p.Await("that it failed", func() (any, bool) {
		got := Eval[string](p, `document.querySelector(".note-dialog [role=alert]:not([hidden])")?.textContent ?? ""`)
		return got, got != ""
	})
	p.strike("Enter", 0)
	p.Gone("dialog", "Bookmark")
	if list, err := set.Bookmarks(); err != nil || len(list) != 1 || list[0].Text != "here" || tried.Load() < 2 {
		t.Errorf("after %d tries the server keeps %+v, %v", tried.Load(), list, err)
	}
}

// A bookmark that is deleted elsewhere while its text is edited is said to be, and stands nowhere any more.
func TestBookmarkDeletedWhileEdited(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.setBookmark("the lock")
	p.Press("B")
	p.Find("dialog", "Bookmarks")
	p.Press("e")
	field := p.Find("dialog", "Bookmark").Find("textbox", "Text of the bookmark")
	list, err := set.Bookmarks()
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if err := set.DeleteBookmark(list[0].ID); err != nil {
		t.Fatal(err)
	}
	field.Type("let go")
	p.strike("Enter", 0)
	p.Says("The bookmark was deleted meanwhile.")
	p.wantFlags("no flag", ".axis", func(x []float64) bool { return len(x) == 0 })
}
