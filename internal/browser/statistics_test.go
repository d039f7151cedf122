package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the window of the demonstration's story was spent on: who kept the CPU of the database, who
// waited for the lock; sorted, narrowed down, and found in the timeline.
func TestStatistics(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Matches(`blocked in wait4`)
	p.Find("tab", "Statistics").Click()
	first := func(table, pattern string) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await(table+" that begin with "+pattern, func() (any, bool) {
			words := spaces.Replace(Eval[string](p, `document.querySelector("table[aria-label='`+table+`'] tbody tr")?.innerText ?? ""`))
			words = strings.Join(strings.Fields(words), " ")
			return words, re.MatchString(words)
		})
	}
	first("Threads", `^crunch 206 db 4\d\d\.\d ms · 7\d %`)
	first("CPUs", `^0 cache \d+ % `)

	// What a CPU did has the colours of Resources, one each.
	p.Await("parts of a bar in colours of their own", func() (any, bool) {
		colours := Eval[[]string](p, `[...document.querySelectorAll("table[aria-label=CPUs] tbody tr:first-child .parts i")].map((e) => getComputedStyle(e).backgroundColor)`)
		own := slices.Compact(slices.Sorted(slices.Values(colours)))
		return colours, len(colours) >= 5 && len(own) == len(colours)
	})

	// CPUs are in the order that the head with the arrow tells, by host at first and by their numbers if so wanted.
	cpus := p.Find("table", "CPUs")
	arranged := func(want string) {
		t.Helper()
		p.Await("CPUs "+want, func() (any, bool) {
			got := Eval[string](p, `(() => {
				const table = document.querySelector("table[aria-label=CPUs]");
				return table.querySelector("[aria-sort=ascending]")?.innerText.split(" ")[0] + ":" + [...table.tBodies[0].rows].map((r) => " " + r.cells[0].innerText + " " + r.cells[1].innerText).join("");
			})()`)
			return got, got == want
		})
	}
	arranged("Host: 0 cache 1 cache 0 client 1 client 0 db 1 db 0 web 1 web")
	cpus.Find("button", "CPU").Click()
	arranged("CPU: 0 cache 0 client 0 db 0 web 1 cache 1 client 1 db 1 web")

	// By another column, once and again.
	busy := p.Find("table", "CPUs").Find("button", "Busy")
	busy.Click()
	first("CPUs", `^0 db \d\d % `)
	p.Find("table", "CPUs").Find("button", "Busy").Click()
	first("CPUs", `^\d (cache|client) `)
	p.Find("table", "System calls").Find("button", "Times").Click()
	first("System calls", `^\w+ \w+ \d{3,} `)

	// What the colours of bars mean stands in the heads of the columns.
	key := Eval[[]string](p, `(() => {
		const ground = (e) => getComputedStyle(e).background;
		const heads = [...document.querySelectorAll("table[aria-label='CPUs'] thead th")].filter((e) => e.querySelector(".swatch"));
		const parts = [...document.querySelectorAll("table[aria-label='CPUs'] .parts .swatch")].map(ground);
		return [heads.map((e) => e.innerText).join(), String(parts.length > 20 && parts.every((x) => heads.some((e) => ground(e.querySelector(".swatch")) === x)))];
	})()`)
	if key[0] != "User space,System calls,Kernel,Soft interrupts,Interrupts,Idle,Unknown" || key[1] != "true" {
		t.Errorf("the heads of the table of CPUs have the colours of its bars: %v, in %s", key[1], key[0])
	}

	// What a thread did on a CPU adds up to that, and each part has the colour of its bar in the head.
	parts := Eval[[]string](p, `(() => {
		const table = document.querySelector("table[aria-label=Threads]");
		const at = (name) => [...table.tHead.rows[0].cells].findIndex((c) => c.innerText.replace(/ [↑↓]$/, "") === name);
		const us = (cell) => { const m = /^([\d.]+)\s(ns|µs|ms|s)/.exec(cell.innerText); return m ? Number(m[1]) * { ns: 1e-3, "µs": 1, ms: 1e3, s: 1e6 }[m[2]] : 0; };
		const odd = [...table.tBodies[0].rows].filter((r) => {
			const sum = ["User space", "System calls", "Kernel", "Interrupted"].reduce((n, name) => n + us(r.cells[at(name)]), 0);
			return !(Math.abs(sum - us(r.cells[at("On a CPU")])) <= sum / 500);
		});
		const ground = (e) => getComputedStyle(e).background;
		const keys = [...table.tHead.querySelectorAll(".swatch")].map(ground);
		const bar = [...table.tBodies[0].rows[0].querySelectorAll(".parts .swatch")].map(ground);
		return [odd.map((r) => r.innerText).join("; "), String(bar.filter((x) => keys.includes(x)).length)];
	})()`)
	if parts[0] != "" || parts[1] != "4" {
		t.Errorf("of these threads the parts do not add up: %q; the bar of the first has %s parts with a head", parts[0], parts[1])
	}
	p.Matches(`Threads .*percentages are of what its host recorded of the stretch, bars of the time that each thread was there`)

	// Two sums of calls are of two things, and called so.
	for _, table := range []struct{ name, head string }{{"System calls", "Total time"}, {"How long system calls took", "Whole calls"}} {
		p.Find("table", table.name).Find("button", table.head)
	}

	// What a word narrows it to, and over the whole set.
	p.Find("searchbox", "Show only what has these words").Type("flock")
	first("System calls", `^flock db \d+ \d{3}\.\d ms `)
	p.Says("None has “flock”.")
	if words := p.Text(); strings.Contains(words, "No CPU is known") {
		t.Errorf("of CPUs that the word leaves out the page says %s", words)
	}
	p.Find("combobox", "What was done in").Choose("the whole set")
	p.Matches(`0\.000 000 000 s to 39\.465 \d{3} \d{3} s, 39\.465 s`)
	p.Find("searchbox", "Show only what has these words").Type("crunch")
	first("Threads", `^crunch \d+ db `)

	// The address keeps both, and the order of the tables.
	p.Await("what is added up, the word and two orders in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "spent=set&narrow=crunch&tables=calls2.cpus2r")
	})
	p.Reload()
	p.Matches(`0\.000 000 000 s to 39\.465 \d{3} \d{3} s, 39\.465 s`)
	first("Threads", `^crunch \d+ db `)
	p.Find("combobox", "What was done in").Choose("the timeline's window")
	first("Threads", `^crunch 206 db 4\d\d\.\d ms · 7\d %`)

	// How long calls took: exact, and the times of one of them between 1, 2, 5, 10, ...
	p.Find("searchbox", "Show only what has these words").Type("flock")
	p.Await("the order of before", func() (any, bool) {
		sorted := Eval[string](p, `document.querySelector("table[aria-label='System calls'] th[aria-sort=descending]")?.innerText ?? ""`)
		return sorted, strings.HasPrefix(sorted, "Times")
	})
	first("How long system calls took", `^flock db \d+ \S+ (ns|µs|ms) \S+ (ns|µs|ms) .* \d{3}\.\d+ ms`)
	p.Matches(`How long system calls took exact, of [\d ]+ calls, each from entry to exit`)
	p.Find("table", "How long system calls took").Find("button", "flock").Click()
	p.Matches(`flock on db \d+ calls; half took at most \S+ \S+, 99 % at most \S+ ms, the longest \d{3}\.\d+ ms`)
	calls := Eval[string](p, `document.querySelector("table[aria-label='How long system calls took'] tbody tr td:nth-child(3)").innerText`)
	bars := Eval[int](p, `[...document.querySelectorAll(".bins li")].reduce((n, li) => n + Number(/: (\d+)/.exec(li.title)[1]), 0)`)
	if fmt.Sprint(bars) != calls {
		t.Errorf("the bars stand for %d calls, the table has %s", bars, calls)
	}
	// The bars have their numbers, and the last one its other edge.
	if edges := Eval[[]string](p, `[[...document.querySelectorAll(".bins .column .t")].reduce((n, e) => n + Number(e.innerText), 0), [...document.querySelectorAll(".bins .edges")].at(-1).innerText].map(String)`); edges[0] != calls || !regexp.MustCompile(`^\d+.ms\n\d+.ms$`).MatchString(edges[1]) {
		t.Errorf("of %s calls the bars say %q", calls, edges)
	}
	p.Await("the call in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "&call=db%7Eflock") })
	p.Reload()
	p.Matches(`flock on db ` + calls + ` calls; half took`)
	p.Find("searchbox", "Show only what has these words").Type("crunch")

	p.Find("table", "Threads").Find("button", "crunch").Click()
	p.Find("region", "Control flow")
	p.Await("the thread's state in the timeline", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		return words, strings.Contains(words, "crunch · 206")
	})
}

