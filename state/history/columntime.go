package history

import (
	"slices"
	"sort"
	"sync"
)

// A grid is the columns of a pixel query: column i is [edges[i], edges[i+1]).
// An empty column stands for the instant at its edge.
type grid struct {
	edges  []int64
	lo, hi int64 // what can be shown: the bounds of the history, cut to the edges
}

func (g *grid) columns() int { return len(g.edges) - 1 }

// at returns the first column that holds s, an instant not before edges[0],
// searching from a hint.
func (g *grid) at(s int64, hint int) int {
	lo, hi := hint, hint+1
	if g.edges[hint] >= s {
		lo, hi = 0, hint
	} else {
		for step := 1; hi < len(g.edges) && g.edges[hi] < s; step *= 2 {
			lo, hi = hi, hi+step
		}
		hi = min(hi, len(g.edges))
	}
	i := lo + sort.Search(hi-lo, func(i int) bool { return g.edges[lo+i] >= s })
	if i < len(g.edges) && g.edges[i] == s {
		return i
	}
	return i - 1
}

// within returns the one column that shows all of [start, end) and nothing
// but time, or -1.
func (g *grid) within(start, end int64, hint int) int {
	if start < g.lo || end > g.hi {
		return -1
	}
	c := g.at(start, hint)
	if c >= g.columns() || g.edges[c+1] < end {
		return -1
	}
	return c
}

// A row gathers what one attribute was in every column.
type row struct {
	cells  []cell
	spills []spill
	hint   int
	crowds map[crowd]int32 // of spills, where a column has many

	counting bool // the row has one column, and fills totals rather than cells
	totals   []Total
	places   map[Value]int32 // of totals, where there are many
}

// A cell is what one column shows: the first value here, others in spills.
type cell struct {
	value Value
	time  int64
	used  bool
	next  int32 // spill + 1
}

type spill struct {
	value Value
	time  int64
	next  int32
}

// A crowd is a value in a column that has too many of them to go through.
type crowd struct {
	column int
	value  Value
}

// fewSpills of a column are gone through one by one.
const fewSpills = 64

// A canvas is the rows of one query, kept for the next.
type canvas struct {
	rows  []row
	cells []cell
}

var canvases = sync.Pool{New: func() any { return new(canvas) }}

// reset makes room for a number of empty rows.
func (c *canvas) reset(rows, columns int) []row {
	c.cells = slices.Grow(c.cells[:0], rows*columns)[:rows*columns]
	clear(c.cells)
	c.rows = slices.Grow(c.rows[:0], rows)[:rows]
	for i := range c.rows {
		r := &c.rows[i]
		r.cells = c.cells[i*columns : (i+1)*columns]
		r.spills = r.spills[:0]
		clear(r.crowds)
		r.hint = 0
		r.counting, r.totals, r.places = false, r.totals[:0], nil
	}
	return c.rows
}

// span adds the value v over [s, e).
func (r *row) span(g *grid, s, e int64, v Value) {
	if r.counting {
		if s, e = max(s, g.lo), min(e, g.hi); s < e {
			r.total(v, e-s, 1)
		}
		return
	}
	if c := r.hint; g.edges[c] < s && e < g.edges[c+1] && e < g.hi && s > g.lo {
		r.add(c, v, e-s)
		return
	}
	s, e = max(s, g.lo), min(e, g.hi)
	if s >= e {
		return
	}
	c := g.at(s, r.hint)
	for ; c < len(r.cells) && g.edges[c] < e; c++ {
		r.add(c, v, min(e, g.edges[c+1])-max(s, g.edges[c]))
		r.hint = c
	}
}

// add adds time ns of v to column c.
func (r *row) add(c int, v Value, time int64) {
	x := &r.cells[c]
	switch {
	case !x.used:
		x.used, x.value, x.time = true, v, time
		return
	case x.value == v:
		x.time += time
		return
	}
	many := 0
	for i := x.next; i > 0 && many < fewSpills; i = r.spills[i-1].next {
		if p := &r.spills[i-1]; p.value == v {
			p.time += time
			return
		}
		many++
	}
	if many == fewSpills {
		if i := r.crowds[crowd{c, v}]; i > 0 {
			r.spills[i-1].time += time
			return
		}
		r.note(c, x.next)
	}
	r.spills = append(r.spills, spill{v, time, x.next})
	x.next = int32(len(r.spills))
	if many == fewSpills {
		r.crowds[crowd{c, v}] = x.next
	}
}

// note makes the spills of column c known by value, once there are many: from then on all are.
func (r *row) note(c int, newest int32) {
	if r.crowds[crowd{c, r.spills[newest-1].value}] > 0 {
		return
	}
	if r.crowds == nil {
		r.crowds = make(map[crowd]int32)
	}
	for i := newest; i > 0; i = r.spills[i-1].next {
		r.crowds[crowd{c, r.spills[i-1].value}] = i
	}
}

// runs returns what r has gathered.
func (r *row) runs() []Run {
	mixed, turns := 0, 0
	for c := range r.cells {
		x := &r.cells[c]
		if x.next > 0 {
			mixed++
		}
		if c == 0 || x.next > 0 || x.value != r.cells[c-1].value || r.cells[c-1].next > 0 || !r.cells[c-1].used {
			turns++
		}
	}
	runs := make([]Run, 0, turns)
	shares := make([]Share, 0, mixed+len(r.spills)) // a mix is a cell and its spills
	for c := range r.cells {
		x := &r.cells[c]
		switch last := len(runs) - 1; {
		case !x.used:
		case x.next > 0:
			first := len(shares)
			shares = append(shares, Share{x.value, x.time})
			for i := x.next; i > 0; i = r.spills[i-1].next {
				shares = append(shares, Share{r.spills[i-1].value, r.spills[i-1].time})
			}
			mix := shares[first:len(shares):len(shares)]
			sortShares(mix)
			runs = append(runs, Run{From: int32(c), To: int32(c + 1), Mix: mix})
		case last >= 0 && runs[last].To == int32(c) && runs[last].Mix == nil && runs[last].Value == x.value:
			runs[last].To++
		default:
			runs = append(runs, Run{From: int32(c), To: int32(c + 1), Value: x.value})
		}
	}
	return runs
}

// sortShares orders by value, so that equal times give equal answers however
// the tree was built.
func sortShares(mix []Share) {
	if len(mix) > fewSpills {
		slices.SortFunc(mix, func(a, b Share) int {
			if less(a.Value, b.Value) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(mix); i++ {
		for k := i; k > 0 && less(mix[k].Value, mix[k-1].Value); k-- {
			mix[k], mix[k-1] = mix[k-1], mix[k]
		}
	}
}

func less(a, b Value) bool {
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.bits < b.bits
}
