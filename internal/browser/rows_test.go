package browser

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rows of Control flow, on one import of the demonstration set, each test in a page of its own.
func TestRows(t *testing.T) {
	s, set := demoSite(t)
	address := s.page(set, "")
	for name, test := range map[string]func(*testing.T, *Page, string){
		"filter": testRowFilter, "running": testRowsThatRun, "order": testRowOrder, "order to come": testRowOrderToCome, "pins": testPinnedRows, "most pins": testMostPins, "labels": testBarLabels, "cursor": testHonestCursor, "steps": testSteps,
		"axis": testAxisLabels, "scrolled": testRowsScrolled,
	} {
		t.Run(name, func(t *testing.T) { test(t, NewPage(t), address) })
	}
}

// Of all that was recorded, an hour in raw time, every thread that ran is listed, however short it was: as many as the traces have switches to. The
// others that are listed are the processes of such threads; threads that did not run are not.
func testRowsThatRun(t *testing.T, p *Page, address string) {
	for _, time := range []string{"&time=raw", ""} {
		p.Open(address + "?window=all" + time)
		p.Says("3 220 threads, 2 961 listed and 8 processes of theirs")
		p.Open(address + "?window=all&filter=status+%3D%3D+running" + time)
		p.Says("3 220 threads, 2 961 listed and 8 that do not fit, 2 961 fit")
	}
}

// In raw time an hour after the begin of the set a label of the time axis is long; it ends before the next one, and the
// window is where it was after a look at raw time. It has bars of five states, which are as high as their states have it.
func testAxisLabels(t *testing.T, p *Page, address string) {
	const window = "?begin=1795229355183964261&end=1795229355188437489&row=0.226"
	p.Open(address + window)
	p.threadRow("httpd, thread 226")
	heights := map[string]int{"--blk": 6, "--user": 15, "--sys": 15, "--irq": 11, "--cpuw": 8}
	p.Await(fmt.Sprint("bars as high as ", heights), func() (any, bool) {
		saw := p.Canvas("Control flow").Heights(200, slices.Collect(maps.Keys(heights))...)
		return saw, maps.Equal(saw, heights)
	})
	Eval[bool](p, `(() => {
		const plain = CanvasRenderingContext2D.prototype.fillText;
		CanvasRenderingContext2D.prototype.fillText = function (words, x, y) {
			if (this.canvas.ariaLabel === "Time axis") {
				if (x < (window.axis?.at(-1)?.x ?? Infinity)) window.axis = [];
				window.axis.push({words, x, end: x + this.measureText(words).width});
			}
			return plain.call(this, words, x, y);
		};
		return true;
	})()`)
	p.Press("r")
	type label struct {
		Words  string
		X, End float64
	}
	var labels []label
	p.Await("times of cache's clock on the axis", func() (any, bool) {
		labels = Eval[[]label](p, "window.axis ?? []")
		return labels, len(labels) > 2 && strings.HasPrefix(labels[0].Words, "3")
	})
	for i, l := range labels[1:] {
		if before := labels[i]; before.End+4 > l.X {
			t.Errorf("%q ends at %.0f, and %q begins at %.0f", before.Words, before.End, l.Words, l.X)
		}
	}
	p.Press("r")
	p.Await("the window as it was, to the ns", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), window[1:])
	})
}

// How far the rows are scrolled is kept by the address, beside a selected row that is out of sight then.
func testRowsScrolled(t *testing.T, p *Page, address string) {
	p.Open(address)
	p.threadRow("dbwork, thread 205")
	scrolled := func() int {
		return Eval[int](p, `document.querySelector("section[aria-label='Control flow'] .scroller").scrollTop`)
	}
	p.Await("the selected row brought into sight", func() (any, bool) { at := scrolled(); return at, at > 0 })
	x, y, width, height := p.Find("treegrid", "Control flow: rows").Box()
	before := scrolled()
	p.Wheel(x+width/2, y+height/2, 333)
	p.Await("other rows, and the address of these", func() (any, bool) {
		return p.Address(), scrolled() > before && strings.Contains(p.Address(), "top=")
	})
	at, link := scrolled(), p.Address()
	p.Reload()
	p.Await("the same rows", func() (any, bool) { got := scrolled(); return got, got == at })
	p.Says("blocked in wait4")
	if got := scrolled(); got != at || p.Address() != link {
		t.Errorf("scrolled to %d at %s, want %d at %s", got, p.Address(), at, link)
	}
}

