package history

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"

	"synchroscope/state/attribute"
)

// A block is the head of one block of the file, verified: its first page and
// the directory of its columns. It is immutable. The rest is read by page.
type block struct {
	file      *store
	number    uint32 // of its first page
	kind      uint8
	level     uint8
	prev      uint32
	start     int64
	end       int64
	columns   int
	runBits   uint8 // of the number of columns of a run
	inRun     int   // one less than that number
	count     int
	used      int // bytes of payload
	stored    int // bytes of it in the file
	packed    uint8
	pages     int
	first     []byte // the first page
	body      int    // where the payload begins, from the start of the block
	directory []byte
	payload   []byte // all of it, where all has been read
	offset    int64  // in the file
}

// seal completes a block of whole pages, in which the payload stands in its
// place: it clears the rest, and fills the checksums and the header.
func (k *block) seal(b []byte, pageSize int) {
	clear(b[blockHeader+4*(k.pages-1)+k.used:])
	k.sealPages(b, pageSize)
}

// sealPages fills in the header and the checksums of pages, of a block of which b has the first ones and all checksums of those behind. A
// page may have checksums of later ones, so the last comes first.
func (k *block) sealPages(b []byte, pageSize int) {
	le := binary.LittleEndian
	for p := len(b)/pageSize - 1; p > 0; p-- {
		le.PutUint32(b[blockHeader+4*(p-1):], crc32.Checksum(b[p*pageSize:(p+1)*pageSize], castagnoli))
	}
	b[4], b[5], b[6], b[7] = k.kind, k.level, k.packed, 0
	le.PutUint32(b[8:], k.number)
	le.PutUint32(b[12:], uint32(k.used))
	le.PutUint64(b[16:], uint64(k.start))
	le.PutUint64(b[24:], uint64(k.end))
	le.PutUint32(b[32:], k.prev)
	le.PutUint32(b[36:], uint32(k.columns))
	le.PutUint32(b[40:], uint32(k.count))
	le.PutUint32(b[44:], uint32(k.pages))
	le.PutUint32(b, crc32.Checksum(b[4:pageSize], castagnoli))
}

// parseBlock verifies the first page of a block that was read as number, and reads what checksums and directory there are behind it, and the
// rest of one that is compressed.
func parseBlock(s *store, page []byte, number uint32) (*block, error) {
	le := binary.LittleEndian
	k := &block{
		file:    s,
		number:  number,
		kind:    page[4],
		level:   page[5],
		prev:    le.Uint32(page[32:]),
		start:   int64(le.Uint64(page[16:])),
		end:     int64(le.Uint64(page[24:])),
		columns: int(le.Uint32(page[36:])),
		count:   int(le.Uint32(page[40:])),
		used:    int(le.Uint32(page[12:])),
		packed:  page[6],
		stored:  int(le.Uint32(page[12:])),
		pages:   int(le.Uint32(page[44:])),
		first:   page,
		offset:  s.offset(number),
	}
	if got, want := crc32.Checksum(page[4:], castagnoli), le.Uint32(page); got != want {
		return nil, k.corrupt("checksum is %08x, the block says %08x", got, want)
	}
	if said := le.Uint32(page[8:]); said != number {
		return nil, k.corrupt("the block says it is number %d", said)
	}
	switch {
	case k.used > s.head.room():
		return nil, k.corrupt("%d bytes used of %d", k.used, s.head.room())
	case k.pages != pagesFor(k.used, len(page)):
		return nil, k.corrupt("%d bytes in %d pages", k.used, k.pages)
	case k.kind == 0 || k.kind >= blockKinds:
		return nil, k.corrupt("unknown kind %d", k.kind)
	case k.packed != unpacked && (k.packed != s.head.packed || !packs(k.kind)):
		return nil, k.corrupt("a block of kind %d with compression %d", k.kind, k.packed)
	case k.level > maxLevel:
		return nil, k.corrupt("level %d is more than %d", k.level, maxLevel)
	case k.start > k.end:
		return nil, k.corrupt("starts at %d, after its end %d", k.start, k.end)
	case k.prev != noBlock && k.prev >= number:
		return nil, k.corrupt("follows block %d, which is not before it", k.prev)
	}
	k.body = blockHeader + 4*(k.pages-1)
	if err := k.begin(); err != nil {
		return nil, err
	}
	page = k.first
	if k.packed != unpacked {
		return k, k.unpack()
	}
	if k.pages == 1 {
		k.payload = page[k.body : k.body+k.used]
	}
	return k, k.direct(page[k.body:])
}

// begin reads the pages that checksums and directory go on in, and has them in k.first, verified. That the directory is no longer than the
// payload is for direct to say.
func (k *block) begin() error {
	size := len(k.first)
	directory := (min(k.columns, k.used) + k.strideOf() - 1) / k.strideOf() * directoryEntry
	to := min((k.body+directory-1)/size+1, k.pages)
	if k.packed != unpacked || to == 1 {
		return nil
	}
	b, err := k.readPages(nil, 1, to)
	k.first = append(k.first, b...)
	return err
}

// strideOf is how many columns have one entry of the directory.
func (k *block) strideOf() int { return strideOf(min(k.columns, k.used), k.file.head.directory()) }

// direct finds the directory of columns, with which the payload b begins.
func (k *block) direct(b []byte) error {
	stride := k.strideOf()
	k.runBits, k.inRun = uint8(bits.TrailingZeros(uint(stride))), stride-1
	if k.columns > k.used || k.runs()*directoryEntry > k.used {
		return k.corrupt("a directory of %d columns does not fit into %d bytes", k.columns, k.used)
	}
	k.directory = b[:k.runs()*directoryEntry]
	return nil
}

// runs is the number of entries of the directory.
func (k *block) runs() int { return (k.columns + k.inRun) >> k.runBits }

// stride is the number of columns of a run.
func (k *block) stride() int { return k.inRun + 1 }

// expect says what is wrong if k is not of a kind and level.
func (k *block) expect(kind uint8, level int) error {
	if k.kind != kind || int(k.level) != level {
		return k.corrupt("%s of level %d where %s of level %d was expected", kindNames[k.kind], k.level, kindNames[kind], level)
	}
	return nil
}

func (k *block) corrupt(format string, args ...any) error {
	return k.file.blame(corruptAt(fmt.Sprintf("block %d", k.number), k.offset, fmt.Sprintf(format, args...)))
}

func (k *block) corruptColumn(q attribute.Quark) error {
	return k.corrupt("the column of attribute %d does not decode", q)
}
