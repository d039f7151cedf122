package browser

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// What the demonstration opens on is that of its bare address: an address that says anything is taken as it stands, and so is nothing
// selected by who took the selection away.
func TestFirstLookOfBareAddress(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	nothing := func() {
		t.Helper()
		p.Matches(`\d messages? in view`)
		p.Says("Click a state or a message to see its times.")
		p.Await("no row in the address", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "row=") })
	}
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	p.Await("its row in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "row=2.205") })
	p.Press("Escape")
	nothing()
	// Also when the server tells of the set anew.
	if err := set.Rename("shop"); err != nil {
		t.Fatal(err)
	}
	p.Find("heading", "shop")
	nothing()
	p.Reload()
	nothing()
	p.Open(s.page(set, "") + "?window=all")
	p.Matches(`10 684 messages in view`)
	nothing()
}

// A link shows its reader what it showed who copied it: the same rows in the same places, also one that is listed for having been
// selected before the last one, and what is selected at the very time that was clicked.
func TestReopenedLink(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	p.Says("blocked in wait4")
	x, y, width, height := p.Find("application", "Control flow: chart").Box()
	p.Point(x+width*0.28, y+height/2)
	for range 6 {
		p.Press("+")
	}
	// In this window the thread that the demonstration selects rests, and so it is listed for being selected.
	var before []string
	p.Await("rows that run here, and the selected one", func() (any, bool) {
		before = p.listedThreads("Control flow: rows")
		return before, slices.Contains(before, "dbwork 205") && !slices.Contains(before, "writer 173")
	})
	chart := p.Find("application", "Control flow: chart")
	left, _, wide, _ := chart.Box()
	_, at, _, tall := p.threadRow("httpd, thread 207").Box()
	p.Click(left+wide*0.31, at+tall/2)
	selected := func() string {
		return strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
	}
	p.Await("the other row selected", func() (any, bool) {
		got := selected()
		return got, strings.HasPrefix(got, "httpd · 207") && strings.Contains(got, "Known to")
	})
	p.Await("an address that has it", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "row=2.207&did=") })
	scrolled := func() int {
		return Eval[int](p, `document.querySelector("section[aria-label='Control flow'] .scroller").scrollTop`)
	}
	picture := func() string {
		return fmt.Sprint(p.listedThreads("Control flow: rows"), scrolled(), selected())
	}
	was, link := picture(), p.Address()
	p.Reload()
	p.Await("the same picture: "+was, func() (any, bool) { got := picture(); return got, got == was })
	if p.Address() != link {
		t.Errorf("the address became %s, and was %s", p.Address(), link)
	}
	// In another window the row that was selected before goes.
	p.Find("treegrid", "Control flow: rows").Focus()
	p.Press("+")
	p.Await("the rows that run here, and the selected one", func() (any, bool) {
		got := p.listedThreads("Control flow: rows")
		return got, !slices.Contains(got, "dbwork 205") && slices.Contains(got, "httpd 207") && !strings.Contains(p.Address(), "kept=")
	})
}