// listedThreads are the thread rows that stand in a tree, from the top, as far as it is on screen; dim ones in brackets.
func (p *Page) listedThreads(tree string) []string {
	return Eval[[]string](p, `(() => {
		const rows = [...document.querySelectorAll('[role=treegrid][aria-label="`+tree+`"] [role=row]:not([hidden])')]
		const threads = rows.map((r) => [r, /^(.*), thread (\d+)/.exec(r.title)]).filter(([, m]) => m)
		return threads.map(([r, m]) => r.classList.contains('dimmed') ? '(' + m[1] + ' ' + m[2] + ')' : m[1] + ' ' + m[2])
	})()`)
}

// awaitThreads waits until these threads stand in the tree of Control flow.
func (p *Page) awaitThreads(want ...string) {
	p.t.Helper()
	p.Await(fmt.Sprintf("the rows %q", want), func() (any, bool) {
		got := p.listedThreads("Control flow: rows")
		return got, strings.Join(got, ",") == strings.Join(want, ",")
	})
}

// Who waited for the lock in the story is found by what it did, and what cannot be read is told with its place.
func testRowFilter(t *testing.T, p *Page, address string) {
	p.Open(address)
	p.threadRow("dbwork, thread 205")
	p.Press("Escape") // the row that the demonstration selects would stay
	p.Press("/")
	field := p.Find("searchbox", "Filter rows by name, thread id or an expression")
	field.Type(`host==db && status==blocked && syscall=="flock"`)
	p.awaitThreads("dbwork 208", "dbwork 210")
	p.Says("2 fit")
	p.Press("ArrowDown")
	p.Await("the keys with the rows", func() (any, bool) {
		at := Eval[string](p, `document.activeElement.ariaLabel ?? ""`)
		return at, at == "Control flow: rows"
	})
	c := p.Canvas("Control flow")
	p.Await("only waiting and little running", func() (any, bool) {
		running, blocked := c.Count("--user"), c.Count("--blk")
		return fmt.Sprint(running, blocked), running > 0 && running < 1000 && blocked > 3000
	})

	p.Await("the filter in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "filter=host") })

	// The address keeps it, and that no row is selected; one that is stays, faint.
	p.Reload()
	p.awaitThreads("dbwork 208", "dbwork 210")
	p.Open(p.Address() + "&row=2.205")
	p.awaitThreads("(dbwork 205)", "dbwork 208", "dbwork 210")
	p.Press("Escape")
	p.awaitThreads("dbwork 208", "dbwork 210")
	p.Says("2 fit")

	// The others dim: crunch, which runs green, is there and faint.
	p.Find("button", "Hide: rows that do not fit go").Click()
	p.Await("the others, dim", func() (any, bool) {
		rows := strings.Join(p.listedThreads("Control flow: rows"), ",")
		return rows, strings.Contains(rows, "(")
	})
	p.Await("the others in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "others=dim") })
	c = p.Canvas("Control flow")
	p.Await("faint states", func() (any, bool) { n := c.Count("--user"); return n, n < 1000 })
	p.Find("button", "Dim: rows that do not fit stay").Click()
	p.awaitThreads("dbwork 208", "dbwork 210")

	field = p.Find("searchbox", "Filter rows by name, thread id or an expression")
	field.Type(`status == asleep`)
	p.Says(`At character 11: "asleep" is no status`)
	if place := Eval[string](p, `document.querySelector('.filter mark').textContent`); place != "asleep" {
		t.Errorf("the place that is marked is %q", place)
	}
	p.awaitThreads("dbwork 208", "dbwork 210")

	// What was wrong with it is not said of the next one.
	field.Type(`crunch`)
	p.awaitThreads("crunch 206")
	p.Says("1 listed, 15 fit, 14 of these do not run in view")
	if wrong := Eval[bool](p, `!document.querySelector(".filter .below").hidden || document.querySelector(".filter input").getAttribute("aria-invalid") === "true"`); wrong {
		t.Errorf("words that can be read are still told to be wrong: %s", Eval[string](p, `document.querySelector(".filter .below").textContent`))
	}
	field.Type(`md5sum 199`)
	p.Says("0 listed, 1 fits, but does not run in view")
	p.Says("No row that fits the filter runs in this window. List all rows to see them.")
	field.Type(`nosuchthread`)
	p.Says("0 listed, none fits")
	p.Says("No row matches “nosuchthread”. Clear the filter")
	field.Type(`host == moon`)
	p.Says("No row matches “host == moon” in this window")
	p.Says("There is no host moon. There are cache, client, db, web.")
	p.Says("0 listed, none fits")

	// Words of what threads do lead to the expression that finds it.
	field.Type(`db blocked`)
	p.Says("No name has these words.")
	p.Find("button", "host == db && status == blocked").Click()
	p.Matches(`\d+ listed( and \d+ that do(es)? not fit)?, \d+ fit, \d+ of these do not run in view`)
	p.Await("the keys with the field still", func() (any, bool) { at := p.hasKeys(); return at, at == filterLabel })

	// Enter gives the keys back to the rows, and so does Esc; pressed once more it takes the filter away.
	const filtered = "filter=host+%3D%3D+db"
	for _, key := range []string{"Enter", "Escape"} {
		field.Focus()
		p.Press(key)
		p.Await("the keys with the rows", func() (any, bool) { at := p.hasKeys(); return at, at == "Control flow: rows" })
		p.Press("o") // is no letter of the filter
		p.Await("another order, and the filter", func() (any, bool) {
			return p.Address(), strings.Contains(p.Address(), "sort=") && strings.Contains(p.Address(), filtered)
		})
	}
	p.Press("Escape")
	p.Await("the filter, for something was done since", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), filtered) })
	field.Focus()
	p.Press("Escape")
	p.Press("Escape")
	p.Await("all rows again", func() (any, bool) {
		n := len(p.listedThreads("Control flow: rows"))
		return n, n > 10 && !strings.Contains(p.Address(), "filter=")
	})

	// What can be found there is said of a host of the set.
	field.Focus()
	p.Says(`host == cache && status == blocked`)

	// Where only the server knows that it cannot be read, the keys come back to it.
	if left := Eval[bool](p, `(() => {
		const field = document.activeElement;
		field.value = "host == cache && stat";
		field.dispatchEvent(new Event("input"));
		field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", cancelable: true }));
		return document.activeElement !== field;
	})()`); !left {
		t.Error("Enter keeps the keys in a filter of which nobody knows yet that it is wrong")
	}
	p.Await("the keys with the field again", func() (any, bool) { at := p.hasKeys(); return at, at == filterLabel })
}

