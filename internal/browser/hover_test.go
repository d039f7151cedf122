package browser

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the pointer rests on is told beside it without a click: the state with its system
// call, begin, end and duration, and of a thread that sleeps the CPU it last ran on.
func testHover(t *testing.T, p *Page, address string) {
	p.Open(address)
	row := p.threadRow("dbwork, thread 208")
	c := p.Canvas("Control flow")
	left, _, width, _ := c.Box()
	_, y, _, height := row.Box()
	told := func(pattern string) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await("beside the pointer: "+pattern, func() (any, bool) {
			words := strings.Join(strings.Fields(p.Text()), " ")
			return words, re.MatchString(words)
		})
	}
	p.Point(left+width*0.6, y+height/2)
	told(`dbwork · 208 db blocked in \w+ Begin 6\.\d{3} \d{3} \d{3} s End 6\.\d{3} \d{3} \d{3} s Duration \d{3}\.\d{3} \d{3} ms CPU last on [01] Priority 20, nice 0`)

	_, y, _, height = p.threadRow("crunch, thread 206").Box()
	p.Point(left+width*0.6, y+height/2)
	told(`crunch · 206 db running in \S.* Begin .* CPU [01] Priority 20, nice 0`)

	// A message is told as well, its latency with the error of both clocks.
	_, y, _, _ = p.hostRow("Communication", "db").Box()
	talk := p.Canvas("Communication")
	places := talk.Inked(y-3-canvasTop(talk), "--panel")
	if len(places) == 0 {
		t.Fatal("no arrow crosses the row of db")
	}
	p.Await("a message beside the pointer", func() (any, bool) {
		words := ""
		for i := 0; i < len(places); i += max(1, len(places)/24) {
			p.Point(left+places[i], y-3)
			p.frame()
			words = strings.Join(strings.Fields(p.Text()), " ")
			tip := regexp.MustCompile(`Message \S+ → \S+ Sent .* s Received .* s Latency (\S+ ± \S+ [mµn]s)`).FindStringSubmatch(words)
			if tip == nil {
				continue
			}
			line := strings.Join(strings.Fields(p.Find("contentinfo", "").Text()), " ")
			return line, regexp.MustCompile(`message \S+ → \S+, latency ` + regexp.QuoteMeta(tip[1])).MatchString(line) // in the status line the same is said
		}
		return words, false
	})
}

// What scrolls away under a mouse at rest is not what it points at any more.
func testWheel(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?rows=all"))
	p.threadRow("dbwork, thread 205")
	left, top, width, height := p.Canvas("Control flow").Box()
	x, y := left+width/2, top+height/2
	under := func() string { return Eval[string](p, fmt.Sprintf(rowUnder, y)) }
	named := func(not string) {
		t.Helper()
		p.Await("the row under the mouse in the status line", func() (any, bool) {
			row, words := under(), p.Find("contentinfo", "").Text()
			return fmt.Sprintf("%q, said: %q", row, words), row != "" && row != not && strings.Contains(words, row+":")
		})
	}
	p.Point(x, y)
	named("")
	before := under()
	p.Wheel(x, y, height)
	named(before)
}

