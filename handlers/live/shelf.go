package live

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/network"
)

// Bytes of answers that a hub keeps, and of one of them at most.
const (
	shelfBytes  = 32 << 20
	shelfAnswer = 4 << 20
)

// A shelf keeps answers about sets in which nothing changes any more, so that what several browsers
// look at is computed once. Who asks for what is being computed waits for it. While a
// set is imported nothing of it is on the shelf.
type shelf struct {
	mu     sync.Mutex
	frames *recent[topic, []byte] // for view 0
	making map[topic]*making
}

// A topic is all that an answer follows from, but for whom it goes to.
type topic struct {
	set      string
	solution *network.Solution // whatever the request says of time: bounds are by it in raw time too
	state    ingest.State
	rows     *table // what the numbers of rows mean
	version  uint32 // of the row table
	request  string // with how far each host was read
}

// A making is an answer that is being computed; frame and err may be read when done is closed.
type making struct {
	done  chan struct{}
	frame []byte
	err   error
}

func newShelf(most int) *shelf {
	return &shelf{frames: newRecent[topic, []byte](most), making: make(map[topic]*making)}
}

// topic is what an answer to r follows from now; seen is its horizon.
func (s *session) topic(r wire.Request, seen horizon) topic {
	rows := r.Rows
	r.Header, r.Rows = wire.Header{}, nil
	b := fmt.Appendf(nil, "%#v", r) // quoted, so that the text of a filter cannot read like other fields
	for _, reach := range seen.reach {
		b = binary.LittleEndian.AppendUint64(b, uint64(reach))
	}
	for _, id := range rows {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return topic{s.set.ID(), s.set.Solution(), seen.state, s.rows, s.rows.versionNow(), string(b)}
}

// get returns the frame of an answer: one that is kept, or the one that someone makes already, or what compute
// returns. It is not to be changed. Where the maker gives up because its own request was
// replaced, another who waits makes it. What is no longer about the topic when it is made, as
// still tells, is not kept.
func (s *shelf) get(ctx context.Context, t topic, compute func() ([]byte, error), still func() bool) ([]byte, error) {
	for {
		frame, m, mine := s.look(t)
		switch {
		case frame != nil:
			return frame, nil
		case mine:
			defer s.finish(t, m, still)
			m.err = context.Canceled // as long as nothing else is known: compute may panic
			m.frame, m.err = compute()
			return m.frame, m.err
		}
		select {
		case <-m.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if m.err == nil {
			return m.frame, nil
		}
	}
}

// look returns what is kept of a topic, or who makes it: mine, if nobody did yet.
func (s *shelf) look(t topic) (frame []byte, m *making, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if frame, ok := s.frames.get(t); ok {
		return frame, nil, false
	}
	if m = s.making[t]; m != nil {
		return nil, m, false
	}
	m = &making{done: make(chan struct{})}
	s.making[t] = m
	return nil, m, true
}

func (s *shelf) finish(t topic, m *making, still func() bool) {
	keep := m.err == nil && len(m.frame) <= shelfAnswer && still()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.making, t)
	close(m.done)
	if keep {
		s.frames.put(t, m.frame, len(t.request)+len(m.frame))
	}
}

// forget drops what is kept of a set.
func (s *shelf) forget(set string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames.forget(func(t topic) bool { return t.set == set })
}
