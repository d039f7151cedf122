package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/trace/ctf/text/texttest"
)

// manyCalls is a kernel trace of more threads than an answer of calls tells of, one after another on a CPU: most are there for the length of their call, and those
// that are there longest have the shortest calls, none, or one that does not return.
func manyCalls() string {
	var b strings.Builder
	b.WriteString("-- many/kernel.trace --\n" + switching("many") + `event 2 syscall_entry_read
  fields {fd u64}
event 3 syscall_exit_read
  fields {ret i64}

file channel0_0 stream=0
packet begin=2.000000000 end=2.100000000 seq=0 discarded=0 cpu=0
`)
	now, last, name := 0, 0, "swapper/0"
	event := func(after int, words string, args ...any) {
		now += after
		fmt.Fprintf(&b, "2.%09d %s\n", now, fmt.Sprintf(words, args...))
	}
	to := func(tid int, comm string) {
		event(1000, `sched_switch prev_comm="%s" prev_tid=%d prev_prio=20 prev_state=1 next_comm="%s" next_tid=%d next_prio=20`, name, last, comm, tid)
		last, name = tid, comm
	}
	for i := range 2300 {
		to(1000+i, "sleeper")
		event(1000, "syscall_entry_read fd=3")
		event(5000, "syscall_exit_read ret=3")
	}
	for i := range 6 {
		to(100+i, "busy")
		event(90_000-1000*i, "syscall_entry_read fd=3")
		if i < 5 {
			event(1000+i, "syscall_exit_read ret=3")
		}
	}
	to(106, "silent")
	event(80_000, `sched_switch prev_comm="silent" prev_tid=106 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20`)
	return b.String()
}

// Of every thread that is listed the longest call is told, however many there are with longer ones, and of every row of the file; what nobody knows is said, and is not
// as if there were none.
func TestLongestCallOfMany(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set, err := s.engine.ImportPaths("many", texttest.Dir(t, manyCalls()))
	if err != nil {
		t.Fatal(err)
	}
	s.ready(set)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics&spent=set"))
	told := func(what string, want ...string) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			got := Eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll("table[aria-label=Threads] tbody tr")].slice(0, %d).map((r) => [...r.cells].at(1).innerText + " " + [...r.cells].at(-1).innerText.replace(/\s/g, " "))`, len(want)))
			return got, fmt.Sprint(got) == fmt.Sprint(want)
		})
	}
	told("those that ran longest", "100 1.000 µs", "101 1.001 µs", "102 1.002 µs", "103 1.003 µs", "104 1.004 µs", "105 not seen to return", "106 –", "1000 5.000 µs")

	// Others are listed in another order, and with words.
	p.Find("table", "Threads").Find("button", "Number").Click()
	told("those with the lowest numbers", "100 1.000 µs", "101 1.001 µs")
	p.Find("table", "Threads").Find("button", "Number").Click()
	told("those with the highest numbers", "3299 5.000 µs", "3298 5.000 µs")
	p.Find("searchbox", "Show only what has these words").Type("silent")
	told("the one without a call", "106 –")
	p.Find("searchbox", "Show only what has these words").Type("")
	p.Find("table", "Threads").Find("button", "On a CPU").Click()
	told("those that ran longest", "100 1.000 µs")

	Eval[bool](p, kept)
	p.Find("button", "Save as CSV: threads").Click()
	p.Matches(`many-threads-\S+\.csv is saved: the 2 ?000 of each host that are first in this order; \d+ others are not listed; of 1 thread the longest call is not known for sure, which its last column tells\.`)
	all := Eval[[][]string](p, "window.kept.splice(0)")
	lines := strings.Split(strings.TrimSuffix(Eval[string](p, fmt.Sprintf("window.blobs[%q].text()", all[0][1])), "\r\n"), "\r\n")[1:]
	ends := map[string]*regexp.Regexp{
		"100": regexp.MustCompile(`,read,1000,\d+,yes$`), "105": regexp.MustCompile(`,,,,not seen to return$`), "106": regexp.MustCompile(`,,,,yes$`), "": regexp.MustCompile(`,read,(100\d|5000),\d+,yes$`),
	}
	for _, line := range lines {
		end := ends[strings.Split(line, ",")[2]]
		if end == nil {
			end = ends[""]
		}
		if !end.MatchString(line) {
			t.Fatalf("a line of the file is %s, want one with %s", line, end)
		}
	}
	if len(lines) != 2000 {
		t.Errorf("the file has %d threads", len(lines))
	}
}
