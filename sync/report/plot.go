package report

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// A Plot is what the messages of a link say about its clock, as residuals against the estimate.
type Plot struct {
	A, B    string
	Note    string
	Class   Word
	Drawing Drawing
	Facts   []Figure
}

// choose picks the links that get a plot: those in use, then those that disagree, then the rest by their error.
func choose(s *network.Solution) []int {
	links := make([]int, len(s.Links))
	for i := range links {
		links[i] = i
	}
	rank := func(i int) int64 {
		k := &s.Links[i]
		known := k.ErrorMedian
		if known < 0 {
			known = math.MaxInt64 >> 3
		}
		switch {
		case k.InTree:
			return -1 << 62
		case k.Violations > 0 || k.Class == hull.Fail:
			return -1 << 61
		}
		return known
	}
	slices.SortStableFunc(links, func(i, j int) int { return cmp.Compare(rank(i), rank(j)) })
	return links[:min(len(links), MaxPlots)]
}

// plot draws the link when all its messages are on the paper.
func (p *paper) plot(s *network.Solution, l *network.LinkReport) Plot {
	k := p.link
	a, b := s.Hosts[k.A].Name, s.Hosts[k.B].Name
	plot := Plot{A: a, B: b, Class: classWord(k.Class), Facts: facts(s, k, l)}
	plot.Note = fmt.Sprintf("what each message says about %s's clock, minus the estimate", b)
	switch {
	case !p.known && k.Class == hull.Fail:
		plot.Note = "against the line that is nearest to fitting: none fits"
	case !p.known:
		plot.Note = "against slope 1: messages went one way only"
	case len(p.knots()) > 0:
		plot.Note += ", a tick where a piece ends"
	}
	if p.used != nil && len(k.Told) > 0 {
		plot.Note += "; the band is cut where other links show a step, and is drawn where it is known"
	}
	d := &plot.Drawing
	d.Width, d.Height = plotWidth, plotHeight
	d.Says = fmt.Sprintf("Messages between %s and %s around the estimate of the clock. %s", a, b, plot.Class.Means)
	p.axes(d, &s.Hosts[k.A], origin(s, k.A))
	p.drawBand(d)
	for side, class := range []string{"ab", "ba"} {
		r := &p.sides[side]
		d.path("dots "+class, r.cells(plotLeft, plotTop), "")
		d.path("near "+class, r.extremes(plotLeft, plotTop), "")
		edge := float64(plotTop)
		if side == 1 {
			edge = plotHeight - plotBottom - 4
		}
		d.path("off "+class, r.beyond(plotLeft, edge), "off the scale")
	}
	p.drawLines(d)
	p.drawCuts(d, b)
	p.words(d, a, b)
	return plot
}

// axes draws the scales. The paper is by the clock of a, the times on it count from origin by that of the reference, as those of the bounds do.
func (p *paper) axes(d *Drawing, a *network.Host, origin int64) {
	for _, v := range roundValues(-p.reach, p.reach, 7) {
		if math.Abs(v) > p.reach*0.97 {
			continue
		}
		d.path("grid", line(plotLeft, p.y(v), plotWidth-plotRight, p.y(v)), "")
		d.text("axis", "end", plotLeft-6, p.y(v)+4, axisLabel(v, p.reach, true))
	}
	for _, t := range timesBetween(float64(a.Map.Reference(p.begin)-origin), float64(a.Map.Reference(p.end)-origin), 6) {
		d.text("axis", "middle", min(p.x(a.Map.Local(origin+int64(t.ns))), plotWidth-20), plotHeight-7, t.label)
	}
}

// within holds a residual on the paper, for what leaves it is not drawn.
func (p *paper) within(v float64) float64 { return p.y(min(max(v, -p.reach), p.reach)) }

func (p *paper) trace(points [][2]float64) string {
	var path pen
	for i, q := range points {
		path.to(map[bool]byte{true: 'M', false: 'L'}[i == 0], q[0], p.within(q[1]))
	}
	return path.String()
}

func (p *paper) drawBand(d *Drawing) {
	from := 0
	for _, to := range append(slices.Clone(p.breaks), len(p.band)) {
		p.drawStretch(d, p.band[from:to])
		from = to
	}
}

// drawStretch draws a part of the band in which it is known throughout.
func (p *paper) drawStretch(d *Drawing, band [][3]int64) {
	if len(band) == 0 {
		return
	}
	high, low := make([][2]float64, len(band)), make([][2]float64, len(band))
	for i, b := range band {
		low[i] = [2]float64{p.x(b[0]), float64(b[1])}
		high[i] = [2]float64{p.x(b[0]), float64(b[2])}
	}
	back := slices.Clone(low)
	slices.Reverse(back)
	d.path("band", p.trace(slices.Concat(high, back))+"Z", "where the clock can be")
	d.path("rim ab", p.trace(high), "")
	d.path("rim ba", p.trace(low), "")
}

