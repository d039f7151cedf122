package browser

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"synchroscope/ingest"
)

// sockets has the connections of the page in a list, and leads new ones astray while away is set.
const sockets = `{
	const Plain = WebSocket;
	window.sockets = [];
	window.WebSocket = class extends Plain { constructor(url) { super(window.away ? url + "-away" : url); window.sockets.push(this) } };
}`

// Of a server that cannot be reached it is not said how fast it goes on with an import; it is connected to again by itself.
func TestConnectionLost(t *testing.T) {
	s, hold := slowedSite(t, 15)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: sockets}); err != nil {
		t.Fatal(err)
	}
	set := s.add("shop", demoArchive)
	footer := func(what string, with, without string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			words := spaces.Replace(p.Find("contentinfo", "").Text())
			return words, strings.Contains(words, with) && (without == "" || !strings.Contains(words, without))
		})
	}
	p.Open(s.page(set, ""))
	footer("the rate", "events/s", "")
	Eval[bool](p, "(() => { window.away = true; window.sockets.forEach((s) => s.close()); return true })()")
	footer("no rate while the connection is lost", "Connection lost; what is drawn stays. Trying again…", "events/s")
	Eval[bool](p, "(() => { window.away = false; return true })()")
	footer("the connection back", "", "Connection lost")
	hold.letGo()
	s.ready(set)
	footer("the end", "final", "Connection lost")
}

// awayWhile makes a site answer nothing while the flag is set, as one that is restarted or behind a network that is down.
func awayWhile(s *site, away *atomic.Bool) {
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() {
				panic(http.ErrAbortHandler)
			}
			app.ServeHTTP(w, r)
		})
	}
}

// leftPage is a page of the demonstration site that can be left: what its connection is closed by is known, and away is as awayWhile has it.
func leftPage(t *testing.T) (p *Page, s *site, set *ingest.Set, away *atomic.Bool) {
	t.Helper()
	s, set = demoSite(t)
	away = new(atomic.Bool)
	awayWhile(s, away)
	p = NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: sockets}); err != nil {
		t.Fatal(err)
	}
	return p, s, set, away
}

// A filter that nobody answers is not in force, and that is said as long as it lasts.
func TestFilterWhileAway(t *testing.T) {
	p, s, set, away := leftPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("final")
	away.Store(true)
	Eval[bool](p, "(() => { window.sockets.forEach((s) => s.close()); return true })()")
	p.Says("Connection lost; what is drawn stays. Trying again…")
	p.Press("/")
	p.Find("searchbox", "Filter rows by name, thread id or an expression").Type("tid == 205")
	const late = "The server has not answered yet: until it does, the rows are not those of this filter."
	p.Says(late)
	away.Store(false)
	p.Await("rows of the filter", func() (any, bool) {
		rows := p.listedThreads("Control flow: rows")
		return rows, len(rows) > 0 && len(rows) < 5 && !strings.Contains(p.Text(), late)
	})
}

