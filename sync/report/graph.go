package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

const (
	graphWidth = 1000
	nodeRadius = 17
	// mostChecks is how many links that are not in use the graph shows, the best of them.
	mostChecks = 200
)

// A Key is an entry of a legend: a class of the style and what it stands for.
type Key struct{ Class, Means string }

// tiers are the classes of an edge by the bound of its link.
var tiers = []struct {
	most  int64
	class string
	means string
}{
	{10_000, "e0", "10 µs or better"},
	{100_000, "e1", "100 µs or better"},
	{1_000_000, "e2", "1 ms or better"},
	{math.MaxInt64, "e3", "worse than 1 ms"},
}

func edgeClass(k *network.Link) string {
	switch {
	case k.Class == hull.Fail:
		return "ebad"
	case k.ErrorMedian < 0:
		return "enone"
	}
	for _, t := range tiers {
		if k.ErrorMedian <= t.most {
			return t.class
		}
	}
	return "e3"
}

// A place is where a host stands, and the middle of its component.
type place struct {
	x, y, cx, cy float64
	r            float64 // of its circle
	tree, leaf   bool    // in a tree from left to right; at the end of it
}

// drawGraph draws hosts and links: each component for itself, around its reference, so that the way to the reference is the way to
// the middle.
func drawGraph(s *network.Solution) (Drawing, []Key) {
	places, height := arrange(s)
	d := Drawing{Width: graphWidth, Height: height}
	d.Says = fmt.Sprintf("%s around the reference %s; the table of links has all that is drawn.", counted(len(s.Hosts), "host"), nameOf(s, s.Reference))
	used := make(map[string]bool)
	checks := 0
	order := make([]*network.Link, len(s.Links))
	for i := range order {
		order[i] = &s.Links[i]
	}
	slices.SortStableFunc(order, func(k, l *network.Link) int { return cmp.Compare(uint64(k.ErrorMedian), uint64(l.ErrorMedian)) })
	type label struct {
		x, y float64
		text string
	}
	var labels []label
	ways := make([][]float64, len(s.Hosts)) // in which edges leave each host
	for _, tree := range []bool{false, true} {
		for _, k := range order {
			if k.InTree != tree {
				continue
			}
			if checks++; !tree && checks > mostChecks {
				continue
			}
			class := edgeClass(k)
			used[class] = true
			a, b := places[k.A], places[k.B]
			path, x, y := edge(a, b, !tree)
			ways[k.A] = append(ways[k.A], math.Atan2(y-a.y, x-a.x))
			ways[k.B] = append(ways[k.B], math.Atan2(y-b.y, x-b.x))
			words := fmt.Sprintf("%s – %s: %s", s.Hosts[k.A].Name, s.Hosts[k.B].Name, classWord(k.Class).Term)
			if e, ok := knownBetween(s, k); ok {
				words += ", " + between(e.least, e.most)
			}
			if tree {
				d.path("edge tree "+class, path, words)
			} else {
				if a.tree {
					class += " faint"
				}
				if k.Excluded {
					class = "left " + class
					used["left"] = true
				}
				d.path("edge "+class, path, words+", "+unused(k))
			}
			if k.ErrorMedian >= 0 && (tree && !a.tree || tree && len(s.Hosts) <= 24 || len(s.Links) <= 12) {
				labels = append(labels, label{x, y, plusMinus(k.ErrorMedian)})
			}
		}
	}
	for _, l := range labels {
		w := textWidth(l.text) + 8
		d.path("plate", rectangle(l.x-w/2, l.y-9, w, 18), "")
		d.text("edge-label", "middle", l.x, l.y+4, l.text)
	}
	for i := range s.Hosts {
		drawHost(&d, s, int32(i), places[i], ways[i])
	}
	return d, legend(used)
}

func nameOf(s *network.Solution, i int32) string {
	if i < 0 {
		return none
	}
	return s.Hosts[i].Name
}

func legend(used map[string]bool) []Key {
	keys := []Key{{"tree", "in use: the way to the reference"}, {"check", "not in use: a check of the others"}}
	if used["left"] {
		keys = append(keys, Key{"left", "left out: it counts for nothing"})
	}
	for _, t := range tiers {
		if used[t.class] {
			keys = append(keys, Key{"tree " + t.class, t.means})
		}
	}
	if used["enone"] {
		keys = append(keys, Key{"tree enone", "no bound"})
	}
	if used["ebad"] {
		keys = append(keys, Key{"tree ebad", "the messages contradict each other"})
	}
	return keys
}

