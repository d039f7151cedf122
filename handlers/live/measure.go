package live

import (
	"context"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/query"
)

// answerMeasure tells how busy the threads were in the range, or which of them were: those alone that were at all. Which of them were is told of
// a first look as well, in what takes its place: rows that have not been found again yet stand at the end. By use it tells of hosts instead, how much they were used.
func answerMeasure(ctx context.Context, s *session, r wire.Request) (answer, error) {
	l := s.lens(r.Raw)
	out := &wire.Listing{Header: r.Header, Map: l.version()}
	if r.By == wire.ByUse {
		return s.used(ctx, l, r, out)
	}
	gauges := make(map[int32]*query.Gauge)
	for batch := range s.rows.batches(sumBatch) {
		history := s.set.Hosts()[batch.host].History()
		if history == nil {
			continue
		}
		gauge := gauges[batch.host]
		if gauge == nil {
			gauge = query.NewGauge(history, l.local(batch.host, r.Begin), l.local(batch.host, r.End))
			gauges[batch.host] = gauge
		}
		var quarks []attribute.Quark
		var ids []uint32
		for i, q := range batch.quarks {
			if q != attribute.None {
				quarks, ids = append(quarks, q), append(ids, batch.ids[i])
			}
		}
		if err := listEfforts(ctx, out, gauge, quarks, ids, r.By); err != nil {
			return nil, err
		}
	}
	if r.By == wire.ByBusy {
		unfound := s.unfound(r, l)
		out.Rows, out.Unsure = append(out.Rows, unfound...), uint32(len(unfound))
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// used tells of each host of which anything is known in the range how much its CPUs were used.
func (s *session) used(ctx context.Context, l lens, r wire.Request, out *wire.Listing) (answer, error) {
	for i, h := range s.set.Hosts() {
		host := int32(i)
		history := h.History()
		id, cpus := s.rows.machine(host)
		if history == nil || len(cpus) == 0 {
			continue
		}
		share, known, err := query.Used(ctx, history, cpus, l.local(host, r.Begin), l.local(host, r.End))
		switch {
		case err == nil && known:
			out.Rows, out.Values = append(out.Rows, id), append(out.Values, share)
		case err != nil && s.set.Damaged(err) == nil: // of a host that cannot be read the status and the report say so
			return nil, err
		}
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

// listEfforts adds the rows of threads of one host, with a number each unless it is 0, or those that are busy.
func listEfforts(ctx context.Context, out *wire.Listing, gauge *query.Gauge, threads []attribute.Quark, ids []uint32, by wire.Measure) error {
	if by == wire.ByBusy {
		busy, err := gauge.Busy(ctx, threads)
		for i, yes := range busy {
			if yes {
				out.Rows = append(out.Rows, ids[i])
			}
		}
		return err
	}
	efforts, err := gauge.Efforts(ctx, threads)
	for i, e := range efforts {
		v := float64(e.CPU)
		if by == wire.ByChanges {
			v = float64(e.Changes)
		}
		if v > 0 {
			out.Rows, out.Values = append(out.Rows, ids[i]), append(out.Values, v)
		}
	}
	return err
}

// unfound are the rows of a first look that have not been found again, as long as they may be.
func (s *session) unfound(r wire.Request, l lens) (ids []uint32) {
	kept, rows, ids := s.rows.unfound()
	if !s.complete(r, l, rows) {
		ids = append(ids, kept...)
	}
	return ids
}
