package browser

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"synchroscope/sync/network"
)

// Of two hosts that exchange messages a latency, and which of two moments came first, are known as well as these two clocks are known against each other: not
// only as well as both are known against a third.
func TestErrorOfAPair(t *testing.T) {
	s, set := demoSite(t)
	if _, err := set.Synchronize(t.Context(), network.Options{Reference: "client"}); err != nil {
		t.Fatal(err)
	}
	pair, _, err := set.Compare(t.Context(), "db", "web")
	if err != nil {
		t.Fatal(err)
	}
	c := clocksOf(t, set)
	middle := pair.From.Begin + (pair.From.End-pair.From.Begin)/2
	direct, _ := pair.Map.Error(middle)
	sum := int64(0)
	for _, host := range []string{"db", "web"} {
		ns, _ := set.Solution().Error(c.number(host), c.hosts[host].Map.Local(c.at("db", middle)))
		sum += ns
	}
	if direct == 0 || 2*direct > sum {
		t.Fatalf("the two are known to ± %d ns against each other, and to ± %d ns together against the reference", direct, sum)
	}
	p := NewPage(t)
	p.Open(s.page(set, "?pair=db~web"))
	p.Says("only db ↔ web")
	p.Await("messages", func() (any, bool) {
		words := p.Find("region", "Communication").Text()
		return words, regexp.MustCompile(`[1-9]\d* messages in view`).MatchString(words)
	})
	p.Press("m")
	inspector := p.Find("complementary", "What is selected")
	latency := regexp.MustCompile(`Message (db|web) → (db|web) .* Latency .* ± (\S+) µs`)
	p.Await("the error of the two clocks against each other", func() (any, bool) {
		words := strings.Join(strings.Fields(inspector.Text()), " ")
		m := latency.FindStringSubmatch(words)
		if m == nil {
			return words, false
		}
		µs, err := strconv.ParseFloat(m[3], 64)
		return words, err == nil && µs*1000 < float64(sum+direct)/2
	})
}
