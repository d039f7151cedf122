package live

import (
	"context"
	"math"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// answerDensity counts events and what was lost of all hosts per column, and
// tells how well the worst synchronized clock is known there. A host's bound counts
// only where it has a trace: outside it widens without end and would hide the rest.
// That of a host on an island is against another clock than the reference, as which it would be read.
func answerDensity(ctx context.Context, s *session, r wire.Request) (answer, error) {
	l := s.lens(r.Raw)
	axis := edges(r.Begin, r.End, r.Columns)
	out := &wire.Density{
		Header: r.Header, Begin: r.Begin, End: r.End,
		Events: make([]uint32, r.Columns), Lost: make([]uint32, r.Columns), Packets: make([]uint32, r.Columns), Reaching: make([]uint32, r.Columns),
		Share: make([]float32, r.Columns), Error: make([]float32, r.Columns),
	}
	all := make([]ingest.LossColumn, r.Columns)
	for c := range out.Error {
		out.Error[c] = -1
	}
	for i, host := range s.set.Hosts() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		local := l.localEdges(int32(i), axis)
		events, lost, err := host.Density(ctx, axis, local, func(t int64) int64 { return l.shown(int32(i), t) })
		if s.set.Damaged(err) != nil {
			err = nil // the status and the report say so
		}
		if err != nil {
			return nil, err
		}
		addTo(out.Events, events)
		for c := range lost {
			all[c].Add(lost[c])
		}
		if history := host.History(); history != nil {
			begin, end := history.Bounds()
			l.widen(out.Error, int32(i), local, begin, end)
		}
	}
	for c, lost := range all {
		out.Lost[c], out.Packets[c], out.Reaching[c] = clamp(lost.Events), clamp(lost.Packets), clamp(lost.Reaching)
		out.Share[c] = float32(lost.Spread / max(1, lost.Spread+float64(out.Events[c]))) // less than one event is not all there was
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// clamp makes a number one that the wire can carry.
func clamp(n int64) uint32 { return uint32(min(n, math.MaxUint32)) }

// widen raises each column's error to the host's largest bound in it, where
// the column touches [begin, end).
func (l lens) widen(errors []float32, host int32, local []int64, begin, end int64) {
	m := l.clock(host)
	if m == nil || l.solution.Unsynchronized(host) {
		return
	}
	for c := range errors {
		if local[c+1] <= begin || local[c] >= end {
			continue
		}
		if ns, ok := m.Worst(max(local[c], begin), min(local[c+1], end)); ok {
			errors[c] = max(errors[c], float32(ns))
		}
	}
}

// addTo adds counts, which stop at what the wire can carry.
func addTo(sum, more []uint32) {
	for c := range min(len(sum), len(more)) {
		sum[c] += min(more[c], math.MaxUint32-sum[c])
	}
}
