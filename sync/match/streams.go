package match

// streams knows how far each TCP stream of one host has been sent. A segment
// that begins before that is sent again; its key may be new all the same, because
// what was sent first was part of a larger segment that the card cut. Taken
// for a packet of its own it would find the partner of that part, and claim
// that it was received before it was sent.
//
// Two generations of streams are remembered, by number.
type streams struct {
	young, old map[uint64]uint32 // by stream: the sequence number that comes next
}

const (
	maxStreams = 1 << 14 // of a generation
	// reach is how far back a segment may begin that is sent again: no window
	// is wider. What begins before that is another connection.
	reach = 1 << 30
)

// Flags of TCP.
const (
	syn = 1 << 1
	ack = 1 << 4
)

// sent takes a segment and reports whether it has bytes that were sent before.
func (s *streams) sent(k *Key, payload uint32) (again bool) {
	flags := k.B >> 16
	if payload == 0 && flags&syn == 0 {
		return false
	}
	if s.young == nil {
		s.young, s.old = make(map[uint64]uint32), make(map[uint64]uint32)
	}
	stream, begin := streamOf(k), uint32(k.C>>32)
	next, known := s.young[stream]
	if !known {
		next, known = s.old[stream]
		if len(s.young) >= maxStreams {
			s.young, s.old = s.old, s.young
			clear(s.young)
		}
	}
	end := begin + payload
	if flags&syn != 0 {
		s.young[stream] = end + 1
		return false
	}
	if back := next - begin; known && back != 0 && back <= reach {
		s.young[stream] = next
		if int32(end-next) > 0 {
			s.young[stream] = end
		}
		return true
	}
	s.young[stream] = end
	return false
}

// streamOf folds the addresses and ports of a key.
func streamOf(k *Key) uint64 {
	s := k.stream()
	var d digest
	d.word(s.A ^ uint64(s.Form))
	d.word(s.D)
	d.word(s.B >> 32)
	return d.x
}
