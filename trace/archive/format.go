package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// headBytes is how much of the beginning tells every format: one tar header.
const headBytes = 512

// formats are tried in order. A tar has no magic number at its start, so it comes last.
var formats = []struct {
	match func(head []byte) bool
	open  func(x *extraction) (source, error)
}{
	{prefix("PK\x03\x04", "PK\x05\x06"), openZip},
	{prefix("\x1f\x8b"), compressedTar(func(x *extraction) (io.Reader, error) { return gzip.NewReader(x.stream()) })},
	{prefix(xzMagic), compressedTar(openXZ)},
	{isZstd, compressedTar(newZstd)},
	{isTar, func(x *extraction) (source, error) { return newTar(x.stream()), nil }},
}

// foreign are formats that we can name but do not read.
var foreign = []struct {
	name  string
	match func(head []byte) bool
}{
	{"bzip2", prefix("BZh")},
	{"7-Zip", prefix("7z\xbc\xaf\x27\x1c")},
	{"RAR", prefix("Rar!\x1a\x07")},
	{"LZ4", prefix("\x04\x22\x4d\x18")},
}

const accepted = "zip, tar, tar.gz, tar.xz and tar.zst are accepted"

// recognise tells how to open an archive that begins with head.
func recognise(head []byte) (open func(x *extraction) (source, error), err error) {
	for _, f := range formats {
		if f.match(head) {
			return f.open, nil
		}
	}
	for _, f := range foreign {
		if f.match(head) {
			return nil, refusalf("is a %s file: %s", f.name, accepted)
		}
	}
	return nil, refusal("is not an archive: " + accepted)
}

// compressedTar reads a tar through decompress, if it is one.
func compressedTar(decompress func(*extraction) (io.Reader, error)) func(x *extraction) (source, error) {
	return func(x *extraction) (source, error) {
		x.packed = true
		r, err := decompress(x)
		if err != nil {
			return nil, err
		}
		stream := bufio.NewReaderSize(&swelling{x: x, r: r}, 64<<10)
		switch head, err := stream.Peek(headBytes); {
		case err != nil && err != io.EOF:
			return nil, err
		case !isTar(head):
			return nil, refusal("is compressed, but what comes out is not a tar")
		}
		return newTar(stream), nil
	}
}

func prefix(magics ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, m := range magics {
			if bytes.HasPrefix(head, []byte(m)) {
				return true
			}
		}
		return false
	}
}

// isZstd accepts a frame and the skippable frames that some tools put first.
func isZstd(head []byte) bool {
	return prefix("\x28\xb5\x2f\xfd")(head) ||
		len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// isTar checks the sum that every tar header has over itself, the field of
// the sum counted as spaces. A block of zeros is the end mark of an empty tar.
func isTar(head []byte) bool {
	if len(head) < headBytes {
		return false
	}
	if bytes.Count(head, []byte{0}) == headBytes {
		return true
	}
	const from, to = 148, 156
	recorded, err := strconv.ParseInt(strings.Trim(string(head[from:to]), " \x00"), 8, 64)
	if err != nil {
		return false
	}
	var unsigned, signed int64
	for i, b := range head[:headBytes] {
		if from <= i && i < to {
			b = ' '
		}
		unsigned += int64(b)
		signed += int64(int8(b))
	}
	return recorded == unsigned || recorded == signed
}

func openZip(x *extraction) (source, error) {
	x.apart = true
	return newZip(x.meter, x.limits)
}

func openXZ(x *extraction) (io.Reader, error) {
	z := newXZ(x.stream())
	z.busy = x.limits.Busy
	x.stop, x.verified, x.begun = z.stop, z.verified, z.begun
	return z, nil
}

// zstdWindow is the most that zstd -19 needs, many times over; --long=31 asks for 2 GiB.
const zstdWindow = 128 << 20

func newZstd(x *extraction) (io.Reader, error) {
	d, err := zstd.NewReader(x.stream(),
		zstd.WithDecoderConcurrency(1), // decodes in the caller: no goroutine outlives us
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdWindow),
	)
	if err != nil {
		return nil, err
	}
	return d, nil
}
