package browser

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/sync/network"
)

const inForce = `In force: the default, method hull \(what every message allows\); reference web, the best; none of the 5 links left out \(3 in use, 2 checks of these\); all messages\.`

// A set is synchronized in another way from the page: what is in force is said in words, everybody who looks at the set
// sees it, the timeline goes along, and one action leads back.
func TestResynchronize(t *testing.T) {
	s, set := demoSite(t)
	other := NewPage(t)
	other.Open(s.page(set, "?tab=sync"))
	other.Matches(inForce)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=client~db"))
	p.Matches(inForce)
	p.Gone("button", "Back to the default")

	// Another reference, with what it costs.
	p.Find("button", "Synchronize in another way…").Click()
	p.Find("combobox", "Reference").Choose("db: errors add up to ")
	p.Find("button", "Synchronize").Click()
	for _, page := range []*Page{p, other} {
		page.Matches(`In force: method hull .*; reference db, pinned \(with web the errors of the 4 hosts would add up to [\d.]+ µs less\); none of the 5 links left out \(3 in use, 2 checks of these\); all messages\.`)
		page.Matches(`reference: db; ± of hosts best to worst, of links`)
	}
	p.Matches(`Synchronized in [\d.]+ m?s: clock map \d+\.`)
	p.Find("tab", "Timeline").Click()
	flow := p.Find("region", "Control flow")
	p.Await("db as the reference of the timeline, and web with a bound", func() (any, bool) {
		words := strings.Join(strings.Fields(flow.Text()), " ")
		return words, strings.Contains(words, "db reference") && strings.Contains(words, "web ± ")
	})
	p.Await("the window in db's own time", func() (any, bool) {
		address := p.Address()
		return address, strings.Contains(address, "begin=179522934518")
	})
	c := p.Canvas("Control flow")
	p.Await("states", func() (any, bool) { n := c.Count("--user"); return n, n > 1000 })
	p.Find("tab", "Synchronization").Click()

	// A link left out and taken in again, by keys from where the first press left them.
	p.Find("button", "Leave this link out").Click()
	p.Matches(`pinned \(.*\); without client – db; all messages`)
	p.Matches(`client – db left out accurate`)
	p.Matches(`Solid: in use, the way to the reference. Broken: not in use, a check of the others. Dotted: left out, it counts for nothing.`)
	if dashes := Eval[[]string](p, `[...document.querySelectorAll(".graph .edge:not(.tree)")].map((e) => getComputedStyle(e).strokeDasharray)`); len(dashes) != 2 || dashes[0] == dashes[1] {
		t.Errorf("the link that is left out and the one that is a check are drawn with dashes of %q", dashes)
	}
	p.Find("button", "Take this link in again")
	p.Press("Enter")
	p.Matches(`pinned \(.*\); none of the 5 links left out \(3 in use, 2 checks of these\); all messages`)

	// A method that bounds nothing, by the messages in the window of the timeline.
	p.Find("combobox", "Method").Choose("regression")
	p.Matches(`one through all messages of each direction\. It bounds nothing: no ± is shown\.`)
	p.Find("combobox", "Messages").Choose("of the timeline's window")
	p.Find("button", "Synchronize").Click()
	p.Matches(`In force: method regression; reference db, pinned; none of the \d links left out( \(.*?\))?; messages of \d\.\d+ s to \d\.\d+ s only\.`)
	p.Matches(`cache – web both ways – `) // no claim about a bound
	p.Matches(`Both ways There are messages in both directions\. The method in force estimates the clock from them and bounds nothing\.`)
	if strings.Contains(p.Text(), "accurate") {
		t.Error("a link or a host is called accurate by a method that bounds nothing")
	}
	if strings.Contains(p.Text(), "what the messages allow") {
		t.Error("a half-width is spoken of by a method that bounds nothing")
	}
	plot := p.Canvas("The error bound of each host")
	p.Await("no line", func() (any, bool) { n := plot.Count("--accent"); return n, n == 0 })
	if rules, err := os.ReadFile(axe); err == nil {
		checkRules(t, p, rules, "synchronization in another way")
	}

	p.Find("button", "Back to the default").Click()
	for _, page := range []*Page{p, other} {
		page.Matches(inForce)
		page.Gone("button", "Back to the default")
	}
	if p.Find("button", "Synchronize in another way…").State("expanded") != "true" {
		t.Error("the form was closed")
	}
	p.Await("the form as by default", func() (any, bool) {
		method, reference := p.Find("combobox", "Method").Text(), p.Find("combobox", "Reference").Text()
		return method + ", " + reference, method == "hull" && reference == ""
	})
}

