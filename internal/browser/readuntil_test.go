package browser

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// What a running import has not read yet is said to be not read, wherever it is pointed at, and covered in all three parts of the timeline;
// nothing is told of it as if it were known.
func TestNotReadYet(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	p := NewPage(t)
	set := s.add("shop", demoArchive)
	var others []*ingest.Set
	for i := range 9 { // so many that a busy machine is still reading when the page is there
		others = append(others, s.add(fmt.Sprintf("beside it %d", i+1), demoArchive))
	}
	p.Open(s.page(set, "?begin=1795229330000000000&end=1795229400000000000"))
	flow, talk := p.Canvas("Control flow"), p.Canvas("Communication")
	told := talk.Listen()
	x, _, width, _ := flow.Box()
	at := x + width*0.97 // after the end of all recordings
	says := func(what, pattern string, y func() float64) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		p.Await(what, func() (any, bool) {
			p.Point(at, y())
			p.frame()
			words := strings.Join(strings.Fields(spaces.Replace(Eval[string](p, `[...document.querySelectorAll(".tooltip:not([hidden]), .flagged, #status > :not(.sr)")].map((e) => e.innerText).join(" | ")`))), " ")
			return words, re.MatchString(words)
		})
	}
	// The middle of a host's row, or of one so many below it.
	row := func(section, host string, below float64) func() float64 {
		return func() float64 {
			_, y, _, height := p.hostRow(section, host).Box()
			return y + height*(below+0.5)
		}
	}
	says("a thread that is not read so far", `cache \S+ \S+ \S+, not read yet \| \S+ · \d+ cache not read yet \| .*cache local \S+ \S+ \S+ \| not read yet \|.* · \d+: not read yet`, row("Control flow", "cache", 2))
	says("CPUs that are not read so far", `CPUs of cache: not read yet`, row("Resources", "cache", 0))
	p.Matches(`messages? in view so far none received before sent so far`)
	line := p.Color("--line")
	p.Await("slanting lines over messages that are not read", func() (any, bool) {
		lines, _ := told()
		for _, l := range lines {
			if l.Color == line && math.Abs(l.X1-l.X0) > 5 && l.X1 > width*0.9 {
				return l, true
			}
		}
		return lines, false
	})
	for _, set := range others { // they only had to slow the one that is looked at
		if err := s.engine.Delete(set.ID()); err != nil {
			t.Fatal(err)
		}
	}
	s.ready(set)
	// What is known to have been recorded by nobody is told as such.
	says("a time after the end of a recording", `not there then .*not recorded here`, row("Control flow", "cache", 2))
	p.Await("no word of more messages", func() (any, bool) {
		words := spaces.Replace(p.Find("region", "Communication").Text())
		return words, strings.Contains(words, "messages in view") && !strings.Contains(words, "so far")
	})
}
