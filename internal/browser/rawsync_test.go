package browser

import (
	"strings"
	"testing"
)

// Raw time changes nothing of what is told of the clocks, and that is said where they are.
func TestRawTimeLeavesClocks(t *testing.T) {
	const words = "Raw time is on: clocks are told here as they are; it changes only what is drawn in the other tabs."
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("In force: the default")
	if strings.Contains(p.Text(), words) {
		t.Error("raw time is told of while it is not on")
	}
	p.Find("radio", "Raw").Click()
	p.Says(words)
	p.Find("radio", "Synchronized").Click()
	p.Await("nothing more said of raw time", func() (any, bool) { return nil, !strings.Contains(p.Text(), words) })
}
