package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// resourceRow is a row of Resources by what it says of itself.
func (p *Page) resourceRow(title string) Element {
	p.t.Helper()
	var found []Element
	p.Await("the row "+title, func() (any, bool) {
		found = found[:0]
		for _, row := range p.Find("treegrid", "Resources: rows").All("row", "") {
			if yes, err := call[bool](row, "function(w) { return this.title.startsWith(w) }", title); err == nil && yes {
				found = append(found, row)
			}
		}
		return len(found), len(found) == 1
	})
	return found[0]
}

// Under each host stand its CPUs with what ran there, how much of their time was used, and on demand
// their interrupts; who points at a CPU is told of the thread on it, and who picks it has that thread selected and sees
// where CPUs ran it.
func testResources(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?resources=2,3"))
	c := p.Canvas("Resources")
	p.Await("what CPUs did", func() (any, bool) {
		user, sys, irq := c.Count("--user"), c.Count("--sys"), c.Count("--irq")
		return fmt.Sprint(user, sys, irq), user > 1000 && sys > 300 && irq > 20
	})
	p.Await("the use of db", func() (any, bool) {
		words := p.resourceRow("db: 2\u00a0CPUs").Text()
		return words, regexp.MustCompile(`5\d.% used`).MatchString(words)
	})

	left, top, width, _ := c.Box()
	_, y, _, height := p.resourceRow("CPU 0 of db").Box()
	p.Point(left+width*0.6, y+height/2)
	p.Await("the thread under the pointer", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Text()), " ")
		return words, strings.Contains(words, "CPU 0 db in user space Thread crunch · 206") && strings.Contains(words, "db CPU 0: in user space, crunch · 206")
	})

	// The selected thread, 205, was on a CPU for a short while only; crunch for most of the window.
	line := y + height - 1 - top
	before := len(c.Inked(line, "--panel"))
	p.Click(left+width*0.6, y+height/2)
	inspector := p.Find("complementary", "What is selected")
	p.Await("crunch in the inspector", func() (any, bool) {
		words := strings.Join(strings.Fields(inspector.Text()), " ")
		return words, strings.Contains(words, "crunch · 206 db") && strings.Contains(words, "CPU 0 db in user space")
	})
	p.Await("the mark under what it ran", func() (any, bool) {
		n := len(c.Inked(line, "--accent-bg"))
		return fmt.Sprint(n, " of ", width, ", before ", before), float64(n) > width*0.7 && float64(n) < width && before < int(width/4)
	})

	// Interrupt lines come on demand, and the address keeps what is open.
	p.resourceRow("CPU 1 of db").Click()
	p.Press("ArrowRight")
	_, y, _, height = p.resourceRow("Soft IRQ 1 TIMER of db").Box()
	p.Await("soft interrupts", func() (any, bool) {
		n := len(c.Inked(y+height/2-top, "--panel"))
		return n, n > 3
	})
	p.Await("what is open in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "resources=2%2C2.1%2C3") && strings.Contains(p.Address(), "lane=2.1")
	})
	p.Reload()
	p.resourceRow("Soft IRQ 1 TIMER of db")
	p.Await("the row that was selected", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		selected := p.resourceRow("CPU 1 of db").State("selected")
		return selected + " " + words, selected == "true" && strings.Contains(words, "CPU 1 db")
	})

	p.goAlongCPU(left + width*0.2)

	// Told by its host's own clock it has no error.
	told := func() string {
		return strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
	}
	p.Await("how well its time is known", func() (any, bool) { return told(), regexp.MustCompile(`CPU 1 db .* Known to`).MatchString(told()) })
	p.Press("r")
	p.Await("the CPU in raw time", func() (any, bool) {
		return told(), strings.Contains(told(), "CPU 1 db") && !strings.Contains(told(), "Known to")
	})
	p.Press("r")

	// Of an open row the key goes to the first in it, and of one that holds none it moves nothing: not the timeline either.
	p.resourceRow("CPU 1 of db").Click()
	const shown = `new URLSearchParams(location.search).get("begin") + " " + new URLSearchParams(location.search).get("lane")`
	at, _ := p.settled() // in raw times it was another
	window := fmt.Sprint(at)
	p.Press("ArrowRight")
	p.Press("ArrowRight")
	p.Await("the first row in it selected, and the same window", func() (any, bool) {
		begin, lane, _ := strings.Cut(Eval[string](p, shown), " ")
		if begin != window {
			t.Fatalf("the keys of the tree moved the window from %s to %s", window, begin)
		}
		return lane, strings.HasPrefix(lane, "2.1.")
	})

	// Hidden, it leaves its head, and says so.
	fold := p.Find("button", "Resources")
	fold.Click()
	if expanded := fold.State("expanded"); expanded != "false" {
		t.Errorf("the button that hid Resources says expanded: %s", expanded)
	}
	p.Await("the address of the hidden pane", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "resources=off")
	})

	// The lines of the cursor go behind the words in bars, and on beside them.
	p.Open(address + "?begin=1795229355252000000&end=1795229355256000000&resources=3")
	words := p.Canvas("Resources")
	p.Await("the name of what ran", func() (any, bool) {
		n := words.Count("--sys")
		return n, n > 1000
	})
	left, _, width, _ = words.Box()
	_, y, _, height = p.resourceRow("CPU 0 of web").Box()
	for x, over := range map[float64]bool{left + 30: true, left + width - 12: false} {
		p.Point(x, y+height/2)
		p.Await(fmt.Sprintf("a cursor with gaps at %v: %v", x, over), func() (any, bool) {
			masks := Eval[[]string](p, `["cursor", "across"].map((of) => getComputedStyle(document.querySelector(".overlay ." + of)).maskImage)`)
			return masks, (masks[0] != "none") == over && masks[1] != "none"
		})
	}
}