// Who looks at the timeline while somebody else synchronizes in another way sees what that makes of the messages, and
// sees it right again: with the same reference no time has another name, and nothing but the clocks is new.
func TestResynchronizeWhileOthersLook(t *testing.T) {
	s, set := demoSite(t)
	p, other := NewPage(t), NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Matches(inForce)
	other.Open(s.page(set, ""))
	talk := other.Find("region", "Communication")
	other.threadRow("dbwork, thread 205")
	other.Press("Home")
	says := func(pattern string) {
		t.Helper()
		other.Await("Communication to say "+pattern, func() (any, bool) {
			words := spaces.Replace(talk.Text())
			return words, regexp.MustCompile(pattern).MatchString(words)
		})
	}
	says(`10 684 messages in view\s+none received before sent`)

	p.Find("button", "Synchronize in another way…").Click()
	p.Find("combobox", "Method").Choose("regression")
	p.Find("combobox", "Reference").Choose("web")
	p.Find("button", "Synchronize").Click()
	p.Matches(`In force: method regression; reference web, pinned`)
	says(`⚠ [\d ]+ received before sent`)

	p.Find("button", "Back to the default").Click()
	p.Matches(inForce)
	says(`10 684 messages in view\s+none received before sent`)

	// What came of it is said for as long as it is in force.
	p.Matches(`Synchronized in [^:]*: clock map \d`)
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "db"}); err != nil {
		t.Fatal(err)
	}
	p.Matches(`reference db, pinned`)
	if words := p.Text(); strings.Contains(words, "Synchronized in") {
		t.Errorf("of other clocks it says still: %s", words)
	}
}

// While clocks of another reference, an hour off, give all times other names, the strip over the whole set keeps what it shows, and
// Control flow lists rows: what ran in the window ran whatever the window is called.
func TestStripWhileClocksChange(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	strip := p.Canvas("Events over the whole set")
	p.Await("events", func() (any, bool) { n := strip.Count("--density"); return n, n > 1000 })
	Eval[bool](p, `(() => {
		window.bare = 0;
		window.listed = new Set();
		const flow = document.querySelector("[aria-label='Control flow']");
		const c = [...document.querySelectorAll("canvas")].find((e) => e.getAttribute("aria-label").startsWith("Events over the whole set"));
		const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
		const look = () => {
			copy.drawImage(c, 0, 0);
			const d = copy.getImageData(0, 0, c.width, c.height).data;
			const kinds = new Set();
			for (let i = 0; i < d.length; i += 4) kinds.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
			if (kinds.size < 100) window.bare++; // the window alone, drawn over nothing, has 13 colours, the bars more than 200
			listed.add(Number(/(\d+) listed/.exec(flow.textContent)?.[1] ?? 0));
			requestAnimationFrame(look);
		};
		look();
		return true;
	})()`)
	for _, reference := range []string{"cache", "web"} {
		if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({reference: %q})}).then((r) => r.status)`, set.ID(), reference)); code != 200 {
			t.Fatalf("status %d", code)
		}
		p.Matches(reference + ` reference`)
		p.Await("events", func() (any, bool) { n := strip.Count("--density"); return n, n > 1000 })
	}
	if n := Eval[int](p, "bare"); n > 0 {
		t.Errorf("the strip was empty in %d frames", n)
	}
	if listed := Eval[[]int](p, "[...listed]"); len(listed) == 0 || slices.Min(listed) < 50 {
		t.Errorf("in one frame or another Control flow listed these numbers of rows: %v", listed)
	}

	// What a host did glides to where the new clocks have it, frame by frame; for who prefers less motion it is there at once.
	p.Open(s.page(set, "?begin=1795229355244100000&end=1795229355247100000&row=2.205"))
	p.Matches(`dbwork · 205 .* blocked in wait4`)
	p.Says("final")
	Eval[bool](p, watchState)
	begins := func() []int { return slices.Compact(Eval[[]int](p, "window.begins")) }
	move := func(exclude string) (way []int) {
		t.Helper()
		p.Await("the state at rest", func() (any, bool) {
			last := slices.Compact(Eval[[]int](p, "window.begins.slice(-10)"))
			return last, len(last) == 1 && last[0] > 0 && last[0] < 500
		})
		Eval[bool](p, "window.begins.splice(0), true")
		if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({exclude: %s})}).then((r) => r.status)`, set.ID(), exclude)); code != 200 {
			t.Fatalf("status %d", code)
		}
		p.Await("the state at rest in another place", func() (any, bool) {
			way = begins()
			last := Eval[[]int](p, "window.begins.slice(-20)")
			return way, len(way) > 1 && len(slices.Compact(last)) == 1
		})
		return way
	}
	way := move(`[["client", "web"], ["db", "web"]]`)
	far, longest := way[0]-way[len(way)-1], 0
	for i, x := range way[1:] {
		longest = max(longest, way[i]-x)
	}
	if far < 8 || longest > far*2/5 || !slices.IsSortedFunc(way, func(a, b int) int { return b - a }) {
		t.Errorf("the state went by %v", way)
	}
	p.Prefer("light", "prefers-reduced-motion", "reduce")
	back := move(`[]`)
	for i, x := range back[1:] { // it may be rounded to another pixel before
		if by := x - back[i]; by > 1 && by < far-3 || by < -1 {
			t.Errorf("the state went back by %v, where less motion is preferred", back)
		}
	}
}

