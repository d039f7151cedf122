package browser

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"synchroscope/ingest"
)

// pair is two machines of which one's clock is no line: what is said of it goes in.
const pair = `scenario pair "Two machines that talk twenty times a second"
duration 60s

host left
  clock offset=-2s..2s rate=85
host right
  clock offset=-2s..2s rate=-122
%s
link left right propagation=8us rate=1Gbps queue=512KiB jitter=3us

workload pingpong from=left to=right period=50ms
`

// The clock of one of the pair bends, or it jumps.
var (
	bends = fmt.Sprintf(pair, "  thermal amplitude=25 period=30s")
	jumps = fmt.Sprintf(pair, "  step at=20s by=30ms\n  step at=41s by=-12ms")
)

// A clock that no line fits is shown as a path: with a band, its rates as a range, and what
// its bound rests on. A point of the plot leads to its message. The rules of accessibility
// hold there as well.
func TestPieces(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("bends", bends)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&columns=all"))
	p.Matches(`left – right accurate ± [\d.]+ µs to [\d.]+ µs −2\d\d\.\d to −1\d\d\.\d ppm [\d ]+ / [\d ]+ \d+ pieces 0 – –`)
	p.Matches(`Holds as long as the rate of one clock against the other changes by at most [\d.]+ ppm a second`)
	p.Matches(`of the link alone no one line fits; \d+ straight pieces do, .+ long, at −2\d\d\.\d to −1\d\d\.\d ppm\. The clock in force, which all links make together, is \d+ pieces`)
	p.Matches(`minus the estimate of the link alone; bold: the clock in force, a tick where a piece ends`)
	plot := p.Canvas("The constraint points")
	left, top, width, height := plot.Box()
	edges := func() (any, bool) {
		band, upper, lower := len(plot.Inked(height/2-24, "--panel")), plot.Count("--sys"), plot.Count("--user")
		return fmt.Sprint(band, upper, lower), float64(band) > 0.8*width && upper > 100 && lower > 100
	}
	p.Await("a band and its edges", edges)
	if rules, err := os.ReadFile(axe); err == nil {
		checkRules(t, p, rules, "synchronization of a set in pieces")
	}

	// Zoomed in, by wheel and by keys, there are some messages on the paper and then all of them again.
	for range 3 {
		p.Wheel(left+width/2, top+height/2, -200)
	}
	p.Matches(`\d+(\.\d+)? s from \d+\.[\d ]+ s on; what each message says`)
	must[any](plot.Element, "function() { this.parentElement.focus(); return null }")
	for range 14 {
		p.Press("+")
	}
	p.Matches(`[\d.]+ ms from \d+\.[\d ]+ s on; what each message says`)
	p.Press("ArrowUp")

	// The address has that part and its height, and the link that it is of, which nobody chose.
	part := regexp.MustCompile(`[\d.]+ ms from \d+\.[\d ]+ s on; what each message says`)
	shown := func() string {
		return part.FindString(strings.Join(strings.Fields(spaces.Replace(p.Text())), " ")) + plot.Digest()
	}
	p.Await("the part in the address", func() (any, bool) {
		return p.Address(), regexp.MustCompile(`&link=left%7Eright&plot=\d{19}%7E\d{19}&tall=1\.5&`).MatchString(p.Address())
	})
	var want string
	p.AwaitRest("the part that is drawn", func() (string, bool) { want = shown(); return want, true })
	p.Reload()
	plot = p.Canvas("The constraint points")
	p.Await("the same part after a reload: "+want, func() (any, bool) { now := shown(); return now, now == want })
	must[any](plot.Element, "function() { this.parentElement.focus(); return null }")
	p.Press("+") // it goes on from there
	p.Await("a part of it", func() (any, bool) { now := shown(); return now, part.MatchString(now) && now[:4] != want[:4] })
	zoomed := plot.Digest()
	p.Find("button", "Show all").Click()
	p.Gone("button", "Show all")
	p.Matches(`left – right what each message says`)
	p.Await("the whole band and its edges", func() (any, bool) {
		saw, yes := edges()
		return saw, yes && plot.Digest() != zoomed
	})

	p.press(plot, 1./5) // well above the band: such a message went from left to right
	p.Matches(`Message left → right .* Sent .* Received .* Latency`)
	if p.Find("tab", "Timeline").State("selected") != "true" {
		t.Error("a click on a point does not open the timeline")
	}
	p.middle()
}

