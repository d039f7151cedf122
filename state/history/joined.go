package history

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"synchroscope/state/scratch"
)

// A crossing is an interval of a node's extents, by the child it ends in. It began in a child before.
type crossing struct {
	Interval
	child int32
	next  int32 // of the attribute
}

// mostCrossings of a node are held in memory. One with more has no joined sums.
const mostCrossings = 1 << 16

// cross gathers the intervals n holds, as long as all children so far are in one group.
func (p *pending) cross(n *open) {
	if n.level != 1 || p.first != 0 || p.count != len(n.children) || len(p.crossings)+len(n.records) > mostCrossings {
		p.parted = true
	}
	if p.parted {
		p.crossings = p.crossings[:0]
		return
	}
	child := 0
	for i := range n.records {
		iv := &n.records[i]
		for child < len(n.children) && n.children[child].end <= iv.End {
			child++
		}
		p.crossings = scratch.Push(n.spares.shelf, p.crossings, crossing{*iv, int32(child), -1})
	}
}

// join gives the columns what was gathered, for a node that ends where its last child does and has all of them in the group.
func (p *pending) join(n *open, end int64) {
	if n.level != 1 || p.parted || len(n.children) == 0 || len(n.groups) > 0 || p.first != 0 || p.count != len(n.children) || n.children[len(n.children)-1].end != end {
		return
	}
	p.start = n.start
	for i := len(p.crossings) - 1; i >= 0; i-- {
		x := &p.crossings[i]
		if at := p.places.at(x.Quark); at >= 0 {
			x.next = p.columns[at].crossing
			p.columns[at].crossing = int32(i)
		}
	}
}

// join makes s the sums of own and of the intervals of the column that began in a child before: of all that end in each child. These are adjacent, so the
// sums tell where each ends. It returns false if there are none such, or too many values.
func (s *sums) join(own *sums, p *pending, c *pendingColumn) bool {
	s.values, s.rows, s.gaps = append(s.values[:0], own.values...), s.rows[:0], s.gaps[:0]
	if c.crossing < 0 {
		return false
	}
	s.first, s.origin = min(own.first, int(p.crossings[c.crossing].child)), -1
	var row, crossed sumRow
	time, widest := uint64(0), uint64(0)
	for child, x := s.first, c.crossing; child < own.first+len(own.rows) || x >= 0; child++ {
		gap := uint64(0)
		if x >= 0 && int(p.crossings[x].child) <= child {
			iv := &p.crossings[x]
			if s.origin < 0 {
				s.origin = iv.Start - int64(time) - p.start
			}
			i := slices.Index(s.values, iv.Value)
			if i < 0 {
				i = len(s.values)
				s.values = append(s.values, iv.Value)
			}
			length := uint64(iv.End - iv.Start)
			if i >= laneValues || length >= 1<<60 || s.origin < 0 || iv.Start != p.start+s.origin+int64(time) || int(iv.child) != child || child >= p.count {
				return false
			}
			gap = length<<gapShift | uint64(i)
			crossed[i][0] += length
			crossed[i][1]++
			x = iv.next
		}
		row, time = crossed, 0
		for i := range s.values {
			if k := min(child-own.first, len(own.rows)-1); k >= 0 {
				row[i][0] += own.rows[k][i][0]
				row[i][1] += own.rows[k][i][1]
			}
			if time += row[i][0]; time > math.MaxInt64 || row[i][0] > math.MaxInt64 {
				return false
			}
		}
		s.rows, s.gaps = append(s.rows, row), append(s.gaps, gap)
		widest |= gap
	}
	s.widen(&row)
	s.gap = (bits.Len64(widest|1) + 7) / 8
	return true
}

// gapShift is where the length of a crossing interval stands, above the place of its value.
const gapShift = 3

// crossing returns the interval that ends in a child and began in one before: how long it is, and the place
// of its value. There is none if it is 0 long.
func (s *sumReader) crossing(child int) (length int64, value int) {
	if child -= s.first; child < 0 || child >= s.rows || s.gap == 0 {
		return 0, 0
	}
	at := (child+1)*s.line - s.gap
	var u uint64
	if at+8 <= cap(s.b) {
		unwanted := uint(64-8*s.gap) & 63
		u = word(s.b, at) << unwanted >> unwanted
	} else {
		var bytes [8]byte
		copy(bytes[:], s.b[at:at+s.gap])
		u = binary.LittleEndian.Uint64(bytes[:])
	}
	return int64(u >> gapShift), int(u & (1<<gapShift - 1))
}

// within tells whether the first interval of joined sums begins in n.
func (s *sumReader) within(n *node) bool { return uint64(s.origin) <= uint64(n.end)-uint64(n.start) }

// A joint is what is painted of a node from joined sums: the children in sight, and those of them that are seen by stretches.
type joint struct {
	grid        *grid
	node        *node
	first, last int
	stretches   []stretch

	turning bool // there are turns instead
	front   int  // column that the node begins in
	turns   []turn
}

// joint is what is painted of a node whose children from first on are seen so.
func (p *painter) joint(n *node, first int, seen []sight, stretches []stretch) joint {
	x := joint{grid: &p.grid, node: n, first: first, last: first + len(seen), stretches: stretches}
	x.front, p.turns, x.turning = p.turned(p.turns[:0], n, first, seen)
	x.turns = p.turns
	return x
}

