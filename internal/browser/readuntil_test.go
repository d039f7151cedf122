package browser

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// What a running import has not read yet is said to be not read, wherever it is pointed at, and covered in all three parts of the timeline;
// nothing is told of it as if it were known. On a machine that is busy otherwise an import may end before the page is there: then another one is looked at.
func TestNotReadYet(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	p := NewPage(t)
	var set *ingest.Set
	var at float64 // of the page, after the end of all recordings
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
	seen, missed := false, ""
	for try := 0; try < 8 && !seen; try++ {
		set = s.add(fmt.Sprintf("shop %d", try+1), demoArchive)
		var others []*ingest.Set
		for i := range 9 { // they slow it
			others = append(others, s.add(fmt.Sprintf("beside %d.%d", try+1, i+1), demoArchive))
		}
		p.Open(s.page(set, "?begin=1795229330000000000&end=1795229400000000000"))
		flow, talk := p.Canvas("Control flow"), p.Canvas("Communication")
		told, line := talk.Listen(), p.Color("--line")
		x, _, width, _ := flow.Box()
		at = x + width*0.97
		says := func(pattern, section string, below float64) func() bool {
			re := regexp.MustCompile(pattern)
			return func() bool { return re.MatchString(words(row(section, "cache", below))) }
		}
		looks := []struct {
			what string
			seen func() bool
		}{
			{"a thread that is not read so far", says(`cache \S+ \S+ \S+, not read yet \| \S+ · \d+ cache not read yet \| .*cache local \S+ \S+ \S+ \| not read yet \|.* · \d+: not read yet`, "Control flow", 2)},
			{"CPUs that are not read so far", says(`CPUs of cache: not read yet`, "Resources", 0)},
			{"messages so far", func() bool {
				return regexp.MustCompile(`messages? in view so far none received before sent so far`).MatchString(strings.Join(strings.Fields(p.Text()), " "))
			}},
			{"slanting lines over messages that are not read", func() bool {
				lines, _ := told()
				return slices.ContainsFunc(lines, func(l Line) bool { return l.Color == line && math.Abs(l.X1-l.X0) > 5 && l.X1 > width*0.9 })
			}},
		}
		seen = true
		for i := 0; i < len(looks) && seen; i++ {
			for seen = looks[i].seen(); !seen && set.Status().State == ingest.Importing; seen = looks[i].seen() {
				p.frame()
			}
			missed = looks[i].what
		}
		for _, other := range others { // they only had to slow the one that is looked at
			if err := s.engine.Delete(other.ID()); err != nil {
				t.Fatal(err)
			}
		}
		s.ready(set)
	}
	if !seen {
		t.Fatalf("while eight sets were imported this was not seen: %s", missed)
	}
	// What is known to have been recorded by nobody is told as such.
	p.Await("a time after the end of a recording", func() (any, bool) {
		said := words(row("Control flow", "cache", 2))
		return said, regexp.MustCompile(`not there then .*not recorded here`).MatchString(said)
	})
	p.Await("no word of more messages", func() (any, bool) {
		words := spaces.Replace(p.Find("region", "Communication").Text())
		return words, strings.Contains(words, "messages in view") && !strings.Contains(words, "so far")
	})
}
