package trace

// What a reader calls to fill an event. All buffers are borrowed: they must stay
// as they are until the event is filled again, and must have [Spare] bytes
// behind the last bit that may be walked, so that whole words can be loaded.
// Positions are bits from the beginning of the buffer, which must lie at a multiple
// of [Layout.Align] bits from the beginning of the packet.

// Spare is the number of bytes a buffer has behind the end of its data.
const Spare = 8

// Prepare makes room for the segments of a class or a layout.
func (e *Event) Prepare(slots int) {
	if len(e.slots) < slots {
		e.slots = append(e.slots, make([]uint64, slots-len(e.slots))...)
	}
}

// DecodePacket walks packet header and context, from the beginning of b up to bit
// end, and returns where they end. The fields of a packet can be read until the next call.
func (e *Event) DecodePacket(l *Layout, b []byte, end uint64) (uint64, error) {
	e.Prepare(l.slots)
	e.buf[1], e.ends[1] = b, end
	return e.walk(l.packet, 0, end)
}

// DecodeHeader walks the event header from bit pos, and returns where it ends.
func (e *Event) DecodeHeader(l *Layout, b []byte, pos, end uint64) (uint64, error) {
	e.buf[0], e.ends[0] = b, end
	return e.walk(l.header, pos, end)
}

// DecodeBody walks the contexts and the payload of an event of class c, and returns
// where they end. It fails with ErrShort where more than the bits up to end are
// needed, and returns then a position that they reach at least; and with ErrOption where a
// variant selects nothing.
func (e *Event) DecodeBody(c *Class, b []byte, pos, end uint64) (uint64, error) {
	if len(e.slots) < c.slots {
		e.Prepare(c.slots)
	}
	e.Class, e.buf[0], e.ends[0] = c, b, end
	if c.single {
		o := &c.body[0]
		pos = (pos + o.mask) &^ o.mask
		e.slots[o.slot] = pos
		if pos += o.bits; pos > end {
			return pos, ErrShort
		}
		return pos, nil
	}
	return e.walk(c.body, pos, end)
}
