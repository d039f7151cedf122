package live

import (
	"context"

	"synchroscope/handlers/wire"
	"synchroscope/sync/match"
)

// answerMessages draws single arrows while they are few and bundles when they
// are many. Messages are read once, and no more of them than the limit held; where they
// are very many, most come from the crowd of the set.
func answerMessages(ctx context.Context, s *session, r wire.Request) (answer, error) {
	out, err := messagesIn(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return func(seq uint32) ([]byte, error) {
		out.Seq = seq
		return out.Encode()
	}, nil
}

func messagesIn(ctx context.Context, s *session, r wire.Request) (*wire.Messages, error) {
	x := s.reading(r, r.Flows)
	b := bundler{limit: r.Limit, columns: r.Columns, hostRow: s.rows.hostRow, flows: r.Flows}
	out := &wire.Messages{Header: r.Header, Base: r.Begin, Clocks: x.l.clocks(r, len(s.set.Hosts()))}
	if _, _, yes := x.c.covers(r.Begin, r.End); yes {
		b.hosts, b.cells, b.shift = true, make(map[cell]bundle), firstCell
	}
	if r.Flows {
		found, err := x.flows(ctx, r.Begin, r.End)
		if err != nil {
			return nil, err
		}
		b.kept = found.kept(r)
	}
	err := x.each(ctx, r.Begin, r.End, func(a wire.Arrow, sent int64) {
		out.Total++
		if a.Flags&wire.Violation != 0 {
			out.Violations++
		}
		b.add(a, columnOf(sent, r))
	}, func(n bundle, sent int64) {
		out.Total += n.Count
		out.Violations += n.Backward
		b.gather(n, columnOf(sent, r))
	})
	if err != nil {
		return nil, err
	}
	x.want(out.Total)
	out.Arrows = b.drawn()
	return out, nil
}

// arrow is a message as a request wants it, its times after base, and when it was sent.
func (s *session) arrow(l lens, m match.Message, base int64) (a wire.Arrow, sent int64) {
	sent = l.shown(m.From, m.Sent)
	received := l.shown(m.To, m.Received)
	a = wire.Arrow{
		Sent: float64(sent - base), Received: float64(received - base),
		From: s.rows.of(m.From, m.FromThread), To: s.rows.of(m.To, m.ToThread),
		Count: 1, Bytes: float32(m.Bytes),
		FromPort: m.FromPort, ToPort: m.ToPort, Protocol: m.Protocol,
		ErrorFrom: l.bound32(m.From, m.Sent), ErrorTo: l.bound32(m.To, m.Received),
	}
	if received < sent && l.violated(m) {
		a.Flags, a.Backward = wire.Violation, 1
	}
	return a, sent
}
