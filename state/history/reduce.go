package history

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"synchroscope/state/attribute"
)

// What any reader can answer from its intervals, for those that have nothing quicker.

// A seamed reader has intervals that end, and go on with the same value, where nothing changed.
type seamed interface {
	// Seam tells whether intervals are parted at a time.
	Seam(ctx context.Context, t int64) bool
}

// Reduce is the pixels of any reader, from all its intervals.
func Reduce(ctx context.Context, r Reader, qs []attribute.Quark, edges []int64) ([][]Run, error) {
	runs := make([][]Run, len(qs))
	if !slices.IsSorted(edges) {
		return nil, errors.New("history: the edges of the columns do not ascend")
	}
	if len(edges) < 2 {
		return runs, nil
	}
	last := edges[len(edges)-1]
	if last < math.MaxInt64 {
		last++ // for empty columns there
	}
	start, end := r.Bounds()
	g := grid{edges: edges, lo: max(start, edges[0]), hi: min(end, last)}
	c := canvases.Get().(*canvas)
	defer canvases.Put(c)
	quarks := slices.Compact(slices.Sorted(slices.Values(qs)))
	rows := c.reset(len(quarks), g.columns())
	err := r.Range(ctx, quarks, g.lo, g.hi, func(iv Interval) bool {
		i, _ := slices.BinarySearch(quarks, iv.Quark)
		rows[i].span(&g, iv.Start, iv.End, iv.Value)
		return true
	})
	if err != nil {
		return nil, err
	}
	for k, q := range qs {
		i, _ := slices.BinarySearch(quarks, q)
		var shares []Share
		runs[k] = rows[i].appendRuns(nil, &shares, 0)
	}
	return runs, nil
}

// Sample is the sampled range of any reader, from all its intervals.
func Sample(ctx context.Context, r Reader, qs []attribute.Quark, begin, end, every int64, yield func(Interval) bool) error {
	if every < 1 {
		return fmt.Errorf("history: instants %d ns apart", every)
	}
	return r.Range(ctx, qs, begin, end, func(iv Interval) bool {
		first, last := max(iv.Start, begin), min(iv.End, end)-1
		if past := (uint64(first) - uint64(begin)) % uint64(every); past > 0 {
			if uint64(every)-past > uint64(last)-uint64(first) {
				return true
			}
		}
		return yield(iv)
	})
}

// Sum is the totals of any reader, from all its intervals. Two of one value with a seam between count as one.
func Sum(ctx context.Context, r Reader, qs []attribute.Quark, begin, end int64) ([][]Total, error) {
	quarks := slices.Compact(slices.Sorted(slices.Values(qs)))
	rows := make([]row, len(quarks))
	newest := make([]Interval, len(quarks))
	start, last := r.Bounds()
	begin, end = max(begin, start), min(end, last)
	parted, _ := r.(seamed)
	err := r.Range(ctx, quarks, begin, end, func(iv Interval) bool {
		i, _ := slices.BinarySearch(quarks, iv.Quark)
		count := uint64(1)
		if before := newest[i]; before.End == iv.Start && before.Value == iv.Value && before.Start < before.End && parted != nil && parted.Seam(ctx, iv.Start) {
			count = 0
		}
		newest[i] = iv
		rows[i].total(iv.Value, min(iv.End, end)-max(iv.Start, begin), count)
		return true
	})
	if err != nil {
		return nil, err
	}
	totals := make([][]Total, len(qs))
	for k, q := range qs {
		i, _ := slices.BinarySearch(quarks, q)
		totals[k] = slices.Clone(rows[i].totals)
		slices.SortFunc(totals[k], func(a, b Total) int { return order(a.Value, b.Value) })
	}
	return totals, nil
}

// Alive returns those attributes of any reader that are not null at some time from begin until before end, by its
// totals, in the order given.
func Alive(ctx context.Context, r Reader, qs []attribute.Quark, begin, end int64) ([]attribute.Quark, error) {
	totals, err := r.Totals(ctx, qs, begin, end)
	if err != nil {
		return nil, err
	}
	var alive []attribute.Quark
	for i, q := range qs {
		if slices.ContainsFunc(totals[i], func(t Total) bool { return !t.Value.IsNull() }) {
			alive = append(alive, q)
		}
	}
	return alive, nil
}

// Next is the next change of any reader, as [History.NextChange], going from interval to interval.
func Next(ctx context.Context, r Reader, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	start, end := r.Bounds()
	if t = max(t, start); t >= end {
		return Interval{}, false, nil
	}
	iv, err := r.Point(ctx, q, t)
	for err == nil && iv.End < end {
		before := iv.Value
		if err = ctx.Err(); err != nil {
			break
		}
		iv, err = r.Point(ctx, q, iv.End)
		if err == nil && iv.Value != before && (want == nil || want(iv.Value)) {
			return iv, true, nil
		}
	}
	return Interval{}, false, err
}

// Previous is the previous change of any reader, as [History.PreviousChange], going from interval to interval.
func Previous(ctx context.Context, r Reader, q attribute.Quark, t int64, want func(Value) bool) (Interval, bool, error) {
	start, end := r.Bounds()
	if t = min(t, end); t <= start {
		return Interval{}, false, nil
	}
	iv, err := r.Point(ctx, q, t-1)
	for err == nil && iv.Start > start {
		after := iv
		if err = ctx.Err(); err != nil {
			break
		}
		iv, err = r.Point(ctx, q, after.Start-1)
		if err == nil && iv.Value != after.Value && (want == nil || want(after.Value)) {
			return after, true, nil
		}
	}
	return Interval{}, false, err
}