const filterLabel = "Filter rows by name, thread id or an expression"

// hasKeys is the label of what has the keys.
func (p *Page) hasKeys() string {
	p.t.Helper()
	return Eval[string](p, `document.activeElement.ariaLabel ?? ""`)
}

// threadsBegin waits until the rows in sight begin with these.
func (p *Page) threadsBegin(want ...string) {
	p.t.Helper()
	p.Await(fmt.Sprintf("rows that begin with %q", want), func() (any, bool) {
		got := p.listedThreads("Control flow: rows")
		return got, len(got) >= len(want) && strings.Join(got[:len(want)], ",") == strings.Join(want, ",")
	})
}

// While what an order goes by is counted, the head says so, and the rows stand as they stood.
func testRowOrderToCome(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?sort=-name&filter="+url.QueryEscape(`host==db && tid > 200`)))
	p.threadsBegin("md5sum 211", "md5sum 212", "httpd 204")
	Eval[bool](p, `(() => {
		const { prototype } = WebSocket;
		const { send } = prototype;
		const held = [];
		prototype.send = function (m) { String(m).includes('"op":"measure"') ? held.push([this, m]) : send.call(this, m); };
		window.release = () => { prototype.send = send; for (const [socket, m] of held) send.call(socket, m); return true; };
		return true;
	})()`)
	p.Find("combobox", "Sort rows by").Choose("CPU time in view")
	p.Says("counting CPU time in view, to sort by it")
	p.threadsBegin("md5sum 211", "md5sum 212", "httpd 204")
	Eval[bool](p, "window.release()")
	p.threadsBegin("crunch 206")
	p.Await("nothing said of counting", func() (any, bool) {
		words := p.Find("region", "Control flow").Text()
		return words, !strings.Contains(words, "counting")
	})
}

