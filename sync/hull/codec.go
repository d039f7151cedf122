package hull

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A stored hull is a version byte, three counts (upper messages, lower
// messages, accurate) and two chains, each a length and its vertices: the
// first as two signed varints, each later one as the unsigned differences to
// the one before. docs/synchronization.md has the table.
const codecVersion = 1

// AppendBinary appends the stored form to b.
func (h *Hull) AppendBinary(b []byte) []byte {
	b = append(b, codecVersion)
	for _, n := range []int{h.messages[Upper], h.messages[Lower], h.accurate} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, c := range []chain{h.ceiling, h.floor} {
		b = c.append(b)
	}
	return b
}

func (c chain) append(b []byte) []byte { return appendPoints(b, c, true) }

// appendPoints appends points by rising X, which rise in Y too or do not, each but the first by how far it is from the one before.
func appendPoints(b []byte, points []Point, rising bool) []byte {
	b = binary.AppendUvarint(b, uint64(len(points)))
	var before Point
	for i, p := range points {
		x, y := uint64(p.X)-uint64(before.X), uint64(p.Y)-uint64(before.Y)
		if i == 0 {
			b = binary.AppendVarint(b, int64(x))
		} else {
			b = binary.AppendUvarint(b, x)
		}
		if i == 0 || !rising {
			b = binary.AppendVarint(b, int64(y))
		} else {
			b = binary.AppendUvarint(b, y)
		}
		before = p
	}
	return b
}

var errShort = errors.New("a stored hull is cut short")

// Parse reads the stored form from the start of b and returns what follows it.
// The vertices go through the same insertion as any message, so bytes that are
// no chain cannot make an inconsistent hull. A hull of class Fail is taken to be complete.
func Parse(b []byte) (h *Hull, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, errShort
	}
	if b[0] != codecVersion {
		return nil, nil, fmt.Errorf("a stored hull has version %d, this program reads version %d", b[0], codecVersion)
	}
	b = b[1:]
	h = new(Hull)
	var counts [3]int
	for i := range counts {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > 1<<62 {
			return nil, nil, errShort
		}
		counts[i], b = int(n), b[size:]
	}
	for side := range Lower + 1 {
		if b, err = parseChain(b, side, h.insert); err != nil {
			return nil, nil, err
		}
	}
	h.messages = [2]int{counts[0], counts[1]}
	h.accurate = counts[2]
	if len(h.ceiling) > counts[0] || len(h.floor) > counts[1] {
		return nil, nil, errors.New("a stored hull has more vertices than messages")
	}
	h.settle()
	h.partial = !h.failed
	return h, b, nil
}

// parseChain gives the vertices of one side to insert, each of which must be new to it.
func parseChain(b []byte, side Side, insert func(Side, Point) bool) (rest []byte, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return nil, errShort
	}
	b = b[size:]
	if n > uint64(len(b)/2) {
		return nil, fmt.Errorf("a stored hull claims %d vertices in %d bytes", n, len(b))
	}
	var p Point
	for i := range n {
		if p, b, err = parsePoint(b, p, i == 0, true); err != nil {
			return nil, err
		}
		q := p
		if side == Lower {
			q = p.mirrored()
		}
		if !insert(side, q) {
			return nil, fmt.Errorf("vertex %d of a stored hull is not on a hull", i)
		}
	}
	return b, nil
}

// parsePoint reads one of such points.
func parsePoint(b []byte, before Point, first, rising bool) (Point, []byte, error) {
	x, b, ok := parseStep(b, !first)
	if !ok {
		return Point{}, nil, errShort
	}
	y, b, ok := parseStep(b, !first && rising)
	if !ok {
		return Point{}, nil, errShort
	}
	return Point{int64(uint64(before.X) + x), int64(uint64(before.Y) + y)}, b, nil
}

func parseStep(b []byte, rising bool) (step uint64, rest []byte, ok bool) {
	var n int
	if rising {
		step, n = binary.Uvarint(b)
	} else {
		var signed int64
		signed, n = binary.Varint(b)
		step = uint64(signed)
	}
	if n <= 0 {
		return 0, nil, false
	}
	return step, b[n:], true
}
