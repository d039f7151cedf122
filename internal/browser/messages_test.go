package browser

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Who sent what to whom in the demonstration: the whole set as a matrix that is gone through by keys, the latencies of a pair in
// figures and drawings, a dot that leads to its message, and the timeline with that pair alone and with all again.
func TestMessages(t *testing.T) {
	s, set := demoSite(t)
	least := clocksOf(t, set).shortest("web", "db")
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages"))
	// What holds of the window is not taken for what holds of all: both are said.
	p.Says("In the timeline's window alone (570 ms of 39.5 s), db and web exchanged most messages: 44, 2.8 KiB; most data: client and web, 7.7 KiB. Over the whole set, client and web exchanged most: 4 762 messages, 778 KiB.")
	p.Find("combobox", "What was exchanged in").Choose("the whole set")
	p.Matches(`0\.000 000 000 s to 39\.465 \d{3} \d{3} s, 39\.465 s: 10 684 messages`)
	p.Says("In the whole set, client and web exchanged most: 4 762 messages, 778 KiB.")
	p.Await("what is added up in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "exchanged=set") })
	p.Reload()
	p.Says("In the whole set, client and web exchanged most: 4 762 messages, 778 KiB.")
	p.Matches(`Both ways together Messages Data client ↔ web 4 762 778 KiB cache ↔ web 3 894`)
	table := p.Find("grid", "Messages from host to host")
	for _, name := range []string{
		"web to db: 988 messages, 63.2 KiB, median latency 8", "client to web: 2 401 messages, 148 KiB", "cache to db: no message", "db, itself",
	} {
		cell(p, table, name)
	}
	p.Gone("button", "All hosts")
	p.Says("In a cell: messages, data, median latency ± its error. Shade of a cell: few")
	// Few messages have another ground than many.
	grounds := Eval[[]float64](p, `(() => {
		const red = (e) => Number(getComputedStyle(e).backgroundColor.match(/[\d.]+/)[0]); // of the three it changes most
		const of = (words) => red([...document.querySelectorAll(".matrix td")].find((e) => e.innerText.startsWith(words)));
		return [of("cache to client"), of("web to db")];
	})()`)
	if few, many := grounds[0], grounds[1]; few < many+0.15 {
		t.Errorf("the grounds of 10 and 988 messages are as red as %v and %v", few, many)
	}

	// What is chosen from, and has the keys, leaves the page those that stand in no choice, and with Escape all of them.
	p.Find("combobox", "What was exchanged in").Focus()
	p.Press("?")
	p.Find("dialog", "Keys and legend")
	p.Press("Escape")
	p.Gone("dialog", "Keys and legend")
	p.Await("the choice to have the keys again", func() (any, bool) {
		at := Eval[string](p, "document.activeElement.id")
		return at, at == "messages-over"
	})
	p.Press("Escape")
	p.focused("nothing")

	// By keys: to the row of web and its column of db.
	Eval[bool](p, `document.querySelector("[role=gridcell][tabindex='0']").focus() ?? true`)
	for _, key := range []string{"PageDown", "Home", "ArrowRight", "ArrowRight"} {
		p.Press(key)
	}
	p.Matches(`web to db: 988 messages, 63\.2 KiB, median latency 8\d\d µs ± 1\d\d µs, from ` + least + ` to 17\.0 ms\.`)
	p.Press("Enter")
	p.Matches(`web ↔ db 1 976 messages`)
	for _, name := range []string{"web to db", "db to web"} {
		if selected := cell(p, table, name).State("selected"); selected != "true" {
			t.Errorf("the cell %s of the chosen pair says selected: %q", name, selected)
		}
	}
	if selected := cell(p, table, "client to web").State("selected"); selected == "true" {
		t.Error("a cell of another pair is selected")
	}
	figures := strings.Join(strings.Fields(p.Find("table", "Latencies of the chosen pair").Text()), " ")
	if !regexp.MustCompile(`web → db 988 63\.2 KiB 8\d\d µs ± 1\d\d µs ` + least + ` 17\.0 ms 0 db → web 988 61\.6 KiB .* 0$`).MatchString(figures) {
		t.Errorf("the figures of web and db are %s", figures)
	}
	medians := make(map[string]string)
	for _, m := range regexp.MustCompile(`(web → db|db → web) \S+ \S+ KiB (\S+ µs)`).FindAllStringSubmatch(figures, -1) {
		medians[m[1]] = m[2]
	}
	histogram, dots := p.Canvas("Histogram of the latencies"), p.Canvas("Latencies over time")
	p.Await("bars one way and the other, dots, and the band of the error", func() (any, bool) {
		n := []int{histogram.Count("--sys"), histogram.Count("--user"), dots.Count("--ink2"), len(dots.Inked(100, "--panel"))}
		return n, n[0] > 500 && n[1] > 500 && n[2] > 300 && n[3] > 10
	})
	if rules, err := os.ReadFile(axe); err == nil {
		checkRules(t, p, rules, "messages of a pair")
	}
	p.Find("combobox", "Shown by").Choose("median latency")
	p.Says("In a cell: median latency ± its error, messages, data.")
	if words := must[string](cell(p, table, "web to db: 988 messages"), "function() { return this.querySelector('b').innerText }"); !strings.Contains(words, "µs ±") {
		t.Errorf("by median latency the cell says %q first", words)
	}

	// A dot, found by keys, leads to its message.
	Eval[bool](p, `document.querySelector("[role=slider][aria-label='Dot of the plot of latencies']").focus() ?? true`)
	p.Press("End")
	p.Press("ArrowLeft")
	p.Matches(`\d+\.[\d ]+ s: (web to db|db to web) in [\d.]+ (µs|ms) ± 1\d\d µs\.`)
	p.Press("Enter")
	p.Matches(`Message (web → db|db → web) .* Sent .* Received .* Latency .* Usual (\S+ µs) median`)
	words := strings.Join(strings.Fields(spaces.Replace(p.Find("complementary", "What is selected").Text())), " ")
	if m := regexp.MustCompile(`Message (\S+ → \S+) .* Usual (\S+ µs) median`).FindStringSubmatch(words); m == nil || m[2] != medians[m[1]] {
		t.Errorf("the tab Messages has the medians %v, and of one of them it says %s", medians, words)
	}
	p.Matches(`Communication \d+ messages? in view none received before sent by connection only web ↔ db`)
	talk := p.Find("treegrid", "Communication: rows")
	p.Await("the rows of web and db", func() (any, bool) { n := len(talk.All("row", "")); return n, n == 2 })
	p.Find("button", "only web ↔ db").Click()
	p.Await("the rows of all hosts", func() (any, bool) { n := len(talk.All("row", "")); return n, n == 4 })

	// By the hosts' own clocks messages come before they are sent, and it is said.
	p.Open(s.page(set, "?tab=messages&pair=web~db&time=raw"))
	p.Find("combobox", "What was exchanged in").Choose("the whole set")
	cell(p, p.Find("grid", "Messages from host to host"), "web to db: 988 messages, 63.2 KiB, median latency −10.0 s, from −10.0 s to −9.98 s; 988 received before sent.")
	p.Matches(`web → db 988 63\.2 KiB −10\.0 s −10\.0 s −9\.98 s ! 988`)
	// One way is 20 s from the other: each is spread out all the same, over an axis of its own.
	p.Matches(`How latencies spread each way on its own axis, both equally wide and 20\.0 s apart`)
	histogram = p.Canvas("Histogram of the latencies")
	dots = p.Canvas("Latencies over time")
	told, drawn := histogram.Listen(), dots.Listen()
	_, _, _, height := histogram.Box()
	p.Resize(1300, 900)
	p.Await("dots about the error of the clocks, one way above it and the other below", func() (any, bool) {
		_, words := drawn()
		var axis []string
		for _, w := range words {
			if strings.HasPrefix(w.Words, "−") && strings.HasSuffix(w.Words, "s") {
				axis = append(axis, w.Words)
			}
		}
		return axis, len(axis) > 3
	})
	p.Await("bars over much of both axes, each with its own figures", func() (any, bool) {
		var above, below []string
		_, words := told()
		for _, w := range words {
			if strings.HasSuffix(w.Words, "s") && w.Y < 30 {
				above = append(above, w.Words)
			} else if strings.HasSuffix(w.Words, "s") {
				below = append(below, w.Words)
			}
		}
		n := []int{len(histogram.Inked(height/2-4, "--panel")), histogram.Count("--sys"), histogram.Count("--user")}
		ok := len(above) > 1 && len(below) > 1 && strings.HasPrefix(above[0], "−") && !strings.HasPrefix(below[0], "−") && n[0] > 60 && n[1] > 300 && n[2] > 300
		return []any{n, above, below}, ok
	})
	cell(p, p.Find("grid", "Messages from host to host"), "web to db").Click()
	p.Gone("table", "Latencies of the chosen pair")
}

// The slowest of what was asked over TCP: one of them leads to the thread that waited, from where one goes on to who answered; the message it
// waited for is the first that is chosen by key. The pair that is chosen has its own, and the hosts' own clocks the same.
func TestSlowestRequests(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&exchanged=set"))
	p.Says("0.000 000 000 s to 39.465 356 755 s") // the last event, as Statistics has it
	p.Matches(`Slowest requests 50 of 686 requests over TCP; half took at most 5\d\.\d ms, 95 % at most 4\d\d ms; .* Took ↓ .* client: wget · 208 web: httpd · 227, port 80 5\.92\d \d{3} s 58\d\.\d ms 1\d\.\d\d ms 58\d\.\d ms client: wget · 209`)
	p.Find("button", "client: wget · 208").Click()
	p.Matches(`wget · 208 Follow the message from web: httpd · 227 client, child of .* blocked in poll Begin .* Events of this thread Request to web: 58\d\.\d ms, from 5\.92\d \d{3} s to 6\.5\d\d \d{3} s\. Slowest requests lists others`)
	p.Await("a window that holds the 585 ms that it took", func() (any, bool) {
		begin, end, ok := view(t, p)
		return end - begin, ok && end-begin > 585e6 && end-begin < 1200e6
	})
	p.Press("m")
	p.Matches(`Message web → client httpd · 227 → wget · 208 TCP web:80 → client:33738`)
	p.Press("g")
	p.Matches(`httpd · 227 (Follow .* )?web, child of .* blocked in`)
	if words := p.Text(); strings.Contains(words, "Request to web") {
		t.Errorf("of another thread it is said what was asked: %s", words)
	}
	p.Find("button", "wget · 230").Click() // that woke it
	p.Matches(`wget · 230 (Follow .* )?web, child of`)

	p.Open(s.page(set, "?tab=messages&exchanged=set&pair=web~db"))
	p.Matches(`Slowest requests (50 of )?\d+ requests over TCP; .* web: wget · 230 db: httpd · 204, port 80`)
	// Beside the drawings of the pair on a large screen, below them on a small one.
	for _, size := range [][2]int64{{3840, 2160}, {Width, Height}} {
		p.Resize(size[0], size[1])
		p.Await(fmt.Sprintf("requests in their place at %v", size), func() (any, bool) {
			at := Eval[[]float64](p, `[".requests", ".pair"].map((of) => document.querySelector("#messages " + of).getBoundingClientRect()).flatMap((b) => [b.left, b.top, b.right, b.bottom])`)
			return at, (at[2] <= at[4] && at[1] < float64(size[1])/2) == (size[0] > Width) && (at[1] >= at[7]) == (size[0] == Width)
		})
	}
	if words := spaces.Replace(p.Find("table", "Slowest requests").Text()); strings.Contains(words, "client:") {
		t.Errorf("the requests of web and db are %s", words)
	}
	p.Press("r")
	p.Matches(`Slowest requests (50 of )?\d+ requests over TCP; .* web: wget · 230 db: httpd · 204, port 80`)

	// Of a window those that were under way in it, also those asked before.
	p.Open(s.page(set, "?tab=messages"))
	p.Matches(`Slowest requests 8 requests over TCP under way in the timeline's window; .* Took ↓ .* client: wget · 208 .* client: wget · 209`)
	p.Find("region", "Slowest requests").Find("button", "In the whole set").Click()
	p.Matches(`Slowest requests 50 of 686 requests over TCP; .* client: wget · 208`)
	first := func() {
		t.Helper()
		p.Await("the first request to have the keys", func() (any, bool) {
			words := Eval[string](p, "document.activeElement.textContent")
			return words, words == "client: wget · 208"
		})
		p.Await("the heading and the table of requests in sight", func() (any, bool) {
			heading, high := p.seenOf(".requests h2")
			table, tall := p.seenOf(".requests table")
			return []float64{heading, high, table, tall}, high > 0 && heading == high && table >= min(tall, 450)
		})
	}
	first()
	// A press anywhere in its row does the same.
	x, y, _, height := p.Find("button", "client: wget · 209").Box()
	p.Click(x+400, y+height/2)
	p.Matches(`wget · 209 (Follow .* )?client, child of .* blocked in poll`)

	// A stretch without any says what it takes.
	p.Open(s.page(set, "?tab=messages&begin=1000&end=2000"))
	p.Says("No question and answer over TCP is known here")

	// By the palette, where they are below the matrix.
	p.Resize(1360, 850)
	p.Open(s.page(set, "?tab=events"))
	p.palette("slowest", "Slowest requests of the whole set")
	p.strike("Enter", 0)
	first()

	// From the timeline, where the demonstration opens on one of them, and where nothing is selected.
	p.Open(s.page(set, ""))
	p.Find("complementary", "What is selected").Find("button", "Slowest requests").Click()
	first()
	p.Find("tab", "Timeline").Click()
	p.Press("Escape")
	p.Says("Click a state or a message")
	p.Find("complementary", "What is selected").Find("button", "Slowest requests").Click()
	first()
}

// The communication of the timeline: it says whether messages come before they are sent, a bundle is as its legend says, and
// by keys one goes from message to message, and to the thread at the other end of one.
func TestCommunication(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Matches(`Communication 118 messages in view none received before sent`)
	inspector := p.Find("complementary", "What is selected")
	words := func() string { return strings.Join(strings.Fields(spaces.Replace(inspector.Text())), " ") }
	p.Says("blocked in wait4")
	p.Press("m")
	p.Matches(`Message \w+ → \w+ [\w/.:-]+ · \d+ → [\w/.:-]+ · \d+ TCP \w+:\d+ → \w+:\d+ Sent`)
	first := words()
	p.Press("m")
	p.Await("another message", func() (any, bool) { now := words(); return now, now != first })
	ends := regexp.MustCompile(`Message (\w+) → (\w+) ([\w/.:-]+ · \d+) → ([\w/.:-]+ · \d+) TCP \S+ → \S+ Sent .*Go to where it was received: (.+ · \d+) (?:The|Received after sent)`).FindStringSubmatch(words())
	if ends == nil || ends[4] != ends[5] {
		t.Fatalf("the message is told as %s", words())
	}
	// The key F gives it the whole width, and the error of its ends shows as whiskers.
	p.Press("f")
	p.Await("the message over the whole width", func() (any, bool) {
		begin, end, ok := view(t, p)
		return end - begin, ok && end-begin < 50e6
	})
	checkWhiskers(t, p, set, words(), ends[1], ends[2])
	p.Press("Backspace")
	p.Press("t")
	p.Await("the thread that received it", func() (any, bool) {
		now := words()
		return now, strings.HasPrefix(now, ends[4]+" "+ends[2]) && strings.Contains(now, "Go to where it was sent: "+ends[3])
	})
	p.Find("button", "Go to where it was sent: "+ends[3]).Click()
	p.Await("the thread that sent it", func() (any, bool) { now := words(); return now, strings.HasPrefix(now, ends[3]+" "+ends[1]) })
	p.Press("M")
	p.Await("the message before", func() (any, bool) {
		now := words()
		return now, strings.HasSuffix(now, first[strings.Index(first, "Message"):])
	})

	drawn := p.Canvas("Communication").Listen()
	p.Press("Home")
	p.Matches(`10 684 messages in view none received before sent bundles: \d+ µs \d+ ms`)
	checkBundles(t, p, set, drawn, 10_684)
	p.Press("r")
	p.Press("Home")
	p.Matches(`10 684 messages in view ⚠ 5 \d{3} received before sent`)
	checkBackward(p, drawn)

	// Arrows that were sent out of sight are red in sight, and counted beside those that were sent here: 22 of these go the other way.
	p.Open(s.page(set, ""))
	p.Matches(`Communication 118 messages in view none received before sent`)
	p.Matches(`dbwork · 205 .* blocked in wait4 Begin 6\.04\d`)
	inks := func(what string, right func(warn, msg int) bool) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			talk := p.Canvas("Communication")
			n := [2]int{talk.Tinted("--warn", "--panel", 0.3), talk.Tinted("--msg", "--panel", 0.3)}
			return n, right(n[0], n[1])
		})
	}
	inks("arrows, none of them red", func(warn, msg int) bool { return warn == 0 && msg > 500 })
	p.Press("r")
	p.Matches(`44 messages in view ⚠ 22 received before sent`)
	inks("red arrows", func(warn, msg int) bool { return warn > 500 })
	// The tab Messages adds up the same messages, and has requests, each by its hosts' own clocks.
	p.Press("5")
	p.Matches(`What was exchanged in .* s to .* s, 570\.\d+ ms: 44 messages`)
	cell(p, p.Find("grid", "Messages from host to host"), "web to db: 22 messages, 1.4 KiB, median latency −10.0 s, from −10.0 s to −9.99 s; 22 received before sent.")
	p.Matches(`Slowest requests [1-9]\d* requests over TCP under way in the timeline's window, by the clock of either host; .* web: wget · \d+ db: httpd`)
	p.Press("1")
	p.Matches(`44 messages in view ⚠ 22 received before sent`)
	// The state that was chosen is shown by the other time, and framed.
	p.Matches(`dbwork · 205 .* blocked in wait4 Begin 4\.635 510 483 s End 5\.088 757 879 s`)
	p.Press("r")
	p.Matches(`dbwork · 205 .* blocked in wait4 Begin 6\.04\d`)

	// While a message is chosen both of its threads are listed, also one that only waits while the message is on its way.
	p.Open(s.page(set, "?begin=1795229355704079000&end=1795229355705275000"))
	p.Matches(`threads, \d listed .* 4 messages in view`)
	inspector = p.Find("complementary", "What is selected")
	p.Await("the message that wget waits for", func() (any, bool) {
		p.Press("m")
		now := words()
		return now, strings.Contains(now, "httpd · 204 → wget · 230")
	})
	p.threadRow("httpd, thread 204")
	p.threadRow("wget, thread 230")
	p.Press("Escape")
	p.Await("no row of a thread that waits", func() (any, bool) {
		rows := p.Find("treegrid", "Control flow: rows").Text()
		return rows, !strings.Contains(rows, "230")
	})
}

