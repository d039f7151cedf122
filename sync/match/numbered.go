package match

import "math"

// A cut is a send and a receive with a byte of it, of a stream, by their items.
type cut struct {
	send, receive int32
	size          int32  // of the packets that the card must have made, 0 if that does not matter
	data          uint32 // bytes of this send, and of those before that are in no other cut
	first         bool   // of those that hang together
}

// leastPacket is how many bytes of a stream a packet has at least that is not the last of those a card cuts or
// joins: 576 with all headers, which every way takes, and 12 of them for time stamps.
const leastPacket = 524

// numbered reports whether the IP ids of a send and a receive with common bytes allow that
// some of these went with that send. A card that cuts a segment numbers its packets on, and all but the
// last have the same size; what is joined is numbered like that, and has the id of its first. So the first byte of a receive is
// as many packets behind the first byte of a send as its id is. Size is that of the packets between, 0 if
// there are none, -1 if the receive begins before the send.
func numbered(send, receive *Key) (size int32, ok bool) {
	if send.identity() == 0 || receive.identity() == 0 {
		return 0, true
	}
	packets := int32(int16(receive.identity() - send.identity()))
	bytes := int32(uint32(receive.C>>32) - uint32(send.C>>32))
	if packets == 0 || bytes == 0 {
		return 0, packets == 0 && bytes == 0
	}
	if size = bytes / packets; bytes%packets != 0 || size < leastPacket {
		return 0, false
	}
	if packets < 0 {
		return -1, true
	}
	return size, true
}

// pairCuts makes messages of what was found in a stream. A packet that was sent again, cut at the same place, has a later id than
// the one that was sent first, so it seems to be of smaller packets than the stream has. Only the largest size
// counts, and only if two pairs say it. What was sent in a pair that does not count is given to the one before, or else to
// the next, of those that hang together.
func (s *second) pairCuts(pair func(send, receive *leftover, data uint32)) {
	largest, say := int32(0), 0
	for _, c := range s.cuts {
		if c.size > largest {
			largest, say = c.size, 0
		}
		if c.size == largest {
			say++
		}
	}
	counts := func(c *cut) bool { return c.size == 0 || c.size == largest && say > 1 }
	for i := len(s.cuts) - 1; i > 0; i-- {
		if c := &s.cuts[i]; !counts(c) && !c.first {
			s.cuts[i-1].data = together(s.cuts[i-1].data, c.data)
			c.data = 0
		}
	}
	early := uint32(0)
	for i := range s.cuts {
		c := &s.cuts[i]
		if c.first {
			early = 0
		}
		early = together(early, c.data)
		if counts(c) {
			pair(&s.items[c.send], &s.items[c.receive], early)
			early = 0
		}
	}
	s.cuts = s.cuts[:0]
}

// together adds up bytes, as far as there is room for the number.
func together(a, b uint32) uint32 { return a + min(b, math.MaxUint32-a) }
