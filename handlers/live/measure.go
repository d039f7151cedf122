package live

import (
	"context"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/query"
)

// answerMeasure tells how busy the threads were in the range: those alone that were at all.
func answerMeasure(ctx context.Context, s *session, r wire.Request) (answer, error) {
	out := &wire.Listing{Header: r.Header}
	l := s.lens(r.Raw)
	for batch := range s.rows.batches(sumBatch) {
		history := s.set.Hosts()[batch.host].History()
		if history == nil {
			continue
		}
		var quarks []attribute.Quark
		var ids []uint32
		for i, q := range batch.quarks {
			if q != attribute.None {
				quarks, ids = append(quarks, q), append(ids, batch.ids[i])
			}
		}
		efforts, err := query.Efforts(ctx, history, quarks, l.local(batch.host, r.Begin), l.local(batch.host, r.End))
		if err != nil {
			return nil, err
		}
		for i, e := range efforts {
			v := float64(e.CPU)
			if r.By == wire.ByChanges {
				v = float64(e.Changes)
			}
			if v > 0 {
				out.Rows, out.Values = append(out.Rows, ids[i]), append(out.Values, v)
			}
		}
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}