// watchState notes of every frame where the row of Control flow that is selected begins to be blocked, CSS pixels, and lets 20 ms go by
// in each, however long it takes.
const watchState = `(() => {
	const canvas = [...document.querySelectorAll("canvas")].find((e) => e.getAttribute("aria-label").startsWith("Control flow"));
	const ratio = canvas.width / canvas.clientWidth;
	const [r, g, b] = /^#(..)(..)(..)$/.exec(getComputedStyle(document.documentElement).getPropertyValue("--blk").trim()).slice(1).map((h) => parseInt(h, 16));
	const line = new OffscreenCanvas(canvas.width, 1).getContext("2d", { willReadFrequently: true });
	let now = performance.now();
	performance.now = () => now;
	window.begins = [];
	const look = () => {
		now += 20;
		const row = document.querySelector("[aria-label='Control flow: rows'] .selected")?.getBoundingClientRect();
		line.drawImage(canvas, 0, row ? -Math.round((row.y + row.height / 2 - canvas.getBoundingClientRect().y) * ratio) : 0);
		const d = line.getImageData(0, 0, canvas.width, 1).data;
		let x = 0;
		while (x < canvas.width && (d[4 * x] !== r || d[4 * x + 1] !== g || d[4 * x + 2] !== b)) x++;
		window.begins.push(Math.round(x / ratio));
		requestAnimationFrame(look);
	};
	look();
	return true;
})()`

// A host keeps its colour, whoever is the reference and has no line.
func TestColoursOfHosts(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	plot := p.Canvas("The error bound of each host")
	drawn := func(what, with, without string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			a, b := plot.Count(with), plot.Count(without)
			return []int{a, b}, a > 200 && b < 100 // where lines cross or end, pixels mix
		})
	}
	drawn("cache's line, and none of web", "--accent", "--msg")
	if code := Eval[int](p, fmt.Sprintf(`fetch("/api/sets/%s/sync", {method: "POST", body: JSON.stringify({reference: "cache"})}).then((r) => r.status)`, set.ID())); code != 200 {
		t.Fatalf("status %d", code)
	}
	drawn("web's line, and none of cache", "--msg", "--accent")
}

