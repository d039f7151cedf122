package history

import (
	"encoding/binary"
	"math"
	"sync"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

const (
	maxTotals = 32 // values per attribute in a summary

	// A summary may take one byte for so many of what it summarizes, and a value
	// one place for so many intervals.
	summaryShare = 4
	valueShare   = 2
	leastTotals  = 4 // bytes of a column in a summary: its head, child and count
)

// Tests have less.
var (
	manyRecords = 1 << 15 // of a block are gathered column by column, once they are encoded (tally.go)
	maxEntries  = 1 << 17 // totals of one node held in memory
)

// totals is the exact time each attribute spent in each value, over the
// intervals of a node and all below it. Where there are too many entries, the attributes with the most values are left out.
type totals struct {
	shelf   *scratch.Shelf
	places  sparse
	columns []totalColumn
	entries []total
	unused  int32 // 1 more than the entry that was given back last, to which those before are linked
	fewer   uint8 // how often the number of values that an attribute may have was halved
	bytes   int   // of the subtree
	void    bool
	recent  []found // while they are gathered
	few     []Total // of one attribute in one block
}

// A found is an entry that was added to, by its column and the encoding of its value: key is 1 more
// than both, so that 0 is none.
type found struct {
	key   uint32
	entry int32
}

// recentBits are of the number of entries that are found at once, most of those of a leaf that is summarized.
const recentBits = 13

// recents are lent while totals are gathered.
var recents = sync.Pool{New: func() any { return new([1 << recentBits]found) }}

type totalColumn struct {
	quark     attribute.Quark
	head      int32 // newest entry
	count     int32 // of values; more than maxTotals means that they were left out
	intervals int32
}

// left tells that c is not summarized: it has too many values, or so few
// intervals of each that reading them costs no more.
func (c *totalColumn) left() bool {
	return c.count > maxTotals || c.count*valueShare > c.intervals
}

// more counts intervals. A column with more than a total can count is left.
func (c *totalColumn) more(intervals int32) {
	if c.intervals > math.MaxInt32-intervals {
		c.count = maxTotals + 1
		return
	}
	c.intervals += intervals
}

// A total is how long an attribute had a value, and how often. It is small, since many are held.
type total struct {
	bits  uint64 // of the value
	time  int64
	count int32
	link  uint32 // the kind of the value in the upper 8 bits, below 1 more than the entry that follows
}

const linkBits = 24

func newTotal(v Value, time int64, count, next int32) total {
	return total{v.bits, time, count, uint32(v.kind)<<linkBits | uint32(next+1)}
}

func (e *total) value() Value { return Value{Kind(e.link >> linkBits), e.bits} }

// next is the entry that follows, or -1.
func (e *total) next() int32 { return int32(e.link&(1<<linkBits-1)) - 1 }

func (s *totals) reset() {
	for i := range s.columns {
		s.places.remove(s.columns[i].quark)
	}
	s.columns, s.entries = s.columns[:0], s.entries[:0]
	s.bytes, s.void, s.unused, s.fewer = 0, false, 0, 0
}

// most is how many values an attribute may have.
func (s *totals) most() int32 { return maxTotals >> s.fewer }

// place returns where the column of q is.
func (s *totals) place(q attribute.Quark) int32 {
	i := s.places.at(q)
	if i < 0 {
		i = int32(len(s.columns))
		s.places.set(q, int(i))
		s.columns = scratch.Push(s.shelf, s.columns, totalColumn{quark: q, head: -1})
	}
	return i
}

// add returns the entry it added to, or -1 if the column has too many.
func (s *totals) add(c *totalColumn, v Value, time int64, count int32) int32 {
	if c.count > maxTotals {
		return -1
	}
	for i := c.head; i >= 0; i = s.entries[i].next() {
		if e := &s.entries[i]; e.bits == v.bits && e.value() == v {
			e.time += time
			e.count += count
			return i
		}
	}
	if c.count++; c.count > s.most() {
		c.count = maxTotals + 1
		return -1
	}
	i := s.entry()
	if c.count > maxTotals { // it was left out to make room
		s.giveBack(i)
		return -1
	}
	s.entries[i] = newTotal(v, time, count, c.head)
	c.head = i
	return i
}

// entry returns a place for a total. If there is none, the attributes with the most values are left out.
func (s *totals) entry() int32 {
	for s.unused == 0 && len(s.entries) >= maxEntries {
		s.fewer++
		for i := range s.columns {
			if c := &s.columns[i]; c.count > s.most() {
				c.count = maxTotals + 1
				s.release(c)
			}
		}
		clear(s.recent)
	}
	if i := s.unused - 1; i >= 0 {
		s.unused = s.entries[i].next() + 1
		return i
	}
	s.entries = scratch.Push(s.shelf, s.entries, total{})
	return int32(len(s.entries) - 1)
}

// release gives back the entries of a column that is left out.
func (s *totals) release(c *totalColumn) {
	for i := c.head; i >= 0; {
		next := s.entries[i].next()
		s.giveBack(i)
		i = next
	}
	c.head = -1
}

func (s *totals) giveBack(i int32) {
	s.entries[i] = newTotal(Null(), 0, 0, s.unused-1)
	s.unused = i + 1
}

// worth tells whether a summary may fit into its share. It errs on the side of
// trying.
func (s *totals) worth() bool {
	if s.void {
		return false
	}
	size := leastTotals * len(s.columns)
	var all, in int64
	for i := range s.columns {
		c := &s.columns[i]
		if all += int64(c.intervals); !c.left() {
			in += int64(c.intervals)
			size += 3 * int(c.count-1)
		}
	}
	return size <= s.bytes/summaryShare && in >= all/summaryShare
}

// merge adds the totals of a child.
func (s *totals) merge(child *totals) {
	s.bytes += child.bytes
	if s.void = s.void || child.void; s.void {
		return
	}
	for i := range child.columns {
		from := &child.columns[i]
		to := &s.columns[s.place(from.quark)]
		to.more(from.intervals)
		if from.count > maxTotals {
			to.count = maxTotals + 1
			s.release(to)
			continue
		}
		for e := from.head; e >= 0; e = child.entries[e].next() {
			s.add(to, child.entries[e].value(), child.entries[e].time, child.entries[e].count)
		}
	}
}

// gather adds the open intervals of n to the totals of n or its parent.
func (n *open) gather(s *totals) {
	s.bytes += n.payload
	if s.void {
		return
	}
	for i := range n.columns {
		n.columns[i].at = s.place(n.columns[i].quark)
	}
	recent := recents.Get().(*[1 << recentBits]found)
	s.recent = recent[:]
	clear(s.recent)
	defer func() {
		s.recent = nil
		recents.Put(recent)
	}()
	for i := range n.records {
		iv, place := &n.records[i], n.columns[n.holders[i]].at
		c := &s.columns[place]
		c.more(1)
		u := brief(iv.Value)
		key := uint32(place)*briefValues + uint32(u) + 1
		last := &s.recent[key*0x9e3779b1>>(32-recentBits)]
		if last.key == key && u < briefValues {
			e := &s.entries[last.entry]
			e.time += iv.End - iv.Start
			e.count++
			continue
		}
		if e := s.add(c, iv.Value, iv.End-iv.Start, 1); e >= 0 && u < briefValues {
			*last = found{key, e}
		}
	}
}

// appendTotals writes the part of a summary column that tells of one child.
func (s *totals) appendTotals(b []byte, c *totalColumn, limit int) []byte {
	start := len(b)
	if c.left() {
		return append(b, 0)
	}
	b = s.appendEntries(b, c)
	if len(b)-start > limit {
		return append(b[:start], 0)
	}
	return b
}

// appendFew writes what appendTotals leaves of a column that has no more values than sums.
func (s *totals) appendFew(b []byte, c *totalColumn) []byte {
	if !c.left() || c.count > laneValues {
		return b
	}
	return s.appendEntries(b, c)
}

// appendEntries writes the number of values of a column, and their totals.
func (s *totals) appendEntries(b []byte, c *totalColumn) []byte {
	b = binary.AppendUvarint(b, uint64(c.count))
	for i := c.head; i >= 0; i = s.entries[i].next() {
		b = appendValue(b, s.entries[i].value())
		b = binary.AppendUvarint(b, uint64(s.entries[i].time))
		b = binary.AppendUvarint(b, uint64(s.entries[i].count))
	}
	return b
}