// The states of CPU 1 of db are gone along by the keys of those of threads, and read out; the one that is chosen is chosen after a reload as well.
func (p *Page) goAlongCPU(x float64) {
	p.t.Helper()
	told := func() string {
		words := spaces.Replace(strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " "))
		return words[max(0, strings.Index(words, "CPU 1 db")):]
	}
	// other waits for another state than those before.
	other := func(what string, before ...string) string {
		p.t.Helper()
		var now string
		p.Await(what, func() (any, bool) {
			now = told()
			return now, strings.HasPrefix(now, "CPU 1 db") && strings.Contains(now, "Duration") && !slices.Contains(before, now)
		})
		return now
	}
	middle := other("what it did in the middle")
	_, y, _, height := p.resourceRow("CPU 1 of db").Box()
	p.Click(x, y+height/2)
	clicked := other("what it did at the pointer", middle)
	p.Reload()
	p.Await("what it did at the pointer after a reload: "+clicked, func() (any, bool) { now := told(); return now, now == clicked })

	p.Press(".")
	next := other("what it did next", middle, clicked)
	p.Press(".")
	third := other("what it did then", middle, clicked, next)
	state, _, _ := strings.Cut(strings.TrimPrefix(third, "CPU 1 db "), " ")
	p.Await("that read out", func() (any, bool) {
		said := Eval[[]string](p, `[...document.querySelectorAll("[role=status].sr")].map((e) => e.textContent)`)
		return said, slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, "CPU 1 on db: "+state) })
	})
	p.Press(",")
	p.Press(",")
	p.Await("what it did at the pointer: "+clicked, func() (any, bool) { now := told(); return now, now == clicked })
}

// A set without kernel events says which it would take, and the command that records them.
func TestResourcesMissing(t *testing.T) {
	p := recordedPage(t, "ust-3hosts.tar.gz", "")
	p.Find("region", "Resources")
	p.Await("the command", func() (any, bool) {
		words := p.Find("region", "Resources").Text()
		return words, strings.Contains(words, "lttng enable-event -k")
	})
}

// Those words are there again when the browser's Back leads to where a row is selected.
func TestResourcesMissingAfterBack(t *testing.T) {
	p := recordedPage(t, "ust-3hosts.tar.gz", "?window=all&lane=0")
	command := func() {
		t.Helper()
		p.Await("the command", func() (any, bool) {
			words := p.Find("region", "Resources").Text()
			return words, strings.Contains(words, "This shows what each CPU runs") && strings.Contains(words, "lttng enable-event -k")
		})
	}
	command()
	p.Press("3")
	p.opened("Events", []string{"tab=events"}, nil)
	p.Find("grid", "Events")
	p.goes("-1")
	p.opened("Timeline", []string{"lane=0"}, nil)
	command()
}

// Where system calls are not recorded nobody knows whether a CPU was in one: so is said of one CPU and of all of a host.
func TestResourcesWithoutCalls(t *testing.T) {
	p := recordedPage(t, "drift-3hosts.tar.gz", "?window=all&resources=0,1,2")
	left, _, width, _ := p.Canvas("Resources").Box()
	for row, pattern := range map[string]string{
		"client: ":        `CPUs of client: [\d.]+ % used: .*user space or system call [\d.]+ %`,
		"CPU 0 of client": `this pixel: [^%]*%?[^%]*user space or system call [\d.]+ %`,
	} {
		_, y, _, height := p.resourceRow(row).Box()
		p.Point(left+width/2, y+height/2)
		p.Matches(pattern)
	}
}

