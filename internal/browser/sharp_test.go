package browser

import (
	"math"
	"testing"
)

// A window that goes to another screen is drawn with the pixels of that one, though its size stays.
func TestSharpOnAnotherScreen(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.threadRow("dbwork, thread 205")
	states := func() float64 { return float64(p.Canvas("Control flow").Count("--user")) }
	p.Press("+")
	plain := 0.0
	p.Await("states", func() (any, bool) { plain = states(); return plain, plain > 100 })
	for _, ratio := range []float64{2, 1.5, 1} {
		p.Resolution(Width, Height, ratio)
		// A screen that is played tells no page that it is another one, so something has to be drawn.
		p.Press("ArrowRight")
		for _, name := range []string{"Control flow", "Time axis", "Events over the whole set"} {
			p.Await("the pixels of the screen", func() (any, bool) {
				v := must[[]float64](p.Canvas(name).Element, `function() { return [devicePixelRatio, this.width, this.height, this.clientWidth, this.clientHeight] }`)
				return v, v[0] == ratio && math.Abs(v[1]-ratio*v[3]) <= 1 && math.Abs(v[2]-ratio*v[4]) <= 1
			})
		}
		p.Await("states as large as before", func() (any, bool) {
			share := states() / plain / (ratio * ratio)
			return share, share > 0.8 && share < 1.25
		})
	}
}
