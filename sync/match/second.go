package match

import (
	"cmp"
	"slices"
)

// second gives endpoints that found no partner by their key a second look:
//
//   - Segments of TCP by what they carry of their stream, whoever cut or joined
//     them (ranges.go).
//   - Endpoints of which several have one key, by the ports they belong to, and
//     segments of TCP by a key without addresses, for these may have been translated
//     on the way. Either must win a test: the clocks of the two hosts must
//     allow all messages that follow, and nothing else may (ports.go).
//
// What finds no partner is kept for one more look, with what the next generation leaves.
type second struct {
	known     *relations
	addresses *addresses
	items     []leftover
	carried   int // so many of items had a look before

	ranged []ranged
	spare  []ranged
	cuts   []cut
	loose  []loose
	seen   [2]bitmap
}

// A leftover is an endpoint without a partner.
type leftover struct {
	key            Key
	time           int64
	port           uint64
	host, thread   int32
	bytes, payload uint32
	direction      Direction
	content        Content
	fate           fate // where it is counted
}

func leftoverOf(p *Endpoint) leftover {
	return leftover{
		key: p.Key, time: p.Time, port: p.Port, host: p.Host, thread: p.Thread,
		bytes: p.Bytes, payload: p.Payload, direction: p.Direction, content: p.content(),
	}
}

func (l *leftover) alone() bool { return l.fate == unmatchedSent || l.fate == unmatchedReceived }

func (s *second) add(l leftover) { s.items = append(s.items, l) }

// look tries all that was collected. Unless it is the last look, what is left is carried to
// the next, but no more than most, the newest; the rest is evicted.
func (s *second) look(last bool, most int, counts *Counts, emit func(Message)) {
	pair := func(send, receive *leftover, data uint32) {
		counts.add(send.fate, -1)
		counts.add(receive.fate, -1)
		send.fate, receive.fate = matched, matched
		counts.Matched++
		m := Message{
			From: send.host, To: receive.host, Sent: send.time, Received: receive.time,
			FromThread: send.thread, ToThread: receive.thread, Bytes: min(send.bytes, receive.bytes), Data: data, Protocol: send.key.Protocol,
			Content: cmp.Or(send.content, receive.content), Opens: send.key.opens(),
		}
		m.FromPort, m.ToPort = send.key.ports()
		emit(m)
	}
	s.matchRanges(counts, pair)
	s.matchPorts(pair)
	if last {
		return
	}
	carried := s.items[:0]
	drop := max(len(s.items)-most, s.carried)
	for i := range s.items {
		switch l := &s.items[i]; {
		case l.fate == matched || l.fate == piece:
		case i >= drop:
			carried = append(carried, *l)
		case l.alone():
			counts.add(l.fate, -1)
			counts.add(evicted, 1)
		}
	}
	s.items, s.carried = carried, len(carried)
}

// sides calls found with the items that have something with their hash on the other side, and perhaps some more.
func (s *second) sides(has func(*leftover) bool, hash func(*leftover) uint64, found func(item int32, hash uint64)) {
	var n [2]int
	for i := range s.items {
		if l := &s.items[i]; has(l) {
			n[l.direction]++
		}
	}
	if n[Send] == 0 || n[Receive] == 0 {
		return
	}
	for i := range s.seen {
		s.seen[i] = s.seen[i].sized(n[i])
	}
	for i := range s.items {
		if l := &s.items[i]; has(l) {
			s.seen[l.direction].set(hash(l))
		}
	}
	for i := range s.items {
		if l := &s.items[i]; has(l) {
			if h := hash(l); s.seen[1-l.direction].has(h) {
				found(int32(i), h)
			}
		}
	}
}

// A bitmap says whether something with a hash may be there.
type bitmap []uint64

// sized returns an empty one for n hashes, in the memory of b if it has room.
func (b bitmap) sized(n int) bitmap {
	words := 1
	for words*8 < n {
		words *= 2
	}
	b = slices.Grow(b[:0], words)[:words]
	clear(b)
	return b
}

func (b bitmap) set(hash uint64) { b[hash>>6&uint64(len(b)-1)] |= 1 << (hash & 63) }

func (b bitmap) has(hash uint64) bool { return b[hash>>6&uint64(len(b)-1)]&(1<<(hash&63)) != 0 }
