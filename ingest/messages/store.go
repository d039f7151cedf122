// Package messages stores the messages of a trace set and finds those of a
// range of time. docs/format/messages.md describes the file.
//
// Messages are kept in the local clocks of their hosts, and asked for in reference
// time. A block therefore holds one ordered pair of hosts only: its bounds pass
// through two clock maps, the newest ones, when a query comes, and blocks outside the range are
// not read. Nothing is sorted when it is written. A query merges the blocks it
// needs by their first time of sending, so that it holds no more of them than
// overlap in time, which for packets on a wire are few.
package messages

import (
	"fmt"
	"math"
	"sync"

	"synchroscope/ingest/blockfile"
	"synchroscope/sync/match"
)

// blockRecords closes a block.
const blockRecords = 256

// A Store is a message file. One goroutine adds, any number query.
type Store struct {
	f blockfile.File

	mu     sync.RWMutex // also held while a block is read: a retraction rewrites it
	log    *blockfile.Writer
	blocks []block
	open   map[[2]int32]*block
	buf    []byte
}

// A block is up to blockRecords messages of one pair. Its messages are in memory
// until it is written.
type block struct {
	from, to       int32
	sent, received span
	offset         int64
	messages       []match.Message
}

// A span is from the least to the greatest time.
type span struct{ least, greatest int64 }

var nothing = span{math.MaxInt64, math.MinInt64}

func (s span) with(t int64) span { return span{min(s.least, t), max(s.greatest, t)} }

func (s span) holds(t int64) bool { return s.least <= t && t <= s.greatest }

// Create empties f.
func Create(f blockfile.File) (*Store, error) {
	log, err := blockfile.Create(f, magic)
	if err != nil {
		return nil, err
	}
	return &Store{f: f, log: log, open: make(map[[2]int32]*block)}, nil
}

// Open reads the bounds of all blocks of a file of size bytes. Nothing can be added.
func Open(f blockfile.File, size int64) (*Store, error) {
	s := &Store{f: f}
	err := blockfile.Walk(f, magic, size, func(offset int64, payload []byte, count int) error {
		b, err := decodeBounds(payload, count)
		b.offset = offset
		s.blocks = append(s.blocks, b)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Add appends a message, or takes one back if it is Retracted.
func (s *Store) Add(m match.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Retracted {
		return s.retract(m)
	}
	pair := [2]int32{m.From, m.To}
	b := s.open[pair]
	if b == nil {
		b = &block{from: m.From, to: m.To, sent: nothing, received: nothing}
		s.open[pair] = b
	}
	b.messages = append(b.messages, m)
	b.sent, b.received = b.sent.with(m.Sent), b.received.with(m.Received)
	if len(b.messages) < blockRecords {
		return nil
	}
	return s.write(pair)
}

func (s *Store) write(pair [2]int32) error {
	b := s.open[pair]
	s.buf = b.append(s.buf[:0])
	offset, err := s.log.Write(s.buf, len(b.messages))
	if err != nil {
		return err
	}
	delete(s.open, pair)
	b.offset, b.messages = offset, nil
	s.blocks = append(s.blocks, *b)
	return nil
}

// retract takes back a message, which is most often among the newest.
func (s *Store) retract(m match.Message) error {
	m.Retracted = false
	if b := s.open[[2]int32{m.From, m.To}]; b != nil {
		for i := range b.messages {
			if b.messages[i] == m {
				// A new slice: queries may hold the old one.
				rest := make([]match.Message, 0, blockRecords)
				rest = append(rest, b.messages[:i]...)
				b.messages = append(rest, b.messages[i+1:]...)
				if len(b.messages) == 0 {
					delete(s.open, [2]int32{m.From, m.To})
				}
				return nil
			}
		}
	}
	for i := len(s.blocks) - 1; i >= 0; i-- {
		b := &s.blocks[i]
		if b.from != m.From || b.to != m.To || !b.sent.holds(m.Sent) || !b.received.holds(m.Received) {
			continue
		}
		payload, count, _, err := blockfile.Read(s.f, b.offset, s.buf)
		if err != nil {
			return err
		}
		s.buf = payload
		if mark(payload, count, m) {
			return s.log.Rewrite(b.offset, payload, count)
		}
	}
	return fmt.Errorf("a message of host %d to host %d, sent at %d, is taken back but was never stored", m.From, m.To, m.Sent)
}

// Close closes the file; queries fail from then on.
func (s *Store) Close() error { return s.f.Close() }

// Finish writes what is open and makes everything durable. Nothing can be added after it.
func (s *Store) Finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pair := range pairs(s.open) {
		if err := s.write(pair); err != nil {
			return err
		}
	}
	s.open = nil
	return s.log.Sync()
}
