package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// The places and sizes of docs/format/history.md.
const (
	headerPage   = 4096
	finishOffset = 2048
	recordSize   = 512

	headerMagic   = "SYNHIST\x00"
	finishMagic   = "SYNDONE\x00"
	plainVersion  = 4 // the oldest that is read
	packedVersion = 5 // in which blocks may be compressed
	boundVersion  = 6 // in which an index says, too, which attributes its children have
	wideVersion   = 7 // in which there are wide totals, too
	version       = 8 // in which a leaf may be larger than other blocks, and checksums may go on behind the first page; the one that is written

	blockHeader = 48
	noBlock     = math.MaxUint32

	minNodeSize     = 512
	maxNodeSize     = 16 << 20
	defaultNodeSize = 2 << 20
	minPageSize     = 512
	maxPageSize     = 64 << 10
	defaultPageSize = 4 << 10
	maxMaxChildren  = math.MaxUint16
	defaultChildren = 50

	maxOngoing = 10 + 10 + 18 // bytes of one attribute in the state stream: two uvarints and a value

	maxLevel = 64 // MaxChildren is at least 2 and block numbers have 32 bits
	maxName  = 1 << 20
)

// The kinds of block.
const (
	leafBlock = 1 + iota
	extentBlock
	indexBlock
	summaryBlock
	namesBlock
	stateBlock
	wideBlock
	blockKinds // one more than the last
)

var kindNames = [blockKinds]string{"", "leaf", "extent", "index", "summary", "names", "state", "wide totals"}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A CorruptError says what is wrong with a file and where.
type CorruptError struct {
	Place  string // "block 12", "header record"
	Offset int64  // of the place in the file
	Cause  string
	File   string // its path, "" where it is none of the disk
}

func corruptAt(place string, offset int64, cause string) *CorruptError {
	return &CorruptError{Place: place, Offset: offset, Cause: cause}
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("history: %s at byte %d: %s", e.Place, e.Offset, e.Cause)
}

// A VersionError is returned for a tree that a program with another format wrote: it
// is to be made again.
type VersionError struct {
	Version uint32
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("history: the tree is of version %d; this program reads versions %d to %d", e.Version, plainVersion, version)
}

// ErrUnfinished is returned by [Open] and [Check] for a tree that Finish never completed.
var ErrUnfinished = errors.New("history: the tree was not finished; it can only be resumed from a checkpoint")

// A header is the first record of a file.
type header struct {
	version     uint32
	nodeSize    uint32
	maxChildren uint32
	pageSize    uint32
	packed      uint8 // how blocks may be compressed: unpacked or packedS2
	model       uint32
	start       int64
}

// bounded tells whether an index says which attributes its children have.
func (h *header) bounded() bool { return h.version >= boundVersion }

// widens tells whether there are wide totals.
func (h *header) widens() bool { return h.version >= wideVersion }

// divides tells whether leaves may be larger than other blocks, made of parts that were encoded before. A look into a compressed leaf
// decompresses all of it, so such are not.
func (h *header) divides() bool { return h.version >= version && h.packed == unpacked }

// directory is how many bytes the directory of a block may have: two pages, and half of one, in the first, before version 8.
func (h *header) directory() int {
	if h.version <= wideVersion {
		return int(h.pageSize) / 2
	}
	return 2 * int(h.pageSize)
}

// otherPages is how many pages the largest block has that is no leaf.
func (h *header) otherPages() int { return min(h.pages(), max(1, mostOther/int(h.pageSize))) }

// pages is how many pages the largest block has.
func (h *header) pages() int { return int((h.nodeSize + h.pageSize - 1) / h.pageSize) }

// room is the largest payload of a block.
func (h *header) room() int { return roomIn(h.pages(), int(h.pageSize)) }

// roomIn is the payload that some pages hold: what the header and the checksums
// of the pages behind the first leave.
func roomIn(pages, pageSize int) int { return pages*pageSize - blockHeader - 4*(pages-1) }

// pagesFor is how many pages a payload takes.
func pagesFor(used, pageSize int) int {
	return max(1, (used+blockHeader-4+pageSize-5)/(pageSize-4))
}

// mostOther bytes are the largest block that is no leaf, and the part of a leaf that is encoded at once. Tests have less.
var mostOther = 512 << 10

// fitPage returns the page size for a node size: the default, less for nodes
// smaller than that.
func fitPage(nodeSize int) int {
	size := defaultPageSize
	for size > nodeSize {
		size /= 2
	}
	return size
}

// tableFits tells whether header and checksums leave half of the first page, as they do in all blocks of a file from before version 8.
func tableFits(nodeSize, pageSize int) bool {
	return blockHeader+4*((nodeSize+pageSize-1)/pageSize-1) <= max(pageSize/2, blockHeader)
}

// checkPage returns what is wrong with a page size, or "".
func checkPage(version uint32, nodeSize, pageSize int) string {
	switch {
	case pageSize < minPageSize || pageSize > maxPageSize || pageSize&(pageSize-1) != 0:
		return fmt.Sprintf("page size %d is not a power of two from %d to %d", pageSize, minPageSize, maxPageSize)
	case version <= wideVersion && !tableFits(nodeSize, pageSize):
		return fmt.Sprintf("pages of %d bytes are too small for nodes of %d", pageSize, nodeSize)
	}
	return ""
}

