package query

import (
	"context"
	"slices"
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

// A Gauge tells how busy threads of one history were in one stretch of its time. What its CPUs tell of all threads it reads once. It is not safe for
// concurrent use.
type Gauge struct {
	history    *history.History
	begin, end int64
	occupied   map[int32]int64 // ns on a CPU by thread; nil until it is read
}

// NewGauge returns the gauge of a history from begin until before end, local ns.
func NewGauge(h *history.History, begin, end int64) *Gauge {
	return &Gauge{history: h, begin: begin, end: end}
}

// Efforts returns those of threads, which are quarks of Threads/<tid>.
func (g *Gauge) Efforts(ctx context.Context, threads []attribute.Quark) ([]Effort, error) {
	if err := g.read(ctx); err != nil {
		return nil, err
	}
	totals, err := g.history.Totals(ctx, threads, g.begin, g.end)
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
		out[i].CPU = max(out[i].CPU, g.onCPU(threads[i]))
	}
	return out, nil
}

// Busy tells which of threads, quarks of Threads/<tid>, were on a CPU or wanted to be, for however short a time. The CPUs are
// few and know most of those that were, so only the others are asked themselves.
func (g *Gauge) Busy(ctx context.Context, threads []attribute.Quark) ([]bool, error) {
	if err := g.read(ctx); err != nil {
		return nil, err
	}
	busy := make([]bool, len(threads))
	var others []attribute.Quark
	var places []int
	for i, q := range threads {
		if busy[i] = g.onCPU(q) > 0; !busy[i] {
			others, places = append(others, q), append(places, i)
		}
	}
	totals, err := g.history.Totals(ctx, others, g.begin, g.end)
	for k, of := range totals {
		busy[places[k]] = slices.ContainsFunc(of, func(t history.Total) bool {
			s := state(t.Value)
			return s != Nothing && kernel.Status(s).Busy()
		})
	}
	return busy, err
}

func (g *Gauge) read(ctx context.Context) (err error) {
	if g.occupied == nil {
		g.occupied, err = kernel.Occupied(ctx, g.history, g.begin, g.end)
	}
	return err
}

// onCPU is for how long the CPUs had a thread.
func (g *Gauge) onCPU(thread attribute.Quark) int64 {
	tid, err := strconv.ParseInt(g.history.Attributes().Name(thread), 10, 32)
	if err != nil {
		return 0
	}
	return g.occupied[int32(tid)]
}
