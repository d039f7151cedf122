package history

import "math"

// A turn is an edge between two columns of pixels inside a node of leaves, in a child or where that begins: the rows of joined sums
// before and behind the child, and what crosses into it, say how long each value was until then, but for the child's own intervals.
type turn struct {
	column int // that begins there
	child  int
	late   bool // the own intervals of the child are counted before the edge, and what is behind it is taken out when the child is visited
}

// turned appends the turns of a node that is in sight as a whole, of which no child has more than one edge in it, and returns the column
// that the node begins in. It returns false if there is more to it.
func (p *painter) turned(turns []turn, n *node, first int, seen []sight) (front int, _ []turn, ok bool) {
	if first > 0 || len(seen) < len(n.children) || !n.joins() {
		return 0, turns, false
	}
	column := 0
	for i, x := range seen {
		begin := x.column
		if x.cut {
			begin--
		}
		switch {
		case x.column == whole:
			return 0, turns, false
		case i == 0:
			front, column = begin, begin
		case begin == column+1: // where the child begins
			turns = append(turns, turn{begin, i, false})
		case begin != column:
			return 0, turns, false
		}
		if x.cut {
			turns = append(turns, turn{x.column, i, x.late})
		}
		column = x.column
	}
	return front, turns, true
}

// turn paints all intervals of a node as join does, where there are turns. Each column has what was until the edge behind it, less what was until
// the one before.
func (s *sumReader) turn(r *row, x *joint, lanes *[laneValues]int, spans func(child int, span int64)) (ok bool) {
	if !s.within(x.node) {
		return false
	}
	begin := x.node.start + s.origin
	limit := min(uint64(x.node.end)-uint64(begin), math.MaxInt64)
	var last, from, to [laneValues]uint64
	column := x.front
	for i := range x.turns {
		t := &x.turns[i]
		edge := x.grid.edges[t.column]
		s.times(s.until(t.child), &from)
		s.times(s.until(t.child+1), &to)
		until, behind, ok := s.total(&from, &to, limit)
		length, value := s.crossing(t.child)
		if own := behind - until; !ok || value >= s.many || uint64(length) > own {
			return false
		} else if t.late {
			spans(t.child, int64(own)-length)
		}
		now := &from
		if t.late {
			now = &to
		}
		if length > 0 { // it begins before the child
			past := edge - begin - int64(until)
			switch {
			case past < 0:
				return false
			case t.late:
				now[value] -= uint64(max(length-past, 0))
			default:
				now[value] += uint64(min(length, past))
			}
		}
		if past := edge - begin - int64(behind); past > 0 { // of what goes on behind the child
			if length, value := s.onward(t.child + 1); length > 0 {
				if value >= s.many || past > length {
					return false
				}
				now[value] += uint64(past)
			}
		}
		if !s.put(r, column, &last, now, lanes) {
			return false
		}
		last, column = *now, t.column
	}
	s.times(s.until(len(x.node.children)), &to)
	_, _, ok = s.total(&last, &to, limit)
	return ok && s.put(r, column, &last, &to, lanes)
}

// total adds up the times of two rows, each of which is not more than a limit of 63 bits. It returns false on damage.
func (s *sumReader) total(from, to *[laneValues]uint64, limit uint64) (until, behind uint64, ok bool) {
	high := uint64(0) // the top bit of which is set where something is below 0, or beyond the limit
	for i := range s.many {
		a, b := from[i&(laneValues-1)], to[i&(laneValues-1)]
		until += a
		behind += b
		high |= a | b | until | behind | (b - a) | (limit - until) | (limit - behind)
	}
	return until, behind, high>>63 == 0
}

// onward returns the first interval that crosses into a child from a number on: how long it is, and the place of its value.
func (s *sumReader) onward(child int) (length int64, value int) {
	for ; length == 0 && child < s.first+s.rows; child++ {
		length, value = s.crossing(child)
	}
	return length, value
}

// put adds the times from one row to another to a column. It returns false if there are such as are below 0.
func (s *sumReader) put(r *row, column int, from, to *[laneValues]uint64, lanes *[laneValues]int) bool {
	if r.more[column] == covered {
		return true // by an interval that leaves nothing but the part of a leaf in another column
	}
	times, used, low := r.open(column), uint8(0), int64(0)
	for i := range s.many {
		i, lane := i&(laneValues-1), lanes[i&(laneValues-1)]&(laneValues-1)
		time := int64(to[i] - from[i])
		times[lane] += time
		low |= time
		used |= uint8(uint64(-time)>>63) << lane // without a branch for each
	}
	r.used[column] |= used
	return low >= 0
}
