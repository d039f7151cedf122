package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
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

// A window in which nothing is recorded, with nothing selected, lies as far from the recording next to it by either time: the numbers of one time
// can be hours beside the set by the other.
func TestRawTimeBesideRecordings(t *testing.T) {
	s, set := demoSite(t)
	c := clocksOf(t, set)
	local := c.beginOf("cache") // an hour ahead
	const early, span = int64(20e9), int64(2e9)
	p := NewPage(t)
	p.Open(s.page(set, fmt.Sprintf("?time=raw&begin=%d&end=%d", local-early, local-early+span)))
	p.Find("radio", "Synchronized").Click()
	want := c.at("cache", local) - early
	p.Await("a window as long before cache's recording by synchronized time", func() (any, bool) {
		off := p.begin() - want
		return time.Duration(off), max(off, -off) < 1e8 && !strings.Contains(p.Address(), "time=raw")
	})
	p.Find("radio", "Raw").Click()
	p.Await("the window of before", func() (any, bool) {
		off := p.begin() - (local - early)
		return time.Duration(off), max(off, -off) < 1e8 && strings.Contains(p.Address(), "time=raw")
	})
}
