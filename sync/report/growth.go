package report

import (
	"fmt"
	"math/big"

	"synchroscope/sync/graph"
	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// growthRows is at how many times of the recording its growth is counted.
const growthRows = 8

// A growth goes through the messages as they came and keeps the forest of the links as Jabbarifar's thesis does: a link weighs the range of
// slopes that its messages leave. It counts what each message that narrowed a link did, under how long after the beginning
// of its component's recording it was sent: components have times of different references, which nothing relates.
type growth struct {
	hosts      int
	hulls      map[[2]int32]*hull.Hull
	known      map[[2]int32]knowledge
	forest     graph.Forest
	trees      []int32 // by host: another of its tree; itself at the root
	size       []int
	components int               // of the hosts, all links together
	left       int               // now
	parts      [growthRows]tally // of what was sent in each part of the recording
	part       *tally            // of the message at hand
	begins     map[int]int64     // by component: when the first of its hosts began to record, in its reference time
	length     int64             // ns from the beginning to the end of what the reference's component recorded
}

// A tally is how much of it happened.
type tally struct {
	messages, accurate              int
	inserted, joined, changed, kept int
	references                      [2][3]int // while apart, when all are together; by insertion, join, change
}

func newGrowth(s *network.Solution) *growth {
	n := len(s.Hosts)
	g := &growth{hosts: n, hulls: make(map[[2]int32]*hull.Hull), known: make(map[[2]int32]knowledge), trees: make([]int32, n), size: make([]int, n), left: n, begins: make(map[int]int64)}
	g.forest.Grow(n)
	for i, h := range s.Hosts {
		g.trees[i], g.size[i] = int32(i), 1
		begin := h.Map.Reference(h.Begin)
		if first, known := g.begins[h.Component]; !known || begin < first {
			g.begins[h.Component] = begin
		}
	}
	begin, end := span(s)
	g.length, g.components = end-begin, len(g.begins)
	return g
}

func (g *growth) root(i int32) int32 {
	for g.trees[i] != i {
		g.trees[i] = g.trees[g.trees[i]]
		i = g.trees[i]
	}
	return i
}

// add takes the next message, sent so many ns after its component began to record. It reports whether it narrowed its link.
func (g *growth) add(m match.Message, sent int64) bool {
	i := 0
	for i < growthRows-1 && sent > g.boundary(i+1) {
		i++
	}
	g.part = &g.parts[i]
	g.part.messages++
	key := pair(m.From, m.To)
	h := g.hulls[key]
	if h == nil {
		h = new(hull.Hull)
		g.hulls[key] = h
	}
	if !h.Add(constraint(m)) {
		return false
	}
	before, known := g.known[key]
	g.known[key] = knowledgeOf(h)
	return !known || g.known[key] != before // of a link that no line fits, nothing more is learnt
}

// narrowed tells the forest that the link of a message is better known.
func (g *growth) narrowed(m match.Message) graph.Change {
	g.part.accurate++
	key := pair(m.From, m.To)
	a, b := g.root(key[0]), g.root(key[1])
	c := g.forest.Set(graph.Edge{A: int(key[0]), B: int(key[1]), Weight: g.known[key].weight})
	kind := 2
	switch {
	case a != b && g.size[a] > 1 && g.size[b] > 1:
		kind = 1
		g.part.joined++
	case a != b:
		kind = 0
		if g.size[a]+g.size[b] > 2 {
			g.part.inserted++
		}
	case c.Edges:
		g.part.changed++
	default:
		g.part.kept++
	}
	together := g.left == g.components
	if a != b {
		g.trees[a] = b
		g.size[b] += g.size[a]
		g.left--
	}
	if c.Reference && (a == b || g.size[b] > 2) {
		state := 0
		if together {
			state = 1
		}
		g.part.references[state][kind]++
	}
	return c
}

// knowledge is what the thesis keeps of a link.
type knowledge struct {
	weight int64   // the range of its slopes in parts per 10^12; links without a range come after all that have one
	rate   float64 // of b's clock against a's; 0 where it is not known
}

func knowledgeOf(h *hull.Hull) knowledge {
	switch h.Class() {
	case hull.Fail:
		return knowledge{weight: 1 << 50}
	case hull.Approximate:
		return knowledge{weight: 1 << 51}
	case hull.Incomplete:
		return knowledge{weight: 1 << 52}
	}
	high, low := h.AlphaMax(), h.AlphaMin()
	rate, _ := new(big.Rat).Add(high, low).Float64()
	width, _ := high.Sub(high, low).Float64()
	return knowledge{1 + int64(min(width, 1e3)*1e12), rate / 2}
}

// boundary is how many ns after the beginning the first i parts of the recording end. Of another component than the reference's
// the parts are as long, and the last has all the rest.
func (g *growth) boundary(i int) int64 {
	return g.length / growthRows * int64(i)
}

// until is all that was counted of the first i parts.
func (g *growth) until(i int) (t tally) {
	for _, p := range g.parts[:i] {
		t.messages, t.accurate = t.messages+p.messages, t.accurate+p.accurate
		t.inserted, t.joined, t.changed, t.kept = t.inserted+p.inserted, t.joined+p.joined, t.changed+p.changed, t.kept+p.kept
		for state := range t.references {
			for kind := range t.references[state] {
				t.references[state][kind] += p.references[state][kind]
			}
		}
	}
	return t
}

// sheet is a table in the form of the thesis's 5.3, with the counts of its 5.6.
func (g *growth) sheet() Sheet {
	s := Sheet{Title: "How the forest grew", Note: "a link weighing the range of slopes that its messages leave, in the form of Jabbarifar 2013, table 5.3", Heads: []Head{
		{Text: "Recorded until", Means: "After the beginning. Hosts that nothing relates to the reference have a beginning of their own."}, {Text: "Messages"},
		{Text: "Accurate", Means: "Messages that narrowed their link; all others change nothing."},
		{Text: "Hosts inserted", Means: "A host that was alone came to a tree."},
		{Text: "Trees joined", Means: "Two trees of two hosts or more became one."},
		{Text: "Forest changes", Means: "A link of a cycle took the place of another."},
		{Text: "Updates", Means: "The weight of a link changed and the forest stayed as it was."},
		{Text: "New references", Means: "By insertions, joins and changes of the forest, before all hosts that are related at the end were so."},
		{Text: "and later", Means: "After that, when only the forest changes."},
	}}
	for i := 1; i <= growthRows; i++ {
		t := g.until(i)
		apart := t.references[0]
		s.Rows = append(s.Rows, []Cell{
			{Text: about(float64(g.boundary(i)))}, {Text: group(int64(t.messages))}, {Text: group(int64(t.accurate))}, {Text: group(int64(t.inserted))},
			{Text: group(int64(t.joined))}, {Text: group(int64(t.changed))}, {Text: group(int64(t.kept))},
			{Text: fmt.Sprintf("%d / %d / %d", apart[0], apart[1], apart[2])}, {Text: group(int64(t.references[1][2]))},
		})
	}
	return s
}
