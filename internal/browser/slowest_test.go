package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A cell of the matrix that is pressed, and all others, stay where they are and as large, on any screen.
func TestMatrixStays(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for _, size := range [][2]int64{{1280, 720}, {1440, 900}, {2300, 1300}, {3840, 2160}} {
		for _, query := range []string{"window=all", "begin=1795229355183964261&end=1795229355753964261"} {
			p.Resize(size[0], size[1])
			p.Open(s.page(set, "?tab=messages&"+query))
			p.Matches(`(In|Over) the whole set, client and web exchanged most`)
			cells := func() string {
				return Eval[string](p, `[...document.querySelectorAll("#messages .matrix td")].map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].join(" "); }).join("\n")`)
			}
			was := cells()
			at := Eval[[]float64](p, `(() => { const b = [...document.querySelectorAll("#messages .matrix td.some")].pop().getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
			p.Click(at[0], at[1])
			p.Says("How latencies spread")
			p.Await("the dots", func() (any, bool) {
				high := Eval[float64](p, `document.querySelector("#messages .dots canvas")?.clientHeight ?? 0`)
				return high, high > 100
			})
			p.frame()
			if is := cells(); is != was {
				before, _, _ := strings.Cut(was, "\n")
				after, _, _ := strings.Cut(is, "\n")
				t.Errorf("at %v, %s, the first cell had the place and the size %s, and has %s; others moved too, or alone", size, query, before, after)
			}
		}
	}
}

// The slowest message has its whole dot in the plot, with room beside it, away from the words; a press leads to it.
func TestSlowestMessageInThePlot(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, "?tab=messages&window=all"))
	p.Says("exchanged most")
	// What is drawn of messages to cache: squares, the slowest lowest.
	Eval[any](p, `(() => {
		const plain = CanvasRenderingContext2D.prototype.fillRect;
		CanvasRenderingContext2D.prototype.fillRect = function (x, y, w, h) {
			if (this.canvas.ariaLabel?.startsWith("Latencies over time")) {
				if (x === 0 && y === 0) window.squares = [];
				else if (Math.abs(w) <= 8 && Math.abs(h) <= 8 && w > 1) window.squares.push([x, y, w, h]);
			}
			return plain.call(this, x, y, w, h);
		};
	})()`)
	p.Find("button", "cache ↔ client").Click()
	p.Says("22 messages")
	plot := p.Canvas("Latencies over time")
	x, y, _, height := plot.Box()
	var lowest []float64
	p.Await("a whole square of the slowest message", func() (any, bool) {
		squares := Eval[[][]float64](p, "window.squares ?? []")
		lowest = []float64{0, 0, 0, 0}
		for _, q := range squares {
			if q[1]+q[3] > lowest[1]+lowest[3] {
				lowest = q
			}
		}
		return fmt.Sprint(len(squares), lowest, height), lowest[2] >= 3 && math.Abs(lowest[2]-lowest[3]) < 0.1 && lowest[1]+lowest[3] <= height-22-16
	})
	p.Point(x+lowest[0]+lowest[2]/2, y+lowest[1]+lowest[3]/2)
	p.Matches(`client to cache in 7\.9\d* ms`)

	// So has the bar of the longest latency, which is as broad as the others.
	bars := must[[]int](p.Canvas("Histogram of the latencies").Element, pixels(`
		const y = Math.round(this.clientHeight / 2) + 4, d = read(y, y + 1), user = color("--user");
		const is = (x) => user.every((v, k) => Math.abs(v - d[4 * x + k]) <= 24);
		const widths = [];
		for (let x = 0, n = 0; x <= this.width; x++) if (x < this.width && is(x)) n++; else { if (n > 2) widths.push(n); n = 0; }
		return widths;`))
	if n := len(bars); n < 3 || bars[n-1] < bars[0]-1 {
		t.Errorf("the bars are so many pixels wide: %v", bars)
	}
}
