package history

import (
	"context"
	"math/bits"
	"slices"

	"synchroscope/state/attribute"
)

// Together is Pixels of attributes as if they were one: the Mix of a column has, of each value, the times that all of them had it added
// up. An empty column has 1 ns of each attribute's value at its instant. It is quicker than to add up their runs, since there is one row to
// write and to read. Attributes that are given twice count once.
//
// Times are exact as long as their sum fits 63 bits, which is so with as many attributes as Addable says.
func (h *History) Together(ctx context.Context, qs []attribute.Quark, edges []int64) (runs []Run, err error) {
	quarks := slices.Compact(slices.Sorted(slices.Values(qs)))
	err = h.paint(ctx, quarks, edges, wish{together: true}, func(parts []part, _ []attribute.Quark) {
		runs, _ = joined(parts, 0, nil, nil)
	})
	return runs, err
}

// Addable is how many attributes have times in these columns of which the sum is sure to fit 62 bits, at least 1.
func Addable(edges []int64) int {
	widest := uint64(1)
	for c := range len(edges) - 1 {
		widest = max(widest, uint64(edges[c+1])-uint64(edges[c]))
	}
	return 1 << max(0, 62-bits.Len64(widest))
}
