package browser

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What stands beside the tables of Statistics is of the hosts that these show: words that narrow them to one host narrow it, too.
func TestStatisticsCaptionsNarrowed(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=statistics"))
	counted := func() int {
		t.Helper()
		re := regexp.MustCompile(`exact, of ([\d ]+) calls, each`)
		var n int
		p.Await("how many calls were looked at", func() (any, bool) {
			words := spaces.Replace(p.Text())
			m := re.FindStringSubmatch(words)
			if m == nil {
				return words, false
			}
			n, _ = strconv.Atoi(strings.ReplaceAll(m[1], " ", ""))
			return words, n > 0
		})
		return n
	}
	all := counted()
	p.Matches(`Time spent is counted by each host's own clock`)
	sum := 0
	for _, host := range []string{"cache", "client", "db", "web"} {
		p.Find("searchbox", "Show only what has these words").Type(host)
		p.Await("the hosts of the table", func() (any, bool) {
			hosts := Eval[string](p, `[...new Set([...document.querySelectorAll("table[aria-label=CPUs] tbody tr")].map((r) => r.cells[1].innerText))].join()`)
			return hosts, hosts == host
		})
		n := counted()
		if n >= all {
			t.Errorf("of %s %d calls are told, and %d of all hosts", host, n, all)
		}
		sum += n
		// By the reference's own clock, which is web's here, times are told anyway.
		if words := p.Text(); strings.Contains(words, "Time spent is counted by each host's own clock") || strings.Contains(words, "Time spent is counted by "+host+"'s own clock") == (host == "web") {
			t.Errorf("beside the tables of %s stands by whose clocks these are: %s", host, Eval[string](p, `document.querySelector(".ownclock").innerText`))
		}
	}
	if sum != all {
		t.Errorf("of the hosts one by one %d calls are told, and %d of all", sum, all)
	}
}

// A column is sorted by wherever its head is pressed, not on the word alone.
func TestHeadsArePressedAnywhere(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, c := range []struct{ address, table string }{{"?tab=statistics", "Threads"}, {"?tab=sync", "Hosts"}} {
		p.Open(s.page(set, c.address))
		p.Find("table", c.table)
		heads := Eval[int](p, fmt.Sprintf(`document.querySelector("table[aria-label='%s']").tHead.rows[0].cells.length`, c.table))
		for i := range heads {
			for _, place := range []string{"b.left + 2, b.bottom - 2", "b.right - 3, b.top + 2"} {
				name := Eval[string](p, fmt.Sprintf(`(() => {
					const th = document.querySelector("table[aria-label='%s']").tHead.rows[0].cells[%d];
					th.scrollIntoView({ block: "center", inline: "center" });
					const b = th.getBoundingClientRect();
					const at = document.elementFromPoint(%s);
					return at === th.querySelector("button") ? "" : th.innerText;
				})()`, c.table, i, place))
				if name != "" {
					t.Errorf("at (%s) the head %q of %s is not pressed", place, name, c.table)
				}
			}
		}
	}
	p.Find("table", "Hosts")
}

// A word that no name has is told to be looked for in names, with a way to the system calls of that name; and system_call means what syscall does.
func TestRowFilterOffersSystemCalls(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	field := p.Find("searchbox", filterLabel)
	before := Eval[string](p, `JSON.stringify(document.querySelector(".axis").getBoundingClientRect())`)
	field.Type("flock")
	p.Says("No host, process or thread has this in its name, or as its number.")
	if free := Eval[bool](p, `(() => {
		const a = document.querySelector(".axis").getBoundingClientRect();
		return [4, a.width / 4, a.width / 2].every((x) => document.elementFromPoint(a.left + x, a.top + a.height / 2)?.closest(".axis"));
	})()`); !free {
		t.Error("the axis is covered while one types")
	}
	if after := Eval[string](p, `JSON.stringify(document.querySelector(".axis").getBoundingClientRect())`); after != before {
		t.Errorf("the axis moved from %s to %s", before, after)
	}
	p.Find("button", `syscall =~ "*flock*"`).Click()
	p.Matches(`3 220 threads, \d+ listed.*, 3 fit`)
	p.Await("the filter in the address", func() (any, bool) {
		return p.Address(), strings.Contains(p.Address(), "filter=syscall+%3D%7E+%22*flock*%22")
	})
	p.Find("searchbox", filterLabel).Type(`system_call =~ "flock"`)
	p.Await("the other name in the address", func() (any, bool) { return p.Address(), strings.Contains(p.Address(), "filter=system_call") })
	p.Matches(`3 220 threads, \d+ listed.*, 3 fit`)
	// What is longer than the field stands below it in full.
	p.Find("searchbox", filterLabel).Type(`host == db && status == blocked && syscall =~ "futex" && tid > 100`)
	p.Await("all of the expression below the field", func() (any, bool) {
		got := Eval[string](p, `document.querySelector(".filter .whole:not([hidden])")?.textContent ?? ""`)
		return got, strings.HasSuffix(got, "tid > 100")
	})
	// Words of which no system call can be the name have no such offer.
	p.Find("searchbox", filterLabel).Type("no such thread")
	p.Says("No host, process or thread has this in its name, or as its number.")
	p.Gone("button", `syscall =~ "*no such thread*"`)
	// Who has left the field is told where the rows would be, and nothing covers the head above them.
	p.Press("Enter")
	p.Says("No row matches")
	p.Await("a head that nothing covers", func() (any, bool) {
		top := Eval[string](p, `(() => {
			const head = [...document.querySelectorAll("h2")].find((e) => e.textContent.startsWith("Control flow")).getBoundingClientRect();
			return document.elementFromPoint(head.x + head.width / 2, head.y + head.height / 2)?.textContent ?? "";
		})()`)
		return top, strings.HasPrefix(top, "Control flow")
	})
	// Words of which one is a host may be meant as a thread on it.
	p.Find("searchbox", filterLabel).Type("crunch db")
	p.Find("button", `name =~ "*crunch*" && host == db`).Click()
	p.Matches(`3 220 threads, \d+ listed.*, [1-9]\d* fit`)
}

// Which name of a thread is meant, and which waker, is said in words.
func TestWhichNameAndWhichWaker(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	// What it was called then, and later.
	flock := clocksOf(t, set)
	at := flock.begin + 6_175_204_679
	p.Open(s.page(set, fmt.Sprintf("?tab=state&state=%d&of=db&attribute=Threads/210/Name", at+10)))
	p.Matches(`210 flock, later dbwork`)
	p.Open(s.page(set, ""))
	p.Matches(`Woken by crunch · 206 at its end`)
	p.Press("v")
	p.Matches(`Waker \d+ woke it last, up to this time`)
}