// What a key did is there after a reload however soon that is: the address bar, which follows when keys rest, has not said it yet.
func TestReloadRightAfterAKey(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Matches(`10 684 messages in view`)
	p.settled()
	if address := Eval[string](p, `(() => {
		for (const key of "oo") document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
		return location.href;
	})()`); !strings.Contains(address, "sort=name") {
		t.Fatalf("after the first key the address is %s", address)
	}
	p.Reload()
	p.Await("the order of the last key", func() (any, bool) {
		by := Eval[string](p, `document.querySelector("[aria-label='Sort rows by']").value`)
		return by, by == "start"
	})
	p.Await("it in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "sort=start") })
}

// A filter is there after a reload however soon after its last letter that is, also one that cannot be read, which is said then.
func TestReloadRightAfterAFilter(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Matches(`10 684 messages in view`)
	const box = `document.querySelector("input[aria-label^='Filter rows']")`
	for _, filter := range []string{"crunch", "status == nonsense"} {
		p.settled()
		if address := Eval[string](p, `(() => {
			const box = `+box+`;
			box.focus();
			box.value = "`+filter+`";
			box.dispatchEvent(new InputEvent("input", {bubbles: true}));
			return location.href;
		})()`); strings.Contains(address, filter[:6]) {
			t.Fatalf("at the last letter the address is %s already", address)
		}
		p.Reload()
		p.Await("the filter "+filter, func() (any, bool) {
			got := Eval[[]string](p, `[`+box+`.value, new URLSearchParams(location.search).get("filter") ?? ""]`)
			return got, got[0] == filter && got[1] == filter
		})
	}
	p.Await("that it cannot be read", func() (any, bool) {
		got := Eval[string](p, box+`.getAttribute("aria-invalid")`)
		return got, got == "true"
	})
}

// Rows that stand at their top stand there again: where the selected row is among those in sight, and where it was scrolled away.
func TestReopenedAtTheTop(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "") + "?window=all")
	p.Matches(`3 220 threads, 2 961 listed`)
	scrolled := func() int {
		return Eval[int](p, `document.querySelector("section[aria-label='Control flow'] .scroller").scrollTop`)
	}
	same := func(what string) {
		t.Helper()
		picture := func() string { return fmt.Sprint(scrolled(), p.listedThreads("Control flow: rows")) }
		was, link := picture(), p.Address()
		p.Reload()
		p.Says("Known to")
		p.Await(what+" where it was: "+was, func() (any, bool) { got := picture(); return got, got == was })
		p.rest()
		if got := picture(); got != was || p.Address() != link {
			t.Errorf("%s: %s at %s, and was %s at %s", what, got, p.Address(), was, link)
		}
	}
	left, top, width, height := p.Find("application", "Control flow: chart").Box()
	p.Click(left+width/2, top+height-24)
	p.Says("Known to")
	p.Await("a selected row and its state", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "row=") && strings.Contains(p.Address(), "did=")
	})
	if at := scrolled(); at != 0 {
		t.Fatalf("a click scrolled the rows to %d", at)
	}
	same("a row among the first")

	p.Wheel(left+width/2, top+height/2, 900)
	p.Await("other rows", func() (any, bool) { at := scrolled(); return at, at > 500 })
	p.Click(left+width/2, top+height/2)
	p.Await("another row", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "top=") })
	p.Wheel(left+width/2, top+height/2, -2000)
	p.Await("the first rows", func() (any, bool) { at := scrolled(); return at, at == 0 })
	p.Await("their place in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "-1.0") })
	same("a row that was scrolled away")
}