// press clicks on a point of the plot of a link at so much of its height.
func (p *Page) press(plot Canvas, share float64) {
	p.t.Helper()
	var drawn string
	p.Await("points at rest", func() (any, bool) { // others come after the plot is of another part
		before := drawn
		time.Sleep(longestRest)
		drawn = plot.Digest()
		return drawn, drawn == before
	})
	left, top, width, height := plot.Box()
	for _, x := range plot.Inked(height*share, "--panel") {
		if x > width/3 {
			p.Click(left+x, top+height*share)
			return
		}
	}
	p.t.Errorf("no point is drawn at %v of the height", share)
}

// middle waits until the message that is selected is drawn as such in the middle of the communication, and of the window.
func (p *Page) middle() {
	p.t.Helper()
	talk := p.Canvas("Communication")
	_, _, width, _ := talk.Box()
	p.Await("the message selected in the middle", func() (any, bool) {
		at := must[[]float64](talk.Element, pixels(`
			const [[r, g, b], d] = [color("--accent"), read(0, this.clientHeight)];
			let [least, most] = [Infinity, -Infinity];
			for (let i = 0; i < d.length; i += 4)
				if (d[i] === r && d[i + 1] === g && d[i + 2] === b) [least, most] = [Math.min(least, (i / 4) % this.width), Math.max(most, (i / 4) % this.width)];
			return most < 0 ? [] : [least / ratio, most / ratio];`))
		return at, len(at) == 2 && at[0] > width/4 && at[1] < width*3/4 && at[0] < width/2 && at[1] > width/2
	})
}

// A point of the plot of a link leads to its message whichever way the times are shown, also where the link has no estimate, and where the
// timeline had the messages of two others alone.
func TestPointOfALink(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, c := range []struct {
		query string
		says  string
		share float64
		want  string
	}{
		{"?tab=sync&link=client~web&pair=web~db&selection=1795229344200000000~1795229344300000000", "what each message says about", 1. / 5, `Message client → web .* Sent .* Received .* Latency .* Selected range`},
		{"?tab=sync&link=client~web", "what each message says about", 4. / 5, `Message web → client .* Sent .* Received .* Latency`},
		{"?tab=sync&link=db~web&time=raw", "both as they were recorded", 1. / 5, `Message db → web .* Sent .* Received`},
	} {
		p.Open(s.page(set, c.query))
		p.Says(c.says)
		plot := p.Canvas("The constraint points")
		p.Await("points", func() (any, bool) { n := plot.Count("--sys"); return n, n > 100 })
		p.press(plot, c.share)
		p.Matches(c.want)
		p.middle()
	}

	// Where no message is, that is said, until there are some again.
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	p.Says("what each message says about")
	p.Await("points", func() (any, bool) { n := p.Canvas("The constraint points").Count("--sys"); return n, n > 100 })
	must[any](p.Canvas("The constraint points").Element, "function() { this.parentElement.focus(); return null }")
	for range 40 {
		p.Press("+")
	}
	p.Matches(`Show all [\d.]+ µs from`)
	p.Await("no message", func() (any, bool) {
		p.Press(".")
		words := p.Text()
		return words, strings.Contains(words, "no message in this part; minus shows more, 0 all")
	})
	p.Press("0")
	p.Await("no word of that", func() (any, bool) {
		words := p.Text()
		return words, !strings.Contains(words, "no message in this part")
	})

	// By keys alone: from message to message, each with a ring around it, and from one to the timeline.
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	p.Says("what each message says about")
	plot := p.Canvas("The constraint points")
	p.Await("points", func() (any, bool) { n := plot.Count("--sys"); return n, n > 100 })
	must[any](plot.Element, "function() { this.parentElement.focus(); return null }")
	bare := plot.Count("--ink")
	drawn := plot.Listen()
	told := regexp.MustCompile(`message (client → web|web → client) at ([\d. ]+) s, latency -?[\d.]+ (ns|µs|ms) by the estimate( of the link alone, -?[\d.]+ (ns|µs|ms) by the clock in force)?; Enter or a click shows it`)
	seen := map[string]bool{}
	words := func() []string { return told.FindStringSubmatch(strings.Join(strings.Fields(p.Text()), " ")) }
	for range 3 {
		p.Press(".")
		p.Await("another message in words", func() (any, bool) { w := words(); return w, w != nil && !seen[w[0]] })
		seen[words()[0]] = true
	}
	p.Await("a ring", func() (any, bool) { n := plot.Count("--ink"); return n, n > bare+20 })
	checkHulls(t, p, drawn)
	p.Press(",")
	p.Await("the one before", func() (any, bool) { w := words(); return w, w != nil && seen[w[0]] })

	// Keys zoom around the one that is marked, and what is said of it stays.
	said := words()[0]
	for range 20 {
		p.Press("+")
	}
	p.Matches(`Show all message `)
	p.Await("the points of the part alone", func() (any, bool) { n := plot.Count("--sys"); return n, n < 2000 })
	p.Await("the same message", func() (any, bool) { w := words(); return w, w != nil && w[0] == said })
	way := words()[1]
	p.Press("Enter")
	p.Matches(`Message ` + way + ` .* Sent .* Received .* Latency`)
	p.middle()

	// What is chosen with it is the thread that sent it, and the address leads whoever opens it to the same.
	p.Await("the message in the address", func() (any, bool) {
		at := Eval[string](p, "location.search")
		return at, strings.Contains(at, "&message=") && strings.Contains(at, "&row=")
	})
	chosen := p.Find("complementary", "What is selected").Text()
	p.Open(s.url + Eval[string](p, "location.pathname + location.search"))
	p.Await("the same selected", func() (any, bool) {
		now := p.Find("complementary", "What is selected").Text()
		return now + " | before: " + chosen, now == chosen
	})
	p.middle()
}

