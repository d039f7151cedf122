package browser

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// What is said of a link in use is said of the clock in force, as it is of its hosts: the table of links, that of hosts, the graph, what is
// compared and the details have the same bound, rate and pieces. The plot has that clock beside the line of the link alone.
func TestOneBoundForOneClock(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("drift", fmt.Sprintf(strings.Replace(pair, "rate=85", "rate=85 walk=0.02", 1), ""))
	link := set.Solution().Links[0]
	own := [2]int64{link.ErrorMin, link.ErrorMax}
	if f := link.Force; f == nil || own == [2]int64{f.ErrorMin, f.ErrorMax} {
		t.Fatalf("the clock in force has the bound of the link alone, %d: %+v", own, f)
	}
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&compare=left~right"))
	cell := func(table string, column int, row string) string {
		return strings.TrimSpace(spaces.Replace(Eval[string](p, fmt.Sprintf(`[...document.querySelectorAll('table[aria-label=%q] tbody tr')].find((r) => r.innerText.includes(%q))?.cells[%d].innerText ?? ""`, table, row, column))))
	}
	p.Await("one bound everywhere", func() (any, bool) {
		links, host, page := cell("Links", 2, "left – right"), "", strings.Join(strings.Fields(spaces.Replace(p.Text())), " ")
		for _, name := range []string{"left", "right"} {
			if r := cell("Hosts", 1, name); r == "synchronized" {
				host = name
			}
		}
		of := cell("Hosts", 4, host)
		saw := fmt.Sprintf("links %q, hosts %q, page %s", links, of, page)
		return saw, links != "" && links == of && strings.Contains(page, "By the clock in force over their own link, known to "+of+" while both recorded") &&
			cell("Links", 5, "left – right") == strings.Replace(cell("Hosts", 6, host)+" pieces", "1 pieces", "one line", 1)
	})
	p.Matches(`As a line right = alpha · left \+ beta, known to ± .* to .*: the link by itself, which is not the clock in force`)
	p.Says("minus the estimate of the link alone; bold: the clock in force")
	drawn := p.Canvas("The constraint points").Listen()
	p.Resize(Width-20, Height)
	p.Await("the clock in force, bold", func() (any, bool) {
		lines, _ := drawn()
		return lines, slices.ContainsFunc(lines, func(l Line) bool { return math.Abs(l.Width-2.4) < 0.01 })
	})
}
