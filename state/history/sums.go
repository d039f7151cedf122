package history

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// leastSums children are worth a column of sums.
const leastSums = 4

// sums are the times and counts of an attribute's values from the first child
// of a group that has it until the end of each of the next, so that any adjacent children cost
// a difference. They are written where an attribute has few values, and most of them in most children.
type sums struct {
	first  int // child, from the group's first
	values []Value
	rows   []sumRow
	wide   [2]int // bytes of a time and a count

	// Where the intervals that began in a child before are included:
	origin int64    // of the first interval, from the node's start
	gaps   []uint64 // by row, how long such a one is, and the place of its value
	gap    int      // bytes of that; 0 where they are not included
}

// A sumRow is times and counts by value.
type sumRow [laneValues][2]uint64

// gather makes s the sums of a column of p. It returns false if it cannot be one.
func (s *sums) gather(p *pending, c *pendingColumn) bool {
	s.values, s.rows = s.values[:0], s.rows[:0]
	child, row := 0, sumRow{}
	for k := c.head; k >= 0; k = p.pieces[k].next {
		d := decoder{b: p.text[p.pieces[k].from:p.pieces[k].sums]}
		delta := int(d.uvarint())
		if child += delta; k == c.head {
			s.first = child
		}
		for len(s.rows) < child-s.first {
			s.rows = append(s.rows, row)
		}
		n := d.uvarint()
		if n == 0 && d.more() {
			n = d.uvarint()
		}
		if n == 0 {
			return false
		}
		for range n {
			v := d.value()
			i := slices.Index(s.values, v)
			if i < 0 {
				if i = len(s.values); i == laneValues {
					return false
				}
				s.values = append(s.values, v)
			}
			row[i][0] += d.uvarint()
			row[i][1] += d.uvarint()
		}
		s.rows = append(s.rows, row)
	}
	s.widen(&row)
	return len(s.rows) >= leastSums
}

// widen finds the bytes of times and counts, of which a row has the largest.
func (s *sums) widen(last *sumRow) {
	for what := range s.wide {
		most := uint64(0)
		for i := range s.values {
			most |= last[i][what]
		}
		s.wide[what] = (bits.Len64(most|1) + 7) / 8
	}
}

// bytes is what s takes.
func (s *sums) bytes() int {
	n := 3 + uvarintLen(uint64(s.first)) + len(s.rows)*(len(s.values)*(s.wide[0]+s.wide[1])+s.gap)
	if s.gap > 0 {
		n += 1 + uvarintLen(uint64(s.origin))
	}
	for _, v := range s.values {
		n += valueLen(v)
	}
	return n
}

func (s *sums) appendTo(b []byte) []byte {
	form := len(s.values)
	if s.gap > 0 {
		form += laneValues
	}
	b = binary.AppendUvarint(b, uint64(form))
	for _, v := range s.values {
		b = appendValue(b, v)
	}
	b = binary.AppendUvarint(b, uint64(s.first))
	b = append(b, byte(s.wide[0]), byte(s.wide[1]))
	if s.gap > 0 {
		b = append(b, byte(s.gap))
		b = binary.AppendUvarint(b, uint64(s.origin))
	}
	for i := range s.rows {
		for k := range s.values {
			for what, n := range s.rows[i][k] {
				b = appendFixed(b, n, s.wide[what])
			}
		}
		if s.gap > 0 {
			b = appendFixed(b, s.gaps[i], s.gap)
		}
	}
	return b
}

// appendFixed appends a number of so many bytes.
func appendFixed(b []byte, n uint64, bytes int) []byte {
	at := len(b)
	return binary.LittleEndian.AppendUint64(b, n)[:at+bytes]
}

// A sumReader reads a column of sums in its place.
type sumReader struct {
	first  int // child
	rows   int
	many   int // values
	values [laneValues]Value
	wide   [2]int
	line   int // bytes of a row
	b      []byte

	gap    int   // bytes of what is said of intervals that began in a child before; 0 where those are not included
	origin int64 // of the first interval, from the node's start
}

// sumColumn is what is behind the number of values, which is not 0. It returns false on damage.
func sumColumn(d *decoder, many uint64, g *group) (s sumReader, ok bool) {
	joined := many > laneValues
	if joined {
		many -= laneValues
	}
	if many > laneValues {
		return s, false
	}
	s.many = int(many)
	for i := range s.many {
		s.values[i] = d.value()
	}
	s.first = g.first + int(d.below(uint64(g.count)))
	for i, b := range d.bytes(2) {
		s.wide[i] = int(b)
	}
	if joined {
		for _, b := range d.bytes(1) {
			s.gap = int(b)
		}
		s.origin = int64(d.below(math.MaxInt64))
	}
	s.line = s.many*(s.wide[0]+s.wide[1]) + s.gap
	if joined && (s.gap < 1 || s.gap > 8 || g.first > 0) {
		return s, false
	}
	if d.bad || min(s.wide[0], s.wide[1]) < 1 || max(s.wide[0], s.wide[1]) > 8 {
		return s, false
	}
	s.b = d.b[d.i:]
	s.rows = len(s.b) / s.line
	return s, s.rows > 0 && s.rows*s.line == len(s.b) && s.rows <= g.first+g.count-s.first
}

// until is where the sums until before a child stand, or -1 where they are 0.
func (s *sumReader) until(child int) int {
	if child = min(child-s.first, s.rows); child <= 0 {
		return -1
	}
	return (child - 1) * s.line
}

