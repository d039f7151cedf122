package browser

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// Of many hosts the plot of errors has more room than the words above it, nothing of it scrolls, and no name stands among its times.
func TestRoomForManyErrors(t *testing.T) {
	var pairs []string
	for i := range 24 {
		pairs = append(pairs, fmt.Sprintf("hub-h%d", i+1))
	}
	s := newSite(t, ingest.Options{})
	set := s.simulated("crowd", described(strings.Join(pairs, " ")))
	p := NewPage(t)
	p.Resize(1430, 900)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("Named: the worst, and those of the chosen link.")
	drawn := p.Canvas("The error bound of each host").Listen()
	p.Resize(1440, 900)
	p.Await("room for the plot", func() (any, bool) {
		heights := Eval[[4]float64](p, `(() => {
			const [card, plot, words] = ["", " .canvas", " .readout"].map((css) => document.querySelector(".oferrors" + css));
			return [card.clientHeight, card.scrollHeight, plot.clientHeight, words.clientHeight];
		})()`)
		_, words := drawn()
		var more, time float64
		for _, w := range words {
			switch {
			case strings.HasSuffix(w.Words, " more"):
				more = w.Y
			case w.Y > time:
				time = w.Y
			}
		}
		return fmt.Sprint(heights, more, time, words), heights[1] <= heights[0] && heights[2] >= 150 && heights[2] > heights[3] && more > 0 && more < time-11
	})
}