// A window that is chosen together with another reference is meant as it was shown, although clocks that differ by
// an hour then name its times.
func TestResynchronizeWindow(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	bounds := set.Status()
	begin := bounds.Begin[:len(bounds.Begin)-9]
	p.Open(s.page(set, fmt.Sprintf("?tab=sync&begin=%s&end=%s", plus(t, begin, 10), plus(t, begin, 30))))
	p.Find("button", "Synchronize in another way…").Click()
	p.Find("combobox", "Reference").Choose("cache")
	p.Find("combobox", "Messages").Choose("of the timeline's window")
	p.Find("button", "Synchronize").Click()
	p.Matches(`reference cache, pinned \(.*\); none of the 3 links left out; messages of (9|10)\.\d+ s to (29|30)\.\d+ s only`)
	p.Matches(`cache – web accurate ± [\d.]+ µs`)
	p.Find("combobox", "Reference").Choose("the best")
	p.Find("button", "Synchronize").Click()
	p.Matches(`reference web, the best; none of the 3 links left out; messages of (9|10)\.\d+ s to (29|30)\.\d+ s only`)
	p.Matches(`cache – web accurate ± [\d.]+ µs`)
}

// The form offers the timeline's window as that is, also where it was open before, and keeps what was chosen.
func TestResynchronizeByAWindowOfLater(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	first, err := strconv.ParseInt(set.Status().Begin, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, "") + "?window=all&tab=sync")
	p.Find("button", "Synchronize in another way…").Click()
	offered := func(want string) {
		t.Helper()
		p.Await(want, func() (any, bool) {
			is := Eval[string](p, `[...document.querySelectorAll("#resync select")].pop().lastElementChild.outerHTML`)
			return is, regexp.MustCompile(want).MatchString(is)
		})
	}
	offered(`disabled.*of the timeline's window: zoom in there first`)
	for i, to := range [][2]int64{{10, 20}, {25, 30}} {
		p.Press("1")
		p.palette(fmt.Sprintf("%d s..%d s", to[0], to[1]), fmt.Sprintf("Show %d.", to[0]))
		p.strike("Enter", 0)
		p.Await("the window in the address", func() (any, bool) {
			at := p.Address()
			return at, strings.Contains(at, fmt.Sprintf("begin=%d&end=%d", first+to[0]*1e9, first+to[1]*1e9))
		})
		p.Press("2")
		offered(fmt.Sprintf(`^<option [^>]*>of the timeline's window, %d\.000.s to %d\.000.s<`, to[0], to[1]))
		if i == 0 {
			p.Find("combobox", "Messages").Choose("of the timeline's window")
		}
	}
	p.Find("button", "Synchronize").Click()
	p.Matches(`messages of (24|25)\.\d+ s to (29|30)\.\d+ s only`)
	p.Press("r")
	offered(`disabled.*of the timeline's window: not while raw time is on`)
}

