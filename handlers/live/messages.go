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
	l := s.lens(r.Raw)
	b := bundler{limit: r.Limit, columns: r.Columns, hostRow: s.rows.hostRow, flows: r.Flows}
	out := &wire.Messages{Header: r.Header, Base: r.Begin, Clocks: l.clocks(r, len(s.set.Hosts()))}
	// Those sent in [from, to) among all that touch [begin, end).
	read := func(begin, end, from, to int64) error {
		err := s.set.Messages(ctx, begin, end, r.Raw, func(m match.Message) bool {
			if r.A != r.B && (min(m.From, m.To) != min(r.A, r.B) || max(m.From, m.To) != max(r.A, r.B)) {
				return ctx.Err() == nil
			}
			a, sent := s.arrow(l, m, r.Begin)
			if sent < from || sent >= to {
				return ctx.Err() == nil
			}
			out.Total++
			if a.Flags&wire.Violation != 0 {
				out.Violations++
			}
			b.add(a, columnOf(sent, r))
			return ctx.Err() == nil
		})
		if err == nil {
			err = ctx.Err()
		}
		return err
	}
	suits := l.suits(r, s.set.Status())
	var c *crowd
	if suits {
		c = s.hub.crowds.get(s, l)
	}
	if err := c.answer(r, &b, out, read); err != nil {
		return nil, err
	}
	if suits && c == nil && out.Total > crowdLeast {
		s.hub.crowds.want(s, l)
	}
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
