package browser

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// What a running import has not read yet is said to be not read, wherever it is pointed at, and covered in all three parts of the timeline;
// nothing is told of it as if it were known.
func TestNotReadYet(t *testing.T) {
	s, hold := heldSite(t)
	set := s.add("shop", demoArchive)
	hold.until("a third of every host is read", func() bool {
		hosts := set.Status().Hosts
		return len(hosts) == 4 && !slices.ContainsFunc(hosts, func(h ingest.HostStatus) bool { return h.Progress < 1.0/3 })
	})
	p := NewPage(t)
	p.Open(s.page(set, "?begin=1795229330000000000&end=1795229400000000000"))
	flow, talk := p.Canvas("Control flow"), p.Canvas("Communication")
	told, line := talk.Listen(), p.Color("--line")
	p.Resize(Width, Height-20) // nothing new is drawn of what is held
	x, _, width, _ := flow.Box()
	at := x + width*0.97 // after the end of all recordings
	words := func(y float64) string {
		p.Point(at, y)
		p.frame()
		return strings.Join(strings.Fields(spaces.Replace(Eval[string](p, `[...document.querySelectorAll(".tooltip:not([hidden]), .flagged, #status > :not(.sr)")].map((e) => e.innerText).join(" | ")`))), " ")
	}
	// The middle of a host's row, or of one so many below it.
	row := func(section, host string, below float64) float64 {
		_, y, _, height := p.hostRow(section, host).Box()
		return y + height*(below+0.5)
	}
	says := func(what, pattern, section string, below float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			said := words(row(section, "cache", below))
			return said, regexp.MustCompile(pattern).MatchString(said)
		})
	}
	says("a thread that is not read so far", `cache \S+ \S+ \S+, not read yet \| \S+ · \d+ cache not read yet \| .*cache local \S+ \S+ \S+ \| not read yet \|.* · \d+: not read yet`, "Control flow", 2)
	says("CPUs that are not read so far", `CPUs of cache: not read yet`, "Resources", 0)
	p.Matches(`messages? in view so far none received before sent so far`)
	p.Await("slanting lines over messages that are not read", func() (any, bool) {
		lines, _ := told()
		return lines, slices.ContainsFunc(lines, func(l Line) bool { return l.Color == line && math.Abs(l.X1-l.X0) > 5 && l.X1 > width*0.9 })
	})
	hold.letGo()
	s.ready(set)
	// What is known to have been recorded by nobody is told as such.
	says("a time after the end of a recording", `not there then .*not recorded here`, "Control flow", 2)
	p.Await("no word of more messages", func() (any, bool) {
		words := spaces.Replace(p.Find("region", "Communication").Text())
		return words, strings.Contains(words, "messages in view") && !strings.Contains(words, "so far")
	})
}