func (p *paper) drawLines(d *Drawing) {
	k := p.link
	if len(k.Path) == 0 {
		p.drawHull(d, "hull ab", k.Upper)
		p.drawHull(d, "hull ba", k.Lower)
		p.tangents(d)
	}
	if !p.known {
		return
	}
	d.path("midline", line(plotLeft, p.y(0), plotWidth-plotRight, p.y(0)), "the estimate")
	var ticks pen
	for _, t := range p.knots() {
		ticks.to('M', p.x(t), p.y(0)-4).to('v', 8)
	}
	d.path("knot", ticks.String(), "one piece ends and the next begins")
}

// drawHull draws a hull as far as it is on the paper, and its vertices.
func (p *paper) drawHull(d *Drawing, class string, points []hull.Point) {
	var way, vertices pen
	for i, q := range points {
		v := p.residual(q.X, q.Y)
		if i > 0 {
			if from, to, ok := p.clip(points[i-1], q); ok {
				way.to('M', from[0], from[1]).to('L', to[0], to[1])
			}
		}
		if math.Abs(v) <= p.reach {
			vertices.to('M', p.x(q.X), p.y(v)).to('h', 0)
		}
	}
	d.path(class, way.String(), "")
	d.path("vertex "+class[5:], vertices.String(), "")
}

// clip is the part of a straight line that is on the paper, in pixels.
func (p *paper) clip(a, b hull.Point) (from, to [2]float64, ok bool) {
	u, v := p.residual(a.X, a.Y), p.residual(b.X, b.Y)
	x, y := p.x(a.X), p.x(b.X)
	least, most := 0., 1.
	if u != v {
		s, t := (-p.reach-u)/(v-u), (p.reach-u)/(v-u)
		least, most = max(least, min(s, t)), min(most, max(s, t))
	} else if math.Abs(u) > p.reach {
		return from, to, false
	}
	at := func(share float64) [2]float64 { return [2]float64{x + share*(y-x), p.y(u + share*(v-u))} }
	return at(least), at(most), least < most
}

// tangents draws the flattest and the steepest line that fit.
func (p *paper) tangents(d *Drawing) {
	k := p.link
	for _, t := range []struct {
		slope *big.Rat
		words string
	}{{k.AlphaMin, "flattest"}, {k.AlphaMax, "steepest"}} {
		tangent, ok := k.Tangent(t.slope)
		if !ok {
			continue
		}
		m := tangent.Map(p.begin, p.end)
		from := hull.Point{X: p.begin, Y: m.Reference(p.begin)}
		to := hull.Point{X: p.end, Y: m.Reference(p.end)}
		if a, b, ok := p.clip(from, to); ok {
			d.path("tangent", line(a[0], a[1], b[0], b[1]), t.words+" line that fits")
			down := 14.
			if p.residual(to.X, to.Y) > 0 {
				down = -6
			}
			d.text("name", "end", plotWidth-plotRight-4, min(max(b[1]+down, plotTop+12), plotHeight-plotBottom-6), t.words)
		}
	}
}

// drawCuts shows the steps of the clock: while it may be before or after.
func (p *paper) drawCuts(d *Drawing, b string) {
	if p.corridor == nil {
		return
	}
	for i, s := range p.corridor.Steps() {
		from, to := p.x(max(s.From, p.begin)), p.x(min(s.To, p.end))
		size := float64(s.Least) + (float64(s.Most)-float64(s.Least))/2
		words := fmt.Sprintf("step: %s set by %s", b, stepSize(size))
		d.path("cut", rectangle(from, plotTop, max(to-from, 1.5), plotHeight-plotTop-plotBottom), words)
		anchor, x := "start", max(to, from+1.5)+5
		if x+textWidth(words) > plotWidth-plotRight {
			anchor, x = "end", from-5
		}
		d.text("name cutname", anchor, x, plotTop+44+float64(i%3)*16, words)
	}
}

func stepSize(ns float64) string {
	if ns < 0 {
		return minus + about(-ns)
	}
	return "+" + about(ns)
}

func (p *paper) words(d *Drawing, a, b string) {
	d.text("name ab", "start", plotLeft+8, plotTop+14, fmt.Sprintf("%s → %s: %s cannot be later than these", a, b, b))
	d.text("name ba", "start", plotLeft+8, plotHeight-plotBottom-8, fmt.Sprintf("%s → %s: %s cannot be earlier than these", b, a, b))
}