// What was asked of a server that was away is asked once more when it is there again, on every tab, and until then nothing is said
// that nobody knows.
func TestAskedWhileAway(t *testing.T) {
	p, s, set, away := leftPage(t)
	leave := func() {
		t.Helper()
		away.Store(true)
		Eval[bool](p, "(() => { window.sockets.forEach((s) => s.close()); return true })()")
		p.Says("Connection lost")
	}
	main := func() string { return strings.Join(strings.Fields(spaces.Replace(p.Find("main", "").Text())), " ") }
	for _, tab := range []struct{ name, shows string }{
		{"Synchronization", "of reading all 4 hosts were related"},
		{"Events", "sched_"},
		{"Statistics", "rcu_preempt"},
		{"Messages", "client and web exchanged most: 4 762 messages"},
		{"State", "Threads"},
	} {
		p.Open(s.page(set, "?window=all"))
		p.Says("final")
		leave()
		p.Find("tab", tab.name).Click()
		p.Await(tab.name+" says that nobody answers", func() (any, bool) {
			words := main()
			return words, strings.Contains(words, "The server cannot be reached.")
		})
		if words := main(); strings.Contains(words, ": no message") {
			t.Errorf("of hosts that are not heard of it is said that they exchanged no message: %s", words)
		}
		away.Store(false)
		p.Await(tab.name+" shows what it was asked for", func() (any, bool) {
			words := main()
			return words, strings.Contains(words, tab.shows) && !strings.Contains(words, "cannot be reached")
		})
	}

	// Sums that stay on screen are said to be of the stretch that they are of.
	p.Open(s.page(set, "?tab=messages"))
	p.Says("In the timeline's window alone (570 ms of 39.5 s), db and web exchanged most")
	leave()
	p.Find("combobox", "What was exchanged in").Choose("the whole set")
	p.Says("The server cannot be reached. What is shown is of 5.983")
	p.Says("In the timeline's window alone (570 ms of 39.5 s), db and web exchanged most")
	away.Store(false)
	p.Says("In the whole set, client and web exchanged most")
	p.Find("tab", "Statistics").Click()
	p.Says("5.983")
	p.Find("table", "Threads")
	leave()
	p.Find("combobox", "What was done in").Choose("the whole set")
	p.Says("The server cannot be reached. What is shown is of 5.983")
	away.Store(false)
	p.Matches(`What was done in .*0\.000 000 000 s to 39\.\d+`)

	// Events that were scrolled to go on where they stopped.
	p.Open(s.page(set, "?tab=events&window=all"))
	p.Await("events", func() (any, bool) { n := len(p.listed()); return n, n > 20 })
	leave()
	Eval[bool](p, `document.querySelector("[role=grid][aria-label=Events]").focus() ?? true`)
	for range 16 {
		p.Press("PageDown")
	}
	p.Says("The server cannot be reached.")
	last := p.listed()[0][0]
	away.Store(false)
	p.Await("no refusal any more", func() (any, bool) { words := main(); return words, !strings.Contains(words, "cannot be reached") })
	p.Await("later events", func() (any, bool) {
		p.Press("PageDown")
		now := p.listed()[0][0]
		return now, now != last
	})
}

// hurried makes the clocks of the page run twenty times as fast, for what it waits.
const hurried = `{
	const [wait, now] = [window.setTimeout, performance.now.bind(performance)];
	window.setTimeout = (run, ms, ...more) => wait(run, (ms ?? 0) / 20, ...more);
	performance.now = () => now() * 20;
}`

// stalling is a way to a server that can go dead without a word: what is sent goes nowhere, and nobody is told, until cut closes
// all connections that there are.
func stalling(t *testing.T, url string, dead *atomic.Bool) (address string, cut func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.Map
	cut = func() {
		open.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true })
	}
	t.Cleanup(func() {
		l.Close()
		cut()
	})
	pass := func(to, from net.Conn) {
		defer to.Close()
		buf := make([]byte, 64<<10)
		for {
			n, err := from.Read(buf)
			if err != nil {
				return
			}
			if dead.Load() {
				io.Copy(io.Discard, from) // this connection stays dead
				return
			}
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
	}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				in.Close()
				continue
			}
			open.Store(in, nil)
			open.Store(out, nil)
			go pass(in, out)
			go pass(out, in)
		}
	}()
	return "http://" + l.Addr().String(), cut
}

// A network that lets a connection go without closing it is noticed: the page says that nobody answers, connects again by itself,
// and shows what was asked for meanwhile.
func TestConnectionDead(t *testing.T) {
	s, set := demoSite(t)
	var dead atomic.Bool
	s.url, _ = stalling(t, s.url, &dead)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hurried}); err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=1.208"))
	p.Says("Follow the message from web")
	p.Says("118 messages in view")
	dead.Store(true)
	p.Press("Home")
	p.Says("The server does not answer; what is drawn may be old. Waiting…")
	p.Says("Connection lost; what is drawn stays. Trying again…")
	dead.Store(false)
	p.Says("10 684 messages in view")
	p.Await("no word of it any more", func() (any, bool) {
		words := p.Find("contentinfo", "").Text()
		return words, !strings.Contains(words, "lost") && !strings.Contains(words, "answer")
	})
}

