package history

import (
	"encoding/binary"
	"fmt"

	"synchroscope/state/attribute"
)

// appendOngoing writes what the state stream has of an attribute.
func (s *present) appendOngoing(b []byte, q attribute.Quark) []byte {
	o := at(s.pages, s.start, q)
	if !o.born() {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(o.birth-s.start)+1)
	b = binary.AppendUvarint(b, uint64(o.since-o.birth))
	return appendValue(b, o.value)
}

// writeState writes the state stream, block by block, since it is as long as there are attributes. It returns the last block, or noBlock,
// and the length.
func (w *Writer) writeState() (last uint32, length uint64, err error) {
	k := block{kind: stateBlock, prev: noBlock}
	write := func(part []byte) {
		if err == nil {
			k.prev, err = w.write(&k, len(append(w.payload(), part...)))
			length += uint64(len(part))
		}
	}
	var b []byte
	for q := range attribute.Quark(w.names.attributes) {
		if b = w.present.appendOngoing(b, q); len(b) >= w.room {
			write(b[:w.room])
			b = b[:copy(b, b[w.room:])]
		}
	}
	if len(b) > 0 {
		write(b)
	}
	return k.prev, length, err
}

// restorePresent reads the state stream off d.
func restorePresent(d *feed, s *present, attributes int, end int64) string {
	for q := range attributes {
		d.ahead(mostItem)
		first := d.uvarint()
		if first == 0 {
			if d.bad {
				return "the state stream ends early"
			}
			continue
		}
		if first-1 > uint64(end)-uint64(s.start) {
			return fmt.Sprintf("attribute %d begins after the end", q)
		}
		birth := s.start + int64(first-1)
		since := d.after(birth, end)
		v := d.value()
		if d.bad {
			return fmt.Sprintf("the state of attribute %d does not decode", q)
		}
		s.set(attribute.Quark(q), ongoing{value: v, since: since, birth: birth})
	}
	return ""
}
