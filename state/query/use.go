package query

import (
	"context"
	"math/bits"
	"slices"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// Use tells how the CPUs of a host spent each column together: one row whose Mix has the share of each
// kernel.CPUStatus in the time of all of them. cpus are quarks of CPUs/<cpu>, each once.
func Use(ctx context.Context, h *history.History, cpus []attribute.Quark, edges []int64) ([]Run, error) {
	if len(edges) < 2 {
		return nil, nil
	}
	if most := history.Addable(edges); most < len(cpus) {
		return usedLong(ctx, h, cpus, edges, most)
	}
	runs, err := h.Together(ctx, cpus, edges)
	if err != nil {
		return nil, err
	}
	return statusesOf(runs, len(edges)-1, false), nil
}

// usedLong is Use where columns are so long that no more than most CPUs have times that can be added up: all are shortened by as many bits as it takes.
func usedLong(ctx context.Context, h *history.History, cpus []attribute.Quark, edges []int64, most int) ([]Run, error) {
	first, last := h.Bounds()
	sums := make([][shares + 1]uint64, len(edges)-1)
	shift := bits.Len(uint(len(cpus) / most))
	for some := range slices.Chunk(cpus, most) {
		runs, err := h.Together(ctx, some, edges)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			for _, s := range r.Mix {
				sums[r.From][part(s.Value)] += max(1, uint64(s.Time)>>shift)
			}
			for c := r.From; r.Mix == nil && c < r.To; c++ {
				// A column without width shows what its instant has.
				width := min(edges[c+1], last) - max(edges[c], first)
				sums[c][part(r.Value)] += max(1, uint64(max(width, 1))*uint64(len(some))>>shift)
			}
		}
	}
	var b rowBuilder
	for c := range sums {
		b.put(share(int32(c+1), sums[c]))
	}
	return b.runs, nil
}

// Used is the share of their time in which CPUs did anything, from begin until before end, local ns, of the time of which it is
// known what they did; known is false where there is none. cpus are quarks of CPUs/<cpu>. It is exact at the cost of history.Totals.
func Used(ctx context.Context, h *history.History, cpus []attribute.Quark, begin, end int64) (used float64, known bool, err error) {
	totals, err := h.Totals(ctx, cpus, begin, end)
	var busy, idle float64
	for _, of := range totals {
		for _, t := range of {
			switch s := state(t.Value); {
			case s == Nothing || kernel.CPUStatus(s) == kernel.CPUUnknown:
			case kernel.CPUStatus(s) == kernel.CPUIdle:
				idle += float64(t.Time)
			default:
				busy += float64(t.Time)
			}
		}
	}
	if err != nil || busy+idle == 0 {
		return 0, false, err
	}
	return busy / (busy + idle), true, nil
}

// Levels reduces attributes of numbers, such as CPUs/<cpu>/Frequency, to columns. The label of a run is the
// number in decimal, or where a column has several, the least and the most as "1200000000~2400000000"; State is 0
// where there is one and Nothing elsewhere.
func Levels(ctx context.Context, h *history.History, rows []attribute.Quark, edges []int64) ([][]Run, error) {
	states := make([][]Run, len(rows))
	if len(edges) < 2 {
		return states, nil
	}
	err := h.EachRow(ctx, rows, edges, func(i int, values []history.Run) {
		var b rowBuilder
		for _, r := range values {
			b.pad(r.From)
			b.put(level(r))
		}
		b.pad(int32(len(edges) - 1))
		states[i] = b.runs
	})
	return states, err
}

func level(r history.Run) Run {
	values := r.Mix
	if values == nil {
		values = []history.Share{{Value: r.Value}}
	}
	var least, most int64
	known := false
	for _, s := range values {
		n, ok := s.Value.Int()
		if !ok {
			continue
		}
		if !known {
			least, most = n, n
		}
		known, least, most = true, min(least, n), max(most, n)
	}
	switch {
	case !known:
		return Run{End: r.To, State: Nothing}
	case least == most:
		return Run{End: r.To, Label: strconv.FormatInt(least, 10)}
	}
	return Run{End: r.To, Label: strconv.FormatInt(least, 10) + "~" + strconv.FormatInt(most, 10)}
}
