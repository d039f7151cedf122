package browser

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// How much a host was used is one number and the same as in Statistics, also where what was recorded is a few pixels of the window.
func testHostUse(t *testing.T, p *Page, address string) {
	for _, stretch := range [][2]int64{
		{1795229355_186453488, 1795229355_756538741},
		{1795229355_186453488, 1795229355_186953488},
		{1795229150_000000000, 1795229580_000000000},
		{1795229355_700000000, 1795229356_000000000},
	} {
		span := fmt.Sprintf("begin=%d&end=%d", stretch[0], stretch[1])
		p.Open(address + fromFirstLook("?resources=none&"+span))
		id := regexp.MustCompile(`/sets/([^/?]+)`).FindStringSubmatch(address)[1]
		exact := Eval[map[string]float64](p, `fetch("/api/sets/`+id+`/statistics?`+span+`").then((r) => r.json()).then((s) => Object.fromEntries(s.hosts.map((h) => {
			const sum = (names) => h.cpus.reduce((n, c) => n + names.reduce((m, name) => m + (c[name] ?? 0), 0), 0);
			const busy = sum(["user_ns", "syscall_ns", "kernel_ns", "softirq_ns", "irq_ns"]);
			return [h.host, busy / (busy + sum(["idle_ns"]))];
		})))`)
		if len(exact) != 4 {
			t.Fatalf("in Statistics there are the hosts %v", exact)
		}
		for host, share := range exact {
			want := fmt.Sprintf("about %d", int(min(99, math.Round(share*100))))
			switch {
			case share == 0:
				want = "0"
			case share < 0.005:
				want = "about 1"
			case share == 1:
				want = "100"
			}
			p.Await(fmt.Sprintf("the use of %s, %s %%, from %d to %d", host, want, stretch[0], stretch[1]), func() (any, bool) {
				words := Eval[string](p, `[...document.querySelectorAll("[role=treegrid][aria-label^=Resources] [role=row]")].find((e) => e.title.startsWith(`+strconv.Quote(host+": ")+`))?.innerText ?? ""`)
				return words, regexp.MustCompile(`\b` + want + `\b[^\d]*used`).MatchString(words)
			})
		}
	}
}