// checkHulls looks at the lines of the plot of a link: both hulls, and between them the steepest and the flattest line that fit, which
// cross, and have their names.
func checkHulls(t *testing.T, p *Page, drawn func() ([]Line, []Word)) {
	t.Helper()
	upper, lower, fit := p.Color("--sys"), p.Color("--user"), p.Color("--ink2")
	p.Await("two hulls, and the two lines that fit between them and cross", func() (any, bool) {
		lines, words := drawn()
		hulls, fits := map[string]Line{}, []Line{}
		for _, l := range lines {
			switch {
			case l.Color == fit && math.Abs(l.Width-1.3) < 0.01:
				fits = append(fits, l)
			case math.Abs(l.Width-1.6) < 0.01:
				hulls[l.Color] = l
			}
		}
		named := slices.ContainsFunc(words, func(w Word) bool { return w.Words == "steepest" }) && slices.ContainsFunc(words, func(w Word) bool { return w.Words == "flattest" })
		saw := fmt.Sprint("hulls ", hulls, ", lines ", fits, ", named: ", named)
		if len(hulls) != 2 || len(fits) != 2 || !named || (fits[0].Y1 < fits[0].Y0) == (fits[1].Y1 < fits[1].Y0) {
			return saw, false
		}
		for _, l := range fits {
			at := func(x float64) float64 { return l.Y0 + (l.Y1-l.Y0)*(x-l.X0)/(l.X1-l.X0) }
			for color, down := range map[string]float64{upper: 1, lower: -1} {
				h := hulls[color]
				if h.X1-h.X0 < 100 || down*(at(h.X0)-h.Y0) < -1.5 || down*(at(h.X1)-h.Y1) < -1.5 {
					return saw, false
				}
			}
		}
		return saw, true
	})
}

