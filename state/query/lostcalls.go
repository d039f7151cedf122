package query

import (
	"cmp"
	"context"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// lostSight tells when threads were lost sight of, so that a call which ends there did not: events were lost, or contradicted
// what was known. It holds what is unknown of them, in order of time, by the quark of their system calls.
type lostSight map[attribute.Quark][]stretch

type stretch struct{ begin, end int64 } // local ns

// lostSightOf looks at the threads whose system calls are given, in [begin, end) local ns. What was unknown of a thread before it was
// first seen ends no call, and is most of what there is: threads with nothing else are not looked at any closer.
func lostSightOf(ctx context.Context, h *history.History, calls []attribute.Quark, begin, end int64) (lostSight, error) {
	tree := h.Attributes()
	statuses := make([]attribute.Quark, len(calls))
	for i, q := range calls {
		statuses[i] = tree.Parent(q)
	}
	totals, err := h.Totals(ctx, statuses, begin, end)
	if err != nil {
		return nil, err
	}
	first, _ := h.Bounds()
	var doubtful []attribute.Quark
	of := make(map[attribute.Quark]attribute.Quark)
	lost := make(lostSight)
	for i, q := range statuses {
		unknown := uint64(0)
		for _, t := range totals[i] {
			if state(t.Value) == uint8(kernel.Unknown) {
				unknown += t.Count
			}
		}
		if unknown == 1 {
			iv, err := h.Point(ctx, q, max(begin, first))
			if err != nil {
				return nil, err
			}
			if state(iv.Value) == uint8(kernel.Unknown) {
				unknown = 0
				lost[calls[i]] = []stretch{{iv.Start, iv.End}}
			}
		}
		if unknown > 0 {
			doubtful = append(doubtful, q)
			of[q] = calls[i]
		}
	}
	err = h.Range(ctx, doubtful, begin, end, func(iv history.Interval) bool {
		if state(iv.Value) == uint8(kernel.Unknown) {
			lost[of[iv.Quark]] = append(lost[of[iv.Quark]], stretch{iv.Start, iv.End})
		}
		return true
	})
	return lost, err
}

// at tells whether the thread of a system call was lost sight of at t, and blind whether it was out of sight before and behind: then a call can be known
// that ends there, as where no switches are recorded, but whether it returned, or what is known of it ends, the thread does not show.
func (l lostSight) at(call attribute.Quark, t int64) (lost, blind bool) {
	list := l[call]
	i, lost := slices.BinarySearchFunc(list, t, func(s stretch, t int64) int { return cmp.Compare(s.begin, t) })
	return lost, !lost && i > 0 && t < list[i-1].end
}
