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
	stride   int
	index    int
	previous attribute.Quark
	data     int // bytes of columns so far
}

func beginHeads(b []byte, columns, directory int) heads {
	stride := strideOf(columns, directory)
	runs := (columns + stride - 1) / stride
	return heads{b: b[:runs*directoryEntry], columns: columns, stride: stride}
}

const (
	leastStride    = 32 // columns per entry of the directory
	directoryEntry = 12
)

// strideOf is how many columns have one entry of the directory: so many that it has at most so many bytes.
func strideOf(columns, directory int) int {
	stride := leastStride
	for (columns+stride-1)/stride*directoryEntry > directory {
		stride *= 2
	}
	return stride
}

// mostDirectory is at least the bytes of the directory of some columns, of so many at most.
func mostDirectory(columns, directory int) int {
	return min((columns+leastStride-1)/leastStride*directoryEntry, directory)
}

// add writes the head of the next column, of length bytes.
func (h *heads) add(q attribute.Quark, length int) {
	if h.index%h.stride == 0 {
		e := h.b[h.index/h.stride*directoryEntry:]
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
	for e := h.b[:(h.columns+h.stride-1)/h.stride*directoryEntry]; len(e) > 0; e = e[directoryEntry:] {
		binary.LittleEndian.PutUint32(e[8:], binary.LittleEndian.Uint32(e[8:])+uint32(len(h.b)))
	}
	return h.b
}