// A mouse at rest is told of what comes under it, by keys that move the window or list other rows, and in
// no frame of what went away.
func testRest(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?rows=all"))
	_, y, _, height := p.threadRow("dbwork, thread 205").Box()
	left, _, width, _ := p.Canvas("Control flow").Box()
	x, y := left+width*0.6, y+height/2
	p.Point(x, y)
	told := func() string {
		return Eval[string](p, "(() => { const t = document.querySelector('.tooltip'); return t.hidden ? '' : t.innerText })()")
	}
	times := regexp.MustCompile(`Begin\s+(\S+(?: \d{3})*) s\s+End\s+(\S+(?: \d{3})*) s`)
	number := func(words string) float64 {
		n, err := strconv.ParseFloat(strings.Join(strings.Fields(spaces.Replace(words)), ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	last := ""
	fits := func(what string) {
		t.Helper()
		p.Await("beside the mouse "+what, func() (any, bool) {
			words := spaces.Replace(told())
			row := Eval[string](p, fmt.Sprintf(rowUnder, y))
			m := times.FindStringSubmatch(words)
			at, _, _ := strings.Cut(p.Find("contentinfo", "").Text(), " s")
			fits := row != "" && strings.HasPrefix(words, row) && at != ""
			if last = words; m == nil {
				return fmt.Sprintf("row %q, told %q", row, words), fits && strings.HasSuffix(words, "not there then")
			}
			now := number(at)
			return fmt.Sprintf("row %q at %v, told %q", row, now, words), fits && number(m[1]) <= now && now <= number(m[2])
		})
	}
	fits("what it was moved to")
	before := last
	Eval[any](p, fmt.Sprintf(`(() => {
		window.wrong = []
		const look = () => {
			const t = document.querySelector('.tooltip')
			const row = `+rowUnder+`
			if (!t.hidden && row && !t.innerText.startsWith(row)) window.wrong.push(row + ': ' + t.innerText)
			requestAnimationFrame(() => setTimeout(look))
		}
		look()
		return null
	})()`, y))
	for range 4 {
		p.Press("ArrowLeft")
	}
	fits("what came under it in time")
	p.Press("Home")
	fits("what came under it as the whole set was shown")
	if last == before {
		t.Errorf("of a window a hundred times as wide, the same is told at the mouse: %s", last)
	}
	for _, keys := range []string{"o", "o", "O"} {
		p.Press(keys)
		fits("the row that came under it")
	}
	if wrong := Eval[[]string](p, "window.wrong"); len(wrong) > 0 {
		t.Errorf("in %d frames a row was told of that was not under the mouse, such as %q", len(wrong), wrong[0])
	}
	// Keys that lead from row to row are not hidden by what came under the mouse; once it moves it is told again.
	p.Press("ArrowDown")
	p.Await("nothing beside the mouse while rows are gone through", func() (any, bool) { words := told(); return words, words == "" })
	hidden := Eval[bool](p, `new Promise((over) => setTimeout(() => over(document.querySelector(".tooltip").hidden), 600))`)
	if !hidden {
		t.Error("what came under the mouse by a key hides rows")
	}
	p.Point(x+1, y)
	p.Await("what is under the mouse that moved", func() (any, bool) { words := told(); return words, words != "" })
	p.Press("Escape")
	p.Await("nothing beside the mouse", func() (any, bool) { words := told(); return words, words == "" })
}

// A pixel with several states is told with the shares that Statistics has of its time, to the 255th that the wire has, and drawn with
// them: those that run, one on the other, over what the thread rested in.
func testPixel(t *testing.T, p *Page, address string) {
	const begin, span = 1795229349_203_124_999, int64(39_000_000_000)
	p.Open(fmt.Sprintf("%s?row=0.121&begin=%d&end=%d", address, begin, begin+span))
	_, y, _, height := p.threadRow("httpd, thread 121").Box()
	c := p.Canvas("Control flow")
	left, _, width, _ := c.Box()
	share := regexp.MustCompile(`blocked ([\d.]+) %`)
	mixed := 0
	var places []int
	for x := 20; x < int(width) && mixed < 6; x += 37 {
		from, to := begin+span*int64(x)/int64(width), begin+span*int64(x+1)/int64(width)
		blocked := p.shares("cache", 121, [][2]int64{{from, to}})[0][1]
		if blocked < 0.1 || blocked > 0.97 {
			continue
		}
		mixed++
		places = append(places, x)
		p.Point(left+float64(x)+0.5, y+height/2)
		p.Await(fmt.Sprintf("blocked for %.1f %% of pixel %d", blocked*100, x), func() (any, bool) {
			words := spaces.Replace(Eval[string](p, "document.querySelector('.tooltip').innerText"))
			m := share.FindStringSubmatch(words)
			if m == nil {
				return words, false
			}
			told, err := strconv.ParseFloat(m[1], 64)
			return words, err == nil && math.Abs(told/100-blocked) < 0.011
		})
	}
	if mixed < 3 {
		t.Fatalf("%d pixels of several states", mixed)
	}
	checkMixes(p, c, y, height, p.drawnShares("cache", 121, begin, begin+span, width, places))
}

// rowUnder is the name of the thread whose row is at a height of the page.
const rowUnder = `(() => {
	for (const r of document.querySelectorAll('.pane .row')) {
		const b = r.getBoundingClientRect()
		if (b.top <= %[1]f && %[1]f < b.bottom && r.title.includes(', thread ')) return r.title.replace(', thread ', ' · ')
	}
	return ''
})()`

func canvasTop(c Canvas) float64 {
	_, top, _, _ := c.Box()
	return top
}

// Beside a host stands the bound of its clock within the window, so another window says
// another one, and beyond the recording nothing is claimed.
func testBounds(t *testing.T, p *Page, address string) {
	note := func() string {
		return strings.TrimPrefix(strings.Join(strings.Fields(p.hostRow("Communication", "cache").Text()), " "), "▸ ")
	}
	shows := func(begin, end int64, want string) {
		t.Helper()
		p.Open(fmt.Sprintf("%s?begin=%d&end=%d", address, begin, end))
		p.Await("the bound of cache "+want, func() (any, bool) {
			got := note()
			return got, regexp.MustCompile(want).MatchString(got)
		})
	}
	const first = 1795229349_203_124_999 // of the set, reference time
	shows(first, first+500_000_000, `^cache not recorded here$`)
	shows(first+19_000_000_000, first+20_000_000_000, `^cache ± 1[01]\d µs( at worst in this window)?$`)
	shows(first+38_000_000_000, first+39_000_000_000, `^cache ± 20\d µs( at worst in this window)?$`)

	// Of the whole recording it says what Synchronization says.
	title := must[string](p.hostRow("Communication", "cache"), "function() { return this.title }")
	all := regexp.MustCompile(`over its whole recording to (.*?)(?:, as long.*)?$`).FindStringSubmatch(title)
	if all == nil {
		t.Fatalf("the row of cache says %q", title)
	}
	p.Find("tab", "Synchronization").Click()
	p.Await("the same bound, "+all[1], func() (any, bool) {
		words := Eval[[]string](p, "[...document.querySelectorAll('#sync svg text')].map((x) => x.textContent)")
		return words, slices.Contains(words, all[1])
	})
}

// No control of the header is cut off, hidden or under another on a narrow screen.
func testNarrow(t *testing.T, p *Page, address string) {
	for _, width := range []int64{360, 420, 480, 500, 560, 600, 700, 900, 1280} {
		p.Resize(width, 800)
		p.Open(address)
		p.hostRow("Communication", "cache")
		var boxes [][4]float64
		for _, c := range [][2]string{
			{"tab", "Timeline"}, {"tab", "Synchronization"}, {"tab", "Import"}, {"radio", "Raw"}, {"radio", "Synchronized"},
			{"button", "Commands"}, {"radio", "Auto"}, {"radio", "Light"}, {"radio", "Dark"}, {"radio", "High contrast"}, {"button", "Keys and legend"},
		} {
			x, y, w, h := p.Find(c[0], c[1]).Box()
			bottom := Eval[float64](p, "document.querySelector('header').getBoundingClientRect().bottom")
			if x < 0 || x+w > float64(width) || y < 0 || y+h > bottom || w < 16 {
				t.Errorf("at %d pixels %s %q lies at %.0f, %.0f and is %.0f wide", width, c[0], c[1], x, y, w)
			}
			const edge = 1.5 // what lies side by side may share
			for _, b := range boxes {
				if x < b[0]+b[2]-edge && b[0] < x+w-edge && y < b[1]+b[3]-edge && b[1] < y+h-edge {
					t.Errorf("at %d pixels %s %q, at %.0f, %.0f, lies over one at %.0f, %.0f that is %.0f wide", width, c[0], c[1], x, y, b[0], b[1], b[2])
				}
			}
			boxes = append(boxes, [4]float64{x, y, w, h})
		}
		p.Find("radio", "Raw").Click()
		p.Find("radio", "Synchronized").Click()
	}

	// What is selected is told below, where there is no room beside, and leads on from there.
	p.Resize(900, 700)
	p.Open(address)
	p.Find("button", "Follow crunch · 206").Click()
	inspector := p.Find("complementary", "What is selected")
	p.Await("what was followed", func() (any, bool) {
		words := strings.Join(strings.Fields(inspector.Text()), " ")
		return words, strings.HasPrefix(words, "crunch · 206") && strings.Contains(words, "running in user space")
	})
	if _, y, _, height := inspector.Box(); height > 120 || y < 500 {
		t.Errorf("at 900 x 700 the inspector lies at %.0f and is %.0f high", y, height)
	}
	p.Press("Escape")
	p.Await("nothing is told of nothing", func() (any, bool) {
		_, _, _, height := inspector.Box()
		return height, height == 0
	})

	// So it is with the page twice as large on a screen of 1440 x 900: every part has rows, and none lies under the status line.
	p.Resize(720, 450)
	p.Open(address)
	p.hostRow("Communication", "cache")
	p.threadRow("dbwork, thread 205")
	_, line, _, _ := p.Find("contentinfo", "").Box()
	for _, c := range []struct {
		name  string
		least float64
	}{{"Control flow", 60}, {"Communication", 28}, {"Resources", 28}} {
		_, y, _, height := p.Find("application", c.name+": chart").Box()
		if height < c.least || y+c.least > line {
			t.Errorf("at 720 x 450 %s is drawn from %.0f on, %.0f high, and the status line is at %.0f", c.name, y, height, line)
		}
		_, y, _, height = p.Find("region", c.name).Box()
		if y+height > line {
			t.Errorf("at 720 x 450 %s goes to %.0f, below the status line at %.0f", c.name, y+height, line)
		}
	}
	// Below them stands what is selected, with the way on from there; in a window that is lower yet it stands at the bottom all the same.
	inspector = p.Find("complementary", "What is selected")
	for _, low := range [][2]int64{{720, 450}, {640, 360}} {
		p.Resize(low[0], low[1])
		p.Await("what is selected, in sight", func() (any, bool) {
			_, line, _, _ := p.Find("contentinfo", "").Box()
			_, top, _, height := inspector.Box()
			_, y, _, button := p.Find("button", "Follow crunch · 206").Box()
			_, term, _, _ := inspector.Find("term", "Duration").Box()
			saw := fmt.Sprintf("at %d x %d from %.0f to %.0f, its button to %.0f, how long at %.0f, the status line at %.0f", low[0], low[1], top, top+height, y+button, term, line)
			return saw, height > 40 && top+height <= line && y >= top && y+button <= line && term+12 <= line
		})
		if low[1] != 450 {
			continue
		}
		_, top, _, _ := inspector.Box()
		_, y, _, height := p.Find("region", "Resources").Box()
		if y+height > top {
			t.Errorf("at 720 x 450 Resources goes to %.0f, below what is selected at %.0f", y+height, top)
		}
	}
	p.Resize(720, 450)
	// What one part gives up, the others have.
	p.Find("button", "Resources").Click()
	p.Await("more of Communication", func() (any, bool) {
		_, _, _, height := p.Find("region", "Communication").Box()
		return height, height > 56
	})
}