// A host's row opens to its connections, of which each message in view is one: as rows between the ports, with
// the messages counted, and gone again with the key.
func TestConnections(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?pair=web~db"))
	p.Matches(`Communication 44 messages in view`)
	p.Says("blocked in wait4")
	talk := p.Find("treegrid", "Communication: rows")
	p.Await("two rows at first", func() (any, bool) { n := len(talk.All("row", "")); return n, n == 2 })
	p.Press("l")
	connection := regexp.MustCompile(`:80 ↔ web:\d+ (\d+)`)
	p.Await("the connections of db", func() (any, bool) {
		words := strings.Join(strings.Fields(spaces.Replace(talk.Text())), " ")
		sum := 0
		for _, m := range connection.FindAllStringSubmatch(words, -1) {
			n, _ := strconv.Atoi(m[1])
			sum += n
		}
		return words, sum >= 44 && sum < 60
	})
	if state := p.Find("button", "by connection").State("pressed"); state != "true" {
		t.Errorf("pressed is %q", state)
	}
	p.Find("button", "by connection").Click()
	p.Await("threads in place of connections", func() (any, bool) {
		words := talk.Text()
		return words, strings.Contains(words, "httpd") && !strings.Contains(words, "↔")
	})
}

// A window with so many messages that they come in bundles has the connections of an open host all the same: as many as there
// are, with bundles of their own, and the same numbers however often they are looked at.
func TestConnectionsOfTheWholeSet(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?flows=1&opened=0"))
	row := regexp.MustCompile(`^:80 ↔ web:\d+ 16$`)
	var first []string
	for round := range 3 {
		if round == 0 {
			p.Says("blocked in wait4")
			p.Press("Home") // the address has it from here on
		}
		p.Matches(`Communication 10 684 messages in view`)
		talk := p.Find("treegrid", "Communication: rows")
		var rows []string
		var one Element
		p.Await("the connections of cache", func() (any, bool) {
			rows = rows[:0]
			for _, e := range talk.All("row", "") {
				words, err := call[string](e, "function() { return this.innerText }")
				words = strings.TrimSpace(strings.TrimLeft(strings.Join(strings.Fields(spaces.Replace(words)), " "), "▸▾ "))
				if rows = append(rows, words); err == nil && row.MatchString(words) && one.id == "" {
					one = e
				}
			}
			return strings.Join(rows, "\n"), len(rows) > 8 && one.id != ""
		})
		if round == 0 {
			first = slices.Clone(rows)
		} else if !slices.Equal(rows, first) {
			t.Errorf("the rows are %q, before they were %q", rows, first)
		}
		// What is drawn there is of that connection: the ends of its bundles lie on its row.
		talked := p.Canvas("Communication")
		left, _, _, _ := talked.Box()
		_, y, _, height := one.Box()
		y += height / 2
		p.Await("a bundle of the connection under the mouse", func() (any, bool) {
			words := ""
			for _, x := range talked.Inked(y+6-canvasTop(talked), "--panel") {
				p.Point(left+x, y+6)
				words = strings.Join(strings.Fields(p.Text()), " ")
				if regexp.MustCompile(`messages (web → cache|cache → web) Sent, mean`).MatchString(words) {
					return nil, true
				}
			}
			return words, false
		})
		p.Reload() // by now the bundles of the set are kept
	}
}