// A clock that was set is shown with its steps, each with its size.
func TestSteps(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("jumps", jumps)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&columns=all"))
	p.Matches(`left – right accurate .* ppm [\d ]+ / [\d ]+ steps \d+ – –`)
	p.Matches(`right's clock was set against left's by \+(29\.9|30\.0)\d+ ± 0\.\d+ ms between (19\.\d+|20\.0) .*; by −(11\.9|12\.0)\d+ ± 0\.\d+ ms between`)
	p.Matches(`changes by at most 0.028 ppm a second, but for the steps`)
	plot := p.Canvas("The constraint points")
	p.Await("two steps", func() (any, bool) { n := plot.Count("--warn"); return n, n > 400 })
}

// The recording of three machines whose rates were set every 20 s.
func TestDrift(t *testing.T) {
	p := recordedPage(t, "drift-3hosts.tar.gz", "?tab=sync&link=client~web&columns=all")
	p.Matches(`client – web accurate ± 1\d\d µs to \d+ µs −3\d\.\d to \+\d+\.\d ppm 4 54\d / 4 54\d \d\d pieces 0 – –`)
	p.Matches(`client – db not in use, agrees accurate .* ppm 311 / 309 \d\d pieces alone 0 – –`)
	if chosen := Eval[string](p, `[...document.querySelectorAll(".links tr[aria-selected=true] td:first-child")].map((x) => x.textContent).join()`); !strings.HasPrefix(chosen, "client – web") || strings.Contains(chosen, ",") {
		t.Errorf("the links that are marked as chosen: %q", chosen)
	}
	errors := p.Canvas("The error bound of each host")
	p.Await("two lines of hundreds of entries", func() (any, bool) {
		n := errors.Count("--accent")
		return n, n > 500
	})
	p.Matches(`A tick below it is where a piece of a clock ends`)
	left, top, width, height := errors.Box()
	p.Point(left+width/2, top+height/2)
	p.Matches(`s: (?:(client|db) ± \d+ µs in piece \d+ of (?:29|3[0-2])\. All, the worst first: )?(client|db) ± \d+ µs in piece \d+ of (?:29|3[0-2]); (client|db) ± \d+ µs in piece \d+ of (?:29|3[0-2])`)
}

// Who points at a line of the error plot is told of that line first.
func TestErrorOfTheNearest(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	p.Says("Point at the plot")
	plot := p.Canvas("The error bound of each host")
	p.rest()
	hues := []string{"--user", "--cpuw", "--accent"}
	for k, name := range []string{"client", "db", "cache"} {
		// Where its line is seen and no other line is close by, from left to right, left of the names: with nothing pointed at, whose marks are as
		// coloured as the lines.
		p.Point(1, 1)
		p.Says("Point at the plot")
		p.rest()
		at := must[[][2]float64](plot.Element, pixels(`
			const [hue, ...others] = args.map(color);
			const [d, out] = [read(0, this.clientHeight), []];
			const off = (c, x, y) => c.reduce((sum, v, k) => sum + Math.abs(v - d[4 * (y * this.width + x) + k]), 0);
			const alone = (x, y) => {
				for (let dx = -3; dx <= 3; dx++) for (let dy = -3; dy <= 3; dy++) if (others.some((c) => off(c, x + dx, y + dy) < 80)) return false;
				return true;
			};
			for (let x = 70; x < this.width - 75; x++)
				for (let y = 3; y < d.length / 4 / this.width - 3; y++)
					if (off(hue, x, y) === 0 && alone(x, y)) { out.push([(x + 0.5) / ratio, (y + 0.5) / ratio]); break; }
			return out;`), hues[k], hues[(k+1)%3], hues[(k+2)%3])
		if len(at) < 20 {
			t.Fatalf("the line of %s is seen at %v", name, at)
		}
		left, top, _, _ := plot.Box()
		for i := 0; i < len(at); i += len(at) / 12 {
			p.Point(left+at[i][0], top+at[i][1])
			p.Await(fmt.Sprintf("%s named first at its line, at %v", name, at[i]), func() (any, bool) {
				words := Eval[string](p, `document.querySelector(".oferrors .readout").innerText`)
				return words, regexp.MustCompile(`s: ` + name + ` `).MatchString(words)
			})
		}
	}
}

