package messages

import (
	"context"

	"synchroscope/sync/match"
)

// Scan yields the messages of a query, with both times by its clock, in the order in which they are stored. It begins at a block and ends where it has
// read so many messages or more; next is the block to go on from, and less than 0 when there are
// no more. Whoever only adds up needs neither an order nor the memory for it.
func (s *Store) Scan(ctx context.Context, q Query, from, most int, yield func(m match.Message, sent, received int64)) (next int, err error) {
	var read reader
	give := func(messages []match.Message) {
		for _, m := range messages {
			if sent, received := q.time(m.From, m.Sent), q.time(m.To, m.Received); q.wants(sent, received) {
				yield(m, sent, received)
			}
		}
		most -= len(messages)
	}
	for i := from; ; i++ {
		b, open := s.blockAt(i)
		if b == nil {
			for _, b := range open {
				if q.looks(b) {
					give(b.messages)
				}
			}
			return -1, nil
		}
		if !q.looks(b) {
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

// Sent is from the first time in the range of a query at which a message of it was sent to the last, by the bounds of blocks alone, which reads nothing: in a block of
// which a part was sent in the range its messages may begin later, or end earlier. ok is false where none was sent there.
func (s *Store) Sent(q Query) (first, last int64, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := nothing
	add := func(b *block) {
		if q.Wanted != nil && !q.Wanted(b.from, b.to) {
			return
		}
		least, greatest := max(q.time(b.from, b.sent.least), q.Begin), min(q.time(b.from, b.sent.greatest), q.End-1)
		if least <= greatest {
			all = all.with(least).with(greatest)
		}
	}
	for i := range s.blocks {
		add(&s.blocks[i])
	}
	for _, b := range s.open {
		add(b)
	}
	return all.least, all.greatest, all.least <= all.greatest
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
			if q.wants(sent, received) && !yield(m, sent, received) {
				return nil
			}
		}
	}
	return nil
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
