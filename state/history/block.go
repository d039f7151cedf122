package history

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"synchroscope/state/attribute"
)

// A block is one block of the file, verified and held in memory. It is
// immutable.
type block struct {
	number  uint32
	kind    uint8
	level   uint8
	prev    uint32
	start   int64
	end     int64
	columns int
	count   int
	payload []byte
	offset  int64 // in the file, for errors
}

func blockOffset(number uint32, nodeSize int) int64 {
	return headerPage + int64(number)*int64(nodeSize)
}

// putBlockHeader completes a block whose payload of used bytes stands in b:
// it clears the rest and fills the header, checksum last.
func putBlockHeader(b []byte, h *block, used int) {
	clear(b[blockHeader+used:])
	le := binary.LittleEndian
	b[4], b[5], b[6], b[7] = h.kind, h.level, 0, 0
	le.PutUint32(b[8:], h.number)
	le.PutUint32(b[12:], uint32(used))
	le.PutUint64(b[16:], uint64(h.start))
	le.PutUint64(b[24:], uint64(h.end))
	le.PutUint32(b[32:], h.prev)
	le.PutUint32(b[36:], uint32(h.columns))
	le.PutUint32(b[40:], uint32(h.count))
	le.PutUint32(b[44:], 0)
	le.PutUint32(b, crc32.Checksum(b[4:], castagnoli))
}

// parseBlock verifies the bytes of a block that was read as number.
func parseBlock(b []byte, number uint32) (*block, error) {
	le := binary.LittleEndian
	k := &block{
		number:  le.Uint32(b[8:]),
		kind:    b[4],
		level:   b[5],
		prev:    le.Uint32(b[32:]),
		start:   int64(le.Uint64(b[16:])),
		end:     int64(le.Uint64(b[24:])),
		columns: int(le.Uint32(b[36:])),
		count:   int(le.Uint32(b[40:])),
		offset:  blockOffset(number, len(b)),
	}
	if got, want := crc32.Checksum(b[4:], castagnoli), le.Uint32(b); got != want {
		k.number = number
		return nil, k.corrupt("checksum is %08x, the block says %08x", got, want)
	}
	if k.number != number {
		said := k.number
		k.number = number
		return nil, k.corrupt("the block says it is number %d", said)
	}
	used := le.Uint32(b[12:])
	switch {
	case used > uint32(len(b)-blockHeader):
		return nil, k.corrupt("%d bytes used of %d", used, len(b)-blockHeader)
	case k.kind == 0 || k.kind >= blockKinds:
		return nil, k.corrupt("unknown kind %d", k.kind)
	case k.level > maxLevel:
		return nil, k.corrupt("level %d is more than %d", k.level, maxLevel)
	case k.start > k.end:
		return nil, k.corrupt("starts at %d, after its end %d", k.start, k.end)
	case k.prev != noBlock && k.prev >= number:
		return nil, k.corrupt("follows block %d, which is not before it", k.prev)
	}
	k.payload = b[blockHeader : blockHeader+used]
	if directory := (k.columns + stride - 1) / stride * directoryEntry; directory > len(k.payload) {
		return nil, k.corrupt("a directory of %d columns does not fit into %d bytes", k.columns, used)
	}
	return k, nil
}

// expect says what is wrong if k is not of a kind and level.
func (k *block) expect(kind uint8, level int) error {
	if k.kind != kind || int(k.level) != level {
		return k.corrupt("%s of level %d where %s of level %d was expected", kindNames[k.kind], k.level, kindNames[kind], level)
	}
	return nil
}

func (k *block) corrupt(format string, args ...any) error {
	return &CorruptError{fmt.Sprintf("block %d", k.number), k.offset, fmt.Sprintf(format, args...)}
}

func (k *block) corruptColumn(q attribute.Quark) error {
	return k.corrupt("the column of attribute %d does not decode", q)
}
