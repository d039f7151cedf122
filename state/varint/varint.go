// Package varint writes and reads what the state models keep in checkpoints:
// numbers as varints of encoding/binary, signed ones zigzag, and bytes behind
// their length.
package varint

import (
	"encoding/binary"
	"io"
)

// Flag is 1 for true, to be shifted among others.
func Flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// AppendBool appends 1 for true, 0 for false.
func AppendBool(b []byte, v bool) []byte { return binary.AppendUvarint(b, Flag(v)) }

// AppendString appends the length of s in bytes, and s.
func AppendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// A Decoder reads what was appended, in the same order. After the first thing
// that is damaged it reads zeros.
type Decoder struct {
	b    []byte
	from io.Reader // of what comes behind b, nil for nothing
	left int64     // bytes of it
	room []byte    // that b is in, where there is more
	bad  bool
}

// NewDecoder returns a decoder of b, which it does not copy.
func NewDecoder(b []byte) *Decoder { return &Decoder{b: b} }

// A Source is read from front to end, and is so many bytes long.
type Source interface {
	io.Reader
	Size() int64
}

// NewReader returns a decoder of a source, of which it has a small part in memory. What cannot be read is damaged.
func NewReader(s Source) *Decoder {
	return &Decoder{from: s, left: s.Size(), room: make([]byte, part)}
}

// ahead sees to it that so many bytes stand in memory, or all that there are.
func (d *Decoder) ahead(n int) {
	if n <= len(d.b) || d.left == 0 {
		return
	}
	if n > len(d.room) {
		d.room = make([]byte, n)
	}
	have := copy(d.room, d.b)
	more := int(min(int64(len(d.room)-have), d.left))
	if _, err := io.ReadFull(d.from, d.room[have:have+more]); err != nil {
		d.Fail()
		return
	}
	d.b, d.left = d.room[:have+more], d.left-int64(more)
}

// Uint reads an unsigned number.
func (d *Decoder) Uint() uint64 {
	d.ahead(binary.MaxVarintLen64)
	v, n := binary.Uvarint(d.b)
	return d.took(v, n)
}

// Int reads a signed number.
func (d *Decoder) Int() int64 {
	d.ahead(binary.MaxVarintLen64)
	v, n := binary.Varint(d.b)
	return int64(d.took(uint64(v), n))
}

func (d *Decoder) took(v uint64, n int) uint64 {
	if n <= 0 {
		d.Fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// Count reads a count of things that take a byte each at least.
func (d *Decoder) Count() int {
	n := d.Uint()
	if n > uint64(len(d.b))+uint64(d.left) {
		d.Fail()
		return 0
	}
	return int(n)
}

// Bytes reads a length and as many bytes, which are those of the decoder: of a source, until more is read.
func (d *Decoder) Bytes() []byte {
	n := d.Count()
	if d.ahead(n); d.bad {
		return nil
	}
	s := d.b[:n:n]
	d.b = d.b[n:]
	return s
}

// Text is Bytes as a string.
func (d *Decoder) Text() string { return string(d.Bytes()) }

// Fail tells that what was read cannot be meant.
func (d *Decoder) Fail() { d.b, d.left, d.bad = nil, 0, true }

// Bad reports whether anything was damaged so far.
func (d *Decoder) Bad() bool { return d.bad }

// Done reports whether all was read and nothing was damaged.
func (d *Decoder) Done() bool { return !d.bad && len(d.b) == 0 && d.left == 0 }