// A press on a thread that lived for a moment only leads to what it did longest, and on to what it waited for; where that
// is out of sight, the timeline goes there.
func TestStatisticsThread(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&window=all&narrow=wget"))
	p.Matches(`wget \d+ client`)
	p.Find("table", "Threads").Find("button", "Blocked").Click()
	p.Matches(`Blocked ↓ Longest call wget 208 client`)
	p.Await("the column as links have it", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "tables=threads9") })
	// The rows are drawn once more where others of all threads come first.
	p.staying("Threads")
	p.Find("table", "Threads").All("button", "wget")[0].Click()
	selected := func(pattern string) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await("what is selected: "+pattern, func() (any, bool) {
			words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
			return words, re.MatchString(words)
		})
	}
	selected(`^wget · 208 Follow the message from web: httpd · 227 client, child of shopper2 · 181 blocked in poll Begin 5\.99`)

	p.Open(s.page(set, "?tab=statistics&spent=set&narrow=crunch+554"))
	p.Matches(`On a CPU ↓ .*crunch 554 db`)
	p.staying("Threads")
	p.Find("button", "crunch").Click()
	selected(`^crunch · 554 db, child of .* (running in|waiting for|blocked|interrupted)`)
	all, err := strconv.ParseInt(set.Status().Begin, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.Await("the window where the thread was", func() (any, bool) {
		begin, end := p.settled()
		return begin, begin > all+10_000_000_000 && end-begin < 1_000_000_000
	})
}