// The tab says in words what the figures mean: what a class is, whether links that are not in use agree with the others,
// and, along the plot with the keys alone, how well each clock is known.
func TestSyncWords(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=client~db"))
	p.Matches(`client – db not in use, agrees accurate`)
	p.Matches(`2 links not in use were held against the others: they agree within their bounds`)
	p.Matches(`Accurate Messages in both directions enclose the clock on both sides`)
	// As many digits as say something, and all on demand; latencies have their error.
	p.Matches(`alpha [01]\.\d{3} \d{3} \d{3} \d{3} ?all digits between`)
	p.Matches(`beta −?\d{1,3}( \d{3})* ns`)
	p.Matches(`Latency client → db .* median(, 99 % within [\d.]+ .s)?, by the clocks in force, each of these figures ± \d+ µs at worst`)
	p.Find("button", "all digits").Click()
	p.Matches(`alpha [01]\.\d{20,} ?fewer digits between`)
	p.Find("button", "fewer digits").Click()
	p.Matches(`Loop closes within the bounds: [\d.]+ µs from the way through 2 links at most, of \d+ µs allowed`)
	p.Matches(`Solid: in use, the way to the reference. Broken: not in use, a check of the others.`)
	// Where a ± stands it is said of when it is; what words mean unfolds by a key.
	p.Says("reference: web; ± of hosts best to worst, of links the median")
	p.Says("minus the estimate of the link alone; bold: the clock in force; dashed: the steepest and the flattest line that fit")
	if strings.Contains(p.Text(), "What turns the times of every host") {
		t.Error("words are explained before anybody asks")
	}
	p.Find("button", "Words explained").Focus()
	p.Press("Enter")
	for _, word := range []string{"Hull", "Band", "Steepest, flattest", "As the reference", "± of a host", "± of a link", "± in the timeline", "Clock map"} {
		p.Find("term", word)
	}
	p.Says("What turns the times of every host into those of the reference.")
	if *statesDir != "" {
		p.keep(*statesDir, "sync-words")
	}
	// They lie over the tables: the plots that they are about stay where they are.
	if hidden := Eval[[]string](p, `[...document.querySelectorAll("#sync-words dt")].filter((e) => { const b = e.getBoundingClientRect(); return document.elementFromPoint(b.x + 2, b.y + b.height / 2) !== e; }).map((e) => e.textContent)`); len(hidden) > 0 {
		t.Errorf("out of sight: %q", hidden)
	}
	if tops := Eval[[2]float64](p, `[document.getElementById("sync-words").getBoundingClientRect().bottom, document.querySelector("#sync .ofpoints").getBoundingClientRect().top]`); tops[0] > tops[1]+1 || tops[1] > 600 {
		t.Errorf("the words end at %v, and the plot of the link begins at %v", tops[0], tops[1])
	}
	p.Press("Enter")
	p.Gone("term", "Hull")
	p.Press("Enter")
	p.Find("term", "Hull")
	p.Press("Escape")
	p.Gone("term", "Hull")
	p.focused("Words explained")

	slider := p.Find("slider", "Instant of the error plot")
	slider.Focus()
	plot := p.Canvas("The error bound of each host")
	p.Press("Home")
	p.Matches(`\d\.\d+ s: client ± [12]\d\d µs`)
	p.rest() // what is said of the cursor is said before it is drawn
	first := plot.Digest()
	for range 5 {
		p.Press("PageDown")
	}
	p.Matches(`\d\d\.\d+ s: (db|cache|client) ± [12]\d\d µs; (db|cache|client) ± [12]\d\d µs; (db|cache|client) ± [12]\d\d µs`)
	p.Await("the value of the slider", func() (any, bool) {
		words := must[string](slider, "function() { return this.getAttribute('aria-valuetext') }")
		return words, strings.Contains(words, "db ±")
	})
	p.Await("the cursor of the plot in another place", func() (any, bool) { now := plot.Digest(); return now, now != first })
	p.Press("Tab")
	p.Matches(`Point at the plot, or go along it with the arrow keys`)
}

