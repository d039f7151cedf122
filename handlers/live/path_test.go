package live

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/internal/raced"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// bent draws the messages of a minute between clocks whose rates drift apart by up to
// 60 ppm, and the path that the hull package finds for them; jump is what b's clock is
// set by half way.
func bent(t *rapid.T, jump int64) (*network.Link, []constraint) {
	period := rapid.Float64Range(20, 60).Draw(t, "period")
	delay := rapid.Int64Range(1e3, 100e3)
	var series hull.Series
	var points []constraint
	n := rapid.IntRange(300, 600).Draw(t, "messages")
	for i := range int64(n) {
		x := epoch + i*60e9/int64(n)
		y := x - 3e9 + int64(30e3*period/math.Pi*math.Sin(float64(i)*60/float64(n)/period*2*math.Pi))
		if 2*i >= int64(n) {
			y += jump
		}
		p := constraint{hull.Point{X: x, Y: y + delay.Draw(t, "delay")}, 0}
		if i%2 == 1 {
			p = constraint{hull.Point{X: x, Y: y - delay.Draw(t, "delay")}, 1}
		}
		points = append(points, p)
		series.Add(hull.Side(p.direction), p.Point)
	}
	fit := series.Fit()
	if !fit.OK {
		t.Fatalf("nothing fits, %v", fit.Cuts)
	}
	corridor := series.Corridor(fit, fit.Cap)
	at := spanOf(points)
	path, ok := series.Path(fit, corridor, at.begin, at.end)
	if !ok {
		t.Fatal("no path")
	}
	return &network.Link{A: 0, B: 1, Class: hull.Accurate, Path: path, RateCap: fit.Cap.PerSecond()}, points
}

// onPath is y minus the path in rational arithmetic.
func onPath(path []hull.Point, x, y int64) float64 {
	i := 1
	for i < len(path)-1 && path[i].X < x {
		i++
	}
	p, q := path[i-1], path[i]
	r := big.NewRat(q.Y-p.Y, q.X-p.X)
	r.Mul(r, new(big.Rat).SetInt64(x-p.X))
	r.Sub(new(big.Rat).SetInt64(y-p.Y), r)
	f, _ := r.Float64()
	return f
}

// driftAt is a drift, straight from one of its points to the next.
func driftAt(drift [][2]float64, x float64) float64 {
	i := 1
	for i < len(drift)-1 && drift[i][0] < x {
		i++
	}
	p, q := drift[i-1], drift[i]
	return p[1] + (q[1]-p[1])*(x-p[0])/max(1, q[0]-p[0])
}

// The plot of a path: exact residuals, the path within the band, and every message on its side
// of the path and of the band as it is drawn.
func TestPlotOfPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		link, points := bent(t, 0)
		line, midline := estimateOf(link)
		out := plot{line, spanOf(points)}.body(link, evidenceOf("a", "b", points), points)
		if !midline || len(link.Path) < 3 || len(out.Knots) != len(link.Path)-2 || len(out.Cuts) > 0 {
			t.Fatalf("midline %v, %d knots of %d, cuts %v", midline, len(out.Knots), len(link.Path), out.Cuts)
		}
		if out.Upper != nil || out.Lower != nil || out.Lmin != nil || out.Lmax != nil {
			t.Fatal("a path has the hulls of a line")
		}
		for i, k := range link.Path[1 : len(link.Path)-1] {
			if want := float64(k.X - int64(out.Begin)); out.Knots[i] != want {
				t.Fatalf("knot %d is at %v, want %v", i, out.Knots[i], want)
			}
		}
		for _, b := range out.Band {
			if b[1] > 1 || b[2] < -1 {
				t.Fatalf("the path leaves the band %v", b)
			}
		}
		for i, p := range points {
			want := onPath(link.Path, p.X, p.Y)
			if got := out.Points[i]; got != [3]float64{float64(p.X - int64(out.Begin)), want, float64(p.direction)} {
				t.Fatalf("point %v, want y %v", got, want)
			}
			if got, want := driftAt(out.Drift, out.Points[i][0])+out.Points[i][1], float64(p.Y-p.X-int64(out.Ahead)); math.Abs(got-want) > 1 {
				t.Fatalf("by point %d b is ahead of a by %v more than at the begin, want %v", i, got, want)
			}
			j, found := slices.BinarySearchFunc(out.Band, out.Points[i][0], func(b [3]float64, x float64) int { return cmp.Compare(b[0], x) })
			if !found && j > 0 && j < len(out.Band) && inside(out.Band[j-1], out.Band[j], [2]float64(out.Points[i][:2]), p.direction) {
				t.Fatalf("point %v lies in the band between %v and %v", out.Points[i], out.Band[j-1], out.Band[j])
			}
		}
	})
}