// A press counts though the rows are to be drawn anew before it is let go; they are as it is.
func TestPressedWhileDrawnAnew(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&spent=set"))
	p.Matches(`On a CPU ↓`)
	p.staying("Threads")
	x, y, width, height := p.Find("table", "Threads").All("button", "crunch")[0].Box()
	narrow := func(words string) {
		Eval[bool](p, fmt.Sprintf(`(() => { const field = document.querySelector("input[aria-label='Show only what has these words']"); field.value = %q; field.dispatchEvent(new Event("input")); return true; })()`, words))
	}
	rows := func() int {
		return Eval[int](p, `document.querySelectorAll("table[aria-label=Threads] tbody tr").length`)
	}
	before := rows()
	p.Mouse("mouseMoved", x+width/2, y+height/2)
	// Let go beside it, where it is no click.
	p.Mouse("mousePressed", x+width/2, y+height/2)
	narrow("crunch")
	if now := rows(); now != before {
		t.Errorf("%d rows became %d under the pointer that was down", before, now)
	}
	p.Mouse("mouseReleased", x+width/2, y+height/2+200)
	p.Await("the rows that were to come", func() (any, bool) { n := rows(); return n, 0 < n && n < before })
	p.staying("Threads")
	x, y, width, height = p.Find("table", "Threads").All("button", "crunch")[0].Box()
	p.Mouse("mouseMoved", x+width/2, y+height/2)
	p.Mouse("mousePressed", x+width/2, y+height/2)
	narrow("crun")
	p.Mouse("mouseReleased", x+width/2, y+height/2)
	p.Await("the pressed thread, selected", func() (any, bool) {
		words := p.Find("complementary", "What is selected").Text()
		return words, strings.HasPrefix(words, "crunch")
	})
}