// What took the CPUs of the window stands on top when that is asked for, within its host.
func testRowOrder(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?filter="+url.QueryEscape(`host==db && tid > 200`)))
	p.threadRow("dbwork, thread 205")
	p.threadsBegin("httpd 204", "dbwork 205", "crunch 206", "httpd 207")
	order := p.Find("combobox", "Sort rows by")
	order.Choose("CPU time in view")
	p.threadsBegin("crunch 206")
	p.Await("the order in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "sort=-cpu") })
	note := func(want string) {
		t.Helper()
		p.Await("the note "+want, func() (any, bool) {
			row := Eval[[]string](p, `(() => {
				const row = [...document.querySelectorAll("[aria-label='Control flow: rows'] .row:not([hidden])")].find((r) => r.querySelector(".name").innerText === "crunch");
				return row ? [row.lastElementChild.innerText, row.title] : ["", ""];
			})()`)
			return row, regexp.MustCompile(want).MatchString(spaces.Replace(row[0] + " | " + row[1]))
		})
	}
	note(`^446 ms · 206 \| crunch, thread 206, 446 ms on a CPU in view$`)
	p.Find("button", "The largest is on top: turn the order round").Click()
	p.Await("crunch at the end", func() (any, bool) {
		rows := p.listedThreads("Control flow: rows")
		return rows, len(rows) > 3 && rows[len(rows)-1] == "crunch 206"
	})
	order.Choose("name")
	p.threadsBegin("crunch 206", "dbwork 205", "dbwork 208", "dbwork 210", "httpd 204")
	order.Choose("start")
	p.threadsBegin("httpd 204", "dbwork 205", "crunch 206")
	note(`^206 \| crunch, thread 206$`)
	order.Choose("activity in view")
	p.threadsBegin("crunch 206")
	note(`^[\d ]+ · 206 \| crunch, thread 206, [\d ]+ changes of state in view$`)

	// By keys, and again from the address.
	p.threadRow(Eval[string](p, `document.querySelector("[aria-label='Control flow: rows'] [title^='crunch, thread 206']").title`)).Click()
	p.Press("o")
	p.Await("the usual order again", func() (any, bool) { return p.Address(), !strings.Contains(p.Address(), "sort=") })
	p.Press("O")
	p.Await("the order turned round", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "sort=-tid") })
	p.Reload()
	p.Await("the last thread on top", func() (any, bool) {
		rows := p.listedThreads("Control flow: rows")
		return rows, len(rows) > 3 && rows[len(rows)-1] == "httpd 204"
	})
}

// A row that is pinned stays in sight, with what it does, wherever the others are scrolled.
func testPinnedRows(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?rows=all"))
	p.threadRow("dbwork, thread 205")
	p.Find("button", "Pin").Click()
	pinned := func(want ...string) {
		t.Helper()
		p.Await(fmt.Sprintf("the pinned rows %q", want), func() (any, bool) {
			got := p.listedThreads("Pinned rows: rows")
			return got, strings.Join(got, ",") == strings.Join(want, ",")
		})
	}
	pinned("dbwork 205")
	p.Await("what the pinned row did", func() (any, bool) {
		n := p.Canvas("Pinned rows").Count("--blk")
		return n, n > 1000
	})
	crunch := p.threadRow("crunch, thread 206")
	crunch.Click()
	p.Press("p")
	pinned("dbwork 205", "crunch 206")
	if more := Eval[int](p, `(() => { const s = document.querySelector(".pane.top .scroller"); return s.scrollHeight - s.clientHeight })()`); more != 0 {
		t.Errorf("both pinned rows have room, and yet they scroll by %d pixels", more)
	}
	p.Await("both in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "pin=2.205%2C2.206") })

	p.Press("End")
	p.Await("the last rows", func() (any, bool) {
		rows := strings.Join(p.listedThreads("Control flow: rows"), ",")
		return rows, !strings.Contains(rows, "crunch 206")
	})
	p.Await("crunch drawn on top", func() (any, bool) {
		n := p.Canvas("Pinned rows").Count("--user")
		return n, n > 1000
	})

	// A pinned row is a row: it is chosen with a click on what it does, and let go with the same key.
	left, top, width, _ := p.Canvas("Pinned rows").Box()
	p.Click(left+width*0.5, top+33)
	p.Await("what crunch does", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		return words, strings.Contains(words, "crunch · 206")
	})
	p.Press("p")
	pinned("dbwork 205")
	p.Await("one in the address", func() (any, bool) {
		return p.Address(), regexp.MustCompile(`pin=2\.205&row=2\.206&did=\d{19}$`).MatchString(p.Address())
	})
	p.Reload()
	pinned("dbwork 205")

	// Whoever lets the last one go by keys has the rows below in hand then.
	p.Find("treegrid", "Pinned rows: rows").Focus()
	p.Press("ArrowDown")
	p.Press("p")
	p.Gone("treegrid", "Pinned rows: rows")
	p.Await("the keys at the rows", func() (any, bool) {
		at := Eval[string](p, `document.activeElement.getAttribute("aria-label")`)
		return at, at == "Control flow: rows"
	})
}

