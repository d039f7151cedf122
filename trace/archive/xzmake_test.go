package archive

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/ulikunitz/xz/lzma"
)

// makeSizedXZ writes an xz file as xz with threads does: blocks of so many bytes, their sizes
// in front of them. The writer of ulikunitz/xz does not declare sizes.
func makeSizedXZ(t testing.TB, data []byte, block int) []byte {
	t.Helper()
	var b, index bytes.Buffer
	sealed := func(p []byte) []byte { return binary.LittleEndian.AppendUint32(p, crc32.ChecksumIEEE(p)) }
	padded := func(p []byte) []byte { return append(p, make([]byte, -len(p)&3)...) }
	number := binary.AppendUvarint
	flags := []byte{0, 1} // CRC32
	b.WriteString(xzMagic)
	b.Write(flags)
	b.Write(sealed(flags)[2:])
	var blocks uint64
	for ; len(data) > 0; blocks++ {
		part := data[:min(block, len(data))]
		data = data[len(part):]
		var chunks bytes.Buffer
		w, err := lzma.Writer2Config{DictCap: 1 << 16}.NewWriter2(&chunks)
		must(t, err)
		_, err = w.Write(part)
		must(t, err)
		must(t, w.Close())
		h := []byte{0, 0xc0}
		h = number(number(h, uint64(chunks.Len())), uint64(len(part)))
		h = padded(append(h, 0x21, 1, 8)) // LZMA2 with a dictionary of 64 KiB
		h[0] = byte(len(h) / 4)
		h = sealed(h)
		b.Write(h)
		b.Write(padded(bytes.Clone(chunks.Bytes())))
		b.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(part)))
		index.Write(number(number(nil, uint64(len(h)+chunks.Len()+4)), uint64(len(part))))
	}
	list := sealed(padded(append(number([]byte{0}, blocks), index.Bytes()...)))
	b.Write(list)
	tail := append(binary.LittleEndian.AppendUint32(nil, uint32(len(list)/4-1)), flags...)
	b.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(tail)))
	b.Write(tail)
	b.WriteString(xzFooterMagic)
	return b.Bytes()
}
