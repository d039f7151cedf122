package browser

import (
	"fmt"
	"regexp"
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

	// By another column, once and again.
	busy := p.Find("table", "CPUs").Find("button", "Busy")
	busy.Click()
	first("CPUs", `^0 db \d\d % `)
	p.Find("table", "CPUs").Find("button", "Busy").Click()
	first("CPUs", `^\d (cache|client) `)
	p.Find("table", "System calls").Find("button", "Times").Click()
	first("System calls", `^\w+ \w+ \d{3,} `)

	// What a word narrows it to, and over the whole set.
	p.Find("searchbox", "Show only what has these words").Type("flock")
	first("System calls", `^flock db \d+ \d{3}\.\d ms `)
	p.Says("No CPU is known")
	p.Find("combobox", "What was done in").Choose("the whole set")
	p.Matches(`0\.000 000 000 s to 39\.465 \d{3} \d{3} s, 39\.465 s`)
	p.Find("searchbox", "Show only what has these words").Type("crunch")
	first("Threads", `^crunch \d+ db `)
	p.Find("combobox", "What was done in").Choose("the timeline's window")
	first("Threads", `^crunch 206 db 4\d\d\.\d ms · 7\d %`)

	// How long calls took: exact, and the times of one of them between 1, 2, 5, 10, ...
	p.Find("searchbox", "Show only what has these words").Type("flock")
	first("How long system calls took", `^flock db \d+ \S+ (ns|µs|ms) \S+ (ns|µs|ms) .* \d{3}\.\d+ ms`)
	p.Matches(`How long system calls took exact, of [\d ]+ calls, each from entry to exit`)
	p.Find("table", "How long system calls took").Find("button", "flock").Click()
	p.Matches(`flock on db \d+ calls; half took \S+ \S+ or less, 99 of 100 \S+ ms or less, the longest \d{3}\.\d+ ms`)
	calls := Eval[string](p, `document.querySelector("table[aria-label='How long system calls took'] tbody tr td:nth-child(3)").innerText`)
	bars := Eval[int](p, `[...document.querySelectorAll(".bins li")].reduce((n, li) => n + Number(/: (\d+)/.exec(li.title)[1]), 0)`)
	if fmt.Sprint(bars) != calls {
		t.Errorf("the bars stand for %d calls, the table has %s", bars, calls)
	}
	p.Find("searchbox", "Show only what has these words").Type("crunch")

	p.Find("table", "Threads").Find("button", "crunch").Click()
	p.Find("region", "Control flow")
	p.Await("the thread's state in the timeline", func() (any, bool) {
		words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		return words, strings.Contains(words, "crunch · 206")
	})
}