// Where no row more can be pinned the status line says so, and has it read out.
func testMostPins(t *testing.T, p *Page, address string) {
	const most = 64
	var pins []string
	for i := range most {
		pins = append(pins, fmt.Sprintf("0.%d", 70000+i))
	}
	p.Open(address + fromFirstLook("?rows=all&pin="+strings.Join(pins, ",")))
	p.threadRow("dbwork, thread 205")
	const sentence = "64 rows are pinned, and no more can be: let one go, then pin this one."
	p.Press("p")
	p.Await("to hear that there is no room", func() (any, bool) { got := p.heard(); return got, strings.Contains(got, sentence) })
	p.Says(sentence)
	if got := p.listedThreads("Pinned rows: rows"); len(got) > 0 {
		t.Errorf("%q is pinned", got)
	}
}

// Bars with room say what is done in them; none does before one is wide enough.
func testBarLabels(t *testing.T, p *Page, address string) {
	p.Open(address + fromFirstLook("?filter=rcu_preempt"))
	p.threadRow("dbwork, thread 205")
	p.Press("Escape") // what is selected has an outline in the colour of text
	p.awaitThreads("rcu_preempt 15", "rcu_preempt 15", "rcu_preempt 15", "rcu_preempt 15")
	c := p.Canvas("Control flow")
	p.Await("states without a name", func() (any, bool) {
		blocked, letters := c.Count("--blk"), c.Count("--ink")
		return fmt.Sprint(blocked, letters), blocked > 1000 && letters == 0
	})
	var begin int64
	p.Await("the window in the address", func() (any, bool) {
		b, _, ok := view(t, p)
		begin = b
		return p.Address(), ok
	})
	p.Open(fmt.Sprintf("%s?filter=rcu_preempt&begin=%d&end=%d&row=2.15", address, begin+47_000_000, begin+53_000_000))
	p.Find("treegrid", "Control flow: rows")
	p.Await("a bar of rcu_preempt, in the kernel", func() (any, bool) {
		n := p.Canvas("Control flow").Count("--kern")
		return n, n > 5000
	})
	// The words begin with the bar, and stand there once: the rest of it is bare.
	row := p.threadRow("rcu_preempt, thread 15")
	p.Await("words on it", func() (any, bool) {
		c := p.Canvas("Control flow")
		_, top, width, _ := c.Box()
		_, y, _, height := row.Box()
		letters, others := 0, 0
		for _, x := range c.Inked(y+height/2-top, "--kern") {
			switch at := x / width; {
			case at > 0.1 && at < 0.2:
				letters++
			case at > 0.25 && at < 0.95:
				others++
			}
		}
		return fmt.Sprint(letters, others), letters > 10 && letters < 60 && others == 0
	})

	// So they do as the window moves on, over where one answer ends and the next begins.
	const from = 1795229355_704_079_000
	p.Open(fmt.Sprintf("%s?begin=%d&end=%d", address, from, from+1_196_000))
	p.threadRow("dbwork, thread 208")
	Eval[bool](p, `(addEventListener("drawn", (e) => window.drawn = e.detail), true)`)
	p.Press("ArrowRight")
	for step := range int64(3) {
		p.Press("ArrowLeft")
		row := p.threadRow("dbwork, thread 208")
		p.Await(fmt.Sprintf("a green bar with one name, %d moves back", step), func() (any, bool) {
			sharp := Eval[bool](p, fmt.Sprintf(`window.drawn?.window === "%d+1196000" && drawn.blank + drawn.coarse === 0`, from-step*119_600))
			c := p.Canvas("Control flow")
			_, top, width, _ := c.Box()
			_, y, _, height := row.Box()
			inked := c.Inked(y+height/2-top, "--user")
			return fmt.Sprint(sharp, inked), sharp && len(inked) > 10 && inked[len(inked)-1]-inked[0] < 70 && inked[0] < width*0.02
		})
	}
}

