package network_test

import (
	"cmp"
	"math/big"
	"slices"
	"testing"
	"time"

	"synchroscope/sync/clock"
	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// The three levels of M. Jabbarifar's thesis (2013, section 5.6.2, tables 5.4 to 5.6), over the messages
// of a cluster: the time that goes into hulls, forest, reference and conversions.
//
//   - windows: every two seconds the hull of each link that talked is made of the window's messages, and forest, reference
//     and conversions from scratch;
//   - hulls: hulls grow message by message, and for each that narrows a link forest, reference and
//     conversions are made from scratch;
//   - all: forest, reference and conversions change only where they must. The reference is the centroid
//     and comes with the forest.
type levels struct {
	hosts    int
	messages []match.Message
	hulls    map[[2]int32]*hull.Hull
	edges    map[[2]int32]graph.Edge
	lines    map[[2]int]clock.Line
	forest   graph.Forest
	maps     []clock.Line

	accurate, conversions                   int
	analysis, spanning, choosing, composing time.Duration
}

func newLevels(hosts int, messages []match.Message) *levels {
	l := &levels{
		hosts: hosts, messages: messages,
		hulls: make(map[[2]int32]*hull.Hull), edges: make(map[[2]int32]graph.Edge), lines: make(map[[2]int]clock.Line),
		maps: make([]clock.Line, hosts),
	}
	l.forest.Grow(hosts)
	for i := range l.maps {
		l.maps[i] = clock.Same()
	}
	return l
}

func timed(total *time.Duration, f func()) {
	begin := time.Now()
	f()
	*total += time.Since(begin)
}

// add takes a message and reports whether it narrowed its link, which is key.
func (l *levels) add(m match.Message) (key [2]int32, narrowed bool) {
	key = [2]int32{min(m.From, m.To), max(m.From, m.To)}
	h := l.hulls[key]
	if h == nil {
		h = new(hull.Hull)
		l.hulls[key] = h
	}
	if m.From == key[0] {
		return key, h.Add(hull.Upper, hull.Point{X: m.Sent, Y: m.Received})
	}
	return key, h.Add(hull.Lower, hull.Point{X: m.Received, Y: m.Sent})
}

// estimate takes the line of a link and its weight, the range of its slopes.
func (l *levels) estimate(key [2]int32) bool {
	h := l.hulls[key]
	if h.Class() != hull.Accurate {
		return false
	}
	width, _ := new(big.Rat).Sub(h.AlphaMax(), h.AlphaMin()).Float64()
	alpha, beta, _ := h.Midline()
	line := clock.Line{Alpha: alpha, Beta: beta}
	a, b := int(key[0]), int(key[1])
	l.edges[key] = graph.Edge{A: a, B: b, Weight: 1 + int64(min(width, 1e3)*1e15)}
	l.lines[[2]int{a, b}], l.lines[[2]int{b, a}] = line, line.Inverse()
	return true
}

// scratch makes forest, reference and conversions of the links as they are.
func (l *levels) scratch() {
	tree := make([][]int, l.hosts)
	timed(&l.spanning, func() {
		edges := make([]graph.Edge, 0, len(l.edges))
		for _, e := range l.edges {
			edges = append(edges, e)
		}
		slices.SortFunc(edges, func(a, b graph.Edge) int {
			return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
		})
		root := make([]int, l.hosts)
		for i := range root {
			root[i] = i
		}
		find := func(i int) int {
			for root[i] != i {
				root[i] = root[root[i]]
				i = root[i]
			}
			return i
		}
		for _, e := range edges {
			if a, b := find(e.A), find(e.B); a != b {
				root[a] = b
				tree[e.A], tree[e.B] = append(tree[e.A], e.B), append(tree[e.B], e.A)
			}
		}
	})
	seen := make([]bool, l.hosts)
	for i := range seen {
		if seen[i] {
			continue
		}
		var reference int
		timed(&l.choosing, func() { reference = l.best(tree, i) })
		timed(&l.composing, func() {
			l.maps[reference], seen[reference] = clock.Same(), true
			for queue := []int{reference}; len(queue) > 0; queue = queue[1:] {
				for _, next := range tree[queue[0]] {
					if !seen[next] {
						seen[next] = true
						l.maps[next] = l.lines[[2]int{next, queue[0]}].Then(l.maps[queue[0]])
						l.conversions++
						queue = append(queue, next)
					}
				}
			}
		})
	}
}

// best is the host of a tree with the least sum of weights to the others, by a walk from each.
func (l *levels) best(tree [][]int, of int) int {
	walk := func(from int) (order []int, sum int64) {
		far := map[int]int64{from: 0}
		order = []int{from}
		for i := 0; i < len(order); i++ {
			for _, next := range tree[order[i]] {
				if _, ok := far[next]; !ok {
					far[next] = far[order[i]] + l.edges[[2]int32{int32(min(next, order[i])), int32(max(next, order[i]))}].Weight
					sum += far[next]
					order = append(order, next)
				}
			}
		}
		return order, sum
	}
	order, _ := walk(of)
	best, least := -1, int64(0)
	for _, h := range order {
		if _, sum := walk(h); best < 0 || sum < least {
			best, least = h, sum
		}
	}
	return best
}

func (l *levels) windows() {
	length := int64(2_000_000_000)
	for i := 0; i < len(l.messages); {
		clear(l.hulls)
		end := l.messages[i].Sent + length
		from := i
		timed(&l.analysis, func() {
			// Windows are of the clock of the host that sent first; half a second off does not matter here.
			for ; i < len(l.messages) && (i == from || l.messages[i].From != l.messages[from].From || l.messages[i].Sent < end); i++ {
				l.add(l.messages[i])
			}
			for key := range l.hulls {
				l.estimate(key)
			}
		})
		l.scratch()
	}
}

func (l *levels) incremental(all bool) {
	for _, m := range l.messages {
		var key [2]int32
		narrowed := false
		timed(&l.analysis, func() {
			if key, narrowed = l.add(m); narrowed {
				narrowed = l.estimate(key)
			}
		})
		if !narrowed {
			continue
		}
		l.accurate++
		if !all {
			l.scratch()
			continue
		}
		var c graph.Change
		timed(&l.spanning, func() { c = l.forest.Set(l.edges[key]) })
		if !c.Edges && !c.Reference {
			continue // a line is another; who asks for clocks composes them by it
		}
		timed(&l.composing, func() {
			for h, up := range l.forest.Affected(c) {
				if l.maps[h] = clock.Same(); up >= 0 {
					l.maps[h] = l.lines[[2]int{h, up}].Then(l.maps[up])
				}
				l.conversions++
			}
		})
	}
}

// BenchmarkLevels prints the columns of the tables, over 25 minutes of 20 hosts, or of what -scenarios names.
func BenchmarkLevels(b *testing.B) {
	r := simulated(b, cmp.Or(*scenarios, "cluster-20"), 1, 0)
	var messages []match.Message
	r.network(network.Config{}, func(m match.Message) {
		if !m.Retracted {
			messages = append(messages, m)
		}
	})
	for _, level := range []struct {
		name string
		run  func(*levels)
	}{
		{"windows", (*levels).windows},
		{"hulls", func(l *levels) { l.incremental(false) }},
		{"all", func(l *levels) { l.incremental(true) }},
	} {
		b.Run(level.name, func(b *testing.B) {
			var l *levels
			for b.Loop() {
				l = newLevels(len(r.names), messages)
				level.run(l)
			}
			b.ReportMetric(float64(len(messages)), "messages")
			b.ReportMetric(float64(l.accurate), "accurate")
			b.ReportMetric(float64(l.conversions), "conversions")
			b.ReportMetric(l.analysis.Seconds()*1e3, "ms-hulls")
			b.ReportMetric(l.spanning.Seconds()*1e3, "ms-forest")
			b.ReportMetric(l.choosing.Seconds()*1e3, "ms-reference")
			b.ReportMetric(l.composing.Seconds()*1e3, "ms-conversion")
		})
	}
}
