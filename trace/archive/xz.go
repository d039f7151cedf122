package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// The xz container, read here, around the LZMA2 decoder of ulikunitz/xz.
//
// That module has a reader for the container too, but a block tells how large
// a dictionary it wants, up to 4 GiB, and the module allocates it: its DictCap
// is a least size, not a limit. A file of a hundred bytes could take the
// memory of the server. The container is small (https://tukaani.org/xz/xz-file-format.txt):
//
//	stream = header, blocks, index, footer
//	block  = header, LZMA2 chunks, padding to 4 bytes, check
//	file   = streams with zero padding between them

const (
	xzMagic       = "\xfd7zXZ\x00"
	xzFooterMagic = "YZ"

	// xzDictionary is the largest dictionary accepted: that of xz -9.
	xzDictionary = 64 << 20

	// Every block gets a dictionary of its own. Many tiny blocks with large
	// dictionaries would cost time without bound, so all of them together may
	// take xzDictionaries plus so many times the bytes that came out.
	xzDictionaries     = 512 << 20
	xzDictionaryFactor = 16
)

var (
	errXZChecksum = errors.New("xz: wrong checksum")
	errXZFormat   = errors.New("xz: not in the xz format")
)

// An xzReader decompresses an xz file.
type xzReader struct {
	in  xzInput
	err error

	flags        [2]byte   // of the stream
	check        hash.Hash // of the block, nil for none
	records      xzRecords // of the stream's blocks
	block        *xzBlock  // nil between blocks
	out          int64     // bytes that came out, all streams
	dictionaries int64     // bytes of dictionaries made
	streams      int
}

// xzRecords sums up what the index of a stream repeats about its blocks.
type xzRecords struct{ blocks, unpadded, uncompressed uint64 }

type xzBlock struct {
	header       int64 // bytes
	begin        int64 // where the chunks start in the input
	compressed   int64 // declared, -1 if not
	uncompressed int64 // declared, -1 if not
	out          int64
	r            *lzma.Reader2
}

func newXZ(r io.Reader) io.Reader {
	return &xzReader{in: xzInput{r: bufio.NewReader(r)}}
}