// A joiner paints from one column of joined sums.
type joiner struct {
	*sumReader
	joint  *joint
	row    *row
	lanes  [laneValues]int
	how    mark
	spans  func(child int, span int64)
	done   int // the last child of which what crosses into it was painted by itself
	failed bool

	// The sums at hand.
	child int // they are until before this
	begin int64
	end   int64 // of the intervals in them, which begin at begin
	sums  [laneValues]uint64
}

// join paints all intervals of a node that end in a child in sight or go on behind the last, but for those in leaves that are visited.
// Of leaves whose later part is the shorter one, it says how long their intervals are. It returns what paint does.
func (s *sumReader) join(r *row, x *joint, spans func(child int, span int64)) (ok bool, how mark) {
	j := joiner{sumReader: s, joint: x, row: r, how: inTurn, spans: spans, done: -1, child: -1}
	if !r.counting {
		j.lanes, j.how = s.lanes(r)
	}
	if j.how == inSums && x.turning {
		return s.turn(r, x, &j.lanes, spans), inSums
	}
	if !s.within(x.node) {
		return false, j.how
	}
	j.begin = x.node.start + s.origin
	at := x.first
	for i := range x.stretches {
		t := x.stretches[i]
		if t.cut && j.how == inTurn {
			t.from++
		}
		if t.late && j.how == inTurn {
			t.to--
		}
		if t.from >= t.to {
			continue
		}
		for ; at <= t.from; at++ { // those between are visited
			j.cross(at)
		}
		at = t.to
		j.stretch(&t)
		if j.failed {
			return false, j.how
		}
	}
	for ; at < x.last; at++ {
		j.cross(at)
	}
	j.cross(j.next(x.last - 1))
	return !j.failed, j.how
}

// until moves the sums to before a child.
func (j *joiner) until(child int) {
	if child == j.child {
		return
	}
	j.child = child
	j.times(j.sumReader.until(child), &j.sums)
	limit := uint64(j.joint.node.end) - uint64(j.begin)
	time := uint64(0)
	for i := range j.many {
		n := j.sums[i&(laneValues-1)]
		if time += n; n > limit || time > limit {
			j.failed, time = true, 0
			break
		}
	}
	j.end = j.begin + int64(time)
}

// cross paints the interval that crosses into a child and ends there, by itself and once.
func (j *joiner) cross(child int) {
	length, value := j.crossing(child)
	if length == 0 || child <= j.done {
		return
	}
	j.done = child
	j.until(child)
	if value >= j.many || uint64(length) > uint64(j.joint.node.end)-uint64(j.end) {
		j.failed = true
		return
	}
	j.row.span(j.joint.grid, j.end, j.end+length, j.values[value])
}

// next is the next child behind one in which an interval ends.
func (j *joiner) next(child int) int {
	j.until(child + 1)
	end := j.end
	for child++; child < j.first+j.rows; child++ {
		if j.until(child + 1); j.end != end {
			break
		}
	}
	return child
}

// apart paints by itself what crosses into a child of a stretch, and counts it as before the stretch.
func (j *joiner) apart(child int, before, counts *[laneValues]uint64) {
	j.cross(child)
	if length, value := j.crossing(child); length > 0 {
		before[value] += uint64(length)
		counts[value]++
	}
}

// begun paints by itself what crosses from the first child of a stretch if it begins in a column before. It returns the child in which that
// ends, or the first.
func (j *joiner) begun(t *stretch) int {
	edge := j.joint.grid.edges[t.column]
	if length, _ := j.crossing(t.from + 1); length > 0 && length <= j.joint.node.children[t.from].end-edge {
		return t.from // it is too short
	}
	if j.until(t.from + 1); j.end >= edge {
		return t.from
	}
	next := j.done
	if next <= t.from {
		next = j.next(t.from)
		j.cross(next)
	}
	return next
}

// span is how long the intervals are that stand in a child.
func (j *joiner) span(child int) int64 {
	j.until(child)
	length, _ := j.crossing(child)
	begin := j.end + length
	j.until(child + 1)
	return j.end - begin
}

// stretch paints what ends in the children of a stretch.
func (j *joiner) stretch(t *stretch) {
	g, children := j.joint.grid, j.joint.node.children
	var counts [laneValues]uint64
	j.until(t.from)
	before := j.sums
	j.apart(t.from, &before, &counts)
	next := j.begun(t)
	if next > t.from && next < t.to {
		j.apart(next, &before, &counts)
	}
	if last := t.to - 1; t.late && last > t.from && last != next { // what crosses into the last may end in the column behind
		if length, _ := j.crossing(last); length > g.edges[t.column+1]-children[last].start {
			if j.until(last); j.end+length > g.edges[t.column+1] {
				j.apart(last, &before, &counts)
			}
		}
	}
	if t.late && j.how == inSums {
		j.spans(t.to-1, j.span(t.to-1))
	}
	j.until(t.to)
	switch {
	case j.failed:
	case j.row.counting:
		j.failed = !j.count(t, &before, &counts)
	default:
		j.failed = !j.add(j.row, t.column, &before, &j.sums, &j.lanes)
	}
}

// count adds sums to the totals of a row, but for what is before the stretch, and counts that are. It returns false on damage.
func (j *joiner) count(t *stretch, before, counts *[laneValues]uint64) bool {
	from, to := j.sumReader.until(t.from), j.sumReader.until(t.to)
	for i := range j.many {
		time, count := j.sums[i]-before[i], j.at(to, i, 1)-j.at(from, i, 1)-counts[i]
		if time > math.MaxInt64 || count > math.MaxInt64 {
			return false
		}
		if time > 0 {
			j.row.total(j.values[i], int64(time), count)
		}
	}
	return true
}
