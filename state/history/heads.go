package history

import (
	"encoding/binary"

	"synchroscope/state/attribute"
)

// heads writes the directory and the heads of a payload's columns, which
// follow them.
type heads struct {
	b        []byte
	columns  int
	index    int
	previous attribute.Quark
	data     int // bytes of columns so far
}

func beginHeads(b []byte, columns int) heads {
	runs := (columns + stride - 1) / stride
	return heads{b: b[:runs*directoryEntry], columns: columns}
}

// add writes the head of the next column, of length bytes.
func (h *heads) add(q attribute.Quark, length int) {
	if h.index%stride == 0 {
		e := h.b[h.index/stride*directoryEntry:]
		binary.LittleEndian.PutUint32(e, uint32(q))
		binary.LittleEndian.PutUint32(e[4:], uint32(len(h.b)))
		binary.LittleEndian.PutUint32(e[8:], uint32(h.data))
		h.previous = q
	}
	h.b = binary.AppendUvarint(h.b, uint64(q-h.previous))
	h.b = binary.AppendUvarint(h.b, uint64(length))
	h.previous = q
	h.data += length
	h.index++
}

// end makes the places of columns final and returns what was written.
func (h *heads) end() []byte {
	for e := h.b[:(h.columns+stride-1)/stride*directoryEntry]; len(e) > 0; e = e[directoryEntry:] {
		binary.LittleEndian.PutUint32(e[8:], binary.LittleEndian.Uint32(e[8:])+uint32(len(h.b)))
	}
	return h.b
}
