package match

import "cmp"

// A ranged is a segment as a range of the bytes of its stream.
type ranged struct {
	stream uint64 // hash of addresses and ports
	begin  uint32 // sequence number
	item   int32
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
// none of those that hang together is used. Nor is what hangs together with a segment across the end of the
// sequence numbers behind it. Where there are IP ids they must agree (numbered.go).
func (s *second) matchRanges(counts *Counts, pair func(send, receive *leftover, data uint32)) {
	s.collectRanges()
	list := s.ranged
	for len(list) > 0 {
		n, end := 1, s.end(list[0])
		for n < len(list) && uint64(list[n].begin) < end && list[n].stream == list[0].stream {
			end = max(end, s.end(list[n]))
			n++
		}
		if n > 1 {
			s.matchTogether(list[:n], counts)
		}
		if n == len(list) || list[n].stream != list[0].stream {
			s.pairCuts(pair)
		}
		list = list[n:]
	}
}

// end is the sequence number behind a segment; it may be beyond 1<<32.
func (s *second) end(r ranged) uint64 {
	l := &s.items[r.item]
	end := l.key.C>>32 + uint64(l.payload)
	if s.wrapped(r) {
		end -= 1 << 32
	}
	return end
}

// wrapped reports whether r is the part behind the end of the sequence numbers of a segment across it.
func (s *second) wrapped(r ranged) bool { return uint32(s.items[r.item].key.C>>32) != r.begin }

// collectRanges fills s.ranged, in order, with the segments of streams that are seen on both sides.
func (s *second) collectRanges() {
	s.ranged = s.ranged[:0]
	has := func(l *leftover) bool {
		return l.payload > 0 && l.key.segment() && (l.alone() || l.fate == retransmitted)
	}
	s.sides(has, func(l *leftover) uint64 { return streamOf(&l.key) }, func(item int32, hash uint64) {
		l := &s.items[item]
		s.ranged = append(s.ranged, ranged{hash, uint32(l.key.C >> 32), item})
		if l.key.C>>32+uint64(l.payload) > 1<<32 {
			s.ranged = append(s.ranged, ranged{hash, 0, item})
		}
	})
	s.ranged, s.spare = sortRanged(s.ranged, s.spare, s.compareRanged)
}

// compareRanged orders segments.
func (s *second) compareRanged(p, q ranged) int {
	if p.stream != q.stream || p.begin != q.begin {
		return cmp.Or(cmp.Compare(p.stream, q.stream), cmp.Compare(p.begin, q.begin))
	}
	k, l := &s.items[p.item], &s.items[q.item]
	if k.payload != l.payload || k.direction != l.direction {
		return cmp.Or(cmp.Compare(k.payload, l.payload), cmp.Compare(k.direction, l.direction))
	}
	return cmp.Or(compareKeys(&k.key, &l.key), s.compareItems(p.item, q.item))
}

// compareKeys orders keys.
func compareKeys(p, q *Key) int {
	return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.D, q.D), cmp.Compare(p.B, q.B), cmp.Compare(p.C, q.C),
		cmp.Compare(p.Form, q.Form), cmp.Compare(p.Protocol, q.Protocol))
}

// compareItems orders what has one key, so that the order does not depend on who was read first.
func (s *second) compareItems(i, j int32) int {
	p, q := &s.items[i], &s.items[j]
	return cmp.Or(cmp.Compare(p.host, q.host), cmp.Compare(p.time, q.time), cmp.Compare(p.port, q.port), cmp.Compare(p.direction, q.direction))
}

// matchTogether finds pairs among segments of a stream that hang together by common bytes.
func (s *second) matchTogether(list []ranged, counts *Counts) {
	become := func(f fate) {
		for i := range list {
			l := &s.items[list[i].item]
			counts.add(l.fate, -1)
			counts.add(f, 1)
			l.fate = f
		}
	}
	across := false
	for _, r := range list {
		if s.items[r.item].fate == retransmitted {
			become(retransmitted)
			return
		}
		across = across || s.wrapped(r)
	}
	if across {
		become(piece)
		return
	}
	var last [2]*leftover // of each side
	for _, r := range list {
		l := &s.items[r.item]
		if before := last[l.direction]; before != nil {
			switch {
			case before.host != l.host:
				become(ambiguous)
				return
			case before.key.C>>32+uint64(before.payload) > uint64(r.begin):
				become(retransmitted)
				return
			}
		}
		last[l.direction] = l
	}
	switch {
	case last[Send] == nil || last[Receive] == nil:
		return
	case last[Send].host == last[Receive].host:
		become(loopback)
		return
	}
	become(piece)
	s.pairRanges(list)
}

// pairRanges walks along two lists of ranges, neither of which overlaps itself.
func (s *second) pairRanges(list []ranged) {
	next := func(i int, d Direction) int {
		for i++; i < len(list) && s.items[list[i].item].direction != d; i++ {
		}
		return i
	}
	send, receive := next(-1, Send), next(-1, Receive)
	before, joined := -1, false // the send before this one, and whether it goes with the receive
	from, data := len(s.cuts), uint32(0)
	sent := func(i int) { data = together(data, s.items[list[i].item].bytes) } // in a cut to come
	for send < len(list) && receive < len(list) {
		x, y := list[send], list[receive]
		if s.end(x) <= uint64(y.begin) {
			sent(send)
			before, send = send, next(send, Send)
			continue
		}
		if s.end(y) <= uint64(x.begin) {
			receive, joined = next(receive, Receive), false
			continue
		}
		size, ok := s.goes(x, y)
		if size < 0 {
			size, ok = 0, ok && before >= 0 && s.end(list[before]) == uint64(x.begin) && (joined || s.begins(list[before], y))
		}
		// y is the first receive with a byte of x. Is x the last send with a byte of y?
		after := next(send, Send)
		sent(send)
		if after == len(list) || uint64(list[after].begin) >= s.end(y) {
			if ok {
				s.cuts = append(s.cuts, cut{x.item, y.item, size, data, len(s.cuts) == from})
				data = 0
			}
			receive, joined = next(receive, Receive), false
		} else {
			joined = ok
		}
		before, send = send, after
	}
	if len(s.cuts) > from {
		last := &s.cuts[len(s.cuts)-1]
		last.data = together(last.data, data)
	}
}

func (s *second) goes(x, y ranged) (size int32, ok bool) {
	return numbered(&s.items[x.item].key, &s.items[y.item].key)
}

// begins reports whether receive y begins in send x.
func (s *second) begins(x, y ranged) bool {
	size, ok := s.goes(x, y)
	return ok && size >= 0 && s.end(x) > uint64(y.begin)
}
