package browser

import (
	"fmt"
	"math"
	"testing"
)

// The steepest and the flattest line of a link have their names beside them on both sides of where they cross, and neither name lies on the other.
func TestNamesOfLines(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	for at, window := range map[string]string{
		"ahead of it, near":  "1795229365264688943~1795229365930064000",
		"ahead of it, far":   "1795229353264688943~1795229356930064000",
		"behind it, near":    "1795229371264688943~1795229372930064000",
		"behind it, far":     "1795229383264688943~1795229386930064000",
		"with both and more": "1795229353264688943~1795229386930064000",
	} {
		p.Resize(Width, Height)
		p.Open(s.page(set, "?tab=sync&link=client~web&plot="+window))
		p.Says("the steepest and the flattest line that fit")
		drawn := p.Canvas("The constraint points").Listen()
		p.Resize(Width-2, Height)
		fit := p.Color("--ink2")
		p.AwaitRest("names beside their lines, "+at, func() (string, bool) {
			lines, words := drawn()
			ends := map[string]float64{} // y of the lines at their right ends, by name: both go up or down there
			var fits []Line
			for _, l := range lines {
				if l.Color == fit && math.Abs(l.Width-1.3) < 0.01 {
					fits = append(fits, l)
				}
			}
			named := map[string]float64{}
			for _, w := range words {
				if w.Words == "steepest" || w.Words == "flattest" {
					named[w.Words] = w.Y
				}
			}
			saw := fmt.Sprint(fits, named)
			if len(fits) != 2 || len(named) != 2 {
				return saw, false
			}
			if fits[0].Y1-fits[0].Y0 < fits[1].Y1-fits[1].Y0 { // what rises has a smaller y
				ends["steepest"], ends["flattest"] = fits[0].Y1, fits[1].Y1
			} else {
				ends["steepest"], ends["flattest"] = fits[1].Y1, fits[0].Y1
			}
			for name, y := range named {
				if math.Abs(y-ends[name]) > 30 {
					return saw, false
				}
			}
			return saw, math.Abs(named["steepest"]-named["flattest"]) >= 13
		})
	}
}
