package live

import (
	"context"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// restWords are what a line is in an interval in which it was not seen to be raised or served: at rest, where all of the time something told what its CPU does, or, of a line in
// total, what all CPUs do. Else an interrupt can have come unseen.
func restWords(ctx context.Context, h *history.History, line attribute.Quark, iv history.Interval) (string, error) {
	tree := h.Attributes()
	cpus := []attribute.Quark{tree.Parent(tree.Parent(line))}
	if cpus[0] == attribute.Root {
		cpus = tree.Match("CPUs/*")
	}
	totals, err := h.Totals(ctx, cpus, iv.Start, iv.End)
	if err != nil {
		return "", err
	}
	unknown := func(t history.Total) bool {
		n, ok := t.Value.Int()
		return t.Time > 0 && (!ok || kernel.CPUStatus(n) == kernel.CPUUnknown)
	}
	if slices.ContainsFunc(totals, func(of []history.Total) bool { return slices.ContainsFunc(of, unknown) }) {
		return "at rest, as far as is known", nil
	}
	return "at rest", nil
}
