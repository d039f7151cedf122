package browser

import (
	"fmt"
	"regexp"
	"testing"
)

// Where all hosts are closed their rows are not covered by words that nothing runs, and what fits a filter is counted in them as well.
func TestClosedHosts(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all&collapsed=0,1,2,3"))
	p.Matches(`3 220 threads, 0 listed`)
	p.rest()
	if words := p.Text(); regexp.MustCompile(`No thread is known to run`).MatchString(words) {
		t.Errorf("the rows of closed hosts are covered: %s", words)
	}
	const window = "begin=1795229355000000000&end=1795229357000000000&filter=wget"
	fit := regexp.MustCompile(`listed(?: and \d+ that do(?:es)? not fit)?, (\d+) fit`)
	var open string
	for _, closed := range []string{"", "&collapsed=0", "&collapsed=0,1,2,3"} {
		p.Open(s.page(set, fmt.Sprintf("?%s%s", window, closed)))
		p.Await("the rows that fit, with"+closed, func() (any, bool) {
			found := fit.FindStringSubmatch(p.Text())
			if found == nil || open != "" && found[1] != open {
				return p.Text(), false
			}
			open = found[1]
			return found[0], true
		})
	}
	p.Open(s.page(set, "?"+window+"x&collapsed=0,1,2,3"))
	p.Says("none fits")
}

// Beyond what a host recorded how far its clock is apart is told, and that nothing bounds it.
func TestComparedBeyondARecording(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync&compare=client~db&moment=39000000000"))
	p.Says("client recorded nothing then any more, so no bound holds")
	p.Open(s.page(set, "?tab=sync&compare=client~db&moment=20000000000"))
	p.Matches(`ahead|behind`)
	if words := p.Text(); regexp.MustCompile(`recorded nothing then`).MatchString(words) {
		t.Error("of a time that both recorded it is said that one did not")
	}
}