// at returns a sum: of times, or of counts.
func (s *sumReader) at(row, value, what int) uint64 {
	if row < 0 {
		return 0
	}
	at := row + value*(s.wide[0]+s.wide[1]) + what*s.wide[0]
	if at+8 <= cap(s.b) {
		unwanted := uint(64-8*s.wide[what]) & 63
		return binary.LittleEndian.Uint64(s.b[at:at+8]) << unwanted >> unwanted
	}
	var bytes [8]byte
	copy(bytes[:], s.b[at:at+s.wide[what]])
	return binary.LittleEndian.Uint64(bytes[:])
}

// between returns how long, or how often, a value was from one row to another. It
// returns false on damage.
func (s *sumReader) between(from, to, value, what int) (n uint64, ok bool) {
	begin, end := s.at(from, value, what), s.at(to, value, what)
	return end - begin, begin <= end && end <= math.MaxInt64
}

// each tells of the children one by one, and leaves out what began in a child before.
func (s *sumReader) each(use func(child int, v Value, time int64, count uint64, many bool)) bool {
	for child := s.first; child < s.first+s.rows; child++ {
		from, to := s.until(child), s.until(child+1)
		length, value := s.crossing(child)
		if value >= s.many || length == 0 && value > 0 {
			return false
		}
		for i := range s.many {
			time, ok := s.between(from, to, i, 0)
			count, fine := s.between(from, to, i, 1)
			if length > 0 && i == value {
				if time < uint64(length) || count < 1 {
					return false
				}
				time -= uint64(length)
				count--
			}
			if !ok || !fine || (time > 0) != (count > 0) {
				return false
			}
			if count > 0 {
				use(child, s.values[i], int64(time), count, false)
			}
		}
	}
	return true
}

// paint adds the sums of some stretches of children to a row, and tells whether children that are cut are
// in them. Of those whose later part is the shorter one, it says how long their intervals are. It returns false on damage.
func (s *sumReader) paint(r *row, stretches []stretch, spans func(child int, span int64)) (ok bool, how mark) {
	if r.counting {
		return s.count(r, stretches), inTurn
	}
	lanes, how := s.lanes(r)
	var sums [laneValues]uint64 // before the child at hand
	at := s.first
	for _, x := range stretches {
		from, to := x.from, x.to
		if x.cut && how == inTurn {
			from++
		}
		if x.late && how == inTurn {
			to--
		}
		if from >= to {
			continue
		}
		if from != at {
			s.times(s.until(from), &sums)
		}
		before := sums
		s.times(s.until(to), &sums)
		at = to
		if x.late && how == inSums {
			span, ok := s.span(to-1, &sums)
			if !ok {
				return false, how
			}
			spans(to-1, span)
		}
		if !s.add(r, x.column, &before, &sums, &lanes) {
			return false, how
		}
	}
	return true, how
}

// lanes are where the values are among those of a row, and whether leaves that are cut can be in its sums.
func (s *sumReader) lanes(r *row) (lanes [laneValues]int, how mark) {
	how = inSums
	for i := range s.many {
		if lanes[i] = r.values.of(s.values[i]); lanes[i] == laneValues || s.values[i].fixed() {
			how = inTurn
		}
	}
	return lanes, how
}

// add adds what is between sums to a column of a row. It returns false on damage.
func (s *sumReader) add(r *row, column int, before, sums *[laneValues]uint64, lanes *[laneValues]int) bool {
	if r.more[column] == covered {
		return true // by an interval that leaves nothing but the part of a leaf in another column
	}
	times := r.open(column)
	for i := range s.many {
		time := sums[i] - before[i]
		switch {
		case time > math.MaxInt64:
			return false
		case time == 0:
		case lanes[i] < laneValues:
			times[lanes[i]] += int64(time)
			r.used[column] |= 1 << lanes[i]
		default:
			r.add(column, s.values[i], int64(time))
		}
	}
	return true
}

// times fills in the times of a row.
func (s *sumReader) times(row int, sums *[laneValues]uint64) {
	if row >= 0 && row+s.line+8 <= cap(s.b) {
		unwanted, step := uint(64-8*s.wide[0])&63, s.wide[0]+s.wide[1]
		for i := range sums[:s.many] {
			sums[i] = word(s.b, row) << unwanted >> unwanted
			row += step
		}
		return
	}
	for i := range s.many {
		sums[i] = s.at(row, i, 0)
	}
}

// span is how long all intervals of a child are, the sums until behind which are given. It returns false on damage.
func (s *sumReader) span(child int, until *[laneValues]uint64) (span int64, ok bool) {
	from := s.until(child)
	for i := range s.many {
		time := until[i] - s.at(from, i, 0)
		if time > uint64(math.MaxInt64-span) {
			return 0, false
		}
		span += int64(time)
	}
	return span, true
}

// count adds the sums of some stretches to the totals of a row. It returns false on damage.
func (s *sumReader) count(r *row, stretches []stretch) bool {
	for _, x := range stretches {
		from, to := s.until(x.from), s.until(x.to)
		for i := range s.many {
			time, ok := s.between(from, to, i, 0)
			count, fine := s.between(from, to, i, 1)
			if !ok || !fine {
				return false
			}
			if time > 0 {
				r.total(s.values[i], int64(time), count)
			}
		}
	}
	return true
}
