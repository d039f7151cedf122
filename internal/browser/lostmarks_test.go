package browser

import (
	"strings"
	"testing"

	"synchroscope/ingest"
)

// stripesOf is how often, along a line of the strip over everything, what was lost begins anew: hatching has many.
func stripesOf(p *Page) int {
	return must[int](p.Canvas("Events over the whole set").Element, pixels(`
		const d = read(30, 31);
		let n = 0, was = false;
		for (let x = 0; x < this.width; x++) {
			const is = d[4 * x] - d[4 * x + 1] > 40; // red beyond the shade
			if (is && !was) n++;
			was = is;
		}
		return n;`))
}

// Losses are seen on the strip over everything, told by hatching and words, whatever the window over it; a short one has a mark. Words are
// there for who hears the strip, and at the mouse.
func TestLossesOnTheStrip(t *testing.T) {
	p := recordedPage(t, "hello-lost.tar.gz", "?window=all")
	p.Says("967 700 lost")
	p.Canvas("Events over the whole set; 967\u202f700 lost, hatched")
	for _, key := range []string{"", "+", "+", "+"} {
		if key != "" {
			for range 4 {
				p.Press(key)
			}
		}
		p.Await("hatching on all of the strip", func() (any, bool) { n := stripesOf(p); return n, n > 50 })
	}
	x, y, width, height := p.Canvas("Events over the whole set").Box()
	p.Point(x+width/5, y+height/2)
	p.Matches(`Lost up to [\d ]+ events`)

	Eval[any](p, `(() => {
		const plain = CanvasRenderingContext2D.prototype.fillText;
		CanvasRenderingContext2D.prototype.fillText = function (words, ...at) {
			if (this.canvas.ariaLabel?.startsWith("Events over")) window.told = [...(window.told ?? []), words];
			return plain.call(this, words, ...at);
		};
	})()`)
	p.Resize(1280, 720)
	p.Await("words on the strip", func() (any, bool) {
		words := Eval[[]string](p, "window.told ?? []")
		return words, len(words) > 0 && words[0] == "⚠ lost"
	})

	// A stretch of two pixels.
	s := newSite(t, ingest.Options{})
	set := s.written("short", strings.NewReplacer("discarded=9", "discarded=4", "3.000000000 sched", "2.005000000 sched").Replace(lossy))
	p = NewPage(t)
	p.Open(s.page(set, "?window=all"))
	p.Says("4 lost")
	p.Await("a mark that is broader than the stretch", func() (any, bool) {
		red := must[[]int](p.Canvas("Events over the whole set").Element, pixels(`
			const warn = through("--brush", color("--warn"));
			return [6, 9].map((y) => {
				const d = read(y, y + 1);
				let n = 0;
				for (let i = 0; i < 4 * this.width; i += 4) if (warn.every((v, k) => Math.abs(v - d[i + k]) <= 2)) n++;
				return n;
			});`))
		return red, red[0] >= 2 && red[0] <= 6 && red[1] >= 7 && red[1] <= 14
	})
	if *statesDir != "" {
		p.keep(*statesDir, "strip-short-loss")
	}
}
