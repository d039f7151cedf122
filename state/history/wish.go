package history

import (
	"math"
	"math/bits"
	"slices"
)

// A wish is what a query is to tell of a column of pixels that has several values: how long it had each, or only some; and
// whether that is of each attribute or of all together.
type wish struct {
	some     bool
	of       []Value
	together bool
}

// others are, among the spills of a column, all values together that are not wished for.
var others = Value{kind: math.MaxUint8}

// alone tells whether a column has nothing, or nothing but a value without a lane.
func (r *row) alone(c int, v Value) bool {
	if r.used[c] != 0 {
		return false
	}
	newest := r.more[c]
	return newest <= 0 || r.spills[newest-1].value == v && r.spills[newest-1].next == 0
}

// several tells whether a column has more than one value.
func (r *row) several(c int) bool {
	used, more := r.used[c], r.more[c]
	return used&(used-1) != 0 || more > 0 && (used != 0 || r.spills[more-1].next > 0)
}

// done tells whether nothing is wished for that a leaf of such times could add.
func (r *row) done(g *grid, start, end int64) bool {
	if !r.wish.some || len(r.wish.of) > 0 {
		return false
	}
	c := r.hint
	return g.edges[c] < start && end <= g.edges[c+1] && r.several(c) // an empty column may show what a leaf that begins at an edge begins with
}

// wished appends the shares of a column with several values.
func (r *row) wished(mix []Share, c int) []Share {
	if len(r.wish.of) == 0 {
		return append(mix, Share{}) // for how long was not looked for: see done
	}
	from, left := len(mix), int64(0)
	add := func(v Value, time int64) {
		if slices.Contains(r.wish.of, v) {
			mix = append(mix, Share{v, time})
		} else {
			left += time
		}
	}
	for used := r.used[c]; used != 0; used &= used - 1 {
		i := bits.TrailingZeros8(used)
		add(r.values.values[i], r.times[c][i])
	}
	for i := r.more[c]; i > 0; i = r.spills[i-1].next {
		add(r.spills[i-1].value, r.spills[i-1].time)
	}
	sortShares(mix[from:])
	if left > 0 {
		mix = append(mix, Share{Time: left})
	}
	return mix
}
