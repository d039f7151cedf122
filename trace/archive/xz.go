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
	in   xzInput
	busy func() bool // as in Limits
	err  error

	flags        [2]byte          // of the stream
	check        func() hash.Hash // of the stream's blocks, nil for none
	records      xzRecords        // of the stream's blocks
	queue        []*xzBlock       // begun; the first is being read
	end          error            // what follows the blocks of the queue, nil if not known yet
	out          int64            // bytes that came out, all streams
	checked      int64            // of these, up to the last block whose checksum was right
	dictionaries int64            // bytes of dictionaries made
	streams      int
}

// xzRecords sums up what the index of a stream repeats about its blocks.
type xzRecords struct{ blocks, unpadded, uncompressed uint64 }

func newXZ(r io.Reader) *xzReader {
	return &xzReader{in: xzInput{r: bufio.NewReader(r)}}
}

func (z *xzReader) Read(p []byte) (int, error) {
	for z.err == nil {
		z.fill()
		if len(z.queue) == 0 {
			z.err = z.end
			break
		}
		b := z.queue[0]
		n, err := b.r.Read(p)
		b.out += int64(n)
		z.out += int64(n)
		switch {
		case err == io.EOF:
			if z.err = z.endBlock(b); z.err == nil {
				z.queue = z.queue[1:]
			}
		case err != nil && b.ahead != nil:
			z.err = err
		case err != nil:
			z.err = z.cut(err)
		case b.uncompressed >= 0 && b.out > b.uncompressed:
			z.err = z.cut(errXZFormat)
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
	}
	return 0, z.err
}

// fill begins blocks until as many are under way as may be.
func (z *xzReader) fill() {
	for z.end == nil && len(z.queue) < xzAhead && (len(z.queue) == 0 || z.queue[len(z.queue)-1].ahead != nil) {
		b, err := z.advance()
		if err != nil {
			z.end = err
			if err != io.EOF {
				z.end = z.cut(err)
			}
			return
		}
		z.queue = append(z.queue, b)
	}
}

// cut is err, unless the file ended too early: then it is that, whatever it looked like.
func (z *xzReader) cut(err error) error {
	if z.in.short {
		return io.ErrUnexpectedEOF
	}
	return err
}

// verified is how many of the bytes that came out are known to be right.
func (z *xzReader) verified() int64 { return z.checked }

// begun is where the block begins that is being read, or where reading stands between two.
func (z *xzReader) begun() int64 {
	if len(z.queue) > 0 {
		return z.queue[0].begin - z.queue[0].header
	}
	return z.in.n
}

// stop ends what is decoded ahead. Nothing may be read after it.
func (z *xzReader) stop() {
	for _, b := range z.queue {
		if b.ahead != nil {
			b.ahead.stop()
		}
	}
}

// advance begins the next block: over an index, a footer and padding if need be.
func (z *xzReader) advance() (*xzBlock, error) {
	if z.streams == 0 {
		if err := z.startStream(); err != nil {
			return nil, unexpected(err)
		}
	}
	for {
		z.in.crc = 0
		begin := z.in.n
		size, err := z.in.ReadByte()
		if err != nil {
			return nil, unexpected(err)
		}
		if size != 0 {
			b, err := z.startBlock(size)
			return b, unexpected(err)
		}
		if err := z.endStream(begin); err != nil {
			return nil, unexpected(err)
		}
		if err := z.startStream(); err != nil {
			return nil, err // io.EOF: there is no further stream
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
		z.check = func() hash.Hash { return crc32.NewIEEE() }
	case 4:
		z.check = func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) }
	case 10:
		z.check = sha256.New
	default:
		return errors.New("xz: unknown kind of checksum")
	}
	z.flags = [2]byte(h[6:8])
	z.records = xzRecords{}
	z.streams++
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
