package browser

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

// A finger along the error over time reads it, and what it read stays when it is lifted; so it is where it only touched.
func TestFingersOnTheErrors(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, 768, 1024)
	p.Open(s.page(set, "?tab=sync"))
	p.Says("Point at the plot")
	plot := p.Canvas("The error bound of each host")
	must[any](plot.Element, "function() { this.scrollIntoView({ block: 'center' }); return null }")
	p.rest()
	x, y, width, height := plot.Box()
	read := func(what string, share float64) {
		t.Helper()
		p.Await(what, func() (any, bool) {
			words := Eval[string](p, `document.querySelector(".oferrors .slider").getAttribute("aria-valuetext")`)
			now := Eval[float64](p, `(() => { const s = document.querySelector(".oferrors .slider"); return Number(s.getAttribute("aria-valuenow")) / Number(s.getAttribute("aria-valuemax")) })()`)
			return fmt.Sprint(now, " ", words), math.Abs(now-share) < 0.06 && strings.Contains(words, "±")
		})
	}
	const left, right = 62, 70 // of the plot; names may take more at the right
	place := func(share float64) [2]float64 { return [2]float64{x + left + share*(width-left-right), y + height/2} }
	p.fingers("touchStart", place(0.8))
	p.fingers("touchEnd")
	read("what a finger touched", 0.8)
	p.drawn([][2]float64{place(0.8)}, [][2]float64{place(0.3)})
	read("where a finger went", 0.3)
	p.fingers("touchStart", place(0.6))
	p.fingers("touchEnd")
	read("what a finger touched", 0.6)
}

// A finger along the bars of two hosts' messages reads them, and what it read stays; a touch of a dot of their latencies shows its message.
func TestFingersOnTheLatencies(t *testing.T) {
	s, set := demoSite(t)
	p := touched(t, 768, 1024)
	p.Open(s.page(set, "?tab=messages&pair=client~web&exchanged=set"))
	p.Says("Point at a dot")
	plot := p.Canvas("Latencies over time")
	must[any](plot.Element, "function() { this.scrollIntoView({ block: 'center' }); return null }")
	p.rest()
	readout := func() string {
		return spaces.Replace(Eval[string](p, `document.querySelector(".pair .readout").innerText`))
	}

	x, y, width, height := p.Canvas("Messages over time").Box()
	p.drawn([][2]float64{{x + width*0.3, y + height/2}}, [][2]float64{{x + width*0.6, y + height/2 + 3}})
	p.Await("what a finger came to", func() (any, bool) {
		words := readout()
		return words, regexp.MustCompile(`messages? in .* from 2\d\.\d+ s; a press shows them`).MatchString(words)
	})

	// Where a dot is the mouse tells.
	x, y, width, height = plot.Box()
	var dot [2]float64
	var of string
	for share := 0.3; of == "" && share < 0.7; share += 0.004 {
		dot = [2]float64{x + width*share, y + height*0.4}
		p.Point(dot[0], dot[1])
		if words := readout(); regexp.MustCompile(`(client to web|web to client) in `).MatchString(words) {
			of = words
		}
	}
	if of == "" {
		t.Fatal("the mouse comes to no dot")
	}
	p.Point(3, 3)
	p.Await("nothing pointed at", func() (any, bool) { w := readout(); return w, strings.Contains(w, "Point at a dot") })

	// One that moves the page leaves nothing to be read.
	p.drawn([][2]float64{dot}, [][2]float64{{dot[0], dot[1] + 150}})
	p.Await("nothing read", func() (any, bool) { w := readout(); return w, strings.Contains(w, "Point at a dot") })
	must[any](plot.Element, "function() { this.scrollIntoView({ block: 'center' }); return null }")
	p.AwaitRest("the plot in sight", func() (string, bool) {
		left, top, _, _ := plot.Box()
		dot[0], x = dot[0]+left-x, left
		dot[1], y = dot[1]+top-y, top
		return fmt.Sprint(dot), dot[1] > 100 && dot[1] < 900
	})
	p.fingers("touchStart", dot)
	p.fingers("touchEnd")
	p.Matches(`Message (client → web|web → client) .* Sent .* Received`)
}