// To choose a row no server is needed: while none answers, the row that is chosen is the one that is told of, as far as it is known, and that the
// rest is not; what the server says of it takes that place.
func TestRowChosenWithoutServer(t *testing.T) {
	s, set := demoSite(t)
	var dead atomic.Bool
	var cut func()
	s.url, cut = stalling(t, s.url, &dead)
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=2.205"))
	p.Says("final")
	p.Says("Follow crunch · 206")
	p.resourceRow("db: 2\u00a0CPUs, ")
	p.rest()
	dead.Store(true)
	inspector := p.Find("complementary", "What is selected")
	words := func() string { return strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ") }
	x, _, width, _ := p.Canvas("Control flow").Box()
	_, y, _, height := p.threadRow("httpd, thread 207").Box()
	p.Click(x+width/2, y+height/2)
	p.Await("what is known of the row", func() (any, bool) {
		now := words()
		return now, strings.HasPrefix(now, "httpd · 207 db blocked At 6.2") && strings.Contains(now, "There from 6.133") && strings.Contains(now, "There until 6.5") &&
			strings.Contains(now, "The server has not answered yet.") && !strings.Contains(now, "205")
	})
	if row := p.threadRow("httpd, thread 207").State("selected"); row != "true" {
		t.Errorf("its row is selected: %s", row)
	}
	left, _, wide, _ := p.Canvas("Resources").Box()
	_, y, _, height = p.resourceRow("CPU 1 of db").Box()
	p.Click(left+wide*0.4, y+height/2)
	p.Await("what is known of a CPU", func() (any, bool) {
		now := words()
		return now, strings.Contains(now, "CPU 1 db idle The server has not answered yet.")
	})
	dead.Store(false)
	cut() // or it would be half a minute until the page gives the connection up
	p.Await("what the server says of it", func() (any, bool) {
		now := words()
		return now, strings.Contains(now, "CPU 1 db idle Begin") && strings.Contains(now, "httpd · 207 Follow dbwork · 208 It began dbwork · 211, which woke this one db, child of") && !strings.Contains(now, "has not answered")
	})
}

// What is asked of a server that a dead network hides, whether to step along an attribute or to keep something, is said to have no answer
// long before the browser gives it up, and can be tried again.
func TestAskedInVain(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	var dead atomic.Bool
	s.url, _ = stalling(t, s.url, &dead)
	p := NewPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hurried}); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []struct {
		query, ready string
		ask          func()
		done         string
	}{
		{"?tab=state&state=1795229355471480250&of=db&attribute=Threads%2F207", "since " + c.since("db", 1795229345_347_465_574), func() { p.Press(".") }, "since " + c.since("db", 1795229345_710_252_024)},
		{"?begin=1795229355186453488&end=1795229355756538741", "118 messages in view", func() {
			if len(p.All("dialog", "Bookmark")) == 0 {
				p.Press("b")
				p.Find("textbox", "Text of the bookmark").Type("here it waits")
			}
			p.Find("button", "Save").Click()
		}, "The bookmark is set."},
		{"?tab=sync", "reference web", func() { p.Find("button", "Use client as the reference").Click() }, "reference client"},
	} {
		p.Open(s.page(set, asked.query))
		p.Says(asked.ready)
		dead.Store(true)
		asked.ask()
		p.Says("The server does not answer.")
		dead.Store(false)
		p.Await(asked.done, func() (any, bool) {
			words := p.Text()
			if strings.Contains(words, asked.done) {
				return words, true
			}
			if strings.Contains(words, "The server does not answer.") || strings.Contains(words, "cannot be reached") {
				asked.ask()
				p.Await("an answer, or none", func() (any, bool) {
					words = p.Text()
					return words, strings.Contains(words, asked.done) || strings.Contains(words, "The server does not answer.")
				})
			}
			return words, strings.Contains(words, asked.done)
		})
	}
}

// What takes the server long is waited for, as long as it is there.
func TestAskedAtLength(t *testing.T) {
	s, set := demoSite(t)
	held := make(chan struct{})
	var looked atomic.Int32
	s.between = func(app http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == "POST" && strings.HasSuffix(r.URL.Path, "/sync"):
				<-held
			case r.URL.Path == "/healthz" && looked.Add(1) == 3:
				close(held)
			}
			app.ServeHTTP(w, r)
		})
	}
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("reference web")
	Eval[bool](p, hurried+"true")
	p.Find("button", "Use client as the reference").Click()
	p.Says("reference client")
	if n := looked.Load(); n < 3 {
		t.Errorf("the server was asked %d times whether it is there", n)
	}
	if words := p.Text(); strings.Contains(words, "does not answer") {
		t.Errorf("a server that took long is said not to answer: %s", words)
	}
}

