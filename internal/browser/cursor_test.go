package browser

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Two messages are compared by what is known of their ends; between the ends of one message its own way decides what the clocks leave
// open.
func TestCursorOnMessages(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	const begin, end = 1795229355_286_453_488, 1795229355_406_538_741
	p.Open(s.page(set, "?begin=1795229355286453488&end=1795229355406538741"))
	p.Matches(`40 messages in view`)
	status := func(what, words string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			got := strings.Join(strings.Fields(spaces.Replace(p.Find("contentinfo", "").Text())), " ")
			return got, strings.Contains(got, words)
		})
	}
	c := clocksOf(t, set)
	messages := c.messages("cache", "web", begin, end)
	first := slices.IndexFunc(messages, func(m sending) bool { return m.From == c.number("cache") })
	next := first + slices.IndexFunc(messages[first:], func(m sending) bool { return m.From == c.number("web") })
	// after is how long after the sending of the first something was at cache's other end, and what both clocks leave of that open.
	after := func(ns, local int64) string {
		open, _ := c.hosts["cache"].Map.Error(local)
		return fmt.Sprintf("%.2f ± %.2f ms after the mark, certain", float64(ns)/1e6, math.Ceil(float64(open)/1e4)/100)
	}
	way := messages[first].received - messages[first].sent
	p.Press("m")
	p.Says("Message cache → web")
	p.Press("c")
	p.Says("mark · cache")
	p.Press("t")
	status("the other end", "arrival of the chosen message: "+after(way, messages[first].Sent))
	p.Press("t")
	status("the end itself", "sending of the chosen message: At the same time")
	// What is said of a mark goes with it, and comes with it again.
	p.Press("C")
	p.Await("no word of a mark that was taken away", func() (any, bool) {
		got := p.Find("contentinfo", "").Text()
		return got, !strings.Contains(got, "sending of the chosen message")
	})
	p.Press("c")
	status("the end itself again", "sending of the chosen message: At the same time")
	p.Press("m")
	p.Says("Message web → cache")
	status("the next message", "sending of the chosen message: "+after(messages[next].sent-messages[first].sent, messages[first].Sent))
	p.Press("c")
	p.Says("mark · web")

	// At the head of an arrow the clock is that of the host where it arrived.
	x, y, width, height := p.Canvas("Communication").Box()
	p.Point(x+width*float64(messages[next].received-begin)/float64(end-begin)-1, y+height/8+3) // cache's row is the first of four
	status("the clock at its head", "cache local ")
	p.Point(x+width*float64(messages[next].sent-begin)/float64(end-begin)+1, y+height*7/8-3)
	status("the clock at its tail", "web local ")
}