// The states of a row are walked through by keys: one begins where the one before ended, and the window comes along.
// What is followed keeps the keyboard.
func testSteps(t *testing.T, p *Page, address string) {
	p.Open(address)
	inspector := p.Find("complementary", "What is selected")
	span := regexp.MustCompile(`(\S+ · \d+) .*?Begin ([\d. ]+) s End ([\d. ]+) s`)
	state := func(what string, fits func(row, begin, end string) bool) (row, begin, end string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			words := spaces.Replace(strings.Join(strings.Fields(inspector.Text()), " "))
			m := span.FindStringSubmatch(words)
			if m == nil {
				return words, false
			}
			row, begin, end = m[1], m[2], m[3]
			return words, fits(row, begin, end)
		})
		return row, begin, end
	}
	row, begin, end := state("the state that the demonstration selects", func(row, _, _ string) bool { return row == "dbwork · 205" })
	p.Press(".")
	_, second, _ := state("the next state, where that one ended", func(_, b, _ string) bool { return b == end })
	p.Press(",")
	state("the first again", func(_, b, _ string) bool { return b == begin })
	p.Press(",")
	state("the one before, up to there", func(_, _, e string) bool { return e == begin })

	// At the end of the thread it stays and says so.
	p.Press(".")
	state("the first again", func(_, b, _ string) bool { return b == begin })
	p.Await("the thread's last state, after as many presses as it takes", func() (any, bool) {
		p.Press(".")
		words := p.Text()
		return words, strings.Contains(words, "This is the thread's last state.")
	})
	state("a later state of the same thread", func(r, b, _ string) bool { return r == row && b != second })

	p.Open(address)
	inspector = p.Find("complementary", "What is selected")
	follow := p.Find("button", "Follow crunch · 206")
	follow.Click()
	state("what the one that woke it did", func(row, _, _ string) bool { return row == "crunch · 206" })
	p.Await("the focus in the inspector", func() (any, bool) {
		on := Eval[string](p, `(document.activeElement.closest("aside")?.getAttribute("aria-label") ?? document.activeElement.outerHTML.slice(0, 80))`)
		return on, on == "What is selected"
	})

	// A thread that was not there in the middle of the window is shown from where it was, and its states are gone through.
	p.threadRow("md5sum, thread 211").Click()
	_, begin, end = state("a state of a thread that lived in a part of the window", func(row, _, _ string) bool { return strings.HasSuffix(row, " · 211") })
	p.Press(".")
	state("its next state", func(row, b, _ string) bool { return strings.HasSuffix(row, " · 211") && b == end })
	p.Press(",")
	state("its first state", func(_, b, _ string) bool { return b == begin })
	p.Press(",")
	p.Await("that there is none before", func() (any, bool) {
		words := p.Text()
		return words, strings.Contains(words, "This is the thread's first state.")
	})
	// Where nobody knows what a state waited for, the key that goes there says so; so do those that need a row.
	p.Press("g")
	p.Says("No thread and no message is known that this state waited for.")
	p.Press("Escape")
	p.Press(".")
	p.Says("These keys go along the row of a thread, a CPU or an interrupt: select one first.")
	p.Press("g")
	p.Says("This key goes on from a state: select one first.")

	// So does the one that goes to the next message, where there is none.
	first, err := strconv.ParseInt(Eval[string](p, `fetch(location.pathname.replace("/sets/", "/api/sets/")).then((r) => r.json()).then((set) => set.begin)`), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.Open(fmt.Sprintf("%s?begin=%d&end=%d", strings.SplitN(address, "?", 2)[0], first, first+1000))
	p.hostRow("Communication", "web")
	p.Await("that there is no message", func() (any, bool) {
		p.Press("m")
		words := p.Text()
		return words, strings.Contains(words, "No message is in view.")
	})
}
