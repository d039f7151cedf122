package history

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
)

// A row gathers what one attribute was in every column. The first values it has are
// summed side by side, since most attributes have few.
type row struct {
	used   []uint8 // by column: which of values it has, a bit each
	times  []lane  // by column, of those; anything where it has none or is covered
	values lanes
	spills []spill
	more   []int32      // by column: its newest spill + 1, or covered
	tables []spillTable // by column, if there is one
	slots  []int32      // of tables: spills + 1
	hint   int          // column of the last interval
	wish   wish

	counting bool // the row has one column, and fills totals rather than the above
	totals   []Total
	places   []int32 // of totals and 1 more, by value, where there are many
	wide     *wide   // takes them instead
}

// covered is a column with one interval over all of it, whose time nobody asks for.
const covered = -1

// A canvas is the rows of one query, kept for the next.
type canvas struct {
	rows  []row
	used  []uint8
	times []lane
	more  []int32

	runs   []Run // of one row at a time
	shares []Share
}

var canvases = sync.Pool{New: func() any { return new(canvas) }}

// reset makes room for a number of empty rows.
func (c *canvas) reset(rows, columns int) []row {
	c.used = emptied(c.used, rows*columns)
	c.times = slices.Grow(c.times[:0], rows*columns)[:rows*columns]
	c.more = emptied(c.more, rows*columns)
	c.rows = slices.Grow(c.rows[:0], rows)[:rows]
	for i := range c.rows {
		r := &c.rows[i]
		from, to := i*columns, (i+1)*columns
		*r = row{used: c.used[from:to], times: c.times[from:to], more: c.more[from:to], spills: r.spills[:0], tables: r.tables[:0], slots: r.slots[:0], totals: r.totals[:0]}
	}
	return c.rows
}

// emptied returns n zeros, in s if they fit.
func emptied[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
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
	for ; c < len(r.used) && g.edges[c] < e; c++ {
		r.hint = c
		if s > g.edges[c] || e < g.edges[c+1] {
			r.add(c, v, min(e, g.edges[c+1])-max(s, g.edges[c]))
		} else if last := r.cover(g, c, e, v); last > c {
			c, r.hint = last-1, last-1
		}
	}
}

// cover notes v in the columns from c on that [.., e) covers, in which there is nothing else,
// and returns the first that it does not cover.
func (r *row) cover(g *grid, c int, e int64, v Value) int {
	from, i := c, r.values.of(v)
	if g.edges[c] < e {
		c = min(g.at(e, c), len(r.used))
	}
	if i == laneValues || r.wish.together {
		for ; from < c; from++ {
			time := g.edges[from+1] - g.edges[from]
			if r.wish.together {
				time = max(time, 1)
			}
			r.add(from, v, time)
		}
		return c
	}
	used, more := r.used[from:c], r.more[from:c]
	for len(used) >= 8 {
		binary.LittleEndian.PutUint64(used, binary.LittleEndian.Uint64(used)|eight<<i)
		used = used[8:]
	}
	for k := range used {
		used[k] |= 1 << i
	}
	for len(more) > 0 {
		more = more[copy(more, manyCovered[:]):]
	}
	return c
}

// eight is 1 in each of eight bytes.
const eight = 0x0101010101010101

// manyCovered are columns that are covered, to be copied.
var manyCovered = [256]int32(slices.Repeat([]int32{covered}, 256))

// add adds time ns of v to column c.
func (r *row) add(c int, v Value, time int64) {
	if i := r.values.of(v); i < laneValues {
		r.open(c)[i] += time
		r.used[c] |= 1 << i
		return
	}
	r.spill(c, v, time)
}

// open returns the times of a column, to which may be added.
func (r *row) open(c int) *lane {
	if r.used[c] == 0 {
		r.times[c] = lane{}
	}
	return &r.times[c]
}

// size counts the runs r has, and the shares in them, at most.
func (r *row) size() (runs, shares int) {
	shares = len(r.spills)
	for c := 0; c < len(r.used); {
		runs++
		if r.lone(c) {
			c = r.alike(c)
			continue
		}
		shares += bits.OnesCount8(r.used[c])
		c++
	}
	return runs, shares
}

// lone tells whether a column has nothing, or nothing but a value with a lane.
func (r *row) lone(c int) bool {
	used := r.used[c]
	return used&(used-1) == 0 && r.more[c] <= 0
}

// alike returns the first column behind c, which is lone, that has anything else.
func (r *row) alike(c int) int {
	one := r.used[c]
	c++
	if len(r.spills) > 0 {
		for c < len(r.used) && r.used[c] == one && r.more[c] <= 0 {
			c++
		}
		return c
	}
	for ; c+8 <= len(r.used); c += 8 {
		if other := binary.LittleEndian.Uint64(r.used[c:]) ^ uint64(one)*eight; other != 0 {
			return c + bits.TrailingZeros64(other)>>3
		}
	}
	for c < len(r.used) && r.used[c] == one {
		c++
	}
	return c
}

// appendRuns appends what r has gathered, of which column 0 is column first of the answer. Mixes take their
// shares from those that are left of a row.
func (r *row) appendRuns(runs []Run, shares *[]Share, first int32) []Run {
	ascending := r.values.ascending()
	var places []uint8 // of the values in the column before, ascending
	var room [laneValues]uint8
	before := uint8(0)
	for c := 0; c < len(r.used); c++ {
		used, at, more := r.used[c], first+int32(c), r.more[c]
		if r.lone(c) {
			end := r.alike(c)
			if used != 0 {
				runs = appendRun(runs, at, first+int32(end), r.values.values[bits.TrailingZeros8(used)])
			}
			c = end - 1
			continue
		}
		if more > 0 && used == 0 && r.spills[more-1].next == 0 {
			runs = appendRun(runs, at, at+1, r.spills[more-1].value)
			continue
		}
		if used != before {
			before, places = used, room[:0]
			for _, i := range ascending {
				if used>>i&1 > 0 {
					places = append(places, i)
				}
			}
		}
		if r.wish.some {
			from := len(*shares)
			*shares = r.wished(*shares, c)
			runs = append(runs, Run{From: at, To: at + 1, Mix: (*shares)[from:len(*shares):len(*shares)]})
			continue
		}
		mix, times := *shares, &r.times[c]
		from := len(mix)
		if used != 0 {
			for _, i := range places {
				mix = append(mix, Share{r.values.values[i&(laneValues-1)], times[i&(laneValues-1)]})
			}
		}
		for i := more; i > 0; i = r.spills[i-1].next {
			mix = append(mix, Share{r.spills[i-1].value, r.spills[i-1].time})
		}
		*shares = mix
		mix = mix[from:len(mix):len(mix)]
		if more > 0 {
			sortShares(mix)
		}
		runs = append(runs, Run{From: at, To: at + 1, Mix: mix})
	}
	return runs
}

// appendRun appends columns that have one value, to the last run if that ends there and has the same.
func appendRun(runs []Run, from, to int32, v Value) []Run {
	if last := len(runs) - 1; last >= 0 && runs[last].To == from && runs[last].Mix == nil && runs[last].Value == v {
		runs[last].To = to
		return runs
	}
	return append(runs, Run{From: from, To: to, Value: v})
}

// sortShares orders by value, so that equal times give equal answers however
// the tree was built.
func sortShares(mix []Share) {
	slices.SortFunc(mix, func(a, b Share) int { return order(a.Value, b.Value) })
}