// Beside a mark and a stretch the words of the cursor are whole, wherever it is: what there is no room for is left out, reasons first.
// A page of 640 x 360 is one of 1280 x 720 that is enlarged twofold.
func TestCursorWordsFit(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	words := regexp.MustCompile(`^\d\.\d{3} \d{3} \d{3} s( web (\S+ \S+ \S+, )?reference| db( \S+ \S+ \S+)?, ± \d+ µs| (web|db), (reference|± \d+ µs))? \S.* .?s (after|before) the mark(, certain(: both were timed by db's clock)?|: within the error(, so either may have come first)?)$`)
	for _, size := range [][2]int64{{1280, 720}, {3840, 2160}, {640, 360}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, ""))
		row := p.threadRow("dbwork, thread 205")
		x, _, width, _ := p.Canvas("Control flow").Box()
		_, y, _, height := row.Box()
		p.Point(x+width*0.5, y+height/2)
		p.Press("c")
		p.Await("a mark", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "mark=2") })
		// The labels of the axis are not behind it: it is one line high, or as wide as the longer of its lines.
		for _, at := range []float64{0.3, 0.5001, 0.7} {
			p.Point(x+width*at, y+height/2)
			p.Await(fmt.Sprintf("a flag that is no larger than its words at %v of %v", at, size), func() (any, bool) {
				saw := Eval[[]float64](p, `(() => {
					const flag = document.querySelector(".flagged"), b = flag.getBoundingClientRect(), lines = new Map();
					for (const e of flag.children) {
						const r = e.getBoundingClientRect(), key = Math.round(r.top);
						if (r.width > 0) lines.set(key, Math.max(lines.get(key) ?? 0, r.right - b.left + 7));
					}
					return [b.height, b.width, flag.children[2].offsetWidth, ...lines.values()];
				})()`)
				return saw, len(saw) > 3 && saw[2] > 0 && (saw[0] <= 17 || size[0] < 1000 && saw[1] <= slices.Max(saw[3:])+1)
			})
		}
		p.Mouse("mousePressed", x+width*0.3, y+height/2)
		p.Mouse("mouseMoved", x+width*0.7, y+height/2)
		p.Mouse("mouseReleased", x+width*0.7, y+height/2)
		over := y + height/2
		if size[0] > 1000 { // else there is no room for rows of another host
			_, web, _, tall := p.hostRow("Communication", "web").Box()
			over = web + tall/2
		}
		longest := 0
		for _, share := range []float64{0.01, 0.3, 0.4999, 0.5001, 0.7, 0.99} {
			p.Point(x+width*share, over)
			what := fmt.Sprintf("whole words in the picture at %v of %v", share, size)
			p.Await(what, func() (any, bool) {
				saw := Eval[struct {
					Words string
					Cut   []string
				}](p, `(() => {
					const flag = document.querySelector(".flagged"), out = [], plot = flag.parentElement.getBoundingClientRect();
					for (const e of [flag, ...flag.children, document.querySelector(".mark .flag")]) {
						const b = e.getBoundingClientRect();
						if (b.width > 0 && (b.left < plot.left - 1 || b.right > plot.right + 1 || e.scrollWidth > e.clientWidth && getComputedStyle(e).overflow !== "visible")) out.push(e.textContent);
					}
					for (const e of flag.children) if (e.getBoundingClientRect().right > flag.getBoundingClientRect().right || e.getBoundingClientRect().bottom > flag.getBoundingClientRect().bottom) out.push("beyond the flag: " + e.textContent);
					const order = document.querySelector("#status > .strong.words:not([hidden])");
					if (order.firstElementChild.getBoundingClientRect().right > order.getBoundingClientRect().right + 0.01 || !/the mark(, certain|: within)/.test(order.innerText)) out.push("in the status line: " + order.innerText);
					return {words: [...flag.children].map((e) => e.textContent).filter(Boolean).join(" "), cut: out};
				})()`)
				said := spaces.Replace(saw.Words)
				longest = max(longest, len(said))
				return fmt.Sprintf("%q %q", said, saw.Cut), len(saw.Cut) == 0 && words.MatchString(said)
			})
			if *statesDir != "" {
				p.keep(*statesDir, strings.NewReplacer(" ", "-", "[", "", "]", "").Replace("cursor "+what))
			}
		}
		if size[0] == 3840 && longest < 100 {
			t.Errorf("where there is room for all, no more than %d letters are said", longest)
		}
	}
}

// Over a message that crosses the row of another host, and over a bundle, the clock of the cursor is that of the row there.
func TestCursorOverARowThatIsCrossed(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	bundle := regexp.MustCompile(`^[\d ]+ messages (cache|web) → (cache|web)$`)
	for query, title := range map[string]*regexp.Regexp{"?window=all": bundle, "?begin=1795229355286453488&end=1795229355406538741": regexp.MustCompile(`^Message (cache|web) → (cache|web)$`)} {
		p.Open(s.page(set, query))
		p.Says("none received before sent")
		x, _, width, _ := p.Canvas("Communication").Box()
		_, y, _, height := p.hostRow("Communication", "db").Box()
		at := 0.0
		p.Await("a message between others under the pointer", func() (any, bool) {
			at = math.Mod(at+0.0037, 1)
			p.Point(x+width*at, y+height*0.3)
			p.frame()
			saw := spaces.Replace(Eval[string](p, `document.querySelector(".tooltip:not([hidden]) b")?.textContent ?? ""`))
			return saw, title.MatchString(saw)
		})
		p.Await("db's clock", func() (any, bool) {
			words := Eval[string](p, `document.querySelector("#status .local").textContent + "|" + document.querySelector(".flagged").textContent`)
			return words, strings.Contains(words, "db local ") && strings.Contains(words, "|") && strings.Contains(words[strings.Index(words, "|"):], "db ")
		})
	}
}