// cell is the cell of a table whose name begins with the words given; it waits for it.
func cell(p *Page, table Element, words string) (found Element) {
	p.t.Helper()
	var names []string
	p.Await("a cell "+words, func() (any, bool) {
		names = nil
		for _, e := range table.All("gridcell", "") {
			name, err := call[string](e, "function() { return this.textContent }")
			if name = spaces.Replace(name); err == nil && strings.HasPrefix(name, words) {
				found = e
				return name, true
			}
			names = append(names, name)
		}
		return strings.Join(names, "\n"), false
	})
	return found
}

// Messages of applications are drawn without words that they are lacking, though what a kernel would have told of them is.
func TestMessagesOfApplications(t *testing.T) {
	archive := recorded(t, "ust-3hosts.tar.gz")
	s := newSite(t, ingest.Options{})
	set := s.add("ust", archive)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("12 000 messages in view")
	p.Await("no words over the messages", func() (any, bool) {
		words := p.Text()
		return words, !strings.Contains(words, "This shows the messages that hosts sent each other")
	})
}

// What is said of what is pointed at takes the room that it had: nothing else on the tab moves, whatever its width.
func TestNothingMovesUnderThePointer(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, width := range []int64{1280, 1600, 1024, 2400} {
		p.Resize(width, 800)
		p.Open(s.page(set, "?tab=messages&pair=client~web"))
		p.Matches(`client ↔ web [\d ]+ messages`)
		p.Says("Point at a dot")
		places := func() string {
			return Eval[string](p, `[...document.querySelectorAll("#messages :is(.matrix, .pairs, .canvas, .pair, .readout, h2, h3, td, th)")].map((e) => {
				const b = e.getBoundingClientRect();
				return [e.classList[0] || e.localName, b.x, b.y + document.querySelector("#messages").scrollTop, b.width, b.height].join(" ");
			}).join("|")`)
		}
		var still string
		p.Await("the page at rest", func() (any, bool) {
			before := still
			still = places()
			return still, still == before && still != ""
		})
		check := func(what string) {
			t.Helper()
			p.frame()
			was, now := strings.Split(still, "|"), strings.Split(places(), "|")
			for i := range min(len(was), len(now)) {
				if was[i] != now[i] {
					t.Fatalf("%d pixels wide: with the pointer on %s %q is where %q was", width, what, now[i], was[i])
				}
			}
		}
		for _, cell := range p.Find("grid", "Messages from host to host").All("gridcell", "") {
			x, y, w, h := cell.Box()
			p.Point(x+w/2, y+h/2)
			check("a cell of the matrix")
		}
		x, y, w, h := p.Find("slider", "Dot of the plot of latencies").Focus().Box()
		p.Press("End")
		p.Says(" in ")
		check("a dot, by key")
		p.Point(x+w/2, y+h/2)
		check("the plot of latencies")
	}
}

// What is told of a message that a key chooses is in sight, where much is told above it, too; and of all that is said of the rows that a filter leaves, how many fit
// stands where there is no room for the rest.
func TestTellsWhatIsLookedFor(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	p.Press("m")
	p.Await("the whole message in sight", func() (any, bool) {
		at := Eval[[]float64](p, `(() => {
			const e = document.querySelector(".message");
			return e ? [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom, innerHeight] : [];
		})()`)
		return at, len(at) == 3 && at[0] > 0 && at[1] < at[2]
	})

	p.Press("/")
	p.Find("searchbox", filterLabel).Type(`host == web && status == blocked && syscall =~ "*poll*"`)
	p.Await("how many fit", func() (any, bool) {
		words := Eval[string](p, `(() => {
			const seen = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 1;
			const note = document.querySelector("section[aria-label='Control flow'] h2 + small");
			return seen(note) ? [...note.children].filter(seen).map((e) => e.textContent).join("") : "";
		})()`)
		return words, regexp.MustCompile(`^\d+ fit$`).MatchString(words)
	})
}