// Where rows stand after others were filtered away, folded or pinned does not follow from the selected row any more: the address has it, and a
// reload shows the same rows.
func TestLinkAfterOtherRowsWereListed(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	scrolled := func() int {
		return Eval[int](p, `document.querySelector("section[aria-label='Control flow'] .scroller").scrollTop`)
	}
	// settled waits until nothing is listed anew any more.
	settled := func() {
		t.Helper()
		var last string
		var since time.Time
		p.Await("rows that stay", func() (any, bool) {
			if now := fmt.Sprint(scrolled(), p.listedThreads("Control flow: rows"), p.Address()); now != last {
				last, since = now, time.Now()
			}
			return last, time.Since(since) > time.Second
		})
	}
	same := func(what string) {
		t.Helper()
		settled()
		was := fmt.Sprint(scrolled(), p.listedThreads("Control flow: rows"))
		p.Reload()
		p.Await(what+" where it was: "+was, func() (any, bool) {
			got := fmt.Sprint(scrolled(), p.listedThreads("Control flow: rows"))
			return got + " at " + p.Address(), got == was
		})
		settled()
		if got := fmt.Sprint(scrolled(), p.listedThreads("Control flow: rows")); got != was {
			t.Errorf("%s: %s, and was %s", what, got, was)
		}
	}
	open := func() {
		t.Helper()
		p.Open(s.page(set, ""))
		p.threadRow("dbwork, thread 205")
		p.Says("blocked in wait4")
		p.Await("the selected row brought into sight", func() (any, bool) { at := scrolled(); return at, at > 0 })
	}
	filter := func(words string) {
		t.Helper()
		box := p.Find("searchbox", "Filter rows by name, thread id or an expression")
		box.Focus()
		box.Type(words)
		p.Await("rows that are filtered", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "filter=") })
		settled()
	}
	open()
	filter("httpd")
	p.Press("Escape")
	same("rows that are filtered")

	open()
	filter("status == blocked && host == db")
	p.Press("Enter")
	for _, key := range []string{"m", "p", "o"} {
		p.Press(key)
		settled()
	}
	same("rows that are filtered, after one was pinned")

	// A host that is closed by the row that lies over its threads is on top then.
	open()
	settled()
	triangle := Eval[[]float64](p, `(() => {
		const {left, top} = document.querySelector("section[aria-label='Control flow'] .scroller").getBoundingClientRect();
		const b = document.elementFromPoint(left + 14, top + 11).closest(".row").querySelector(".twist").getBoundingClientRect();
		return [b.left + b.width / 2, b.top + b.height / 2];
	})()`)
	p.Click(triangle[0], triangle[1])
	p.Await("the closed host on top", func() (any, bool) {
		saw := Eval[[]float64](p, `(() => {
			const top = document.querySelector("section[aria-label='Control flow'] .scroller").getBoundingClientRect().top;
			const row = [...document.querySelectorAll("section[aria-label='Control flow'] [role=row][aria-expanded=false]")].find((e) => e.querySelector(".name").textContent === "db");
			return row ? [row.getBoundingClientRect().top - top] : [];
		})()`)
		return saw, len(saw) == 1 && math.Abs(saw[0]) < 1
	})
	same("a host that is closed")
}

// Where a host recorded nothing, and others did, a row can be chosen as well: an address leads to that moment and to no other.
func TestReopenedWhereNothingWasRecorded(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	const early = 100_000_000
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?window=all&row=%d.121&did=%d", c.number("cache"), c.hosts["cache"].Map.Local(c.begin+early))))
	panel := p.Find("complementary", "What is selected")
	p.Await("the moment", func() (any, bool) {
		saw := strings.Join(strings.Fields(panel.Text()), " ")
		return saw, regexp.MustCompile(`^httpd · 121 .*At 0\.(100 000|099 999) \d{3} s`).MatchString(saw)
	})
}

// So it is before all that was recorded, where a window can be moved to.
func TestReopenedBeforeAllThatWasRecorded(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	const early = 2_000_000_000
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&row=%d.121&did=%d", c.begin-3*early, c.begin+early, c.number("cache"), c.hosts["cache"].Map.Local(c.begin-early))))
	panel := p.Find("complementary", "What is selected")
	p.Await("the moment", func() (any, bool) {
		saw := strings.Join(strings.Fields(panel.Text()), " ")
		return saw, regexp.MustCompile(`^httpd · 121 .*not there then.*At −(2\.000 0|1\.999 9)\d\d \d{3} s`).MatchString(saw)
	})
}

// What a CPU did that is chosen stays chosen as the address has it, whichever clock times are told by.
func TestChosenOfCPUInOtherTimes(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	was := c.hosts["cache"].Map.Local(c.begin + 30_400_000_000)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?window=all&lane=%d.0&was=%d", c.number("cache"), was)))
	panel := p.Find("complementary", "What is selected")
	begins := func(clock string) {
		p.Await("what the CPU did, by "+clock, func() (any, bool) {
			saw := strings.Join(strings.Fields(panel.Text()), " ")
			return saw, regexp.MustCompile(`CPU 0 cache idle Begin ` + clock + ` .*On cache 03:49:32\.566 986 084`).MatchString(saw)
		})
	}
	begins(`30\.366 \d{3} \d{3} s`)
	p.Press("r")
	begins(`3 631\.958 \d{3} \d{3} s`)
	p.Press("r")
	begins(`30\.366 \d{3} \d{3} s`)
}