// What a thread did in system calls is told call by call: of one that the word names, and of the selected one in the selected range, to
// which the timeline leads.
func TestStatisticsThreadCalls(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Matches(`blocked in wait4`)
	p.Find("tab", "Statistics").Click()
	first := func(pattern string) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await("the longest call of a thread: "+pattern, func() (any, bool) {
			words := spaces.Replace(Eval[string](p, `document.querySelector("table[aria-label='System calls of one thread'] tbody tr")?.innerText ?? ""`))
			words = strings.Join(strings.Fields(words), " ")
			return words, re.MatchString(words)
		})
	}
	// Of dbwork, which is selected, only on demand.
	p.Matches(`System calls of dbwork · 205 on db alone`)
	if shown := Eval[bool](p, `!!document.querySelector("table[aria-label='System calls of one thread']")?.checkVisibility()`); shown {
		t.Error("the calls of the selected thread are told alone before they are wanted")
	}
	p.Find("searchbox", "Show only what has these words").Type("crunch")
	first(`^pread64 7\d\.\d\d ms 8\d % 445 445 16\d\.\d µs$`)
	p.Matches(`How long system calls took exact, of 9\d\d calls of crunch · 206 on db, each`)
	box := p.Find("checkbox", "System calls of crunch · 206 on db alone")
	box.Click()
	// The words are of threads, and leave out no call.
	p.Matches(`System calls all: the words are of threads`)
	p.Find("searchbox", "Show only what has these words").Type("dbwork")
	// Of several that are listed none is told of by itself; the selected one is offered.
	p.Matches(`System calls all: the words are of threads`)
	p.Find("checkbox", "System calls of dbwork · 205 on db alone").Click()
	p.Matches(`System calls of one thread dbwork · 205 on db; \d`)
	// The picture of a call is of that thread, and says so.
	p.Matches(`of dbwork · 205 on db, each from entry to exit`)
	p.Await("a call of the thread", func() (any, bool) {
		return nil, Eval[bool](p, `(() => { const r = [...document.querySelectorAll("table[aria-label='How long system calls took'] tbody tr")].find((r) => r.innerText.startsWith("wait4")); r?.click(); return !!r; })()`)
	})
	p.Matches(`wait4 of dbwork · 205 on db 2 calls; half took at most`)

	all, err := strconv.ParseInt(set.Status().Begin, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	p.Open(s.page(set, fmt.Sprintf("?begin=%d&end=%d&row=2.206&selection=%d~%d", all+5_983_000_000, all+6_553_000_000, all+6_036_000_000, all+6_499_000_000)))
	p.Matches(`In system calls: time, share, begun pread64 72\.8 ms · 87 % · 445 clone`)
	p.Find("button", "All 19 in Statistics").Click()
	p.Find("combobox", "What was done in")
	p.Matches(`System calls of one thread crunch · 206 on db; \d`)
	p.Await("the switch in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "spent=selection&alone=1")
	})
	p.Reload()
	p.Matches(`System calls of one thread crunch · 206 on db; \d`)
}

// Whose system calls can be told alone is a thread that is listed: the selected one, else the first. They are so by themselves only where one thread
// is listed alone; and the words that narrow the threads leave out no system call.
func TestStatisticsCallsOfListed(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics"))
	p.Matches(`crunch 206 db 4\d\d\.\d ms`)
	words := p.Find("searchbox", "Show only what has these words")
	offered := func(narrow, want string) {
		t.Helper()
		words.Type(narrow)
		p.Await(fmt.Sprintf("%q offers what is listed", narrow), func() (any, bool) {
			saw := Eval[struct {
				Listed  []string
				Offered string
				Ticked  bool
				Calls   string
			}](p, `(() => {
				const box = document.querySelector("#statistics .alone");
				const table = [...document.querySelectorAll("#statistics table[aria-label^='System calls']")].find((t) => t.checkVisibility());
				return {
					listed: [...document.querySelectorAll("table[aria-label=Threads] tbody tr")].map((r) => r.cells[0].innerText + " · " + r.cells[1].innerText + " on " + r.cells[2].innerText),
					offered: box.checkVisibility() ? box.querySelector("label").innerText.trim() : "", ticked: box.querySelector("input").checked, calls: table?.ariaLabel ?? "",
				};
			})()`)
			said := spaces.Replace(saw.Offered)
			got := fmt.Sprintf("%d listed, %s: %t, %s", len(saw.Listed), said, saw.Ticked, saw.Calls)
			return saw, regexp.MustCompile(want).MatchString(got) && strings.Contains(said, spaces.Replace(saw.Listed[0]))
		})
	}
	offered("227", `^2 listed, System calls of \w+ · 227 on \w+ alone: false, System calls$`)
	offered("httpd 227", `^1 listed, System calls of httpd · 227 on web alone: true, System calls of one thread$`)
	// In another order another one is the first.
	offered("227", `^2 listed, .* alone: false, System calls$`)
	before := Eval[string](p, `document.querySelector("#statistics .alone label").innerText`)
	p.Find("table", "Threads").Find("button", "On a CPU").Click()
	p.Await("the other thread", func() (any, bool) {
		now := Eval[string](p, `document.querySelector("#statistics .alone label").innerText`)
		return now, now != before
	})
}

