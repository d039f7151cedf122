package browser

import (
	"fmt"
	"regexp"
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

// What is told beside the cursor of many errors is on the plot whole, however long the names are and wherever the cursor is.
func TestNameBesideTheCursorOfErrors(t *testing.T) {
	var pairs []string
	for i := range 9 {
		pairs = append(pairs, fmt.Sprintf("hub-h%d", i+1))
	}
	s := newSite(t, ingest.Options{})
	set := s.simulated("crowd", regexp.MustCompile(`\bh(\d)\b`).ReplaceAllString(described(strings.Join(pairs, " ")), "production-worker-$1-eu-central-1b"))
	p := NewPage(t)
	for _, size := range sizes {
		p.pull(size)
		p.Open(s.page(set, "?tab=sync"))
		p.Says("Named: the worst, and those of the chosen link.")
		plot := p.Canvas("The error bound of each host")
		drawn := plot.Listen()
		Eval[bool](p, `(document.querySelector(".oferrors").scrollIntoView({block: "center"}), true)`)
		x, y, width, height := plot.Box()
		for _, share := range []float64{0.25, 0.4, 0.5, 0.6} {
			p.Point(x+share*width, y+height/2)
			p.Await(fmt.Sprintf("at %d pixels of width, the name at %g of the plot", size[0], share), func() (any, bool) {
				_, words := drawn()
				for _, w := range words {
					if strings.Contains(w.Words, "±") {
						ends := w.X + Eval[float64](p, fmt.Sprintf(`(() => { const g = document.querySelector(".oferrors canvas").getContext("2d"); return g.measureText(%q).width })()`, w.Words))
						return fmt.Sprintf("%q from %g to %g of %g", w.Words, w.X, ends, width), w.X >= 62 && ends <= width-62
					}
				}
				return words, false
			})
		}
	}
}