// Other hosts as the reference one after the other, and the first again: the window and those that one can go back and
// forward to are the very same times as before.
func TestOtherReferencesAndBack(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	bounds := set.Status()
	first, err := strconv.ParseInt(bounds.Begin, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", first+6_000_000_000, first+6_500_000_000)))
	p.Await("whose times they are in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "?by=web&begin=") })
	begin, end := first+6_000_000_000, first+6_500_000_000
	p.Press("-")
	earlierBegin, earlierEnd := p.settled()
	p.Press("Backspace")
	if b, e := p.settled(); b != begin || e != end {
		t.Fatalf("the window is from %d to %d, not from %d to %d", b, e, begin, end)
	}
	for _, reference := range []string{"cache", "client", "db", "cache", ""} {
		if _, err := set.Synchronize(t.Context(), network.Options{Reference: reference}); err != nil {
			t.Fatal(err)
		}
		by := reference
		if by == "" {
			by = "web"
		}
		p.Await("times by the clock of "+by, func() (any, bool) {
			a := p.Address()
			return a, strings.Contains(a, "by="+by+"&")
		})
	}
	if b, e := p.settled(); b != begin || e != end {
		t.Errorf("the window was from %d to %d and is from %d to %d, later by %d", begin, end, b, e, b-begin)
	}
	p.strike("Backspace", 8)
	if b, e := p.settled(); b != earlierBegin || e != earlierEnd {
		t.Errorf("the window before was from %d to %d and is from %d to %d", earlierBegin, earlierEnd, b, e)
	}
	if now := set.Status(); now.Begin != bounds.Begin {
		t.Errorf("the set begins at %s, not %s", now.Begin, bounds.Begin)
	}
}

// A window in which no message was sent leaves no link: the tab says so and shows the messages of none, and all are
// there again with the default.
func TestResynchronizeWithoutMessages(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	begin := set.Status().Begin
	second := strings.TrimSuffix(plus(t, begin[:len(begin)-9], 15), "000000000")
	p.Open(s.page(set, fmt.Sprintf("?tab=sync&begin=%s203133487&end=%s223133487", second, second)))
	p.Says("what each message says about")
	plot := p.Canvas("The constraint points")
	p.Await("points", func() (any, bool) { n := plot.Count("--sys"); return n, n > 100 })
	p.Find("button", "Synchronize in another way…").Click()
	p.Find("combobox", "Messages").Choose("of the timeline's window")
	p.Find("button", "Synchronize").Click()
	p.Matches(`In force: .*; no link; messages of .* only\.`)
	p.Matches(`Links 0 of 6 pairs exchanged messages in the window that counts`)
	p.Matches(`This lists every pair of hosts that exchanged messages\. None did in the window of messages that counts\. 1\d \d{3} messages were matched`)
	p.Await("no point", func() (any, bool) { n := plot.Count("--sys"); return n, n == 0 })
	p.Find("button", "Back to the default").Click()
	p.Matches(inForce)
	p.Await("points again", func() (any, bool) { n := plot.Count("--sys"); return n, n > 100 })
	p.Find("tab", "Timeline").Click()
	p.Matches(`Window 15\.000`)
}

// Any two hosts are compared, chosen in the graph or by name, at the instant that is pointed at, and in the way that is in force.
func TestCompareHosts(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=db~web"))
	p.Matches(`Compare .* with .* Choose two hosts, here or by clicks in the graph`)
	graph := p.Find("region", "Graph of hosts and links")
	for _, host := range []string{"client", "db"} {
		at := must[[2]float64](graph, `function(host) {
			const node = this.querySelector('[data-host="' + host + '"] circle');
			node.scrollIntoView({block: "nearest"});
			const b = node.getBoundingClientRect();
			return [b.x + b.width / 2, b.y + b.height / 2];
		}`, host)
		p.Click(at[0], at[1])
	}
	p.Matches(`db is behind client by 3\.00\d [\d ]+s ± \d+ µs at \d\.\d+ s, the middle of the timeline's window\.`)
	p.Matches(`Along client – web – db, and held to what their own messages allow: known to ± \d+ µs to \d+ µs while client recorded\. A line by their own messages alone, which is not in use, would be known to ± \d+ µs to \d+ µs while both did, and agrees: [\d.]+ µs apart at most, of \d+ µs allowed\.`)
	slider := p.Find("slider", "Instant of the error plot")
	slider.Focus()
	p.Press("PageDown")
	p.Matches(`db is behind client by 3\.00\d [\d ]+s ± \d+ µs at 2\d\.\d+ s, where Error over time is pointed at\.`)
	p.Matches(`Hosts ± there: at 2\d\.\d+ s, where Error over time is pointed at`)
	if which := Eval[string](p, `document.querySelector(".when select").selectedOptions[0].text`); which != "where Error over time is pointed at" {
		t.Errorf("what is pointed at is called %q", which)
	}
	p.Press("Tab")

	// What is below is of the two, as soon as both are chosen; the one that is left out is another.
	p.Find("button", "Leave this link out")
	p.Await("the link of the two", func() (any, bool) {
		address := p.Address()
		return address, strings.Contains(address, "link=client%7Edb")
	})
	p.Open(s.page(set, "?tab=sync&link=db~web&compare=client~db"))
	p.Matches(`db is behind client by`)
	p.Find("button", "Leave this link out").Click()
	p.Matches(`without db – web`)
	p.Matches(`By the clock in force over their own link, known to ± \d+ µs to \d+ µs while both recorded\.`)
	p.Find("button", "Back to the default").Click()
	p.Matches(`Along client – web – db`)

	// At any other time, which stays in the address.
	p.Find("combobox", "which is").Choose("the middle of the recording")
	p.Matches(`db is behind client by 3\.00\d [\d ]+s ± \d+ µs at 19\.\d+ s, the middle of the recording\.`)
	at := p.Find("textbox", "Compared at, in s")
	at.Type("99")
	p.Press("Enter")
	p.Matches(`The time is one from 0 to 39\.\d+ s, such as 1\.5\.`)
	at.Type("30.5")
	p.Press("Enter")
	p.Matches(`db is behind client by 3\.00\d [\d ]+s ± \d+ µs at 30\.500 s\.`)
	p.Matches(`Hosts ± there: at 30\.500 s`)
	p.Await("the time in the address", func() (any, bool) {
		address := p.Address()
		return address, strings.Contains(address, "moment=30500000000")
	})
	p.Reload()
	p.Matches(`db is behind client by 3\.00\d [\d ]+s ± \d+ µs at 30\.500 s\.`)
	p.Find("combobox", "which is").Choose("the middle of the timeline's window")
	p.Matches(`s ± \d+ µs at \d\.\d+ s, the middle of the timeline's window\.`)

	p.Find("combobox", "with host").Choose("cache")
	p.Matches(`cache is ahead of client by 3 60\d\.\d+ `)
	p.Await("the hosts in the address", func() (any, bool) {
		address := p.Address()
		return address, strings.Contains(address, "compare=client%7Ecache")
	})
	p.Reload()
	p.Matches(`cache is ahead of client by 3 60\d\.\d+ `)
	p.Find("combobox", "with host").Choose("client")
	p.Matches(`These are one host\.`)
}

// Of a host and the reference one number is told for one instant, wherever it is: where two hosts are compared, in the table of hosts, beside
// the plot of errors, and in the timeline.
func TestOneBoundForAPair(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	words := func(js string) string { return strings.Join(strings.Fields(Eval[string](p, js)), " ") }
	const status, row = `document.querySelector(".compare [role=status]").innerText`, `[...document.querySelectorAll(".hosts tbody tr")].find((r) => r.innerText.startsWith("db")).cells[3].innerText`
	figure := regexp.MustCompile(`± \d+ µs`)
	c := clocksOf(t, set)
	db := c.hosts["db"]
	known := func(at int64) string { return "± " + c.known("db", db.Map.Local(c.begin+at)) }
	for k := range int64(6) {
		at := db.Map.Reference(db.Begin+(db.End-db.Begin)/11*(2*k)) + 1000 - c.begin
		for _, pair := range []string{"db~web", "web~db"} {
			p.Open(s.page(set, fmt.Sprintf("?tab=sync&compare=%s&moment=%d", pair, at)))
			p.Matches(`(web is ahead of db|db is behind web) by`)
			want := known(at)
			if compared, table := figure.FindString(words(status)), words(row); compared != want || table != want {
				t.Errorf("%s at %d: compared %q, in the table %q, the clocks say %q", pair, at, words(status), table, want)
			}
		}
	}
	slider := p.Find("slider", "Instant of the error plot")
	slider.Focus()
	for _, key := range []string{"Home", "PageDown", "PageDown", "ArrowRight", "PageDown", "PageDown", "PageDown"} {
		p.Press(key)
		p.Await("one number after "+key, func() (any, bool) {
			plot := regexp.MustCompile(`db (± \d+ µs)`).FindStringSubmatch(words(`document.querySelector(".oferrors .readout").innerText`))
			compared, table := figure.FindString(words(status)), words(row)
			saw := fmt.Sprint(plot, compared, table, words(status))
			// The first instant is one before db recorded.
			return saw, plot == nil && compared == "" && table == "–" || plot != nil && plot[1] == compared && compared == table
		})
	}
	// The timeline's window is of one instant, so that what stands beside its rows is of that.
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d", c.begin+19_732_000_000, c.begin+19_732_001_000)))
	p.Await("the same beside db's row", func() (any, bool) {
		notes := Eval[string](p, `[...document.querySelectorAll(".rows [role=row]")].filter((r) => r.innerText.startsWith("db")).map((r) => r.innerText + " " + r.title).join("; ")`)
		notes = strings.Join(strings.Fields(notes), " ")
		return notes, strings.Contains(notes, known(19_732_000_500))
	})
}

// Raw time shows no bound of clocks that are not applied, and calls no instant the middle of a window that all hosts read at other times.
func TestRawTimeOfClocks(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	corner := func() string { return Eval[string](p, `document.querySelector(".overview").innerText`) }
	p.Open(s.page(set, ""))
	p.Await("how well clocks are known", func() (any, bool) { w := corner(); return w, strings.Contains(w, "±") })
	p.Press("r")
	p.Await("nothing of that in raw time", func() (any, bool) {
		w := corner()
		return w, strings.Contains(w, "641.1") && !strings.Contains(w, "±")
	})
	if w := corner(); strings.Contains(w, "±") {
		t.Errorf("in raw time the strip says %q", w)
	}
	p.Open(s.page(set, "?tab=sync&time=raw&compare=db~web"))
	p.Matches(`web is ahead of db by 10\.003 \d+ s ± \d+ µs at 19\.73\d s, the middle of the recording\.`)
	if which := Eval[string](p, `document.querySelector(".when select").selectedOptions[0].text`); which != "by the timeline's window, in raw time" {
		t.Errorf("of raw time the instant is called %q", which)
	}
}

// After the clocks were made in another way it is told what became of the bound of each host.
func TestWhatBecameOfBounds(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	p.Find("button", "Use client as the reference").Click()
	p.Matches(`Synchronized in .*: clock map \d+\. Known at worst to, before and now: .*client ± \d+ µs → exact`)
	p.Matches(`web exact → ± \d+ µs`)
	p.Matches(`web .* ± \d+ µs to \d+ µs was exact`)
	p.Find("button", "Back to the default").Click()
	p.Matches(`client exact → ± \d+ µs`)
}

// While an import runs the user says how well clocks are to be known before anything is drawn.
func TestWaitForAccuracy(t *testing.T) {
	s, hold := slowedSite(t, 12)
	p := NewPage(t)
	set := s.add("shop-4hosts", demoArchive)
	p.Open(s.page(set, ""))
	p.Matches(`\d messages? in view`)
	p.Find("tab", "Import").Click()
	p.Find("combobox", "Draw the timeline").Choose("when the clocks in the window are known to ± 10.0 µs")
	p.Find("tab", "Timeline").Click()
	p.Matches(`Nothing is drawn before clocks are known to ± ?10\.0 µs here; .* The Import tab can change that\.`)
	p.Await("nothing is said of what is not drawn", func() (any, bool) {
		words := p.Text()
		return words, !strings.Contains(words, "messages in view") && !strings.Contains(words, "% used")
	})
	p.Await("the bound in the address", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "wait=10us") })
	hold.letGo()
	c := p.Canvas("Control flow")
	p.Await("states after the import", func() (any, bool) { n := c.Count("--user") + c.Count("--sys"); return n, n > 100 })
}

