package kernel

import (
	"encoding/binary"
	"math"
)

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func appendBool(b []byte, v bool) []byte { return binary.AppendUvarint(b, flag(v)) }

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// A decoder reads varints. After the first that is damaged it reads zeros, and bad
// is set.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	return d.took(v, n)
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	return int64(d.took(uint64(v), n))
}

func (d *decoder) took(v uint64, n int) uint64 {
	if n <= 0 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads a count of things that take a byte each at least.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.b, d.bad = nil, true
		return 0
	}
	return int(min(n, math.MaxInt32))
}

func (d *decoder) string() []byte {
	n := d.count()
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}