// However small the page, what is told beside the pointer leaves the flag of the cursor in sight: what matters less is not told there. Where
// there is room it leaves the inspector in sight too.
func TestTooltipLeavesTheFlag(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, size := range [][2]int64{{640, 360}, {1280, 720}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, ""))
		row := p.threadRow("dbwork, thread 205")
		x, _, width, _ := p.Canvas("Control flow").Box()
		_, y, _, height := row.Box()
		for _, share := range []float64{0.15, 0.3, 0.5, 0.7, 0.85, 0.9} {
			p.Point(x+width*share, y+height/2)
			p.frame()
			p.Await(fmt.Sprintf("a state told of at %v of %v, beside the flag and the inspector", share, size), func() (any, bool) {
				saw := Eval[struct {
					Words string
					Over  bool
				}](p, `(() => {
					const tip = document.querySelector(".tooltip"), [a, flag, inspector] = [".tooltip", ".flagged", ".inspector"].map((e) => document.querySelector(e).getBoundingClientRect());
					const over = (b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
					return {words: tip.innerText, over: flag.width === 0 || over(flag) || innerWidth > 1000 && over(inspector)};
				})()`)
				return saw, strings.Contains(saw.Words, "Duration") && !saw.Over
			})
		}
	}
}

// Two moments are compared in words: on one host for certain, on two only beyond the error of their clocks.
func testHonestCursor(t *testing.T, p *Page, address string) {
	p.Open(address)
	crunch := p.threadRow("crunch, thread 206")
	left, _, width, _ := p.Canvas("Control flow").Box()
	_, y, _, height := crunch.Box()
	at := func(share, y float64) { p.Point(left+width*share, y) }
	status := func(pattern string) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await("the status line says "+pattern, func() (any, bool) {
			words := spaces.Replace(strings.Join(strings.Fields(Eval[string](p, `[...document.querySelectorAll("#status > :not(.sr)")].map((e) => e.innerText).join(" ")`)), " "))
			return words, re.MatchString(words)
		})
	}
	flag := func(pattern string) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await("the flag of the cursor says "+pattern, func() (any, bool) {
			words := spaces.Replace(strings.Join(strings.Fields(Eval[string](p, `document.querySelector(".flagged").innerText`)), " "))
			return words, re.MatchString(words)
		})
	}
	at(0.3, y+height/2)
	flag(`^6\.1\d\d \d{3} \d{3} s ?db \d\d:\d\d:\d\d\.\d{3} \d{3} \d{3}, ± \d+ µs$`)
	p.Press("c")
	at(0.5, y+height/2)
	status(`11[34]\.\d{3} \d{3} ms after the mark, certain: both were timed by db's clock`)
	flag(`after the mark, certain: both were timed by db's clock`)
	at(0.2, y+height/2)
	status(`5[67]\.\d{3} \d{3} ms before the mark, certain`)
	color := func(property string) {
		t.Helper()
		p.Await("the order in the colour "+property, func() (any, bool) {
			got := Eval[[]string](p, `(() => {
				const probe = Object.assign(document.createElement("i"), {style: "color: var(`+property+`)"});
				document.body.append(probe);
				const want = getComputedStyle(probe).color;
				probe.remove();
				return [want, getComputedStyle(document.querySelector(".flagged .order")).color];
			})()`)
			return got, got[0] == got[1]
		})
	}
	color("--good")

	// Over the axis no host is pointed at, and of nothing else is the order told beside that time.
	_, axis, _, tall := p.Canvas("Time axis").Box()
	at(0.5, axis+tall/2)
	status(`^6\.\d{3} \d{3} \d{3} s clock map`)

	_, db, _, tall := p.hostRow("Communication", "db").Box()
	at(0.5, db+tall/2)
	status(`db local .* ± \d+ µs here`)
	_, web, _, tall := p.hostRow("Communication", "web").Box()
	at(0.301, web+tall/2)
	at(0.3, web+tall/2)
	status(`web local .* reference \S+ ± \S+ µs after the mark: within the error, so either may have come first`)
	at(0.5, web+tall/2)
	status(`11[34]\.\d+ ± 0\.\d+ ms after the mark, certain`)
	at(0.3, web+tall/2)
	color("--medium")
	// What the flag says is all to be read, wherever the cursor is.
	p.Resize(1000, 700)
	left, _, width, _ = p.Canvas("Control flow").Box()
	_, web, _, tall = p.hostRow("Communication", "web").Box()
	for _, share := range []float64{0.01, 0.302, 0.49, 0.51, 0.99} {
		at(share, web+tall/2)
		flag(`after the mark|before the mark`)
		if cut := Eval[[]float64](p, `(() => {
			const f = document.querySelector(".flagged"), o = f.querySelector(".order");
			const [a, b] = [f.getBoundingClientRect(), f.parentElement.getBoundingClientRect()];
			return [b.left - a.left, a.right - b.right, o.scrollWidth - o.clientWidth].map((d) => Math.max(0, Math.round(d)));
		})()`); cut[0]+cut[1]+cut[2] != 0 {
			t.Errorf("with the cursor at %v of the width the flag is cut off left, right and at the end of its words by %v px", share, cut)
		}
	}
	p.Resize(Width, Height)
	left, _, width, _ = p.Canvas("Control flow").Box()
	_, web, _, tall = p.hostRow("Communication", "web").Box()
	at(0.5, web+tall/2)
	status(`11[34]\.\d+ ± 0\.\d+ ms after the mark, certain`)
	if n := Eval[int](p, `[...document.querySelectorAll(".cursor")].filter((e) => e.offsetParent && !e.hidden).length`); n != 2 {
		t.Errorf("the cursor is shown in %d places, not in the timeline and in the strip above", n)
	}

	// The mark stays with the address, at what happened then by the clock of its host.
	p.Await("the mark in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "mark=2~") || strings.Contains(p.Address(), "mark=2%7E")
	})
	p.Reload()
	_, web, _, tall = p.hostRow("Communication", "web").Box()
	p.threadRow("crunch, thread 206")
	at(0.5, web+tall/2)
	status(`11[34]\.\d+ ± 0\.\d+ ms after the mark, certain`)
	p.Press("C")
	p.Await("no mark in the address", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "mark=") })
}

