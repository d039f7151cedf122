package match

import (
	"cmp"
	"slices"
)

// A ranged is a segment as a range of the bytes of its stream.
type ranged struct {
	stream     Key    // addresses and ports
	begin, end uint64 // sequence numbers; end may be beyond 1<<32
	hash       uint64
	item       int32
	direction  Direction
	host       int32
}

// matchRanges pairs segments that were cut or joined between the places where
// they were recorded: by a card that cuts what is too large for the wire, or that joins what arrives.
//
// Of a byte that was sent once, any record of its arrival is later than any of
// its departure; so every send may be held against every receive that has a
// byte of it. What says most of the clocks is the first receive that has
// a byte of a send, if that is the last send that has a byte of this receive. These two make
// a message: a large send with the first of the pieces that were received, a large receive with
// the last of the pieces that were sent. All others with a common byte
// are counted as pieces. Segments that are sent again are not here (streams.go);
// where two of a side overlap all the same, nobody knows what became of which, and
// none of those that hang together is used.
func (s *second) matchRanges(counts *Counts, pair func(send, receive *leftover, bytes uint32)) {
	s.collectRanges()
	list := s.ranged
	for len(list) > 0 {
		n, end := 1, list[0].end
		for n < len(list) && list[n].stream == list[0].stream && list[n].begin < end {
			end = max(end, list[n].end)
			n++
		}
		if n > 1 {
			s.matchTogether(list[:n], counts, pair)
		}
		list = list[n:]
	}
}

// collectRanges fills s.ranged, in order, with the segments of streams that are seen on both sides.
func (s *second) collectRanges() {
	s.ranged = s.ranged[:0]
	for i := range s.items {
		l := &s.items[i]
		if !l.segment() || !l.alone() || l.payload == 0 {
			continue
		}
		begin := l.key.C >> 32
		s.ranged = append(s.ranged, ranged{
			stream: Key{Form: l.key.Form, A: l.key.A, B: l.key.B >> 32, D: l.key.D},
			begin:  begin, end: begin + uint64(l.payload),
			hash: streamOf(&l.key), item: int32(i), direction: l.direction, host: l.host,
		})
	}
	for i := range s.seen {
		s.seen[i] = s.seen[i].sized(len(s.ranged))
	}
	for i := range s.ranged {
		s.seen[s.ranged[i].direction].set(s.ranged[i].hash)
	}
	s.ranged = slices.DeleteFunc(s.ranged, func(r ranged) bool { return !s.seen[1-r.direction].has(r.hash) })
	slices.SortFunc(s.ranged, func(p, q ranged) int {
		return cmp.Or(comparePart(&p.stream, &q.stream), cmp.Compare(p.begin, q.begin), cmp.Compare(p.end, q.end),
			cmp.Compare(p.direction, q.direction), s.compareItems(p.item, q.item))
	})
}

func comparePart(p, q *Key) int {
	return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B), cmp.Compare(p.D, q.D), cmp.Compare(p.C, q.C),
		cmp.Compare(p.Form, q.Form), cmp.Compare(p.Protocol, q.Protocol))
}

// compareItems orders what has one key, so that the order does not depend on who was read first.
func (s *second) compareItems(i, j int32) int {
	p, q := &s.items[i], &s.items[j]
	return cmp.Or(cmp.Compare(p.host, q.host), cmp.Compare(p.time, q.time), cmp.Compare(p.port, q.port), cmp.Compare(p.direction, q.direction))
}

// matchTogether pairs segments of a stream that hang together by common bytes.
func (s *second) matchTogether(list []ranged, counts *Counts, pair func(send, receive *leftover, bytes uint32)) {
	become := func(f fate) {
		for i := range list {
			l := &s.items[list[i].item]
			counts.add(l.fate, -1)
			counts.add(f, 1)
			l.fate = f
		}
	}
	var last [2]*ranged // of each side
	for i := range list {
		r := &list[i]
		if before := last[r.direction]; before != nil {
			switch {
			case before.host != r.host:
				become(ambiguous)
				return
			case before.end > r.begin:
				become(retransmitted)
				return
			}
		}
		last[r.direction] = r
	}
	switch {
	case last[Send] == nil || last[Receive] == nil:
		return
	case last[Send].host == last[Receive].host:
		become(loopback)
		return
	}
	become(piece)
	s.pairRanges(list, pair)
}

// pairRanges walks along two lists of ranges, neither of which overlaps itself.
func (s *second) pairRanges(list []ranged, pair func(send, receive *leftover, bytes uint32)) {
	next := func(i int, d Direction) int {
		for i++; i < len(list) && list[i].direction != d; i++ {
		}
		return i
	}
	send, receive := next(-1, Send), next(-1, Receive)
	for send < len(list) && receive < len(list) {
		x, y := &list[send], &list[receive]
		if x.end <= y.begin {
			send = next(send, Send)
			continue
		}
		if y.end <= x.begin {
			receive = next(receive, Receive)
			continue
		}
		// y is the first receive with a byte of x. Is x the last send with a byte of y?
		after := next(send, Send)
		if after == len(list) || list[after].begin >= y.end {
			p, q := &s.items[x.item], &s.items[y.item]
			pair(p, q, min(p.bytes, q.bytes))
			receive = next(receive, Receive)
		}
		send = after
	}
}