// The state that is selected is the same after the connection was lost, wherever the window is by then, and so is what it waited for.
func TestSelectedAfterConnectionLost(t *testing.T) {
	p, s, set, away := leftPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741&row=1.208"))
	p.Says("Follow the message from web")
	inspector := func() string {
		return strings.Join(strings.Fields(spaces.Replace(p.Find("complementary", "What is selected").Text())), " ")
	}
	before := inspector()
	for _, key := range []string{"Home", "Backspace"} {
		away.Store(true)
		Eval[bool](p, "(() => { window.sockets.forEach((s) => s.close()); return true })()")
		p.Says("Connection lost")
		p.Press(key)
		away.Store(false)
		p.Await("the same state", func() (any, bool) {
			lost := strings.Contains(p.Find("contentinfo", "").Text(), "Connection lost")
			now := inspector()
			return now, !lost && now != "" && !strings.HasPrefix(now, "Click a state")
		})
		p.Says("Follow the message from web")
		if now := inspector(); now != before {
			t.Errorf("after the connection was lost and %s was pressed it says\n%s\nwhere it said\n%s", key, now, before)
		}
	}

	lose := func() {
		t.Helper()
		away.Store(true)
		Eval[bool](p, "(() => { window.sockets.forEach((s) => s.close()); return true })()")
		p.Says("Connection lost")
		away.Store(false)
		p.Await("the connection back", func() (any, bool) {
			lost := strings.Contains(p.Find("contentinfo", "").Text(), "Connection lost")
			now := inspector()
			return now, !lost && now != "" && !strings.HasPrefix(now, "Click a state")
		})
	}

	// What was chosen before is not chosen again.
	x, _, width, _ := p.Canvas("Resources").Box()
	_, y, _, height := p.resourceRow("CPU 0 of client").Box()
	p.Click(x+width*0.925, y+height/2)
	p.Await("what the CPU did", func() (any, bool) { now := inspector(); return now, strings.Contains(now, "CPU 0 client") })
	row := p.threadRow("wget, thread 208")
	row.Click()
	p.Await("the thread alone", func() (any, bool) {
		now := inspector()
		return now, strings.HasPrefix(now, "wget · 208") && !strings.Contains(now, "CPU 0 client")
	})
	p.Says("Follow the message from web")
	before = inspector()
	lose()
	p.Await("the thread alone again", func() (any, bool) { now := inspector(); return now, now == before })
	for range 10 { // nothing else comes after it
		p.frame()
		if now := inspector(); now != before {
			t.Fatalf("after the connection was lost it says\n%s\nwhere it said\n%s", now, before)
		}
	}

	// A state that was gone on to from a message is the same, too.
	p.Press("m")
	p.Says("Go to where it was received")
	p.Press("t")
	c := clocksOf(t, set)
	p.Says("Begin\n" + c.since("client", 1795229348_195_004_267))
	p.Press(".")
	next := func() (any, bool) {
		now := inspector()
		return now, strings.Contains(now, "waiting for a CPU in poll Begin "+c.since("client", 1795229348_703_595_057)) && strings.Contains(now, "Go to where it was sent: httpd · 227")
	}
	p.Await("the next state, and the message", next)
	lose()
	p.Await("the same state, and the message", next)
	for range 10 { // nothing else comes after it
		p.frame()
		if now, same := next(); !same {
			t.Fatalf("after the connection was lost it says\n%s", now)
		}
	}
}

