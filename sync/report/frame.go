package report

import (
	"math"
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// The sizes of a plot, in pixels.
const (
	plotWidth  = 1000
	plotHeight = 310
	plotLeft   = 66
	plotRight  = 10
	plotTop    = 6
	plotBottom = 24
)

// A frame is the ground of a link's plot: which times and residuals it has room for, and what stands on it before any message.
type frame struct {
	link       *network.Link
	begin, end int64 // a's local time
	map_       *clock.Map
	known      bool
	corridor   *hull.Corridor // by the link's own messages
	used       *hull.Corridor // that bounds rest on, cut where other links show steps
	band       [][3]int64     // of the latter: a's time, lowest and highest residual
	breaks     []int          // places in the band from which it is known again
	reach      float64        // the largest residual that there is room for, ns
}

// bandSamples is at how many even instants the band is taken, beside those that matter.
const bandSamples = 256

func newPaper(k *network.Link, messages *network.Evidence) *paper {
	f := &frame{link: k, begin: math.MaxInt64, end: math.MinInt64}
	var kept []hull.Point
	for _, points := range [][]hull.Point{messages.Points(hull.Upper), messages.Points(hull.Lower), k.Upper, k.Lower} {
		for _, p := range points {
			f.begin, f.end = min(f.begin, p.X), max(f.end, p.X)
		}
		kept = append(kept, points...)
	}
	if f.begin >= f.end { // one message, or several at one time
		f.begin, f.end = f.begin-500, f.begin+500
	}
	f.map_, f.known = estimate(k, f.begin, f.end)
	f.corridor, f.used = messages.Corridor(k), messages.Used(k)
	f.setBand()
	f.setReach(kept)
	width, height := float64(plotWidth-plotLeft-plotRight), float64(plotHeight-plotTop-plotBottom)
	return &paper{f, [2]raster{newRaster(width, height, true), newRaster(width, height, false)}}
}

func (f *frame) residual(x, y int64) float64 { return float64(y - f.map_.Reference(x)) }

func (f *frame) x(at int64) float64 {
	return plotLeft + (plotWidth-plotLeft-plotRight)*float64(at-f.begin)/float64(f.end-f.begin)
}

func (f *frame) y(v float64) float64 {
	middle := (plotTop + plotHeight - plotBottom) / 2.
	return middle - v/f.reach*(plotHeight-plotTop-plotBottom)/2
}

func (f *frame) setBand() {
	if f.used == nil {
		return
	}
	unknown := false
	for _, x := range f.used.Instants(f.begin, f.end, bandSamples, f.knots()) {
		lo, hi, ok := f.used.Band(x)
		if !ok {
			unknown = true
			continue
		}
		if unknown && len(f.band) > 0 {
			f.breaks = append(f.breaks, len(f.band))
		}
		unknown = false
		f.band = append(f.band, [3]int64{x, lo - f.map_.Reference(x), hi - f.map_.Reference(x)})
	}
}

// setReach gives room for the band and what is usual of the hulls, not for the last straggler, beside which they would be a line.
// Beside a step the band may be as wide as the step; what holds nearly everywhere is what is to be seen.
func (f *frame) setReach(kept []hull.Point) {
	var last float64
	for _, p := range kept {
		last = max(last, math.Abs(f.residual(p.X, p.Y)))
	}
	var hulls, band []float64
	for _, p := range slices.Concat(f.link.Upper, f.link.Lower) {
		hulls = append(hulls, math.Abs(f.residual(p.X, p.Y)))
	}
	for _, b := range f.band {
		band = append(band, max(math.Abs(float64(b[1])), math.Abs(float64(b[2]))))
	}
	wide := quantile(band, 1) * 1.5
	if len(f.link.Path) > 0 {
		wide = quantile(band, 0.95) * 2.5
		hulls = nil // of a line, which this is not
	}
	f.reach = min(last*1.08, max(wide, quantile(hulls, 0.5)*3.5))
	if f.reach == 0 {
		f.reach = last
	}
	f.reach = max(f.reach, 1)
}

func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(len(values)-1, int(float64(len(values))*share))]
}

// knots are where one piece of the estimate ends and the next begins.
func (f *frame) knots() []int64 {
	if len(f.link.Path) < 3 {
		return nil
	}
	var at []int64
	for _, p := range f.link.Path[1 : len(f.link.Path)-1] {
		if p.X > f.begin && p.X < f.end {
			at = append(at, p.X)
		}
	}
	return at
}