// plus is a time in ns, some seconds after one in s.
func plus(t *testing.T, seconds string, n int) string {
	t.Helper()
	var whole int64
	if _, err := fmt.Sscan(seconds, &whole); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d000000000", whole+int64(n))
}

// As another host is the reference the status line says so in few words, and goes on to say all else: nothing in it is cut or left out.
func TestStatusOfAnotherReference(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	use := p.Find("button", "Use db as the reference")
	use.Click()
	p.Matches(`Known at worst to, before and now: .*client ± \S+ µs → ± \S+ µs`) // on the tab
	p.Await("the reference, and the clocks' version, in the status line", func() (any, bool) {
		saw := Eval[struct {
			Words string
			Cut   []string
		}](p, `(() => {
			const seen = [...document.querySelectorAll("#status > span:not(.sr, .space)")].filter((e) => e.textContent);
			const cut = (e, i) => e.clientWidth <= 1 || e.scrollWidth > e.clientWidth + 1 || (i > 0 && seen[i - 1].getBoundingClientRect().right > e.getBoundingClientRect().left);
			return {Words: seen.map((e) => e.innerText).join(" · "), Cut: seen.filter(cut).map((e) => e.textContent)};
		})()`)
		return saw, regexp.MustCompile(`^Synchronized: all times are by db's clock now\. · clock map \d+, final$`).MatchString(saw.Words) && len(saw.Cut) == 0
	})
}
