package history

import (
	"context"
	"slices"

	"synchroscope/state/attribute"
)

// A Total says how long, and how often, an attribute had a value in a selection.
type Total struct {
	Value Value
	Time  int64  // ns inside the selection
	Count uint64 // intervals that touch it
}

// Totals returns what each attribute was from begin until before end, by value.
// What is outside the tree's bounds is in no total. The work follows the depth
// of the tree and the number of values, not the length of the selection, where there are summaries or wide totals. There are none of what has a new
// value nearly every time, as a counter has: then it follows the length (docs/format/history.md, Wide totals).
func (h *History) Totals(ctx context.Context, qs []attribute.Quark, begin, end int64) ([][]Total, error) {
	totals := make([][]Total, len(qs))
	v := h.borrow()
	defer v.release()
	begin, end = max(begin, v.start), min(end, v.end)
	if begin >= end {
		return totals, nil
	}
	p := painter{ctx: ctx, file: h.file, grid: grid{edges: []int64{begin, end}, lo: begin, hi: end}}
	quarks := slices.Compact(slices.Sorted(slices.Values(qs)))
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	rows := c.reset(len(quarks), 1)
	for i, q := range quarks {
		rows[i].counting = true
		if p.outer(v, q, &rows[i]) {
			p.lines = append(p.lines, line{q, &rows[i]})
		}
	}
	if err := p.node(v.top, p.lines); err != nil {
		return nil, err
	}
	for k, q := range qs {
		i, _ := slices.BinarySearch(quarks, q)
		totals[k] = slices.Clone(rows[i].totals)
		slices.SortFunc(totals[k], func(a, b Total) int { return order(a.Value, b.Value) })
	}
	return totals, nil
}

// Alive returns those of the attributes that are not null at some time from
// begin until before end, in the order given.
func (h *History) Alive(ctx context.Context, qs []attribute.Quark, begin, end int64) ([]attribute.Quark, error) {
	return Alive(ctx, h, qs, begin, end)
}

// manyTotals are looked up by value, fewer one after the other.
const manyTotals = 32

// total adds to what a row counts.
func (r *row) total(v Value, time int64, count uint64) {
	if r.wide != nil {
		r.wide.add(v, time, count)
		return
	}
	last := len(r.places) - 1
	if last < 0 {
		for i := range r.totals {
			if t := &r.totals[i]; t.Value == v {
				t.Time += time
				t.Count += count
				return
			}
		}
	} else {
		for i := spread(v, last); r.places[i] > 0; i = (i + 1) & last {
			if t := &r.totals[r.places[i]-1]; t.Value == v {
				t.Time += time
				t.Count += count
				return
			}
		}
	}
	r.totals = append(r.totals, Total{v, time, count})
	switch n := len(r.totals); {
	case last >= 0 && 2*n <= len(r.places):
		r.place(n - 1)
	case n >= manyTotals:
		r.places = make([]int32, max(4*len(r.places), 4*manyTotals))
		for i := range r.totals {
			r.place(i)
		}
	}
}

// place makes a total known by its value.
func (r *row) place(total int) {
	last := len(r.places) - 1
	i := spread(r.totals[total].Value, last)
	for r.places[i] > 0 {
		i = (i + 1) & last
	}
	r.places[i] = int32(total) + 1
}

// spread is where a value is looked for first, in a table whose length is a power of two and 1 more than last.
func spread(v Value, last int) int {
	return int((v.bits^uint64(v.kind)<<56)*0x9e3779b97f4a7c15>>32) & last
}
