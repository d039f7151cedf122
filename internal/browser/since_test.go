package browser

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The time between two rows of the table of events is told with the error of the one clock against the other where they are of two hosts, with
// whether that leaves open which came first for who hears it, and to the ns where they are of one. In raw time nobody knows the error.
func TestSinceAboveOfTwoHosts(t *testing.T) {
	s, set := demoSite(t)
	paired, err := set.Paired(t.Context(), set.Solution())
	if err != nil {
		t.Fatal(err)
	}
	c := clocksOf(t, set)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=events&event=net_dev_xmit&where="+`host+%3D%3D+"web"+%7C%7C+host+%3D%3D+"db"`))
	type since struct{ Words, Heard, Title, Host, Above string }
	read := func() []since {
		return Eval[[]since](p, `[...document.querySelectorAll("#events .grid-body [role=row]")].flatMap((r) => {
			const [cell, host, above] = [r.children[1], r.children[3].textContent, r.previousElementSibling?.children[3].textContent];
			return above ? [{words: cell.firstChild.textContent, heard: cell.querySelector(".sr")?.textContent ?? "", title: cell.title, host, above}] : [];
		})`)
	}
	settled := func(what string, of *regexp.Regexp) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			rows := read()
			own, others := 0, 0
			for _, r := range rows {
				switch words := spaces.Replace(r.Words); {
				case r.Host == r.Above && regexp.MustCompile(`^[\d .]+ (ns|µs|ms|s)$`).MatchString(words):
					own++
				case r.Host != r.Above && of.MatchString(fmt.Sprintf("%s|%s|%s", words, r.Heard, spaces.Replace(r.Title))):
					others++
				default:
					return r, false
				}
			}
			return rows, own > 0 && others > 0
		})
	}
	// Both hosts have recorded all the while, so the errors of all rows in sight are about as large as in the middle of them.
	at := Eval[string](p, `new URLSearchParams(location.search).get("begin") ?? ""`)
	middle, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		middle = demoFocus.Begin
	}
	ns, ok := paired.ErrorBetween(c.number("db"), c.number("web"), c.hosts["db"].Map.Local(middle), c.hosts["web"].Map.Local(middle))
	if !ok || ns > 999_000 {
		t.Fatalf("the two are known to ± %d ns against each other", ns)
	}
	settled("times with errors", regexp.MustCompile(`^\d[\d .]*( [µm]?s)? ± \d[\d.]* [µm]s\|, (certain\|After the row above, of \w+: .*, certain|within the error\|After the row above, of \w+: .*within the error, so either may have come first)\.$`))
	for _, r := range read() {
		if r.Host == r.Above {
			continue
		}
		m := regexp.MustCompile(`± ([\d.]+) ([µm])s`).FindStringSubmatch(spaces.Replace(r.Words))
		told, err := strconv.ParseFloat(m[1], 64)
		if m[2] == "m" {
			told *= 1000
		}
		if err != nil || told*1000 < 0.9*float64(ns) || told*1000 > 1.2*float64(ns)+10_000 {
			t.Errorf("%q, where the two are known to ± %d ns against each other", r.Words, ns)
		}
	}
	p.Find("radio", "Raw").Click()
	settled("raw times", regexp.MustCompile(`^[\d .]+ (ns|µs|ms|s) ± \?\|, how well that is known is unknown\|By the clocks of two hosts as they were\. After the row above, of `))
	if strings.Contains(p.Find("grid", "Events").Text(), "undefined") {
		t.Error("the table has words that nobody wrote")
	}
}