// The system calls of the thread that is selected in the timeline are saved from any tab; without one it is said what is lacking, where one is.
func TestStatisticsSavesOneThread(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Find("region", "Control flow")
	p.settled()
	p.Press("Escape") // what is selected at first is let go
	p.palette("one thread statistics csv", "Save the table of system calls of one thread of the statistics (CSV)")
	p.strike("Enter", 0)
	p.Says("Select a thread in the timeline first")
	p.Find("region", "Control flow")
	p.Open(s.page(set, "?row=2.206"))
	p.Find("region", "Control flow")
	p.settled()
	Eval[bool](p, kept)
	p.take("one thread statistics csv", "Save the table of system calls of one thread of the statistics (CSV)")
	p.Matches(`shop-4hosts-thread-calls-\S+\.csv is saved\.`)
}

// Of threads that only user space tells of nobody knows how long they had a CPU: not the ns at which each was seen.
func TestStatisticsUserSpace(t *testing.T) {
	p := recordedPage(t, "ust-3hosts.tar.gz", "?tab=statistics&spent=set")
	p.Matches(`4 threads ran or did something here; which of them had a CPU only a kernel trace tells`)
	p.Await("a thread whose times are not known", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Find("table", "Threads").Text()), " ")
		return words, strings.Contains(words, "app 42 hostA not known not known not known not known not known") && !strings.Contains(words, "µs")
	})
}

// Threads of user space alone are listed wherever the window has events of theirs.
func TestRowsUserSpace(t *testing.T) {
	p := recordedPage(t, "ust-3hosts.tar.gz", "?begin=1795223990000000000&end=1795223990030000000")
	p.Matches(`24 messages in view`)
	p.Await("all four threads", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Find("treegrid", "Control flow: rows").Text()), " ")
		return words, strings.Count(words, "app 4") == 4
	})
}

