package messages

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"synchroscope/ingest/blockfile"
	"synchroscope/sync/match"
)

// A Query asks for messages that touch [Begin, End): that were sent or received in it, or on
// their way all of it, by the clock that Time reads.
type Query struct {
	Begin, End int64
	// Time maps a local time of a host; nil leaves times as they are. It must not fall
	// where local time rises.
	Time func(host int32, local int64) int64
	// Wanted tells which ordered pairs to look at; nil is all.
	Wanted func(from, to int32) bool
	// Ends leaves out what only passes: that was neither sent nor received in the range.
	Ends bool
}

func (q *Query) time(host int32, local int64) int64 {
	if q.Time == nil {
		return local
	}
	return q.Time(host, local)
}

// touches tells whether something from a to b, or from b to a, overlaps the range.
func (q *Query) touches(a, b int64) bool { return min(a, b) < q.End && max(a, b) >= q.Begin }

func (q *Query) holds(t int64) bool { return q.Begin <= t && t < q.End }

// wants tells of a message whether it is asked for.
func (q *Query) wants(sent, received int64) bool {
	if q.Ends {
		return q.holds(sent) || q.holds(received)
	}
	return q.touches(sent, received)
}

// looks tells whether a block may hold messages that are asked for.
func (q *Query) looks(b *block) bool {
	if q.Wanted != nil && !q.Wanted(b.from, b.to) {
		return false
	}
	sent := [2]int64{q.time(b.from, b.sent.least), q.time(b.from, b.sent.greatest)}
	received := [2]int64{q.time(b.to, b.received.least), q.time(b.to, b.received.greatest)}
	if q.Ends {
		return q.touches(sent[0], sent[1]) || q.touches(received[0], received[1])
	}
	return q.touches(min(sent[0], received[0]), max(sent[1], received[1]))
}

// Select yields the messages of a query in the order they were sent, by the clock of the query,
// until yield returns false.
func (s *Store) Select(ctx context.Context, q Query, yield func(match.Message) bool) error {
	blocks := s.blocksOf(&q)
	var m merge
	var read reader
	for len(blocks) > 0 || len(m) > 0 {
		if len(blocks) > 0 && (len(m) == 0 || blocks[0].first <= m[0].sent) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			messages, err := read.block(s, blocks[0].block)
			if err != nil {
				return err
			}
			for _, msg := range messages {
				sent := q.time(msg.From, msg.Sent)
				if q.wants(sent, q.time(msg.To, msg.Received)) {
					heap.Push(&m, timed{sent, msg})
				}
			}
			blocks = blocks[1:]
			continue
		}
		if !yield(heap.Pop(&m).(timed).Message) {
			return nil
		}
	}
	return nil
}

// A placed block is one with the time its first message was sent, by the clock of a query.
type placed struct {
	first int64
	*block
}

// blocksOf returns copies of the blocks that may hold answers, by first time.
func (s *Store) blocksOf(q *Query) []placed {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []placed
	look := func(b *block) {
		if q.looks(b) {
			c := *b
			found = append(found, placed{q.time(b.from, b.sent.least), &c})
		}
	}
	for i := range s.blocks {
		look(&s.blocks[i])
	}
	for _, b := range s.open {
		look(b)
	}
	slices.SortStableFunc(found, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	return found
}

// A reader reads blocks into buffers that it uses again.
type reader struct {
	buf      []byte
	messages []match.Message
}

func (r *reader) block(s *Store, b *block) ([]match.Message, error) {
	if b.messages != nil {
		return b.messages, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	payload, count, _, err := blockfile.Read(s.f, b.offset, r.buf)
	if err != nil {
		return nil, err
	}
	r.buf = payload
	r.messages, err = appendMessages(r.messages[:0], payload, count)
	return r.messages, err
}

// A timed message has its time of sending by the clock of a query.
type timed struct {
	sent int64
	match.Message
}

// merge is a heap; equal times are ordered by everything else, so that an answer does not
// depend on how the messages came into the file.
type merge []timed

func (m merge) Len() int      { return len(m) }
func (m merge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m merge) Less(i, j int) bool {
	a, b := &m[i], &m[j]
	return cmp.Or(
		cmp.Compare(a.sent, b.sent),
		cmp.Compare(a.From, b.From),
		cmp.Compare(a.To, b.To),
		cmp.Compare(a.Received, b.Received),
		cmp.Compare(a.FromThread, b.FromThread),
		cmp.Compare(a.ToThread, b.ToThread),
		cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Data, b.Data),
		cmp.Compare(a.Protocol, b.Protocol),
		cmp.Compare(a.FromPort, b.FromPort),
		cmp.Compare(a.ToPort, b.ToPort),
		cmp.Compare(flags(&a.Message), flags(&b.Message)),
	) < 0
}
func (m *merge) Push(x any) { *m = append(*m, x.(timed)) }
func (m *merge) Pop() any {
	last := len(*m) - 1
	x := (*m)[last]
	*m = (*m)[:last]
	return x
}
