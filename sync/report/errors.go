package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"synchroscope/sync/network"
)

const (
	errorWidth  = 1000
	errorHeight = 280
	errorLeft   = 62
	errorRight  = 90
	errorTop    = 10
	errorBottom = 24
	// mostNames is how many lines have their name beside them; there is no room for more.
	mostNames = 16
)

// drawErrors draws the bound of each host over the time of its reference: one chart for each component of two hosts or more.
func drawErrors(s *network.Solution) []Chart {
	var charts []Chart
	for i := range s.Hosts {
		if int(s.Hosts[i].Reference) != i {
			continue
		}
		var hosts []*network.Host
		for j := range s.Hosts {
			if h := &s.Hosts[j]; int(h.Reference) == i && j != i && len(h.Map.Bounds()) > 0 {
				hosts = append(hosts, h)
			}
		}
		if len(hosts) == 0 {
			continue
		}
		c := Chart{Title: "Error over time", Note: "half-width of what the messages allow, against " + s.Hosts[i].Name, Drawing: drawBounds(hosts, s.Hosts[i].Name, origin(s, int32(i)))}
		if int32(i) == s.Reference {
			charts = slices.Insert(charts, 0, c)
		} else {
			charts = append(charts, c)
		}
	}
	return charts
}

// origin is when the first of the hosts that messages relate to one began to record, reference time: times on the page count from it.
func origin(s *network.Solution, host int32) int64 {
	first := int64(math.MaxInt64)
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Component == s.Hosts[host].Component {
			first = min(first, h.Map.Reference(h.Begin))
		}
	}
	return first
}

func drawBounds(hosts []*network.Host, reference string, origin int64) Drawing {
	begin, end := int64(math.MaxInt64), int64(math.MinInt64)
	least, most := int64(math.MaxInt64), int64(0)
	for _, h := range hosts {
		bounds := h.Map.Bounds()
		begin, end = min(begin, h.Map.Reference(bounds[0][0])), max(end, h.Map.Reference(bounds[len(bounds)-1][0]))
		low, high := extremes(h)
		least, most = min(least, low), max(most, high)
	}
	end = max(end, begin+1)
	d := Drawing{Width: errorWidth, Height: errorHeight}
	d.Says = fmt.Sprintf("The error bound of %s against %s over time: between %s and %s. The table of hosts has the figures.", counted(len(hosts), "host"), reference, plusMinus(least), bound(most))
	scale := newHeightScale(float64(least), float64(most), errorTop, errorHeight-errorBottom)
	for _, v := range scale.marks() {
		largest := scale.high
		if scale.log {
			largest = v
		}
		d.path("grid", line(errorLeft, scale.y(v), errorWidth-errorRight, scale.y(v)), "")
		d.text("axis", "end", errorLeft-6, scale.y(v)+4, axisLabel(v, largest, false))
	}
	first, last := float64(begin-origin), float64(end-origin)
	for _, t := range timesBetween(first, last, 8) {
		d.text("axis", "middle", errorLeft+(errorWidth-errorLeft-errorRight)*(t.ns-first)/(last-first), errorHeight-7, t.label)
	}
	type name struct {
		y     float64
		text  string
		class string
	}
	var names []name
	for i, h := range hosts {
		class := fmt.Sprintf("h%d d%d", i%hues, i/2%dashes)
		path, last := boundPath(h, begin, end, scale)
		d.path("bound "+class, path, fmt.Sprintf("%s: %s", h.Name, between(extremes(h))))
		names = append(names, name{last + 4, h.Name, "bound-name " + class})
	}
	slices.SortStableFunc(names, func(p, q name) int { return cmp.Compare(p.y, q.y) })
	if more := len(names) - mostNames; more > 1 {
		names = append(names[:mostNames], name{text: "and " + counted(more, "other"), class: "axis"})
	}
	for i := 1; i < len(names); i++ {
		names[i].y = max(names[i].y, names[i-1].y+14)
	}
	up := max(0, names[len(names)-1].y-(errorHeight-errorBottom)) // as many as there are, above the axis
	for i, n := range names {
		d.text(n.class, "start", errorWidth-errorRight+6, max(n.y-up, errorTop+4+14*float64(i)), n.text)
	}
	return d
}

const (
	hues   = 6
	dashes = 4
)

func extremes(h *network.Host) (least, most int64) {
	least = math.MaxInt64
	for _, b := range h.Map.Bounds() {
		least, most = min(least, b[1]), max(most, b[1])
	}
	return least, most
}

// boundPath is the bound as steps, for between two entries the larger holds. Where entries are closer than pixels, each column has
// the largest bound in it. last is the height at the end.
func boundPath(h *network.Host, begin, end int64, scale heightScale) (path string, last float64) {
	width := float64(errorWidth - errorLeft - errorRight)
	x := func(local int64) float64 {
		return errorLeft + width*float64(h.Map.Reference(local)-begin)/float64(end-begin)
	}
	var p pen
	bounds := h.Map.Bounds()
	step := func(from, to, v float64, first bool) {
		last = scale.y(v)
		if first {
			p.to('M', from, last)
		} else {
			p.to('V', last)
		}
		p.to('H', to)
	}
	if len(bounds) <= int(width) {
		for i := 0; i+1 < len(bounds); i++ {
			step(x(bounds[i][0]), x(bounds[i+1][0]), float64(max(bounds[i][1], bounds[i+1][1])), i == 0)
		}
		if len(bounds) == 1 {
			step(x(bounds[0][0]), x(bounds[0][0])+1, float64(bounds[0][1]), true)
		}
		return p.String(), last
	}
	first, final := bounds[0][0], bounds[len(bounds)-1][0]
	columns := max(1, int(math.Ceil(x(final)-x(first))))
	at := func(column int) int64 {
		return first + int64(float64(final-first)*float64(column)/float64(columns))
	}
	for c := range columns {
		worst, ok := h.Map.Worst(at(c), at(c+1))
		if ok {
			step(x(at(c)), x(at(c+1)), float64(worst), c == 0)
		}
	}
	return p.String(), last
}