// Every table is given away as it is shown, for the stretch that is chosen, by the mouse, by the keyboard, and by the palette
// also from another tab; all that it has is in the file.
func TestStatisticsTables(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics"))
	p.Matches(`crunch 206 db 4\d\d\.\d ms`)
	Eval[bool](p, kept)
	begin, end := p.settled()

	// given is the file that was given last: what it is called, and its lines without the head.
	given := func(want, head string, begin, end any) []string {
		t.Helper()
		want = fmt.Sprintf("shop-4hosts-%s-%v-%v.csv", want, begin, end)
		p.Says(want + " is saved.")
		all := Eval[[][]string](p, "window.kept.splice(0)")
		if len(all) != 1 {
			t.Fatalf("%d files were given: %q", len(all), all)
		}
		text := Eval[string](p, fmt.Sprintf("window.blobs[%q].text()", all[0][1]))
		lines := strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n")
		if all[0][0] != want || lines[0] != head {
			t.Errorf("%s begins with %s, want %s with %s", all[0][0], lines[0], want, head)
		}
		return lines[1:]
	}
	matches := func(line, pattern string) {
		t.Helper()
		if !regexp.MustCompile(pattern).MatchString(line) {
			t.Errorf("a line is %s, want %s", line, pattern)
		}
	}

	// By the mouse: the order is that of the table, also of what it shows only on demand.
	p.Find("button", "Save as CSV: threads").Click()
	const threads = "host,thread,tid,pid,on_cpu_ns,unknown_ns,blocked_ns,user_ns,syscall_ns,interrupted_ns,wait_for_cpu_ns,wait_ns,forked_ns,kernel_ns,longest_call,longest_ns,longest_begin_ns,longest_known"
	lines := given("threads", threads, begin, end)
	if rows := Eval[int](p, `document.querySelectorAll("table[aria-label=Threads] tbody tr").length`); len(lines) <= rows {
		t.Errorf("a file of %d threads, the page shows the first %d", len(lines), rows)
	}
	matches(lines[0], `^db,crunch,206,\d+,4\d{8},0,`)
	p.Find("table", "CPUs").Find("button", "Busy").Click()
	p.Find("button", "Save as CSV: CPUs").Click()
	lines = given("cpus", "host,cpu,user_ns,syscall_ns,softirq_ns,irq_ns,idle_ns,unknown_ns,kernel_ns", begin, end)
	matches(lines[0], `^db,0,\d+,`)
	if rows := Eval[int](p, `document.querySelectorAll("table[aria-label=CPUs] tbody tr").length`); len(lines) != rows {
		t.Errorf("a file of %d CPUs, the page shows %d", len(lines), rows)
	}

	// By the keyboard: what is narrowed down is given so.
	p.Find("searchbox", "Show only what has these words").Type("flock")
	p.Gone("table", "CPUs")
	p.Gone("button", "Save as CSV: CPUs")
	p.Find("button", "Save as CSV: system calls").Focus()
	p.Press("Enter")
	lines = given("calls", "host,call,count,ns", begin, end)
	if len(lines) != 1 {
		t.Errorf("flock is one row, the file has %q", lines)
	}
	matches(lines[0], `^db,flock,\d+,\d{9}$`)
	p.take("how long statistics csv", "Save the table of how long system calls took of the statistics (CSV)")
	lines = given("call-times", "host,call,count,least_ns,median_ns,p90_ns,p99_ns,most_ns,ns,longest_thread,longest_tid,longest_begin_ns", begin, end)
	matches(lines[0], `^db,flock,\d+,\d+,\d+,\d+,\d+,\d+,\d+,dbwork,\d+,\d{19}$`)

	// From another tab, and of another stretch than was shown. Esc empties the field, and gives the keys back to the page.
	p.Find("searchbox", "Show only what has these words").Type("cache")
	p.Press("Escape")
	p.Find("table", "CPUs")
	p.Press("1")
	p.Find("region", "Control flow")
	p.Press("Home")
	status := set.Status()
	p.take("messages statistics csv", "Save the table of messages of the statistics (CSV)")
	lines = given("exchange", "from,to,messages,bytes,latency_min_ns,latency_max_ns", status.Begin, status.End)
	if len(lines) == 0 {
		t.Fatal("no message is in the file")
	}
	matches(strings.Join(lines, "\n"), `(?m)^web,cache,\d{4,},\d+,\d+,\d+$`)
}

// Tables that are empty because nothing of the kind was recorded lead to what is to be recorded.
func TestStatisticsLacking(t *testing.T) {
	p := recordedPage(t, "hello-lost.tar.gz", "?tab=statistics")
	for _, words := range []string{
		"No CPU is known: the recordings have no kernel events here. The tab Import has what these recordings lack.",
		"No thread ran here, as far as is recorded. The tab Import has what these recordings lack.",
		"No system call is recorded here. The tab Import has what these recordings lack.",
		"No message was exchanged here. The tab Import has what these recordings lack.",
	} {
		p.Says(words)
	}
}

