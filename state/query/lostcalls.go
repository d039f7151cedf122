package query

import (
	"context"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// lostSight tells when threads were lost sight of, so that a call which ends there did not: events were lost, or contradicted
// what was known. It holds the beginnings of what is unknown of them, by the quark of their system calls.
type lostSight map[attribute.Quark][]int64

// lostSightOf looks at the threads whose system calls are given, in [begin, end) local ns. What was unknown of a thread before it was
// first seen ends no call, and is most of what there is: threads with nothing else are not looked at.
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
			}
		}
		if unknown > 0 {
			doubtful = append(doubtful, q)
			of[q] = calls[i]
		}
	}
	lost := make(lostSight)
	err = h.Range(ctx, doubtful, begin, end, func(iv history.Interval) bool {
		if state(iv.Value) == uint8(kernel.Unknown) {
			lost[of[iv.Quark]] = append(lost[of[iv.Quark]], iv.Start)
		}
		return true
	})
	return lost, err
}

// at tells whether the thread of a system call was lost sight of at t.
func (l lostSight) at(call attribute.Quark, t int64) bool {
	_, ok := slices.BinarySearch(l[call], t)
	return ok
}
