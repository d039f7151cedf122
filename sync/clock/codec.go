package clock

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A stored map is a version byte, the knots and the bounds, each list a
// length and pairs of varints: the first knot and the first bound's time
// signed and absolute, all later times as unsigned differences.
const codecVersion = 1

// AppendBinary appends the stored form to b.
func (m *Map) AppendBinary(b []byte) []byte {
	b = append(b, codecVersion)
	b = binary.AppendUvarint(b, uint64(len(m.knots)))
	for i, k := range m.knots {
		if i == 0 {
			b = binary.AppendVarint(b, k.Local)
			b = binary.AppendVarint(b, k.Reference)
			continue
		}
		b = binary.AppendUvarint(b, uint64(k.Local)-uint64(m.knots[i-1].Local))
		b = binary.AppendUvarint(b, uint64(k.Reference)-uint64(m.knots[i-1].Reference))
	}
	b = binary.AppendUvarint(b, uint64(len(m.bounds)))
	for i, e := range m.bounds {
		if i == 0 {
			b = binary.AppendVarint(b, e[0])
		} else {
			b = binary.AppendUvarint(b, uint64(e[0])-uint64(m.bounds[i-1][0]))
		}
		b = binary.AppendUvarint(b, uint64(e[1]))
	}
	return b
}

var errShort = errors.New("a stored clock map is cut short")

// A decoder reads varints; after the first one that is cut short all are 0.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) skip(size int) {
	if size <= 0 {
		d.b, d.err = nil, errShort
		return
	}
	d.b = d.b[size:]
}

func (d *decoder) unsigned() uint64 {
	v, size := binary.Uvarint(d.b)
	d.skip(size)
	return v
}

// time reads a time: the first of a list absolute, the others relative to the one before.
func (d *decoder) time(first bool, before int64) int64 {
	if !first {
		return int64(uint64(before) + d.unsigned())
	}
	v, size := binary.Varint(d.b)
	d.skip(size)
	return v
}

// length reads how many pairs follow; each takes at least two bytes.
func (d *decoder) length() int {
	n := d.unsigned()
	if d.err == nil && n > uint64(len(d.b)/2) {
		d.err = fmt.Errorf("a stored clock map claims %d entries in %d bytes", n, len(d.b))
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}

// Parse reads the stored form from the start of b and returns what follows it.
func Parse(b []byte) (m *Map, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, errShort
	}
	if b[0] != codecVersion {
		return nil, nil, fmt.Errorf("a stored clock map has version %d, this program reads version %d", b[0], codecVersion)
	}
	d := decoder{b: b[1:]}
	knots := make([]Knot, d.length())
	var k Knot
	for i := range knots {
		k.Local = d.time(i == 0, k.Local)
		k.Reference = d.time(i == 0, k.Reference)
		knots[i] = k
	}
	bounds := make([][2]int64, d.length())
	var at int64
	for i := range bounds {
		at = d.time(i == 0, at)
		bounds[i] = [2]int64{at, int64(d.unsigned())}
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	if m, err = New(knots, bounds); err != nil {
		return nil, nil, err
	}
	return m, d.b, nil
}
