// Package blockfile frames logs of small records: blocks with a length, a
// count and a checksum, appended to a file and read from any place in it.
// docs/format/endpoints.md describes the frame.
package blockfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// File is where a log lives; *os.File is one.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// MaxPayload is the longest payload of a block, in bytes.
const MaxPayload = 1 << 20

// HeaderSize is where the first block of a file begins.
const HeaderSize = 16

const (
	magicSize = 8
	version   = 1
	blockHead = 12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged is the cause of every error about bytes that cannot be right.
var ErrDamaged = errors.New("damaged")

func damaged(offset int64, cause string, args ...any) error {
	return fmt.Errorf("block at byte %d: %s: %w", offset, fmt.Sprintf(cause, args...), ErrDamaged)
}

// A Writer appends blocks. It belongs to one goroutine.
type Writer struct {
	f    File
	end  int64
	head []byte
}

// Create empties f and writes the header. magic has eight bytes.
func Create(f File, magic string) (*Writer, error) {
	head := make([]byte, HeaderSize)
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[magicSize:], version)
	if err := f.Truncate(0); err != nil {
		return nil, err
	}
	if _, err := f.WriteAt(head, 0); err != nil {
		return nil, err
	}
	return &Writer{f: f, end: HeaderSize}, nil
}

// Append cuts f to end, where a block ended, and goes on from there.
func Append(f File, magic string, end int64) (*Writer, error) {
	if err := check(f, magic); err != nil {
		return nil, err
	}
	if end < HeaderSize {
		return nil, damaged(end, "inside the header")
	}
	if err := f.Truncate(end); err != nil {
		return nil, err
	}
	return &Writer{f: f, end: end}, nil
}

// Write appends a block of count records and returns where it begins.
func (w *Writer) Write(payload []byte, count int) (offset int64, err error) {
	if len(payload) == 0 || len(payload) > MaxPayload || count < 1 {
		return 0, fmt.Errorf("a block of %d records in %d bytes cannot be written", count, len(payload))
	}
	b := w.head[:0]
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, uint32(count))
	b = binary.LittleEndian.AppendUint32(b, sum(b, payload))
	b = append(b, payload...)
	w.head = b
	if _, err := w.f.WriteAt(b, w.end); err != nil {
		return 0, err
	}
	offset = w.end
	w.end += int64(len(b))
	return offset, nil
}

// Rewrite replaces the payload of the block at offset by one of the same length
// and count. Whoever reads the block at the same time must be kept out.
func (w *Writer) Rewrite(offset int64, payload []byte, count int) error {
	head := make([]byte, 0, blockHead)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(payload)))
	head = binary.LittleEndian.AppendUint32(head, uint32(count))
	head = binary.LittleEndian.AppendUint32(head, sum(head, payload))
	_, err := w.f.WriteAt(append(head, payload...), offset)
	return err
}

// End is the length of the file.
func (w *Writer) End() int64 { return w.end }

// Sync makes all blocks durable.
func (w *Writer) Sync() error { return w.f.Sync() }

// Read reads the block at offset into buf, which grows as needed, and returns where the next one begins.
func Read(f io.ReaderAt, offset int64, buf []byte) (payload []byte, count int, next int64, err error) {
	var head [blockHead]byte
	if n, err := f.ReadAt(head[:], offset); err != nil && n < len(head) {
		return nil, 0, 0, truncated(offset, err)
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size == 0 || size > MaxPayload {
		return nil, 0, 0, damaged(offset, "a payload of %d bytes", size)
	}
	if cap(buf) < int(size) {
		buf = make([]byte, size)
	}
	payload = buf[:size]
	if n, err := f.ReadAt(payload, offset+blockHead); err != nil && n < len(payload) {
		return nil, 0, 0, truncated(offset, err)
	}
	if got, want := sum(head[:8], payload), binary.LittleEndian.Uint32(head[8:]); got != want {
		return nil, 0, 0, damaged(offset, "checksum %08x, not %08x", got, want)
	}
	count = int(binary.LittleEndian.Uint32(head[4:]))
	if count < 1 || count > len(payload) {
		return nil, 0, 0, damaged(offset, "%d records in %d bytes", count, size)
	}
	return payload, count, offset + blockHead + int64(size), nil
}

// Walk reads the blocks of a file up to end, in order. payload is valid during the call only.
func Walk(f io.ReaderAt, magic string, end int64, visit func(offset int64, payload []byte, count int) error) error {
	if err := check(f, magic); err != nil {
		return err
	}
	var buf []byte
	for offset := int64(HeaderSize); offset < end; {
		payload, count, next, err := Read(f, offset, buf)
		if err != nil {
			return err
		}
		if next > end {
			return damaged(offset, "it ends at %d, the file at %d", next, end)
		}
		if err := visit(offset, payload, count); err != nil {
			return err
		}
		offset, buf = next, payload
	}
	return nil
}

func check(f io.ReaderAt, magic string) error {
	var head [HeaderSize]byte
	if n, err := f.ReadAt(head[:], 0); err != nil && n < len(head) {
		return truncated(0, err)
	}
	if string(head[:magicSize]) != magic || binary.LittleEndian.Uint32(head[magicSize:]) != version {
		return damaged(0, "not a file of %s, version %d", magic, version)
	}
	return nil
}

func truncated(offset int64, err error) error {
	if err == io.EOF {
		return damaged(offset, "the file ends before it")
	}
	return err
}

func sum(head, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(head[:8], castagnoli), castagnoli, payload)
}
