package live

import (
	"context"

	"synchroscope/handlers/wire"
	"synchroscope/sync/match"
)

// answerMessages draws single arrows while they are few and bundles when they
// are many. Messages are read once, and no more of them than the limit held.
func answerMessages(ctx context.Context, s *session, r wire.Request) (answer, error) {
	l := s.lens(r.Raw)
	b := bundler{limit: r.Limit, columns: r.Columns, hostRow: s.rows.hostRow}
	out := &wire.Messages{Header: r.Header, Base: r.Begin, Clocks: l.clocks(r, len(s.set.Hosts()))}
	err := s.set.Messages(ctx, r.Begin, r.End, r.Raw, func(m match.Message) bool {
		if r.A != r.B && (min(m.From, m.To) != min(r.A, r.B) || max(m.From, m.To) != max(r.A, r.B)) {
			return ctx.Err() == nil
		}
		sent, received := l.shown(m.From, m.Sent), l.shown(m.To, m.Received)
		a := wire.Arrow{
			Sent: float64(sent - r.Begin), Received: float64(received - r.Begin),
			From: s.rows.of(m.From, m.FromThread), To: s.rows.of(m.To, m.ToThread),
			Count: 1, Bytes: float32(m.Bytes),
			ErrorFrom: l.bound32(m.From, m.Sent), ErrorTo: l.bound32(m.To, m.Received),
		}
		out.Total++
		if received < sent && l.violated(m) {
			a.Flags = wire.Violation
			out.Violations++
		}
		b.add(a, columnOf(sent, r))
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	out.Arrows = b.drawn()
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}
