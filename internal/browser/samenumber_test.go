package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Control flow says how many threads run in the window, as many as Statistics has there; rows that are listed since they hold some of these are
// told apart.
func TestThreadsThatRunAreThoseOfStatistics(t *testing.T) {
	s, set := demoSite(t)
	const stretch = "begin=1795229355183964261&end=1795229355883964261"
	answer, err := http.Get(s.url + "/api/sets/" + set.ID() + "/statistics?" + stretch)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var told struct {
		Hosts []struct {
			Threads []any
			Others  int
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, h := range told.Hosts {
		ran += len(h.Threads) + h.Others
	}
	p := NewPage(t)
	p.Open(s.page(set, "?"+stretch))
	p.Matches(fmt.Sprintf(`3 220 threads, %d listed and 4 processes of theirs`, ran))
}

// What the errors would be with another reference is an estimate, and is called so: beside that of the reference in force stands what came of it, as the table
// of hosts has it.
func TestEstimateBesideWhatCameOut(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("final")
	p.Find("button", "Use db as the reference").Click()
	p.Matches(`reference: db;`)
	p.Await("the estimate, and what Hosts says", func() (any, bool) {
		estimate := spaces.Replace(p.Find("table", "Each host as the reference").Text())
		words := strings.Join(strings.Fields(spaces.Replace(p.Text())), " ")
		m := regexp.MustCompile(`With db in force client came out at (± \S+ µs to \S+ µs), and cache at (± \S+ µs to \S+ µs), as Hosts has it\.`).FindStringSubmatch(words)
		if m == nil {
			return words, false
		}
		as := func(host, bound string) bool {
			return regexp.MustCompile(host + ` synchronized accurate ± \S+ µs ` + regexp.QuoteMeta(bound)).MatchString(words)
		}
		hosts := as("client", m[1]) && as("cache", m[2]) // which is known worst then
		return words, hosts && strings.Contains(estimate, "≈ ")
	})
	heads := p.Find("table", "Each host as the reference").Text()
	for _, head := range []string{"Estimated sum", "Largest estimate, of"} {
		if !strings.Contains(heads, head) {
			t.Errorf("no column is called %s: %s", head, heads)
		}
	}
}

// Where a median stands beside a ±, it is said of what that is: of the median, or of a message at the worst time.
func TestErrorsOfAMedianAreNamed(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&link=client~web"))
	p.Matches(`Latency client → web .* each of these figures ± \d+ µs at worst; that is of one message when clocks are known worst, the ± of the median alone stands in Messages`)
	// Of a link not in use they are known as well as the two clocks are against each other, as Compare and the messages have it, but for the
	// rates over so short a time.
	for _, hosts := range [][2]string{{"client", "db"}, {"cache", "client"}} {
		pair, _, err := set.Compare(t.Context(), hosts[0], hosts[1])
		if err != nil {
			t.Fatal(err)
		}
		worst := float64(pair.Report().Error.Max) / 1000
		p.Open(s.page(set, fmt.Sprintf("?tab=sync&link=%s~%s", hosts[0], hosts[1])))
		p.Await(fmt.Sprintf("latencies known to little more than the %.0f µs of %v", worst, hosts), func() (any, bool) {
			words := strings.Join(strings.Fields(spaces.Replace(p.Find("region", "The chosen link").Text())), " ")
			told := regexp.MustCompile(`each of these figures ± (\d+) µs at worst`).FindAllStringSubmatch(words, -1)
			for _, m := range told {
				if µs, err := strconv.ParseFloat(m[1], 64); err != nil || µs < worst-1 || µs > 1.1*worst {
					return words, false
				}
			}
			return words, len(told) == 2
		})
	}
	p.Open(s.page(set, "?tab=messages&window=all&pair=client~web"))
	p.Find("columnheader", "Median latency")
	title := Eval[string](p, `[...document.querySelectorAll("#messages .pair th")].find((e) => e.innerText === "Median latency").title`)
	if !strings.Contains(title, "The ± is of this median") {
		t.Errorf("of the ± beside the median is said: %q", title)
	}
}
