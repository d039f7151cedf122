package query

import (
	"context"
	"strconv"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// An Effort is how busy a thread was in a stretch of time.
type Effort struct {
	CPU     int64  // ns on a CPU, interrupted or not, and whatever it did there
	Changes uint64 // how often its status changed
}

// Efforts returns those of threads, which are quarks of Threads/<tid>, from begin until
// before end, local ns.
func Efforts(ctx context.Context, h *history.History, threads []attribute.Quark, begin, end int64) ([]Effort, error) {
	totals, err := h.Totals(ctx, threads, begin, end)
	if err != nil {
		return nil, err
	}
	occupied, err := kernel.Occupied(ctx, h, begin, end)
	if err != nil {
		return nil, err
	}
	out := make([]Effort, len(threads))
	for i, of := range totals {
		var stretches uint64
		for _, t := range of {
			stretches += t.Count
			if s := state(t.Value); s != Nothing && kernel.Status(s).OnCPU() {
				out[i].CPU += t.Time
			}
		}
		if stretches > 0 {
			out[i].Changes = stretches - 1
		}
		// Without a kernel trace no CPU is known, and the states tell of events alone.
		if tid, err := strconv.ParseInt(h.Attributes().Name(threads[i]), 10, 32); err == nil {
			out[i].CPU = max(out[i].CPU, occupied[int32(tid)])
		}
	}
	return out, nil
}