// What a host did not record of the time of its CPUs is not known, and nobody is told that it was nothing: in the tables, in words above
// them, in the files. What is known of it is told as ever.
func TestStatisticsUnrecorded(t *testing.T) {
	p := recordedPage(t, "drift-3hosts.tar.gz", "?tab=statistics&spent=set")
	p.Matches(`CPUs system calls, soft interrupts and interrupts of client, db and web are not recorded: their time counts as user space or idle`)
	p.Matches(`Threads .*system calls, soft interrupts and interrupts of client, db and web are not recorded: their time counts as user space or idle`)
	rows := func(table string) []string {
		t.Helper()
		return Eval[[]string](p, `[...document.querySelectorAll("table[aria-label=`+table+`] tbody tr")].map((r) => [...r.cells].map((c) => c.innerText + " " + (c.querySelector("[title]")?.title ?? "")).join("|"))`)
	}
	cpu := regexp.MustCompile(`^\d \|(client|db|web) \|[\d.]+\s% \| user space or system calls [^|]*\|≤ [\d.]+\s\S+ At most: \w+ did not record system calls, so their time is in it\|` +
		`– Not known: \w+ did not record system calls\. The tab Import has the command that does\|[\d.]+\s\S+ \|– Not known: \w+ did not record soft interrupts\. [^|]*\|– Not known: \w+ did not record interrupts\. `)
	all := rows("CPUs")
	if len(all) == 0 || slices.ContainsFunc(all, func(row string) bool { return !cpu.MatchString(spaces.Replace(row)) }) {
		t.Errorf("CPUs are %q, want %s", all, cpu)
	}
	thread := regexp.MustCompile(`\|≤ [\d.]+ \S+(?: · [\d.]+ %)? At most: [^|]*\|– Not known: \w+ did not record system calls\. [^|]*\|`)
	if all := rows("Threads"); len(all) == 0 || !thread.MatchString(spaces.Replace(all[0])) {
		t.Errorf("threads begin with %q, want %s", all[0], thread)
	}

	Eval[bool](p, kept)
	p.Find("button", "Save as CSV: CPUs").Click()
	p.Says(".csv is saved.")
	text := Eval[string](p, "window.blobs[window.kept[0][1]].text()")
	if !regexp.MustCompile(`^host,cpu,user_ns,[^\n]*\n(\w+,\d,\d+,,,,\d+,\d+,\d+\r\n)+$`).MatchString(text) {
		t.Errorf("the file of CPUs is %q", text)
	}
	states := Eval[string](p, `fetch("/api" + location.pathname + "/states.csv?begin=0&end=4000000000000000000").then((r) => r.text())`)
	if !regexp.MustCompile(`^host,[^\n]*,user_ns,syscall_ns,interrupted_ns,[^\n]*\n(\w+,[^,]*,\d+,\d+,\d+,\d+,\d+,,,\d+,\d+,\d+,\d+\r?\n)+$`).MatchString(states) {
		t.Errorf("states.csv begins with %.300q", states)
	}
}

// Time of which it is not known what a thread did has a column where there is any, which says how much of it the thread had a CPU: with the
// four columns of what it did there that is all of its time on a CPU. A share that is little does not read as none.
func TestStatisticsUnknown(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&spent=set&narrow=httpd+121"))
	const heads = `[...document.querySelectorAll("table[aria-label=Threads] thead th")].map((th) => th.innerText + " " + (th.querySelector(".swatch")?.dataset.state ?? ""))`
	p.Await("a column with the colour of the bar", func() (any, bool) {
		heads := Eval[[]string](p, heads)
		return heads, slices.Contains(heads, "Unknown 0")
	})
	p.Await("all of its time on a CPU", func() (any, bool) {
		words := spaces.Replace(p.Find("table", "Threads").Text())
		return words, regexp.MustCompile(`httpd\s+121\s+cache\s+855\.3 ms · 2\.2 %\s+137\.1 ms[^m]*624\.4 ms[^m]*–\s+83\.73 ms[^m]*205\.9 ms[^s]*37\.61 s.*30\.51 ms(?: · < 0\.1 %)?; 10\.14 ms on a CPU`).MatchString(strings.ReplaceAll(words, "\n", " "))
	})

	// With it all columns are in sight on pages of any width that desks have.
	p.Open(s.page(set, "?tab=statistics&spent=set"))
	for _, width := range []int64{1280, 1440, 1600, 2400} {
		p.Resize(width, Height)
		p.Await(fmt.Sprintf("all columns on a page %d wide", width), func() (any, bool) {
			beyond := Eval[[]int](p, `[...document.querySelectorAll("table[aria-label=Threads]")].map((x) => x.rows[0].cells.length === 13 ? x.closest(".wide").scrollWidth - x.closest(".wide").clientWidth : -1)`)
			return beyond, slices.Equal(beyond, []int{0})
		})
	}
	p.Resize(Width, Height)

	// Sorted by it, it stays where none is unknown; otherwise it is not there.
	const window = "?tab=statistics&begin=1795229355186433800&end=1795229355756519553"
	p.Find("table", "Threads").Find("button", "Unknown").Click()
	p.Await("the column as links have it", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "tables=threads12") })
	p.Open(s.page(set, window+"&tables=threads12"))
	p.Find("table", "Threads").Find("button", "Unknown")
	p.Open(s.page(set, window))
	p.Find("table", "Threads")
	if heads := Eval[[]string](p, heads); slices.Contains(heads, "Unknown 0") {
		t.Errorf("the heads are %q", heads)
	}
}
