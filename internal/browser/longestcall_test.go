package browser

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// A longest call of Statistics is a way to that call in the timeline: its thread is selected as the call begins, exactly there, with the
// cursor at it and room about it, also where it began before the window; and back leads back.
func TestLongestCall(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	c := clocksOf(t, set)

	p.Open(s.page(set, "?tab=statistics&narrow=flock"))
	p.Matches(`How long system calls took exact`)
	window := func() (begin, end int64) { begin, end = p.settled(); return begin, end }
	arrived := func(host string, tid int32, call longestCall) {
		t.Helper()
		p.Find("region", "Control flow")
		begin, end := c.at(host, call.begin), c.at(host, call.end)
		p.Await("the state that the call begins with", func() (any, bool) {
			words := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
			return words, strings.Contains(words, fmt.Sprintf(" · %d ", tid)) && strings.Contains(words, "Begin "+told(begin-c.begin)+" ")
		})
		p.Says("Selected range")
		selection := fmt.Sprintf("selection=%d%%7E%d", begin, end)
		p.Await("the call in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), selection) })
		if b, e := window(); b >= begin || e <= end || e-b > 2*(end-begin)+10_000 {
			t.Errorf("the window is %d to %d, and the call %d to %d", b, e, begin, end)
		}
		p.Await("the cursor where the call begins", func() (any, bool) {
			words := spaces.Replace(Eval[string](p, `document.querySelector("#status").innerText`))
			return words, strings.HasPrefix(words, told(begin-c.begin)) && strings.Contains(words, fmt.Sprintf("The %s of %s · %d on %s: ", call.name, call.thread, tid, host))
		})
	}

	// Of a system call of a host, by the mouse.
	from, to := c.begin+5_983_317_451, c.begin+6_553_403_204
	flock := readLongest(t, p, set, "db", from, to, `calls.find((c) => c.name === "flock").longest`)
	p.Find("table", "How long system calls took").Find("button", fourDigits(flock.end-flock.begin)).Click()
	arrived("db", flock.tid, flock)
	p.Press("Backspace")
	story := func() {
		t.Helper()
		p.Await("the window of the story", func() (any, bool) {
			b, e := window()
			return []int64{b, e}, e-b > 560_000_000 && e-b < 580_000_000
		})
	}
	story()

	// In a window in which it had begun before, and by keys.
	begin := c.at("db", flock.begin)
	p.Open(s.page(set, fmt.Sprintf("?tab=statistics&narrow=flock&begin=%d&end=%d", begin+10_000_000, begin+20_000_000)))
	p.Matches(`How long system calls took exact`)
	p.Find("table", "How long system calls took").Find("button", fourDigits(flock.end-flock.begin)).Focus()
	p.Press("Enter")
	arrived("db", flock.tid, flock)

	// Of a thread.
	p.Open(s.page(set, "?tab=statistics&narrow=crunch"))
	p.Matches(`Threads .*crunch 206 db .* pread64`)
	thread := readLongest(t, p, set, "db", from, to, `threads.find((c) => c.tid === 206)`)
	p.Find("table", "Threads").Find("button", fourDigits(thread.end-thread.begin)+" · "+thread.name).Click()
	arrived("db", 206, thread)
	// The browser's own way back leads to the table.
	Eval[bool](p, "history.back(), true")
	p.Find("combobox", "What was done in")
	p.Find("table", "Threads").Find("button", fourDigits(thread.end-thread.begin)+" · "+thread.name)

	// In raw time it is where it was by the own clock of its host.
	p.Open(s.page(set, "?tab=statistics&spent=set&time=raw&narrow=crunch"))
	p.Matches(`Threads .*crunch \d+ db .* pread64`)
	p.Find("table", "Threads").Find("button", "Longest call").Click()
	p.Await("the threads by their longest calls", func() (any, bool) {
		words := Eval[string](p, `document.querySelector("table[aria-label=Threads] th[aria-sort=descending]")?.innerText ?? ""`)
		return words, strings.HasPrefix(words, "Longest call") && strings.Contains(p.Address(), "tables=threads11")
	})
	longest := Eval[string](p, `(() => { const f = document.querySelector("table[aria-label=Threads] .goes").closest(".sheet, section"), t = f.querySelector("table"); return t.getBoundingClientRect().right <= f.getBoundingClientRect().right ? "" : "cut" })()`)
	if longest != "" {
		t.Error("the last column of Threads is cut")
	}
	words := Eval[string](p, `(() => { const b = document.querySelector("table[aria-label=Threads] .goes"); b.click(); return b.title; })()`)
	tid := regexp.MustCompile(`· (\d+) in the timeline`).FindStringSubmatch(words)
	p.Await("the thread of "+words, func() (any, bool) {
		told := strings.Join(strings.Fields(p.Find("complementary", "What is selected").Text()), " ")
		return told, len(tid) == 2 && strings.HasPrefix(told, "crunch · "+tid[1]+" ")
	})
}

type longestCall struct {
	name, thread string
	tid          int32
	begin, end   int64 // by the clock of the host
}

const callsOfSet = `fetch("/api/sets/%s/calls?host=%s&begin=%d&end=%d").then((r) => r.json()).then((a) => { const c = a.hosts[0].%s; return [c.name, c.thread, String(c.tid), c.local_begin, c.local_end].join("~"); })`

// readLongest is one of the longest calls of a host in a stretch of reference time.
func readLongest(t *testing.T, p *Page, set *ingest.Set, host string, begin, end int64, which string) (c longestCall) {
	t.Helper()
	told := Eval[string](p, fmt.Sprintf(callsOfSet, set.ID(), host, begin, end, which))
	if _, err := fmt.Sscanf(strings.ReplaceAll(told, "~", " "), "%s %s %d %d %d", &c.name, &c.thread, &c.tid, &c.begin, &c.end); err != nil {
		t.Fatalf("%s: %v", told, err)
	}
	return c
}

// fourDigits is ns, from 1 ms to 1 s, as tables tell it.
func fourDigits(ns int64) string {
	ms := float64(ns) / 1e6
	return fmt.Sprintf("%.*f\u202fms", 3-int(math.Log10(ms)), ms)
}
