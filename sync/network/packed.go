package network

import (
	"encoding/binary"
	"iter"
	"slices"

	"synchroscope/sync/hull"
)

// A packed list has messages in the order in which they came, each in some ten bytes: what it differs by from the one before. Of many links there are
// many, and whoever looks at them does more with each than to unpack it. What it has never changes, so a copy is a slice of the same bytes.
type packed struct {
	b      []byte
	count  int
	newest hull.Point
}

// add takes a message and a number of its.
func (l *packed) add(p hull.Point, number uint64) {
	if l.b == nil {
		l.b = make([]byte, 0, leastPacked)
	}
	ahead := uint64(p.X) - uint64(l.newest.X)
	l.b = binary.AppendVarint(l.b, int64(ahead))
	l.b = binary.AppendVarint(l.b, int64(uint64(p.Y)-uint64(l.newest.Y)-ahead)) // clocks that go alike differ by little more
	l.b = binary.AppendUvarint(l.b, number)
	l.newest = p
	l.count++
}

const leastPacked = 64 // bytes

// all yields the messages, and the number of each.
func (l *packed) all() iter.Seq2[hull.Point, uint64] {
	return func(yield func(hull.Point, uint64) bool) {
		var p hull.Point
		for i := 0; i < len(l.b); {
			ahead, n := binary.Varint(l.b[i:])
			i += n
			more, n := binary.Varint(l.b[i:])
			i += n
			number, n := binary.Uvarint(l.b[i:])
			i += n
			p.X, p.Y = int64(uint64(p.X)+uint64(ahead)), int64(uint64(p.Y)+uint64(ahead)+uint64(more))
			if !yield(p, number) {
				return
			}
		}
	}
}

// clone returns a list to which others may be added.
func (l *packed) clone() packed {
	c := *l
	c.b = slices.Clip(c.b)
	return c
}
