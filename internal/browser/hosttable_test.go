package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table of hosts tells of each what it is, how well its clock is known at the instant that is pointed at, how fast it
// runs and what it recorded; it is sorted by its heads, and can be taken away.
func TestHostTable(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	// The graph above it has room for four hosts, without bars to scroll it by a pixel.
	graph := p.Find("region", "Graph of hosts and links")
	p.Await("a graph that fits", func() (any, bool) {
		saw := must[[]int](graph, "function() { return [this.querySelectorAll('[data-host]').length, this.scrollHeight - this.clientHeight, this.scrollWidth - this.clientWidth] }")
		return saw, slices.Equal(saw, []int{4, 0, 0})
	})
	table := p.Find("table", "Hosts")
	c := clocksOf(t, set)
	middle := demoFocus.Begin + (demoFocus.End-demoFocus.Begin)/2
	db := fmt.Sprintf("db synchronized accurate ± %s %s %s ppm", c.known("db", middle), c.everKnown("db"), regexp.QuoteMeta(c.ppm("db")))
	p.Matches(db + ` ± 9\.\d 1 10\.0\.0\.3 161 872 0`)
	p.Matches(`web reference – exact exact 0 ppm 1 10\.0\.0\.2 279 009 0`)
	// What became of the packets adds up: 2 · 10 684 + 73 + 5 + 5 = 10 697 + 10 754.
	p.Matches(`10 684 messages were matched from 10 697 sent and 10 754 received packets\. 73 are pieces of packets that were cut or joined on their way: another piece stands for the message\. 5 sent and 5 received found no partner`)
	// Raw time and back: what is known of the clocks is as before, and it is said that they are not applied.
	figures := func() string {
		return Eval[string](p, "[...document.querySelectorAll('.hosts tbody td')].map((c) => c.innerText).join('|')")
	}
	p.Matches(`Hosts ± there: at 6\.\d+ s, the middle of the timeline's window`)
	synchronized := figures()
	p.Press("r")
	p.Matches(`Hosts ± there: at 6\.\d+ s, the middle of the timeline's window by db's clock\. Raw time is on: these clocks are known, but not applied to what is drawn`)
	if raw := figures(); raw != synchronized {
		t.Errorf("in raw time the table has\n%s\ninstead of\n%s", raw, synchronized)
	}
	p.Press("r")
	p.Matches(db)
	if again := figures(); again != synchronized {
		t.Errorf("after raw time the table has\n%s\ninstead of\n%s", again, synchronized)
	}
	order := func() []string {
		return must[[]string](table, "function() { return [...document.querySelectorAll('.hosts tbody tr td:first-child')].map((c) => c.innerText) }")
	}
	for _, c := range []struct {
		head string
		want []string
	}{
		{"Events", []string{"web", "cache", "db", "client"}},
		{"Best to worst", c.worstFirst()},
	} {
		p.Find("button", c.head).Click()
		p.Await("hosts by "+c.head, func() (any, bool) { got := order(); return got, slices.Equal(got, c.want) })
		if now := Eval[string](p, "document.activeElement.innerText"); !strings.HasPrefix(now, c.head) {
			t.Errorf("after the press on %s the focus is on %q", c.head, now)
		}
	}

	// Half way through the recording the clock of db is known better.
	slider := p.Find("slider", "Instant of the error plot")
	slider.Focus()
	p.Press("PageDown")
	p.Matches(`Hosts ± there: at 2\d\.\d+ s`)
	there := func() (pattern string, ns int64) {
		t.Helper()
		words := spaces.Replace(p.Text())
		return c.knownAt("db", regexp.MustCompile(`± there: at ([\d.]+) s`).FindStringSubmatch(words)[1])
	}
	known, ns := there()
	p.Matches(fmt.Sprintf("db synchronized accurate ± %s %s", known, c.everKnown("db")))
	if at, _ := c.hosts["db"].Map.Error(middle); ns >= at*9/10 {
		t.Errorf("the clock of db is known to ± %d ns half way through the recording, and to ± %d in the window", ns, at)
	}

	Eval[bool](p, kept)
	name, address := p.take("save table of hosts", "Save the table of hosts (CSV)")
	p.Says("shop-4hosts-hosts.csv is saved.")
	if name != "shop-4hosts-hosts.csv" {
		t.Errorf("the file is called %s", name)
	}
	lines := strings.Split(Eval[string](p, fmt.Sprintf("window.blobs[%q].text()", address)), "\r\n")
	if len(lines) != 6 || !strings.HasPrefix(lines[0], "host,role,clock,there_reference_ns,error_there_ns,") || !slices.ContainsFunc(lines, regexp.MustCompile(`^db,synchronized,accurate,\d{19},\d+,\d+,\d+,-150\.\d+,-150\.\d+,9\.\d+,1,10\.0\.0\.3,161872,0,0$`).MatchString) {
		t.Errorf("the table is\n%s", strings.Join(lines, "\n"))
	}
	// The middle of the whole of raw time, in which nobody recorded anything for most of an hour, is that of the recording.
	p.Open(s.page(set, "?tab=sync&window=all&time=raw&compare=client~db"))
	p.Matches(`Hosts ± there: at 19\.\d+ s, the middle of the recording\. Raw time is on`)
	known, _ = there()
	p.Matches(fmt.Sprintf(`db synchronized accurate ± %s %s %s ppm ± 9\.\d`, known, c.everKnown("db"), regexp.QuoteMeta(c.ppm("db"))))
	p.Matches(`db is behind client by 3\.00\d [\d ]+s ± \d+ µs at 19\.\d+ s, the middle of the recording\.`)
}
