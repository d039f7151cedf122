package network

import (
	"slices"

	"synchroscope/sync/clock"
	"synchroscope/sync/hull"
)

// A bounder tells how wrong a map along a path may be.
//
// The truth after one hop is in the band of its hull. After two it is in
// the second band between the ends of the first: bands rise with time, so
// the ends map to ends, and nothing is lost by adding. Each end's distance
// from the map, a line, is a convex function of time (a maximum of lines,
// through a rising maximum of lines), so between two times the larger of
// their bounds holds.
type bounder struct {
	m    *clock.Map
	path []view // from the host to the reference
}

// at returns the bound at a local time; ok is false where none is known.
func (b bounder) at(local int64) (ns int64, ok bool) {
	lo, hi := local, local
	for _, hop := range b.path {
		if hop.class != hull.Accurate {
			return 0, false
		}
		var low, high bool
		if lo, _, low = hop.hull.Band(lo); !low {
			return 0, false
		}
		if _, hi, high = hop.hull.Band(hi); !high {
			return 0, false
		}
	}
	y := b.m.Reference(local)
	return max(hi-y, y-lo, 0), true
}

// depth limits bounds to 2^7 intervals.
const depth = 7

// bounds returns entries for clock.Map from begin to end: more of them
// where the bound changes fast, until neighbours differ by an eighth or so.
func (b bounder) bounds(begin, end int64) [][2]int64 {
	if len(b.path) == 0 {
		return exact(begin, end)
	}
	first, ok := b.at(begin)
	last, also := b.at(end)
	if !ok || !also {
		return nil
	}
	entries := [][2]int64{{begin, first + 1}} // 1: the map rounds
	var split func(x0, e0, x1, e1 int64, depth int)
	split = func(x0, e0, x1, e1 int64, depth int) {
		middle := x0 + int64((uint64(x1)-uint64(x0))/2)
		e, ok := b.at(middle)
		flat := max(e0, e1)-min(e0, e1, e) <= 100+min(e0, e1, e)/8
		if depth > 0 && ok && middle > x0 && !flat {
			split(x0, e0, middle, e, depth-1)
			split(middle, e, x1, e1, depth-1)
			return
		}
		entries = append(entries, [2]int64{x1, e1 + 1})
	}
	if begin < end {
		split(begin, first, end, last, depth)
	}
	return entries
}

// exact is the bound of the reference host.
func exact(begin, end int64) [][2]int64 {
	if begin == end {
		return [][2]int64{{begin, 0}}
	}
	return [][2]int64{{begin, 0}, {end, 0}}
}

// summary samples the bound at equal distances: the least, the median and the
// worst, -1 where it is not known throughout.
func (b bounder) summary(begin, end int64) (least, median, worst int64) {
	const samples = 128
	errors := make([]int64, 0, samples+1)
	step := (uint64(end) - uint64(begin)) / samples
	for i := range uint64(samples) {
		e, ok := b.at(int64(uint64(begin) + i*step))
		if !ok {
			return -1, -1, -1
		}
		errors = append(errors, e)
	}
	e, ok := b.at(end)
	if !ok {
		return -1, -1, -1
	}
	errors = append(errors, e)
	slices.Sort(errors)
	return errors[0], errors[samples/2], errors[samples]
}