// A step is cut out, and its size is what the clock was set by, to the error that is given.
func TestPlotOfStep(t *testing.T) {
	raced.Alone(t)
	rapid.Check(t, func(t *rapid.T) {
		jump := rapid.SampledFrom([]int64{50e6, -50e6, 3e9, 3600e9}).Draw(t, "jump")
		link, points := bent(t, jump)
		line, _ := estimateOf(link)
		out := plot{line, spanOf(points)}.body(link, evidenceOf("a", "b", points), points)
		if len(out.Cuts) != 1 {
			t.Fatalf("cuts %v, want one", out.Cuts)
		}
		c := out.Cuts[0]
		if c[0] < 0 || c[0] > 30e9 || c[1] < 29e9 || c[0] >= c[1] || c[1] > float64(out.End-out.Begin) {
			t.Errorf("the step is from %v to %v", c[0], c[1])
		}
		if off := math.Abs(c[2] - float64(jump)); off > c[3] || c[3] > 5e6 {
			t.Errorf("a step of %d is found as %v ± %v", jump, c[2], c[3])
		}
	})
}

// The same messages allow the same, whichever host has the lower id.
func TestCorridorTurned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		link, points := bent(t, 0)
		line, _ := estimateOf(link)
		band := plot{line, spanOf(points)}.body(link, evidenceOf("b", "a", points), points).Band
		if len(band) < samples/2 {
			t.Fatalf("a band at %d instants", len(band))
		}
		for _, b := range band {
			if b[1] > 50e3 || b[2] < -50e3 || b[2]-b[1] > 1e6 {
				t.Fatalf("band %v", b)
			}
		}
	})
}

// Where other links show steps the band is cut, and broken where no message is in between.
func TestBandOfPlotIsBroken(t *testing.T) {
	var points []constraint
	for i := range int64(60) {
		x := epoch + i*1e9
		points = append(points, constraint{hull.Point{X: x, Y: x + 50e3}, 0}, constraint{hull.Point{X: x + 1000, Y: x - 50e3}, 1})
	}
	link := &network.Link{A: 0, B: 1, Class: hull.Accurate, Path: []hull.Point{{X: epoch, Y: epoch}, {X: epoch + 30e9, Y: epoch + 30e9}, {X: epoch + 60e9, Y: epoch + 60e9}}, RateCap: hull.Crystals.PerSecond()}
	line, _ := estimateOf(link)
	for _, cuts := range [][]hull.Cut{nil, {{From: epoch + 20e9, To: epoch + 29.5e9}, {From: epoch + 29.7e9, To: epoch + 40e9}}} {
		link.Told = cuts
		out := plot{line, spanOf(points)}.body(link, evidenceOf("a", "b", points), points)
		if told := len(cuts) > 0; out.Told != told || len(out.Breaks) > 0 != told {
			t.Fatalf("%d cuts: told %v, breaks %v", len(cuts), out.Told, out.Breaks)
		}
		for _, i := range out.Breaks {
			if from, to := out.Band[i-1][0], out.Band[i][0]; from < 20e9-1e9 || to > 40e9+1e9 {
				t.Errorf("nothing is known from %g to %g", from, to)
			}
		}
	}
}
