package query

import (
	"context"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// whole makes an interval of the status of a CPU what readers take for one: a correction of what a CPU was believed to do can have made it equal to the
// interval before, and these are two in the tree. No other attribute of the kernel's was found to be so in a recording.
func whole(ctx context.Context, h *history.History, iv history.Interval) (history.Interval, error) {
	tree := h.Attributes()
	if cpus := tree.Lookup("CPUs"); cpus == attribute.None || tree.Parent(iv.Quark) != cpus {
		return iv, nil
	}
	first, last := h.Bounds()
	for iv.Start > first {
		before, err := h.Point(ctx, iv.Quark, iv.Start-1)
		if err != nil {
			return iv, err
		}
		if before.Value != iv.Value {
			break
		}
		iv.Start = before.Start
	}
	for iv.End < last {
		behind, err := h.Point(ctx, iv.Quark, iv.End)
		if err != nil {
			return iv, err
		}
		if behind.Value != iv.Value {
			break
		}
		iv.End = behind.End
	}
	return iv, nil
}
