package live

import (
	"context"
	"errors"
	"math"

	"synchroscope/handlers/wire"
	"synchroscope/sync/match"
)

// A reading is what a request reads of the messages of a set: each by itself, but where they are very
// many and a crowd of the set is at hand, its bundles.
type reading struct {
	s *session
	l lens
	r wire.Request
	c *crowd // nil where there is none

	bounded bool // a crowd could be had: very many messages are not to be read without one
}

// errMany ends a reading that is bounded.
var errMany = errors.New("very many messages")

// reading answers a request by f, with a place among those that read. Where it meets very many messages and a crowd can
// be had, f begins anew when the crowd is there, which is waited for without a place. Bundles are of
// single connections if they are to be apart.
func (s *session) reading(ctx context.Context, r wire.Request, apart bool, f func(*reading) error) error {
	x := &reading{s: s, l: s.lens(r.Raw), r: r}
	if x.l.suits(r, s.set.Status()) {
		x.c = s.hub.crowds.get(s, x.l, apart)
		x.bounded = x.c == nil
	}
	err := x.placed(ctx, f)
	if errors.Is(err, errMany) {
		x.bounded = false
		if x.c, err = s.hub.crowds.made(ctx, s, x.l, apart); err == nil {
			err = x.placed(ctx, f)
		}
	}
	return err
}

func (x *reading) placed(ctx context.Context, f func(*reading) error) error {
	if err := x.s.hub.enter(ctx); err != nil {
		return err
	}
	defer x.s.hub.exit()
	return f(x)
}

// each gives all messages that touch [begin, end): arrows with both their times, and bundles of a level of the crowd or
// finer ones with a time of the cell that they lie in, in no order.
func (x *reading) each(ctx context.Context, begin, end int64, level int, single func(a wire.Arrow, sent, received int64), many func(n bundle, sent int64)) error {
	first, last, yes := x.c.covers(begin, end)
	if !yes {
		return x.read(ctx, begin, end, math.MinInt64, math.MaxInt64, single)
	}
	c := x.c
	c.each(first, last, level, func(level int, y *crowdCell) { many(y.bundle, c.start(y.at<<level)) })
	if err := x.read(ctx, begin, c.start(first), math.MinInt64, c.start(first), single); err != nil {
		return err
	}
	return x.read(ctx, c.start(last), end, c.start(last), math.MaxInt64, single)
}

// read gives the messages sent in [from, to) among all that touch [begin, end).
func (x *reading) read(ctx context.Context, begin, end, from, to int64, single func(a wire.Arrow, sent, received int64)) error {
	r, clocks := x.r, x.l.solution
	if r.Raw {
		clocks = nil
	}
	n := 0
	err := x.s.set.EachMessage(ctx, begin, end, clocks, func(m *match.Message, sent, received int64) bool {
		if (r.A == r.B || min(m.From, m.To) == min(r.A, r.B) && max(m.From, m.To) == max(r.A, r.B)) && from <= sent && sent < to {
			single(x.s.arrow(x.l, m, sent, received), sent, received)
			n++
		}
		return ctx.Err() == nil && !(x.bounded && n >= crowdLeast)
	})
	switch {
	case err != nil:
		return err
	case x.bounded && n >= crowdLeast:
		return errMany
	}
	return ctx.Err()
}
