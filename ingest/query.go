package ingest

import (
	"context"
	"math"

	"synchroscope/ingest/messages"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// during asks for the messages of [begin, end), as they are drawn, counted and listed everywhere: by the clocks of a solution those that were on their
// way at some time in it. By the hosts' own, where that may seem to take hours and says nothing, those that were sent or received there.
func during(begin, end int64, clocks *network.Solution) messages.Query {
	return messages.Query{Begin: begin, End: end, Time: by(clocks), Ends: clocks == nil}
}

// Messages yields the messages of [begin, end) in the given clock (reference if
// raw is false, else each host's own), by time of sending.
func (s *Set) Messages(ctx context.Context, begin, end int64, raw bool, yield func(match.Message) bool) error {
	clocks := s.Solution()
	if raw {
		clocks = nil
	}
	return s.selectMessages(ctx, during(begin, end, clocks), yield)
}

// MessagesFrom yields the messages that were sent in [begin, end) of the clocks of a solution, raw if it is nil, by time of sending: a part of them, of so many
// and those that were sent at the same time as the last. With both ends of a pair given, only theirs, both ways. next is the time to go on from, end where there are no more.
func (s *Set) MessagesFrom(ctx context.Context, begin, end int64, clocks *network.Solution, pair *[2]int32, most int, yield func(m *match.Message)) (next int64, err error) {
	q := messages.Query{Begin: begin, End: end, Time: by(clocks), Wanted: wanted(pair)}
	last := int64(math.MinInt64)
	next = end
	err = s.selectMessages(ctx, q, func(m match.Message) bool {
		sent := m.Sent
		if q.Time != nil {
			sent = q.Time(m.From, m.Sent)
		}
		switch {
		case sent >= end:
			return false
		case sent < begin: // it is on its way at the beginning
			return true
		case most <= 0 && sent > last:
			next = sent
			return false
		}
		last = sent
		most--
		yield(&m)
		return true
	})
	return next, err
}

// wanted tells of a query whether messages are of a pair, nil for all.
func wanted(pair *[2]int32) func(from, to int32) bool {
	if pair == nil {
		return nil
	}
	return func(from, to int32) bool { return *pair == [2]int32{from, to} || *pair == [2]int32{to, from} }
}

// EachMessage yields the messages of [begin, end) by the clocks of a solution, raw if it is nil, as during has them, with both times by them,
// in no order, until yield returns false.
func (s *Set) EachMessage(ctx context.Context, begin, end int64, clocks *network.Solution, yield func(m *match.Message, sent, received int64) bool) error {
	store, err := s.store()
	if store == nil || err != nil {
		return err
	}
	return s.reading(store, store.Each(ctx, during(begin, end, clocks), yield))
}

// LinkMessages yields all messages of a pair, both ways, by local time of sending.
func (s *Set) LinkMessages(ctx context.Context, a, b int32, yield func(match.Message) bool) error {
	return s.selectMessages(ctx, messages.Query{Begin: math.MinInt64, End: math.MaxInt64, Wanted: wanted(&[2]int32{a, b})}, yield)
}

// ScanMessages yields the messages of [begin, end) by the clocks of a solution, raw if it is nil, in the order in which they are stored:
// a part of them, as messages.Store.Scan does. With both ends of a pair given, only theirs, both ways.
func (s *Set) ScanMessages(ctx context.Context, begin, end int64, clocks *network.Solution, pair *[2]int32, from, most int, yield func(m match.Message, sent, received int64)) (next int, err error) {
	store, err := s.store()
	if err != nil {
		return from, err
	}
	if store == nil {
		return -1, nil
	}
	q := during(begin, end, clocks)
	q.Wanted = wanted(pair)
	next, err = store.Scan(ctx, q, from, most, yield)
	return next, s.reading(store, err)
}

// Sent is from the first to the last time at which a pair sent each other messages in [begin, end), by the clocks of a solution, raw if it is nil: as messages.Store.Sent
// has it. ok is false where there is none.
func (s *Set) Sent(begin, end int64, clocks *network.Solution, pair [2]int32) (first, last int64, ok bool, err error) {
	store, err := s.store()
	if store == nil || err != nil {
		return 0, 0, false, err
	}
	q := during(begin, end, clocks)
	q.Wanted = wanted(&pair)
	first, last, ok = store.Sent(q)
	return first, last, ok, nil
}

// by reads the clocks of a solution for a query; a host that it does not know of has its own time, as all have without one. What it returns belongs to
// one goroutine.
func by(clocks *network.Solution) func(host int32, local int64) int64 {
	if clocks == nil {
		return nil
	}
	cursors := make([]clock.Cursor, len(clocks.Hosts))
	for i := range cursors {
		if m := clocks.Hosts[i].Map; m != nil {
			cursors[i] = m.References()
		}
	}
	return func(host int32, local int64) int64 {
		if int(host) >= len(cursors) {
			return local
		}
		return cursors[host].At(local)
	}
}

func (s *Set) selectMessages(ctx context.Context, q messages.Query, yield func(match.Message) bool) error {
	store, err := s.store()
	if store == nil || err != nil {
		return err
	}
	return s.reading(store, store.Select(ctx, q, yield))
}
