package history

import "github.com/klauspost/compress/s2"

// How the payload of a block stands in the file.
const (
	unpacked = iota
	packedS2 // an S2 block
)

// packs tells whether blocks of a kind may be compressed: those of columns, which are nearly all there is of a file.
func packs(kind uint8) bool {
	return kind == leafBlock || kind == extentBlock || kind == summaryBlock || kind == wideBlock
}

// pack compresses the payload, of so many bytes in place, if the block then takes fewer pages. It returns how many
// bytes there are now.
func (w *Writer) pack(k *block, payload []byte) int {
	if w.header.packed == unpacked || !packs(k.kind) {
		return len(payload)
	}
	if most := s2.MaxEncodedLen(len(payload)); cap(w.small) < most {
		w.small = make([]byte, most)
	}
	small := s2.EncodeBetter(w.small[:cap(w.small)], payload)
	if size := int(w.header.pageSize); pagesFor(len(small), size) >= pagesFor(len(payload), size) {
		return len(payload)
	}
	k.packed = packedS2
	return copy(payload, small)
}

// unpack reads all of a block that is compressed. From then on it is as one that was read whole.
func (k *block) unpack() error {
	b, err := k.readPages(nil, 0, k.pages)
	if err != nil {
		return err
	}
	stored := b[k.body : k.body+k.used]
	n, err := s2.DecodedLen(stored)
	if err != nil || n > k.file.head.room() {
		return k.corrupt("a compressed payload of %d bytes, of %d that there may be", n, k.file.head.room())
	}
	if k.payload, err = s2.Decode(nil, stored); err != nil {
		return k.corrupt("its payload cannot be decompressed: %v", err)
	}
	k.used = len(k.payload)
	return k.direct(k.payload)
}