// The table of links needs no scrolling to the side on screens that are usual, with lines or with pieces; what more there
// is to it is a press away, by keys, and in the address.
func TestLinksFit(t *testing.T) {
	s, demo := demoSite(t)
	p := NewPage(t)
	wide := func() []int {
		return Eval[[]int](p, `(() => { const e = document.querySelector(".links .wide"); return [e.scrollWidth, e.clientWidth, e.querySelectorAll("th").length]; })()`)
	}
	bent := s.simulated("bends", bends)
	far := s.simulated("far", described("gateway_of_the_shop_rk12-storage_of_the_shop_rk12 gateway_of_the_shop_rk12-payments_of_the_shop_rk7"))
	for _, set := range []*ingest.Set{demo, bent, far} {
		for _, size := range [][2]int64{{1440, 900}, {1280, 720}} {
			p.Resize(size[0], size[1])
			p.Open(s.page(set, "?tab=sync"))
			p.Says("final")
			p.Find("grid", "Links")
			p.Await(fmt.Sprintf("all of the table in sight at %d pixels", size[0]), func() (any, bool) {
				saw := wide()
				return saw, saw[0] <= saw[1] && saw[2] == 7
			})
			p.errorsStay()
		}
	}
	p.Resize(Width, Height)
	p.Open(s.page(demo, "?tab=sync"))
	p.Find("button", "More columns").Focus()
	p.Press("Enter")
	p.Matches(`Violations alpha beta, ns .* 1\.000 \d+ \d+`)
	p.Await("the columns in the address", func() (any, bool) { a := p.Address(); return a, strings.Contains(a, "columns=all") })
	p.Reload()
	p.Matches(`Violations alpha beta, ns`)
	p.Find("button", "Fewer columns").Click()
	p.Gone("button", "Fewer columns")
	p.Await("seven columns", func() (any, bool) { saw := wide(); return saw, saw[2] == 7 })
}

// errorsStay holds that the error plot stands still while it is told of what is pointed at, and that no name reaches its right edge.
func (p *Page) errorsStay() {
	p.t.Helper()
	plot := p.Canvas("The error bound of each host")
	p.rest()
	place := func() string {
		return must[string](plot.Element, "function() { const b = this.getBoundingClientRect(); return [b.x, b.y + this.closest('#sync').scrollTop, b.width, b.height].join(' ') }")
	}
	still := place()
	slider := p.Find("slider", "Instant of the error plot").Focus()
	for _, key := range []string{"Home", "ArrowUp", "PageUp", "End"} {
		p.Press(key)
		p.rest()
		if now := place(); now != still {
			p.t.Errorf("after %s the error plot is at %s and was at %s: it says %q", key, now, still, must[string](slider, "function() { return this.getAttribute('aria-valuetext') }"))
		}
	}
	if n := must[int](plot.Element, pixels(`
		const [[r, g, b], d] = [color("--panel"), read(0, this.clientHeight)];
		let n = 0;
		for (let y = 0; y < d.length / 4 / this.width; y++)
			for (let i = 4 * (y * this.width + this.width - 2), k = 0; k < 8; k += 4) n += d[i + k] !== r || d[i + k + 1] !== g || d[i + k + 2] !== b ? 1 : 0;
		return n;`)); n > 0 {
		p.t.Errorf("%d pixels of names are at the right edge of the error plot", n)
	}
}

// What is known of the chosen link is cut by nothing but the edge of the page: there is one scroll, that of the page, and
// around the table of links that of the table.
func TestLinkDetailsAreWhole(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, size := range [][2]int64{{Width, Height}, {1280, 720}, {800, 700}} {
		p.Resize(size[0], size[1])
		p.Open(s.page(set, "?tab=sync&link=client~db"))
		p.Says("Flattest and steepest")
		p.Await(fmt.Sprintf("one scroll at %d x %d", size[0], size[1]), func() (any, bool) {
			saw := Eval[[]string](p, `(() => {
				const out = [];
				for (const start of [document.querySelector(".detail .kv"), document.querySelector(".links > p")])
					for (let e = start; e.id !== "sync"; e = e.parentElement)
						if (e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== "visible") out.push(e.className + " scrolls");
				return out;
			})()`)
			return saw, len(saw) == 0
		})
	}
}