// So is said of threads: of the window, of a state, and of a range.
func TestThreadsWithoutCalls(t *testing.T) {
	p := recordedPage(t, "drift-3hosts.tar.gz", "?window=all&rows=all&filter=host==client&selection=0~4000000000000000000")
	p.threadRow("init, thread 1").Click()
	p.Await("how a thread spends the window", func() (any, bool) {
		got := Eval[string](p, `document.querySelector('[role=treegrid][aria-label^="Control flow"] [aria-selected=true]')?.getAttribute("aria-description") ?? ""`)
		return got, regexp.MustCompile(`^blocked 99.%, user space or system call 0\.\d.%`).MatchString(got)
	})
	inspector := p.Find("complementary", "What is selected")
	words := func() string { return strings.Join(strings.Fields(inspector.Text()), " ") }
	for range 4 { // from blocked to waiting for a CPU and onto it
		before := words()
		p.Press(".")
		p.Await("another state", func() (any, bool) { now := words(); return now, now != before })
		if strings.Contains(words(), "running in user space") {
			break
		}
	}
	p.Matches(`running in user space or a system call Begin .* Selected range init · 1, client .* User space or system call [\d.]+ s`)
}

// Where CPUs are scrolled away under their host, whose name stays on top, its use stays beside it: not what one of them did.
func testHostAboveItsCPUs(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?begin=1795229355186453488&end=1795229355756538741"))
	p.resourceRow("db: 2\u00a0CPUs, about 5")
	c := p.Canvas("Resources")
	// scroll brings the row of db, and so many rows more, to the top, and says how high one is.
	scroll := func(rows int) float64 {
		t.Helper()
		return must[float64](c.Element, `function(rows) {
			const scroller = this.closest(".scroller");
			const db = [...scroller.querySelectorAll("[role=row]")].find((e) => e.checkVisibility() && e.title.startsWith("db: "));
			scroller.scrollTop += db.getBoundingClientRect().top - scroller.getBoundingClientRect().top + rows * db.offsetHeight;
			return db.offsetHeight;
		}`, rows)
	}
	// use is how much of two colours there is in the topmost row, without the line below it.
	use := func(height float64) string {
		t.Helper()
		return must[string](c.Element, pixels(`
			const d = read(0, args[0] - 1), n = ["--user", "--sys"].map(() => 0);
			["--user", "--sys"].forEach((name, k) => {
				const [r, g, b] = color(name);
				for (let i = 0; i < d.length; i += 4) if (d[i] === r && d[i + 1] === g && d[i + 2] === b) n[k]++;
			});
			return n.join(" ");`), height)
	}
	height := scroll(0)
	var want string
	p.Await("the use of db at rest", func() (any, bool) {
		before := want
		want = use(height)
		return want, want == before && !strings.HasPrefix(want, "0 ") && !strings.HasSuffix(want, " 0")
	})
	scroll(1)
	p.Await("the host above its CPUs, with its use", func() (any, bool) {
		words := must[string](c.Element, `function() { return this.closest(".scroller").querySelector(".row.pin").innerText }`)
		return words, strings.Contains(words, "db") && strings.Contains(words, "used")
	})
	p.Await("the use of db beside it: "+want, func() (any, bool) { got := use(height); return got, got == want })
}

// In raw time the window goes with what is chosen, whatever it is: another host's clock may be an hour from it.
func TestRawGoesWithWhatIsChosen(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	was := c.hosts["cache"].Map.Local(c.begin + 30_400_000_000)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&lane=%d.0&was=%d", c.begin+30_300_000_000, c.begin+30_500_000_000, c.number("cache"), was)))
	p.Says("final")
	panel := p.Find("complementary", "What is selected")
	p.Await("what the CPU did", func() (any, bool) { return panel.Text(), strings.Contains(panel.Text(), "On cache") })
	begin := func() (ns int64) {
		u, _ := url.Parse(p.Address())
		ns, _ = strconv.ParseInt(u.Query().Get("begin"), 10, 64)
		return ns
	}
	before := begin()
	p.Press("r")
	p.Await("the window by cache's clock", func() (any, bool) { return begin(), begin() < was && was < begin()+200_000_000 })
	p.Press("r")
	p.Await("the window of before", func() (any, bool) { return begin() - before, begin()-before < 1000 && before-begin() < 1000 })
}
