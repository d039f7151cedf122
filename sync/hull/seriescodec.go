package hull

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A stored series is a version byte, two counts (upper messages, lower
// messages), the width, the number of windows, and of each its two chains as
// in a stored hull; then of each side the points that are kept by the second clock only. docs/synchronization.md has the table.
const seriesVersion = 2

// mostRoom is for how many points chains that are read get room at once. Longer ones grow as they come: nothing is allocated for a claim.
const mostRoom = 512

// AppendBinary appends the stored form to b.
func (s *Series) AppendBinary(b []byte) []byte {
	b = append(b, seriesVersion)
	b = binary.AppendUvarint(b, uint64(s.messages[Upper]))
	b = binary.AppendUvarint(b, uint64(s.messages[Lower]))
	b = append(b, byte(s.width))
	b = binary.AppendUvarint(b, uint64(len(s.windows)))
	for i := range s.windows {
		b = s.windows[i].ceiling.append(b)
		b = s.windows[i].floor.append(b)
	}
	for side := range Lower + 1 {
		b = appendPoints(b, s.byOtherOnly(side), false)
	}
	return b
}

// byOtherOnly are the points of a side that are kept by the second clock and not by the first, by rising X and Y.
func (s *Series) byOtherOnly(side Side) []Point {
	if s.turned == nil {
		return nil
	}
	points := byX(swapAll(s.turned.Points(side.Other())))
	own := s.Points(side)
	return slices.DeleteFunc(points, func(p Point) bool {
		_, found := slices.BinarySearchFunc(own, p, Point.compare)
		return found
	})
}

// compare orders points by X, then by Y.
func (p Point) compare(q Point) int { return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y)) }

// ParseSeries reads the stored form from the start of b and returns what
// follows it. The points go through the same insertion as any message and
// must give the same windows, so bytes that are no series are refused.
func ParseSeries(b []byte) (s *Series, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, errShort
	}
	if b[0] != seriesVersion {
		return nil, nil, fmt.Errorf("a stored series of hulls has version %d, this program reads version %d", b[0], seriesVersion)
	}
	b = b[1:]
	s = new(Series)
	for side := range s.messages {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > 1<<62 {
			return nil, nil, errShort
		}
		s.messages[side], b = int(n), b[size:]
	}
	if len(b) == 0 {
		return nil, nil, errShort
	}
	width := uint(b[0])
	windows, size := binary.Uvarint(b[1:])
	if size <= 0 {
		return nil, nil, errShort
	}
	b = b[1+size:]
	if windows > maxWindows || width > 63 {
		return nil, nil, fmt.Errorf("a stored series of hulls claims %d windows of 2^%d ns", windows, width)
	}
	// Windows must be in order: the width is that of the whole only in the end.
	s.width = width
	s.windows = make([]window, 0, min(int(windows), len(b)/2))
	var kept [2]int
	var room chain // for the points of chains, of many together
	for i := range int(windows) {
		for side := range Lower + 1 {
			n, _ := binary.Uvarint(b)
			if n <= mostRoom && int(n) > len(room) {
				room = make(chain, min(max(int(n), 2*(int(windows)-i)), mostRoom))
			}
			b, err = parseChain(b, side, func(side Side, p Point) bool {
				kept[side]++
				if n <= mostRoom {
					room = s.window(p.X>>s.width).begin(side, room, int(n))
				}
				return s.insert(side, p) && s.width == width && len(s.windows) == i+1
			})
			if err != nil {
				return nil, nil, err
			}
		}
		if len(s.windows) != i+1 {
			return nil, nil, fmt.Errorf("window %d of a stored series of hulls has no message", i)
		}
	}
	for side := range Lower + 1 {
		if b, err = s.parseTurned(b, side, &kept); err != nil {
			return nil, nil, err
		}
	}
	if kept[Upper] > s.messages[Upper] || kept[Lower] > s.messages[Lower] {
		return nil, nil, errors.New("a stored series of hulls has more points than messages")
	}
	if !s.tight() {
		return nil, nil, fmt.Errorf("a stored series of hulls has windows of 2^%d ns, wider than its messages need", width)
	}
	return s, b, nil
}

// begin gives the chain of a side, if there is none yet, the first n places of some room, and returns the others. It
// grows as it comes if there are not as many, as in what is no series and begins several with one claim.
func (w *window) begin(side Side, room chain, n int) chain {
	c := &w.ceiling
	if side == Lower {
		c = &w.floor
	}
	if *c != nil || n > len(room) {
		return room
	}
	*c = room[:0:n]
	return room[n:]
}

// parseTurned reads the points of a side that are kept by the second clock only.
func (s *Series) parseTurned(b []byte, side Side, kept *[2]int) (rest []byte, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return nil, errShort
	}
	if b = b[size:]; n > uint64(len(b)/2) {
		return nil, fmt.Errorf("a stored series of hulls claims %d points by the second clock in %d bytes", n, len(b))
	}
	var own []Point
	if n > 0 {
		own = s.Points(side)
	}
	var p Point
	for i := range n {
		before := p
		if p, b, err = parsePoint(b, p, i == 0, false); err != nil {
			return nil, err
		}
		_, found := slices.BinarySearchFunc(own, p, Point.compare)
		if found || i > 0 && p.compare(before) <= 0 || !s.insertTurned(side, p) {
			return nil, fmt.Errorf("point %d by the second clock of a stored series of hulls is no such", i)
		}
		kept[side]++
	}
	if s.turned != nil && count(s.turned.windows, side.Other()) != int(n) {
		return nil, errors.New("points by the second clock of a stored series of hulls are not on hulls")
	}
	return b, nil
}

// tight reports whether the width is the smallest that suffices.
func (s *Series) tight() bool {
	if s.width == 0 {
		return true
	}
	if len(s.windows) == 0 {
		return false
	}
	first, _ := s.windows[0].span()
	_, last := s.windows[len(s.windows)-1].span()
	return uint64(last>>(s.width-1))-uint64(first>>(s.width-1)) >= maxWindows
}