// edge is the path of a link, and the middle of it. A link that is not in use bends away from the middle of its component, where
// those in use are.
func edge(a, b place, bent bool) (path string, x, y float64) {
	mx, my := (a.x+b.x)/2, (a.y+b.y)/2
	switch {
	case !bent && a.tree:
		path = new(pen).to('M', a.x, a.y).to('C', mx, a.y, mx, b.y, b.x, b.y).String()
		if a.x > b.x {
			a, b = b, a
		}
		return path, b.x - 54, b.y // where it is nearly level
	case !bent:
		return line(a.x, a.y, b.x, b.y), mx, my
	}
	long := math.Hypot(b.x-a.x, b.y-a.y)
	px, py := (b.y-a.y)/long, -(b.x-a.x)/long // across the link
	// Across the middle upwards, or to the left, where no names are.
	out := px*(mx-a.cx) + py*(my-a.cy)
	away := out > 0
	switch {
	case a.tree:
		away = px > 0
	case math.Abs(out) < 1 && math.Abs(py) > 0.1:
		away = py < 0
	case math.Abs(out) < 1:
		away = px < 0
	}
	if !away {
		px, py = -px, -py
	}
	far := 0.3 * long
	if a.tree {
		far = min(far, 60)
	}
	px, py = mx+px*far, my+py*far
	return new(pen).to('M', a.x, a.y).to('Q', px, py, b.x, b.y).String(), (mx + px) / 2, (my + py) / 2
}

func drawHost(d *Drawing, s *network.Solution, i int32, p place, ways []float64) {
	h := &s.Hosts[i]
	note := ""
	class := "node"
	switch {
	case i == s.Reference && len(s.Hosts) > 1:
		class, note = "node reference", "reference"
	case i == h.Reference && s.Unsynchronized(i):
		class, note = "node island", "not synchronized"
		for j := range s.Hosts {
			if int32(j) != i && s.Hosts[j].Reference == i {
				note = "reference of its island"
			}
		}
	case len(h.Map.Bounds()) > 0:
		note = between(extremes(h))
	default:
		note = "no bound"
	}
	d.path(class, circle(p.x, p.y, p.r), h.Name+": "+note)
	if class == "node reference" {
		d.path("node inner", circle(p.x, p.y, p.r-p.r/4), "")
	}
	if p.tree {
		if p.leaf {
			d.text("node-name", "start", p.x+p.r+6, p.y-1, clipped(h.Name, 24))
			d.text("node-note", "start", p.x+p.r+6, p.y+12, note)
		} else {
			d.text("node-name", "middle", p.x, p.y-p.r-5, clipped(h.Name, 18))
			if i == h.Reference {
				d.text("node-note", "middle", p.x, p.y+p.r+14, note)
			}
		}
		return
	}
	side := caption(ways)
	x, y := p.x+side.dx, p.y+side.dy
	d.text("node-name", side.anchor, x, y, clipped(h.Name, 24))
	d.text("node-note", side.anchor, x, y+14, note)
}

// A side is where the name of a host stands.
type side struct {
	angle, dx, dy float64
	anchor        string
}

var sides = []side{
	{math.Pi / 2, 0, nodeRadius + 16, "middle"},
	{-math.Pi / 2, 0, -nodeRadius - 21, "middle"},
	{0, nodeRadius + 8, -2, "start"},
	{math.Pi, -nodeRadius - 8, -2, "end"},
}

// caption is the side of a host from which the edges that leave it are furthest, by their angles.
func caption(ways []float64) side {
	best, widest := sides[0], -1.
	for _, s := range sides {
		free := math.Pi
		for _, w := range ways {
			free = min(free, math.Abs(math.Remainder(w-s.angle, 2*math.Pi)))
		}
		if len(s.anchor) < len("middle") {
			free *= 0.8 // rather above or below, where there is room for a long name
		}
		if free > widest+1e-9 {
			best, widest = s, free
		}
	}
	return best
}

// clipped is a text of at most so many runes.
func clipped(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