// What was done last counts for the keys that mark a moment and show all of it: a state that was chosen by key after the pointer came to rest, or the pointer
// where it moved after that.
func TestKeysGoByWhatWasDoneLast(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	left, _, width, _ := p.Canvas("Communication").Box()
	_, web, _, tall := p.hostRow("Communication", "web").Box()
	marked := func(host string) int64 {
		t.Helper()
		p.Press("c")
		var at int64
		p.Await("a mark on "+host, func() (any, bool) {
			u, err := url.Parse(p.Address())
			if err != nil {
				t.Fatal(err)
			}
			on, local, _ := strings.Cut(u.Query().Get("mark"), "~")
			at, err = strconv.ParseInt(local, 10, 64)
			return u, on == host && err == nil
		})
		return at
	}
	const onDB, onWeb = "2", "3"
	p.Point(left+width*0.3, web+tall/2)
	marked(onWeb)
	p.Press(".")
	first := marked(onDB)
	p.Press(".")
	p.Await("a mark that goes along with the state", func() (any, bool) {
		at := marked(onDB)
		return at - first, at > first
	})
	// By v all of what is known then is shown.
	shown := func() int64 {
		t.Helper()
		p.Press("v")
		var at int64
		var since time.Time
		p.Await("a time that stays in the address", func() (any, bool) { // at first the one before may be there
			u, err := url.Parse(p.Address())
			if err != nil {
				t.Fatal(err)
			}
			now, err := strconv.ParseInt(u.Query().Get("state"), 10, 64)
			if now != at || since.IsZero() {
				at, since = now, time.Now()
			}
			return u, err == nil && time.Since(since) > 800*time.Millisecond
		})
		p.Press("1")
		p.Await("the timeline", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "tab=state") })
		return at
	}
	from, to, _ := view(t, p)
	pointed := func(share float64) int64 { return from + int64(share*float64(to-from)) }
	if at := shown(); math.Abs(float64(at-pointed(0.3))) < 2e6 {
		t.Errorf("what was chosen by key began %d ns after what is pointed at", at-pointed(0.3))
	}
	p.Await("what is pointed at", func() (any, bool) { // the timeline that came back may move under the pointer until its rows are there
		p.Point(left+width*0.31, web+tall/2)
		local := Eval[string](p, `document.querySelector("#status .local").textContent`)
		return local, strings.Contains(local, "web")
	})
	marked(onWeb)
	if at := shown(); math.Abs(float64(at-pointed(0.31))) > 2e6 {
		t.Errorf("the state is shown %d ns after what is pointed at", at-pointed(0.31))
	}
}
