package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The viewer, on one import of the demonstration set, each test in a page of its own.
func TestViewer(t *testing.T) {
	s, set := demoSite(t)
	address := s.page(set, "")
	for name, test := range map[string]func(*testing.T, *Page, string){
		"story": testStory, "keys": testKeys, "raw": testRawTime, "themes": testThemes,
		"motion": testMotion, "ways back": testWaysBack, "jumps": testJumps, "scroll": testScroll, "mini-map": testMiniMap,
		"hover": testHover, "narrow": testNarrow, "bounds": testBounds, "wheel": testWheel, "rest": testRest, "pixel": testPixel,
		"resources": testResources, "host above its CPUs": testHostAboveItsCPUs, "host use": testHostUse, "still": testStill,
		"state": func(t *testing.T, p *Page, address string) { testState(t, p, address, clocksOf(t, set)) },
	} {
		t.Run(name, func(t *testing.T) { test(t, NewPage(t), address) })
	}
}

// Where less motion is asked for, what other clocks move is where it belongs as soon as it is drawn: no picture is on the way.
func testStill(t *testing.T, p *Page, address string) {
	p.Prefer("light", "prefers-reduced-motion", "reduce")
	p.Open(address + fromFirstLook("?begin=1795229355000000000&end=1795229359000000000"))
	p.threadRow("dbwork, thread 205")
	p.Says("final")
	p.rest()
	for range 2 {
		Eval[bool](p, `(() => {
			const c = document.querySelector("canvas[aria-label^=Communication]"), begun = performance.now();
			const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", {willReadFrequently: true}); // one that is read from is drawn on otherwise
			window.pictures = [];
			window.over = false;
			const look = () => {
				copy.drawImage(c, 0, 0);
				const d = copy.getImageData(0, 0, c.width, c.height).data;
				let h = 0;
				for (let i = 0; i < d.length; i++) h = (Math.imul(h, 31) + d[i]) | 0;
				if (pictures.at(-1) !== h) pictures.push(h);
				over = performance.now() - begun > 1500;
				if (!over) requestAnimationFrame(look);
			};
			look();
			return true;
		})()`)
		p.Press("r")
		// The one before, perhaps one without messages while these are on their way, and the one after.
		p.Await("a second and a half", func() (any, bool) { return nil, Eval[bool](p, "over") })
		if n := Eval[int](p, "pictures.length"); n < 2 || n > 4 {
			t.Errorf("from one time to the other there were %d pictures", n)
		}
	}
}