// Of messages in a part of the window of which nobody has told yet it is not said that there are none, neither in words nor by a blank.
func TestMessagesNotToldOf(t *testing.T) {
	p, s, set, away := leftPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741"))
	p.Matches(`118 messages in view none received before sent`)
	away.Store(true)
	Eval[bool](p, "(() => { window.sockets.forEach((s) => s.close()); return true })()")
	p.Says("Connection lost")
	p.Press("Home")
	p.Matches(`\d+ messages in view so far none received before sent so far`)
	// Across the drawing where there is nothing of a message.
	lines := func() int { return len(p.Canvas("Communication").Inked(4, "--panel")) }
	p.Await("slanting lines over what is not known", func() (any, bool) { n := lines(); return n, n > 100 })
	p.Press("Backspace")
	p.Matches(`118 messages in view none received before sent`)
	p.Await("no lines", func() (any, bool) { n := lines(); return n, n < 30 })
	p.Press("Home")
	away.Store(false)
	p.Matches(`10 684 messages in view none received before sent`)
	p.Await("no lines over all messages", func() (any, bool) { n := lines(); return n, n < 30 })
}

// A question that did not reach the server is asked again also where the connection of the views was never lost.
func TestAskedAgain(t *testing.T) {
	s, set := demoSite(t)
	var away atomic.Bool
	awayWhile(s, &away)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("final")
	away.Store(true)
	p.Find("tab", "Messages").Click()
	p.Says("The server cannot be reached.")
	away.Store(false)
	p.Says("client and web exchanged most: 4 762 messages")
	if strings.Contains(p.Text(), "cannot be reached") {
		t.Error("the server is still said to be away")
	}
}

// allDrawn keeps what is told of each frame from now on in window.frames, and waits for one with states of all rows that are in view.
func (p *Page) allDrawn() {
	p.t.Helper()
	Eval[bool](p, `(() => {
		window.frames = [];
		addEventListener("drawn", (e) => window.frames.push(e.detail));
		return true;
	})()`)
	p.Await("states of all rows that are in view", func() (any, bool) {
		p.Point(700, 300) // which is drawn
		p.Point(700, 310)
		blank := Eval[int](p, "window.frames.at(-1)?.blank ?? -1")
		return blank, blank == 0
	})
}

// drawnAgain waits until a connection that was lost is back, and frames are told of.
func (p *Page) drawnAgain() {
	p.t.Helper()
	p.Await("the connection back, and rows drawn", func() (any, bool) {
		lost := strings.Contains(p.Find("contentinfo", "").Text(), "Connection lost")
		frames := Eval[int](p, "window.frames.length")
		return frames, !lost && frames > 0
	})
}

// What is drawn stays while the connection is lost and when it is back: no row is blank in any frame, for it is of the same rows.
func TestDrawnStays(t *testing.T) {
	p, s, set, away := leftPage(t)
	p.Open(s.page(set, "?begin=1795229355186453488&end=1795229355756538741"))
	p.Matches(`118 messages in view`)
	p.allDrawn()
	Eval[bool](p, "(() => { window.frames.length = 0; return true })()")
	for range 3 {
		away.Store(true)
		Eval[bool](p, "(() => { window.sockets.forEach((s) => s.close()); return true })()")
		p.Says("Connection lost")
		away.Store(false)
		p.drawnAgain()
		for range 10 {
			p.frame()
		}
	}
	if got := Eval[string](p, `window.frames.filter((f) => f.blank > 0).length + " of " + window.frames.length`); !strings.HasPrefix(got, "0 of ") || got == "0 of 0" {
		t.Errorf("%s frames have blank rows", got)
	}
}

// Where the host that opens has nothing in view that is said, and why.
func TestConnectionsOfNone(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	// Only client recorded as early as this.
	p.Open(s.page(set, "") + "?begin=1795229349210000000&end=1795229349900000000&row=0.121")
	p.Says("final")
	p.Await("the selected row", func() (any, bool) {
		got := p.threadRow("httpd, thread 121").State("selected")
		return got, got == "true"
	})
	p.Press("l")
	p.Says("cache is open, and recorded nothing in view, so no connection is listed.")
	p.Press("l")
	p.Says("In Communication hosts open to their threads.")
	// Both recorded, and sent nothing.
	p.Open(s.page(set, "") + "?begin=1795229349976000000&end=1795229349976100000&row=0.121")
	p.Says("0 messages in view")
	p.Press("l")
	p.Says("cache is open, and has no message in view, so no connection is listed.")
}
