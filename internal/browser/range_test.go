package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// The numbers of a selected range are of all of it, wherever the window is, and from a link: of all threads, of one, of a host.
func TestRange(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.threadRow("dbwork, thread 205")
	p.Says("running in system call exit_group")
	// By keys: the time of the selected state, and then that from another state to the mark.
	selected := func(words string) {
		t.Helper()
		p.Await("a selection of "+words, func() (any, bool) {
			flag := spaces.Replace(Eval[string](p, `document.querySelector(".range:not([hidden]) .flag")?.textContent ?? "none"`))
			return flag, flag == words
		})
	}
	p.Press("x")
	selected("65.006 µs")
	p.Matches(`Selected: 65\.006 µs from 6\.50`)
	p.Press("c")
	// Each press counts, also one that comes before the first is answered.
	Eval[bool](p, `[1, 2].every(() => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: ",", bubbles: true, cancelable: true})) || true)`)
	p.Matches(`begin of the selected state: 5\.43\S* \d+ ms before the mark`)
	p.Press("x")
	selected("5.438 ms")
	p.strike("c", 8)
	p.Press("Escape") // no row is selected
	selected("none")
	p.Press("x")
	p.Says("This key selects the time of a state or a message: select one first.")
	x, y, width, height := p.Canvas("Control flow").Box()
	asked := func() int {
		return Eval[int](p, `performance.getEntriesByType("resource").filter((e) => e.name.includes("/sums?")).length`)
	}
	// numbers waits until the range of so many threads is added up.
	numbers := func(of string) string {
		t.Helper()
		want := regexp.MustCompile(`^Selected range ` + of + ` Begin .* Duration .* Messages [\d ]+`)
		var words string
		p.Await("a range of "+of, func() (any, bool) {
			words = Eval[string](p, `[...document.querySelectorAll(".inspector section")].find((s) => s.innerText.startsWith("Selected range"))?.innerText ?? ""`)
			words = strings.Join(strings.Fields(spaces.Replace(words)), " ")
			return words, want.MatchString(words)
		})
		return words
	}
	within := func() {
		t.Helper()
		p.Press("f")
		for range 12 {
			p.Press("+")
		}
		p.Await("a window within the selection", func() (any, bool) {
			b, e, ok := view(t, p)
			from, to := int64(0), int64(0)
			if m := regexp.MustCompile(`selection=(\d+)(?:~|%7E)(\d+)`).FindStringSubmatch(p.Address()); m != nil {
				from, _ = strconv.ParseInt(m[1], 10, 64)
				to, _ = strconv.ParseInt(m[2], 10, 64)
			}
			return p.Address(), ok && from < b && e < to && e-b < (to-from)/4
		})
		p.frame()
	}
	// stays says that what is told of a range is the same within it, and from a link.
	stays := func(of string) string {
		t.Helper()
		whole, before := numbers(of), asked()
		within()
		if inside := numbers(of); inside != whole {
			t.Errorf("a range is\n%s\nand in a window within it\n%s", whole, inside)
		}
		if now := asked(); now != before {
			t.Errorf("zooming in asked %d times for the numbers of the same range", now-before)
		}
		p.Open(p.Address())
		if again := numbers(of); again != whole {
			t.Errorf("a range is\n%s\nand from a link\n%s", whole, again)
		}
		return whole
	}

	at := func(words string) int64 {
		ns, err := strconv.ParseInt(words, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return ns
	}
	begin, end := at(set.Status().Begin), at(set.Status().End)
	story := max(0.01, float64(demoFocus.Begin-begin)/float64(end-begin)-0.05)
	byKeys := asked()
	Eval[bool](p, `window.moved = [], addEventListener("pointermove", () => moved.push(performance.now()), {capture: true}), true`)
	p.Mouse("mousePressed", x+story*width, y+height/2)
	for i := range 10 {
		p.Mouse("mouseMoved", x+(story+0.02*float64(i))*width, y+height/2)
		p.frame()
	}
	p.Mouse("mouseReleased", x+(story+0.18)*width, y+height/2)
	all := numbers(`all [\d ]+ threads of 4 hosts`)
	// Where the machine is busy there is a while between two moves in which the range is at rest, for 200 ms: what draws it comes later than the move.
	rests := Eval[int](p, "moved.filter((t, i) => i > 0 && t - moved[i - 1] > 100).length")
	if n := asked() - byKeys; n > 1+rests {
		t.Errorf("one range was asked about %d times while it was drawn by ten moves with %d rests", n, rests)
	}
	if !regexp.MustCompile(`User space .* · [\d ]+ threads .* Messages [1-9] \d{3} Time spent is counted by each host's own clock: [^%]* % more or less\.$`).MatchString(all) {
		t.Errorf("a range is %q", all)
	}
	if again := stays(`all [\d ]+ threads of 4 hosts`); again != all {
		t.Errorf("a range is\n%s\nand then\n%s", all, again)
	}

	// Of the thread that waited, and of its host.
	db := slices.IndexFunc(set.Hosts(), func(h *ingest.Host) bool { return h.Name() == "db" })
	p.Open(p.Address() + fmt.Sprintf("&row=%d.205", db))
	one := stays(`dbwork · 205, db`)
	if !regexp.MustCompile(`Blocked [\d.]+ ms .* Messages [\d ]+ to or from db Time spent is counted by db's own clock: [^%]* % more or less\. In system calls: time, share, begun \S+ [\d.]+ m?s · \d+ % · [\d ]+ .* in Statistics$`).MatchString(one) || strings.Contains(one, "threads") {
		t.Errorf("a range of a thread is %q", one)
	}
	p.Open(strings.Replace(p.Address(), ".205", ".-1", 1))
	messages := regexp.MustCompile(`Messages [\d ]+ to or from db`)
	if host := numbers(`all [\d ]+ threads of db`); messages.FindString(host) != messages.FindString(one) || strings.Contains(host, "In system calls") {
		t.Errorf("a range of a thread is %q, of its host %q", one, host)
	}

	// By the hosts' own clocks it is another range.
	p.Find("radio", "Raw").Click()
	numbers(`all [\d ]+ threads of db`)
}
