package live

import (
	"context"
	"errors"

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

func messagesIn(ctx context.Context, s *session, r wire.Request) (out *wire.Messages, err error) {
	err = s.reading(ctx, r, r.Flows, func(x *reading) error {
		out, err = x.messages(ctx)
		return err
	})
	return out, err
}

func (x *reading) messages(ctx context.Context) (*wire.Messages, error) {
	r := x.r
	b := bundler{limit: r.Limit, begin: r.Begin, end: r.End, columns: r.Columns, hostRow: x.s.rows.hostRow, flows: r.Flows}
	out := &wire.Messages{Header: r.Header, Base: r.Begin, Complete: x.l.final(r) && atRest(x.s.set.Status()), Clocks: x.l.clocks(r, len(x.s.set.Hosts()))}
	if r.Flows {
		found, err := x.flows(ctx, r.Begin, r.End)
		if err != nil && !errors.Is(err, errFlows) {
			return nil, err
		}
		b.kept = found.kept(r) // none of those that are too many
	}
	level := 0
	if first, last, yes := x.c.covers(r.Begin, r.End); yes {
		level = x.c.begin(&b, first, last)
	}
	err := x.each(ctx, r.Begin, r.End, level, func(a wire.Arrow, sent, received int64) {
		out.Total++
		out.Violations += a.Backward
		b.add(a, sent, received)
	}, func(n bundle, sent int64) {
		out.Total += n.Count
		out.Violations += n.Backward
		b.gather(n, sent)
	})
	if err != nil {
		return nil, err
	}
	out.Arrows = b.drawn(r.Begin)
	return out, nil
}

// arrow is a message as a view wants it, but for its times, which are by the lens.
func (s *session) arrow(l lens, m *match.Message, sent, received int64) wire.Arrow {
	a := wire.Arrow{
		From: s.rows.of(m.From, m.FromThread), To: s.rows.of(m.To, m.ToThread),
		Count: 1, Bytes: float32(m.Data),
		FromPort: m.FromPort, ToPort: m.ToPort, Protocol: m.Protocol,
		ErrorFrom: l.bound32(m.From, m.Sent), ErrorTo: l.bound32(m.To, m.Received),
	}
	if received < sent && l.violated(m) {
		a.Flags, a.Backward = wire.Violation, 1
	}
	return a
}