func (h *header) encode() []byte {
	b := make([]byte, recordSize)
	copy(b, headerMagic)
	binary.LittleEndian.PutUint32(b[8:], h.version)
	b[32] = h.packed
	binary.LittleEndian.PutUint32(b[36:], h.model)
	binary.LittleEndian.PutUint32(b[12:], h.nodeSize)
	binary.LittleEndian.PutUint32(b[16:], h.maxChildren)
	binary.LittleEndian.PutUint32(b[20:], h.pageSize)
	binary.LittleEndian.PutUint64(b[24:], uint64(h.start))
	sealRecord(b)
	return b
}

func readHeader(f File) (*header, error) {
	b, err := readRecord(f, "header record", 0, headerMagic)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, corruptAt("header record", 0, "not a history tree: it begins with zeros")
	}
	v := binary.LittleEndian.Uint32(b[8:])
	if v < plainVersion || v > version {
		return nil, &VersionError{v}
	}
	h := &header{
		version:     v,
		nodeSize:    binary.LittleEndian.Uint32(b[12:]),
		maxChildren: binary.LittleEndian.Uint32(b[16:]),
		pageSize:    binary.LittleEndian.Uint32(b[20:]),
		start:       int64(binary.LittleEndian.Uint64(b[24:])),
		packed:      b[32],
		model:       binary.LittleEndian.Uint32(b[36:]),
	}
	if v == plainVersion && h.packed != unpacked || v == packedVersion && h.packed != packedS2 || h.packed > packedS2 {
		return nil, corruptAt("header record", 32, fmt.Sprintf("compression %d is none that version %d has", h.packed, v))
	}
	if h.nodeSize < minNodeSize || h.nodeSize > maxNodeSize {
		return nil, corruptAt("header record", 12, fmt.Sprintf("node size %d is outside %d to %d", h.nodeSize, minNodeSize, maxNodeSize))
	}
	if h.maxChildren < 2 || h.maxChildren > maxMaxChildren {
		return nil, corruptAt("header record", 16, fmt.Sprintf("%d children per node is outside 2 to %d", h.maxChildren, maxMaxChildren))
	}
	if cause := checkPage(h.version, int(h.nodeSize), int(h.pageSize)); cause != "" {
		return nil, corruptAt("header record", 20, cause)
	}
	return h, nil
}

// A finish is the record that makes a file complete.
type finish struct {
	pages, root              uint32
	end                      int64
	names, state             uint32 // last blocks of the streams
	namesLength, stateLength uint64
	attributes, strings      uint32
	intervals                uint64
}

func (r *finish) encode() []byte {
	b := make([]byte, recordSize)
	copy(b, finishMagic)
	le := binary.LittleEndian
	le.PutUint32(b[8:], r.pages)
	le.PutUint32(b[12:], r.root)
	le.PutUint64(b[16:], uint64(r.end))
	le.PutUint32(b[24:], r.names)
	le.PutUint32(b[28:], r.state)
	le.PutUint64(b[32:], r.namesLength)
	le.PutUint64(b[40:], r.stateLength)
	le.PutUint32(b[48:], r.attributes)
	le.PutUint32(b[52:], r.strings)
	le.PutUint64(b[56:], r.intervals)
	sealRecord(b)
	return b
}

func readFinish(f File) (*finish, error) {
	b, err := readRecord(f, "finish record", finishOffset, finishMagic)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, ErrUnfinished
	}
	le := binary.LittleEndian
	return &finish{
		pages:       le.Uint32(b[8:]),
		root:        le.Uint32(b[12:]),
		end:         int64(le.Uint64(b[16:])),
		names:       le.Uint32(b[24:]),
		state:       le.Uint32(b[28:]),
		namesLength: le.Uint64(b[32:]),
		stateLength: le.Uint64(b[40:]),
		attributes:  le.Uint32(b[48:]),
		strings:     le.Uint32(b[52:]),
		intervals:   le.Uint64(b[56:]),
	}, nil
}

func sealRecord(b []byte) {
	binary.LittleEndian.PutUint32(b[recordSize-4:], crc32.Checksum(b[:recordSize-4], castagnoli))
}

// readRecord returns a verified record, or nil if it is all zeros.
func readRecord(f File, place string, off int64, magic string) ([]byte, error) {
	b := make([]byte, recordSize)
	if n, err := f.ReadAt(b, off); n < len(b) {
		return nil, readError(place, off, n, len(b), err)
	}
	if allZero(b) {
		return nil, nil
	}
	if string(b[:len(magic)]) != magic {
		return nil, corruptAt(place, off, fmt.Sprintf("begins with %q, want %q: not a history tree, or damaged", b[:len(magic)], magic))
	}
	if got, want := crc32.Checksum(b[:recordSize-4], castagnoli), binary.LittleEndian.Uint32(b[recordSize-4:]); got != want {
		return nil, corruptAt(place, off, fmt.Sprintf("checksum is %08x, the record says %08x", got, want))
	}
	return b, nil
}

func readError(place string, off int64, n, want int, err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return corruptAt(place, off, fmt.Sprintf("the file ends after %d of %d bytes: truncated", n, want))
	}
	return fmt.Errorf("history: read %s at byte %d: %w", place, off, err)
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
