package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"slices"

	"github.com/ulikunitz/xz/lzma"
)

// An xzBlock is a block whose header is read.
type xzBlock struct {
	header       int64 // bytes
	begin        int64 // where the chunks start in the input
	compressed   int64 // declared, -1 if not
	uncompressed int64 // declared, -1 if not
	dictionary   int64

	r     io.Reader     // what comes out
	out   int64         // bytes that did
	check hash.Hash     // of what came out, nil for none; the decoder's own while it is decoded ahead
	sum   []byte        // what check should be, once its end is read
	ahead *xzDecodement // nil if it is decoded while it is read
}

// startBlock reads the header of a block; first is its first byte.
func (z *xzReader) startBlock(first byte) (*xzBlock, error) {
	h := make([]byte, (int(first)+1)*4)
	h[0] = first
	if _, err := io.ReadFull(&z.in, h[1:]); err != nil {
		return nil, err
	}
	b, err := parseXZBlock(h)
	if err != nil {
		return nil, err
	}
	b.begin = z.in.n
	if z.dictionaries += b.dictionary; z.dictionaries > xzDictionaries+xzDictionaryFactor*z.out {
		return nil, refusal("is compressed in too many small blocks")
	}
	if z.check != nil {
		b.check = z.check()
	}
	if b.small() {
		return b, z.startAhead(b)
	}
	b.r, err = lzma.Reader2Config{DictCap: int(b.dictionary)}.NewReader2(&z.in)
	if b.check != nil {
		b.r = io.TeeReader(b.r, b.check)
	}
	return b, err
}

// parseXZBlock reads a whole block header.
func parseXZBlock(h []byte) (*xzBlock, error) {
	body := h[:len(h)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(h[len(body):]) {
		return nil, errXZChecksum
	}
	b := &xzBlock{header: int64(len(h)), compressed: -1, uncompressed: -1}
	flags, rest := body[1], bytes.NewReader(body[2:])
	const filters, reserved, hasCompressed, hasUncompressed = 0x03, 0x3c, 0x40, 0x80
	if flags&hasCompressed != 0 {
		b.compressed = xzNumber(rest)
	}
	if flags&hasUncompressed != 0 {
		b.uncompressed = xzNumber(rest)
	}
	filter, properties := xzNumber(rest), xzNumber(rest)
	property, err := rest.ReadByte()
	if err != nil || flags&reserved != 0 {
		return nil, errXZFormat
	}
	const lzma2 = 0x21
	if flags&filters != 0 || filter != lzma2 || properties != 1 {
		return nil, errors.New("xz: it uses a filter other than LZMA2")
	}
	b.dictionary, err = lzma.DecodeDictCap(property)
	if err != nil {
		return nil, errXZFormat
	}
	if b.dictionary > xzDictionary {
		return nil, refusalf("is compressed with a dictionary of %s; %s are allowed", bytesText(b.dictionary), bytesText(xzDictionary))
	}
	if b.uncompressed >= 0 {
		b.dictionary = min(b.dictionary, b.uncompressed) // nothing is farther back than the beginning
	}
	b.dictionary = max(b.dictionary, lzma.MinDictCap)
	return b, nil
}

// endBlock compares what came out of a block, all of it, with what was declared.
func (z *xzReader) endBlock(b *xzBlock) error {
	if b.ahead == nil {
		compressed := z.in.n - b.begin
		if b.compressed >= 0 && b.compressed != compressed || b.uncompressed >= 0 && b.uncompressed != b.out {
			return z.cut(errXZFormat)
		}
		if err := z.passBlock(b, compressed, b.out); err != nil {
			return z.cut(unexpected(err))
		}
	}
	if b.check == nil {
		return nil
	}
	want := b.check.Sum(nil)
	if b.check.Size() <= 8 {
		slices.Reverse(want) // CRCs are stored little-endian
	}
	if !bytes.Equal(b.sum, want) {
		return errXZChecksum
	}
	z.checked = z.out
	return nil
}

// passBlock reads what follows the chunks of a block.
func (z *xzReader) passBlock(b *xzBlock, compressed, uncompressed int64) error {
	if err := z.in.pad(compressed); err != nil {
		return err
	}
	unpadded := b.header + compressed
	if b.check != nil {
		b.sum = make([]byte, b.check.Size())
		if _, err := io.ReadFull(&z.in, b.sum); err != nil {
			return err
		}
		unpadded += int64(len(b.sum))
	}
	z.records.blocks++
	z.records.unpadded += uint64(unpadded)
	z.records.uncompressed += uint64(uncompressed)
	return nil
}
