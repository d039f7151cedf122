package messages

import (
	"context"

	"synchroscope/sync/match"
)

// Scan yields the messages that were sent in [Begin, End) of a query, with Ends those received there too, with Passing all that touch it, with both times by its
// clock, in the order in which they are stored. It begins at a block and ends where it has
// read so many messages or more; next is the block to go on from, and less than 0 when there are
// no more. Whoever only adds up needs neither an order nor the memory for it.
func (s *Store) Scan(ctx context.Context, q Query, from, most int, yield func(m match.Message, sent, received int64)) (next int, err error) {
	var read reader
	give := func(messages []match.Message) {
		for _, m := range messages {
			sent := q.time(m.From, m.Sent)
			if !q.holds(sent) && !q.Ends && !q.Passing {
				continue
			}
			received := q.time(m.To, m.Received)
			if q.holds(sent) || q.Ends && q.holds(received) || q.Passing && q.touches(sent, received) {
				yield(m, sent, received)
			}
		}
		most -= len(messages)
	}
	for i := from; ; i++ {
		b, open := s.blockAt(i)
		if b == nil {
			for _, b := range open {
				if q.scans(b) {
					give(b.messages)
				}
			}
			return -1, nil
		}
		if !q.scans(b) {
			continue
		}
		if most <= 0 {
			return i, nil
		}
		if ctx.Err() != nil {
			return i, context.Cause(ctx)
		}
		messages, err := read.block(s, b)
		if err != nil {
			return i, err
		}
		give(messages)
	}
}

// Each yields the messages of a query, with both times by its clock, in no order, until yield returns
// false. It is a quarter of the work of Select.
func (s *Store) Each(ctx context.Context, q Query, yield func(m *match.Message, sent, received int64) bool) error {
	var read reader
	for _, b := range s.blocksOf(&q) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		messages, err := read.block(s, b.block)
		if err != nil {
			return err
		}
		for i := range messages {
			m := &messages[i]
			sent, received := q.time(m.From, m.Sent), q.time(m.To, m.Received)
			if q.touches(sent, received) && !yield(m, sent, received) {
				return nil
			}
		}
	}
	return nil
}

func (q *Query) holds(t int64) bool { return q.Begin <= t && t < q.End }

// scans tells whether a Scan may yield messages of a block.
func (q *Query) scans(b *block) bool {
	if q.Wanted != nil && !q.Wanted(b.from, b.to) {
		return false
	}
	within := func(host int32, s span) bool {
		return q.time(host, s.least) < q.End && q.time(host, s.greatest) >= q.Begin
	}
	if within(b.from, b.sent) || q.Ends && within(b.to, b.received) {
		return true
	}
	first, last := min(q.time(b.from, b.sent.least), q.time(b.to, b.received.least)), max(q.time(b.from, b.sent.greatest), q.time(b.to, b.received.greatest))
	return q.Passing && q.touches(first, last)
}

// blockAt returns a copy of a written block; behind the last one nil, and copies of those that are still open.
func (s *Store) blockAt(i int) (b *block, open []*block) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if i < len(s.blocks) {
		c := s.blocks[i]
		return &c, nil
	}
	for _, pair := range pairs(s.open) {
		c := *s.open[pair]
		open = append(open, &c)
	}
	return nil, open
}
