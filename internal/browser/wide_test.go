package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Of many hosts that talk to each other all the time, each bundle has messages of seconds. They are drawn all along, not in bursts where
// the middles of bundles are; the head says for how long a bundle stands; and a press on a count chooses its bundle.
func TestBundlesOfManyPairs(t *testing.T) {
	s := newSite(t, ingest.Options{})
	set := s.simulated("gossip", `scenario gossip "Twenty machines that talk all the time"
duration 6s
host node-{1..20} cpus=1
  clock offset=-2s..2s rate=-50..50
switch core
link node-{1..20} core propagation=8us rate=1Gbps
workload gossip hosts=node-* period=15ms
`)
	p := NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("final")
	p.Says("messages in view")
	p.Matches(`bundles of up to \d[\d.]* s`)
	c := p.Canvas("Communication")
	told := c.Listen()
	p.Resize(Width, Height-40)
	left, top, width, height := c.Box()
	p.Await("arrows in every tenth of the window", func() (any, bool) {
		tenths := make([]int, 10)
		lines, _ := told()
		for _, l := range lines {
			if at := int(10 * (l.X0 + l.X1) / 2 / width); l.Y0 != l.Y1 && at >= 0 && at < 10 {
				tenths[at]++
			}
		}
		all, least := 0, 1<<30
		for _, n := range tenths {
			all, least = all+n, min(least, n)
		}
		return fmt.Sprint(tenths), all > 200 && least*10 > all/3
	})

	var count Word
	p.Await("a count", func() (any, bool) {
		_, words := told()
		for _, w := range words {
			if regexp.MustCompile(`^×\d+$`).MatchString(w.Words) && w.X > 200 && w.X < width-60 && w.Y > 20 && w.Y < height-20 {
				count = w
			}
		}
		return words, count.Words != ""
	})
	p.Point(left+count.X+8, top+count.Y-4)
	p.Says("First sent") // beside the pointer: the mean says little of seconds
	p.Click(left+count.X+8, top+count.Y-4)
	n := strings.TrimPrefix(count.Words, "×")
	p.Await("the bundle of the count", func() (any, bool) {
		words := p.Find("complementary", "What is selected").Text()
		return words, strings.HasPrefix(words, n+" messages")
	})
}