func (z *xzReader) Read(p []byte) (int, error) {
	for z.err == nil {
		if z.block == nil {
			z.err = z.advance()
			continue
		}
		n, err := z.block.r.Read(p)
		z.block.out += int64(n)
		z.out += int64(n)
		if z.check != nil {
			z.check.Write(p[:n])
		}
		switch {
		case err == io.EOF:
			z.err = z.endBlock()
		case err != nil:
			z.err = err
		case z.block.uncompressed >= 0 && z.block.out > z.block.uncompressed:
			z.err = errXZFormat
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
	}
	if z.err != io.EOF && z.in.short {
		return 0, io.ErrUnexpectedEOF // whatever else it looked like
	}
	return 0, z.err
}

// advance goes to the next block: over an index, a footer, padding and a header if need be.
func (z *xzReader) advance() error {
	if z.streams == 0 {
		if err := z.startStream(); err != nil {
			return unexpected(err)
		}
	}
	for {
		z.in.crc = 0
		begin := z.in.n
		size, err := z.in.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		if size != 0 {
			return unexpected(z.startBlock(size))
		}
		if err := z.endStream(begin); err != nil {
			return unexpected(err)
		}
		if err := z.startStream(); err != nil {
			return err // io.EOF: there is no further stream
		}
	}
}

// startStream reads a stream header. Before any but the first there may be
// padding, and instead of it the end of the file.
func (z *xzReader) startStream() error {
	var h [12]byte
	for {
		if _, err := io.ReadFull(&z.in, h[:4]); err != nil {
			return err
		}
		if z.streams == 0 || !bytes.Equal(h[:4], make([]byte, 4)) {
			break
		}
	}
	if _, err := io.ReadFull(&z.in, h[4:]); err != nil {
		return unexpected(err)
	}
	if string(h[:6]) != xzMagic || h[6] != 0 {
		return errXZFormat
	}
	if crc32.ChecksumIEEE(h[6:8]) != binary.LittleEndian.Uint32(h[8:]) {
		return errXZChecksum
	}
	switch h[7] {
	case 0:
		z.check = nil
	case 1:
		z.check = crc32.NewIEEE()
	case 4:
		z.check = crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		z.check = sha256.New()
	default:
		return errors.New("xz: unknown kind of checksum")
	}
	z.flags = [2]byte(h[6:8])
	z.records = xzRecords{}
	z.streams++
	return nil
}

// startBlock reads the header of a block; first is its first byte.
func (z *xzReader) startBlock(first byte) error {
	h := make([]byte, (int(first)+1)*4)
	h[0] = first
	if _, err := io.ReadFull(&z.in, h[1:]); err != nil {
		return err
	}
	body := h[:len(h)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(h[len(body):]) {
		return errXZChecksum
	}
	b := &xzBlock{header: int64(len(h)), begin: z.in.n, compressed: -1, uncompressed: -1}
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
		return errXZFormat
	}
	const lzma2 = 0x21
	if flags&filters != 0 || filter != lzma2 || properties != 1 {
		return errors.New("xz: it uses a filter other than LZMA2")
	}
	dictionary, err := lzma.DecodeDictCap(property)
	if err != nil {
		return errXZFormat
	}
	if dictionary > xzDictionary {
		return refusalf("is compressed with a dictionary of %s; %s are allowed", bytesText(dictionary), bytesText(xzDictionary))
	}
	if b.uncompressed >= 0 {
		dictionary = min(dictionary, b.uncompressed) // nothing is farther back than the beginning
	}
	dictionary = max(dictionary, lzma.MinDictCap)
	if z.dictionaries += dictionary; z.dictionaries > xzDictionaries+xzDictionaryFactor*z.out {
		return refusal("is compressed in too many small blocks")
	}
	if z.check != nil {
		z.check.Reset()
	}
	b.r, err = lzma.Reader2Config{DictCap: int(dictionary)}.NewReader2(&z.in)
	if err != nil {
		return err
	}
	z.block = b
	return nil
}

// endBlock reads what follows the chunks of a block.
func (z *xzReader) endBlock() error {
	b := z.block
	z.block = nil
	compressed := z.in.n - b.begin
	if b.compressed >= 0 && b.compressed != compressed || b.uncompressed >= 0 && b.uncompressed != b.out {
		return errXZFormat
	}
	if err := z.in.pad(compressed); err != nil {
		return err
	}
	unpadded := b.header + compressed
	if z.check != nil {
		sum := make([]byte, z.check.Size())
		if _, err := io.ReadFull(&z.in, sum); err != nil {
			return unexpected(err)
		}
		want := z.check.Sum(nil)
		if z.check.Size() < sha256.Size {
			reverse(want) // CRCs are stored little-endian
		}
		if !bytes.Equal(sum, want) {
			return errXZChecksum
		}
		unpadded += int64(len(sum))
	}
	z.records.blocks++
	z.records.unpadded += uint64(unpadded)
	z.records.uncompressed += uint64(b.out)
	return nil
}

// endStream reads the index, whose first byte is read already, and the footer.
func (z *xzReader) endStream(begin int64) error {
	blocks := xzNumber(&z.in)
	if blocks < 0 || uint64(blocks) != z.records.blocks {
		return errXZFormat
	}
	var sums xzRecords
	for sums.blocks < uint64(blocks) {
		unpadded, uncompressed := xzNumber(&z.in), xzNumber(&z.in)
		if unpadded < 0 || uncompressed < 0 {
			return errXZFormat
		}
		sums.blocks++
		sums.unpadded += uint64(unpadded)
		sums.uncompressed += uint64(uncompressed)
	}
	if sums != z.records {
		return errXZFormat
	}
	if err := z.in.pad(z.in.n - begin); err != nil {
		return err
	}
	want := z.in.crc
	var f [16]byte // the sum of the index, then the footer
	if _, err := io.ReadFull(&z.in, f[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(f[:]) != want || crc32.ChecksumIEEE(f[8:14]) != binary.LittleEndian.Uint32(f[4:]) {
		return errXZChecksum
	}
	index := z.in.n - 12 - begin
	if (int64(binary.LittleEndian.Uint32(f[8:]))+1)*4 != index || [2]byte(f[12:14]) != z.flags || string(f[14:]) != xzFooterMagic {
		return errXZFormat
	}
	return nil
}

// xzInput counts the bytes of the input and sums them up.
type xzInput struct {
	r     *bufio.Reader
	n     int64
	crc   uint32
	short bool // more was asked for than there is
}

func (in *xzInput) Read(p []byte) (int, error) {
	n, err := in.r.Read(p)
	in.n += int64(n)
	in.short = in.short || err == io.EOF
	return n, err
}

// ReadByte also adds to the CRC: the index is read byte by byte, and nothing else needs one.
func (in *xzInput) ReadByte() (byte, error) {
	b, err := in.r.ReadByte()
	if err == nil {
		in.n++
		in.crc = crc32.Update(in.crc, crc32.IEEETable, []byte{b})
	}
	in.short = in.short || err == io.EOF
	return b, err
}

// pad reads the zeros that fill n bytes up to a multiple of four.
func (in *xzInput) pad(n int64) error {
	for ; n%4 != 0; n++ {
		b, err := in.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		if b != 0 {
			return errXZFormat
		}
	}
	return nil
}

// xzNumber reads a number of 63 bits, -1 if there is none.
func xzNumber(r io.ByteReader) int64 {
	n, err := binary.ReadUvarint(r)
	if err != nil || n >= 1<<63 {
		return -1
	}
	return int64(n)
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}
