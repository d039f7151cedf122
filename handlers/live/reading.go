package live

import (
	"cmp"
	"context"
	"math"
	"slices"

	"synchroscope/handlers/wire"
	"synchroscope/sync/match"
)

// A reading is what a request reads of the messages of a set: each by itself, but where they are very
// many and a crowd of the set is at hand, its bundles.
type reading struct {
	s     *session
	l     lens
	r     wire.Request
	apart bool   // bundles are of single connections
	suits bool   // the request can be answered from a crowd
	c     *crowd // nil where there is none
}

func (s *session) reading(r wire.Request, apart bool) reading {
	x := reading{s: s, l: s.lens(r.Raw), r: r, apart: apart}
	if x.suits = x.l.suits(r, s.set.Status()); x.suits {
		x.c = s.hub.crowds.get(s, x.l, apart)
	}
	return x
}

// want has a crowd made for the next request, where one would have helped this one, of so many messages.
func (x reading) want(total uint32) {
	if x.suits && x.c == nil && total > crowdLeast {
		x.s.hub.crowds.want(x.s, x.l, x.apart)
	}
}

// each gives all messages that touch [begin, end): arrows and bundles, whose times are after the
// begin of the request, and when each was sent, a bundle on average.
func (x reading) each(ctx context.Context, begin, end int64, single func(a wire.Arrow, sent int64), many func(n bundle, sent int64)) error {
	first, last, yes := x.c.covers(begin, end)
	if !yes {
		return x.read(ctx, begin, end, math.MinInt64, math.MaxInt64, single)
	}
	c := x.c
	if err := x.read(ctx, begin, c.at(first), math.MinInt64, c.at(first), single); err != nil {
		return err
	}
	at, _ := slices.BinarySearchFunc(c.cells, first, func(x crowdCell, column int32) int { return cmp.Compare(x.column, column) })
	later := float64(c.begin - x.r.Begin)
	for _, y := range c.cells[at:] {
		if y.column >= last {
			break
		}
		n := y.bundle
		n.Sent += later * float64(n.Count)
		n.Received += later * float64(n.Count)
		many(n, x.r.Begin+int64(n.Sent/float64(n.Count)))
	}
	return x.read(ctx, c.at(last), end, c.at(last), math.MaxInt64, single)
}

// read gives the messages sent in [from, to) among all that touch [begin, end).
func (x reading) read(ctx context.Context, begin, end, from, to int64, single func(a wire.Arrow, sent int64)) error {
	r := x.r
	err := x.s.set.Messages(ctx, begin, end, r.Raw, func(m match.Message) bool {
		if r.A != r.B && (min(m.From, m.To) != min(r.A, r.B) || max(m.From, m.To) != max(r.A, r.B)) {
			return ctx.Err() == nil
		}
		if a, sent := x.s.arrow(x.l, m, r.Begin); from <= sent && sent < to {
			single(a, sent)
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}