// The demonstration opens on its story: the thread of the database that holds the lock,
// while others wait for it, and all four machines tied to each other.
func testStory(t *testing.T, p *Page, address string) {
	p.Open(address)
	for _, host := range fourHosts.hosts {
		p.hostRow("Communication", host)
	}
	inspector := p.Find("complementary", "What is selected")
	p.Await("the state of the thread that holds the lock", func() (any, bool) {
		words := inspector.Text()
		return words, strings.Contains(words, "dbwork · 205") && strings.Contains(words, "blocked in wait4")
	})
	p.Says("One of the slow requests of this recording: on db, httpd · 204 answers only when crunch · 206 ends. Until then dbwork · 205, which started it, holds the lock that two others wait for. Slowest requests lists others, Home shows the whole set.")
	// Loaded again, and as a link, it says so, too.
	p.Await("the story in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "row=2.205") })
	p.Reload()
	p.Says("One of the slow requests of this recording: on db, httpd · 204 answers only when crunch · 206 ends.")
	inspector = p.Find("complementary", "What is selected")
	if chosen := p.threadRow("dbwork, thread 205").State("selected"); chosen != "true" {
		t.Errorf("the row of the thread that holds the lock is selected: %s", chosen)
	}
	p.threadRow("dbwork, thread 208")
	p.threadRow("dbwork, thread 210")
	c := p.Canvas("Control flow")
	p.Await("states", func() (any, bool) {
		running, blocked := c.Count("--user"), c.Count("--blk")
		return fmt.Sprint(running, blocked), running > 1000 && blocked > 10000
	})
	checkBusyMixes(t, p, c)

	// Who ended its wait is told, and followed.
	p.Await("who woke it", func() (any, bool) {
		words := strings.Join(strings.Fields(inspector.Text()), " ")
		return words, strings.Contains(words, "Woken by crunch · 206")
	})
	p.Find("button", "Follow crunch · 206").Click()
	p.Await("what the one that woke it did meanwhile", func() (any, bool) {
		words := strings.Join(strings.Fields(inspector.Text()), " ")
		return words, strings.Contains(words, "crunch · 206") && strings.Contains(words, "running in user space") && !strings.Contains(words, "slow request")
	})

	// The key leads the same way, from wherever the focus is.
	p.Press("Backspace")
	p.Press("Escape")
	p.Press(":")
	p.Find("combobox", "Command, time, host or thread").Type("wget 208")
	p.Says("wget · 208 on client")
	p.Press("Enter")
	// It waits for what the server is slow to tell: which message ended a wait.
	Eval[bool](p, `(() => {
		const send = WebSocket.prototype.send;
		WebSocket.prototype.send = function (data) {
			setTimeout(() => send.call(this, data), String(data).includes('"op":"messages"') && String(data).includes('"columns":1,') ? 400 : 0);
		};
		return true;
	})()`)
	for _, stands := range []string{"wget · 208", "httpd · 227", "wget · 230", "httpd · 204", "crunch · 206"} {
		p.Await(stands+" in the way of the request", func() (any, bool) {
			words := strings.Join(strings.Fields(inspector.Text()), " ")
			return words, strings.HasPrefix(words, stands)
		})
		p.Press("g")
	}

	// What takes the lock's time is the program that it runs: a click on its bar says where.
	crunch := p.threadRow("crunch, thread 206")
	left, _, width, _ := c.Box()
	_, y, _, height := crunch.Box()
	p.Click(left+width/2, y+height/2)
	p.Await("where and how the program runs", func() (any, bool) {
		words := strings.Join(strings.Fields(inspector.Text()), " ")
		return words, strings.Contains(words, "crunch · 206") && regexp.MustCompile(`CPU [01] Priority 20, nice 0`).MatchString(words)
	})
	checkLinks(t, p, fourHosts)
}

// threadRow is a thread's row in the tree of Control flow, by what is said when the mouse
// rests on it.
func (p *Page) threadRow(title string) Element {
	p.t.Helper()
	tree := p.Find("treegrid", "Control flow: rows")
	var found Element
	p.Await("a row "+title, func() (any, bool) {
		for _, row := range tree.All("row", "") {
			if text, err := call[string](row, "function() { return this.title }"); err == nil && text == title {
				found = row
				return nil, true
			}
		}
		return tree.Text(), false
	})
	return found
}

// view is the window of the address bar, ns.
func view(t *testing.T, p *Page) (begin, end int64, ok bool) {
	t.Helper()
	u, err := url.Parse(p.Address())
	if err != nil {
		t.Fatal(err)
	}
	begin, err1 := strconv.ParseInt(u.Query().Get("begin"), 10, 64)
	end, err2 := strconv.ParseInt(u.Query().Get("end"), 10, 64)
	return begin, end, err1 == nil && err2 == nil
}

// settled is the window of the address bar once that stays for longer than anything may keep the page from writing it: rows that
// come late put it off by a quarter of a second each, but not beyond one second.
func (p *Page) settled() (begin, end int64) {
	p.t.Helper()
	var since time.Time
	frames := 0
	p.Await("an address that stays", func() (any, bool) {
		b, e, _ := view(p.t, p)
		if frames++; since.IsZero() || b != begin || e != end {
			since, frames = time.Now(), 0
		}
		begin, end = b, e
		return fmt.Sprint(b, " ", e), frames > 8 && time.Since(since) > 1200*time.Millisecond
	})
	return begin, end
}

func testKeys(t *testing.T, p *Page, address string) {
	p.Open(address)
	begin, end := int64(0), int64(0)
	now := func() (any, bool) {
		b, e, ok := view(t, p)
		return fmt.Sprint(b, e), ok && b != begin
	}
	settle := func() {
		t.Helper()
		begin, end = p.settled()
	}
	p.Await("a window in the address", now)
	settle()
	span, first := end-begin, begin

	p.Hold("w", "a third of the window or less", func() (any, bool) {
		b, e, ok := view(t, p)
		return e - b, ok && e-b < span/3
	})
	settle()
	if begin <= first || end >= first+span {
		t.Errorf("zooming in went from %d + %d to %d + %d", first, span, begin, end-begin)
	}
	narrow, from := end-begin, begin
	p.Hold("d", "a later window", func() (any, bool) { b, _, ok := view(t, p); return b, ok && b > from })
	settle()
	if d := end - begin - narrow; d < -2 || d > 2 {
		t.Errorf("moving changed the width by %d ns", d)
	}
	from = begin
	p.Hold("a", "an earlier window", func() (any, bool) { b, _, ok := view(t, p); return b, ok && b < from })
	settle()
	p.Hold("s", "a wider window", func() (any, bool) { b, e, ok := view(t, p); return e - b, ok && e-b > 2*narrow })
	settle()

	// What the address holds is what a reload shows.
	wantBegin, wantEnd := begin, end
	inspector := p.Find("complementary", "What is selected").Text()
	axis := p.Canvas("Time axis").Digest()
	p.Reload()
	p.Await("the same time axis after a reload", func() (any, bool) {
		got := p.Canvas("Time axis").Digest()
		return got, got == axis
	})
	if b, e, _ := view(t, p); b != wantBegin || e != wantEnd {
		t.Errorf("after a reload the window is %d to %d, it was %d to %d", b, e, wantBegin, wantEnd)
	}
	p.Await("the same row chosen after a reload", func() (any, bool) {
		got := p.Find("complementary", "What is selected").Text()
		return got, strings.SplitN(got, "\n", 2)[0] == strings.SplitN(inspector, "\n", 2)[0]
	})

	p.Press("Home")
	p.Says(", all")
	p.Press("Backspace")
	p.Await("the window before", func() (any, bool) {
		b, e, ok := view(t, p)
		return fmt.Sprint(b, e), ok && b == wantBegin && e == wantEnd
	})
	p.Press("?")
	p.Find("dialog", "Keys and legend").Find("heading", "Keys and mouse")
	p.Press("Escape")
	p.Gone("dialog", "Keys and legend")
}

var windowBegin = regexp.MustCompile(`[?&]begin=(-?\d+)`)

// begin is the begin of the window, as the address has it; 0 where it has none.
func (p *Page) begin() int64 {
	if m := windowBegin.FindStringSubmatch(p.Address()); m != nil {
		ns, _ := strconv.ParseInt(m[1], 10, 64)
		return ns
	}
	return 0
}

// Raw time shows what the clocks claim: machines that stood beside each other do not any more.
func testRawTime(t *testing.T, p *Page, address string) {
	p.Open(address)
	p.Await("arrows", func() (any, bool) { n := p.Canvas("Communication").Count("--msg"); return n, n > 20 })
	synchronized := p.Canvas("Communication").Digest()
	p.Await("the window in the address", func() (any, bool) { return p.Address(), p.begin() != 0 })
	before := p.begin()
	p.Find("radio", "Raw").Click()
	p.Await("another drawing in raw time", func() (any, bool) {
		d := p.Canvas("Communication").Digest()
		return d, d != synchronized && strings.Contains(p.Address(), "time=raw")
	})
	if p.Find("radio", "Raw").State("checked") != "true" {
		t.Error("Raw is not checked")
	}
	p.Await("the window where the clock of the selected thread's host has it, ten seconds behind", func() (any, bool) {
		by := time.Duration(p.begin() - before).Round(time.Second)
		return by, by == -10*time.Second
	})
	note := func() string { return strings.Join(strings.Fields(p.hostRow("Communication", "cache").Text()), " ") }
	p.Await("the offset of the clock that is an hour ahead", func() (any, bool) {
		got := note()
		return got, strings.HasSuffix(got, "cache +3 593 s")
	})
	const meaning = "Each host's own clock is drawn; beside it, how far it is ahead (+) of web's or behind (−). Messages may seem received before they were sent; Synchronized sets this right."
	p.Says(meaning)
	p.Await("all of what raw time means in sight", func() (any, bool) {
		words := Eval[[2]int](p, `(() => { const e = document.querySelector(".crumbs .raw"); return [e.scrollWidth, e.clientWidth]; })()`)
		return words, words[0] <= words[1]
	})
	p.Find("radio", "Synchronized").Click()
	p.Await("nothing said of raw time", func() (any, bool) { words := p.Text(); return words, !strings.Contains(words, meaning) })
	p.Await("the bound of a clock instead of its offset", func() (any, bool) {
		got := note()
		return got, strings.Contains(got, "±")
	})
}

func testThemes(t *testing.T, p *Page, address string) {
	p.Open(address)
	background := func() string { return Eval[string](p, "getComputedStyle(document.body).backgroundColor") }
	panel := func(property string) int { return p.Canvas("Control flow").Count(property) }
	const light, dark = "rgb(251, 251, 250)", "rgb(20, 22, 26)"
	is := func(want string) {
		t.Helper()
		p.Await("page and drawings in "+want, func() (any, bool) {
			got, blank := background(), panel("--panel")
			return fmt.Sprint(got, blank), got == want && blank > 10000
		})
	}
	is(light)
	p.Find("radio", "Dark").Click()
	is(dark)
	p.Reload()
	is(dark)
	p.Find("radio", "Light").Click()
	is(light)
	p.Prefer("dark")
	is(light)
	p.Find("radio", "Auto").Click()
	is(dark)
	p.Prefer("light")
	is(light)

	// High contrast is a theme of its own, and what a system that asks for it gets unless another was chosen.
	const bright, black = "rgb(255, 255, 255)", "rgb(0, 0, 0)"
	p.Find("radio", "High contrast").Click()
	is(bright)
	p.Reload()
	is(bright)
	p.Prefer("dark")
	is(black)
	p.Find("radio", "Dark").Click()
	p.Prefer("dark", "prefers-contrast", "more")
	is(dark)
	p.Find("radio", "Auto").Click()
	is(black)
	p.Prefer("light", "forced-colors", "active")
	is(bright)
	p.Await("states in the colours of high contrast", func() (any, bool) { n := panel("--user"); return n, n > 1000 })
	if got := Eval[string](p, `getComputedStyle(document.documentElement).getPropertyValue("--user").trim()`); got != "#007a2f" {
		t.Errorf("user space is drawn in %s", got)
	}
	p.Prefer("light")
	is(light)

	// Where less motion is asked for, nothing on the page moves by itself; what goes along with scrolling does not.
	p.Prefer("light", "prefers-reduced-motion", "reduce")
	if got := Eval[[]string](p, `[...new Set([...document.querySelectorAll("*")].map((e) => getComputedStyle(e)).map((s) => s.transitionDuration + " " + (s.animationTimeline?.startsWith("scroll") ? "0s" : s.animationDuration)))]`); len(got) != 1 || got[0] != "0s 0s" {
		t.Errorf("with less motion there is %q", got)
	}
}
