package history

import (
	"encoding/binary"
	"math"

	"synchroscope/state/attribute"
)

const (
	maxTotals  = 32      // values per attribute in a summary
	maxEntries = 1 << 15 // totals of one node held in memory

	// A summary may take one byte for so many of what it summarizes, and a value
	// one place for so many intervals.
	summaryShare = 4
	valueShare   = 2
	leastTotals  = 4 // bytes of a column in a summary: its head, child and count
)

// totals is the exact time each attribute spent in each value, over the
// intervals of a node and all below it. A node with too many entries gets none.
type totals struct {
	places  sparse
	columns []totalColumn
	entries []total
	bytes   int // of the subtree
	void    bool
}

type totalColumn struct {
	quark     attribute.Quark
	head      int32 // newest entry
	count     int32 // of values; more than maxTotals means that they were dropped
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

type total struct {
	value Value
	time  int64
	count int32
	next  int32 // or -1
}

func (s *totals) reset() {
	for i := range s.columns {
		s.places.remove(s.columns[i].quark)
	}
	s.columns, s.entries = s.columns[:0], s.entries[:0]
	s.bytes, s.void = 0, false
}

// column returns the column of q. It is valid until the next call.
func (s *totals) column(q attribute.Quark) *totalColumn {
	i := s.places.at(q)
	if i < 0 {
		i = int32(len(s.columns))
		s.places.set(q, int(i))
		s.columns = append(s.columns, totalColumn{quark: q, head: -1})
	}
	return &s.columns[i]
}

func (s *totals) add(c *totalColumn, v Value, time int64, count int32) {
	if c.count > maxTotals {
		return
	}
	for i := c.head; i >= 0; i = s.entries[i].next {
		if e := &s.entries[i]; e.value == v {
			e.time += time
			e.count += count
			return
		}
	}
	if c.count++; c.count > maxTotals {
		return
	}
	s.entries = append(s.entries, total{v, time, count, c.head})
	c.head = int32(len(s.entries) - 1)
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
	if s.void = s.void || child.void || len(s.entries)+len(child.entries) > maxEntries; s.void {
		return
	}
	for i := range child.columns {
		from := &child.columns[i]
		to := s.column(from.quark)
		to.more(from.intervals)
		if from.count > maxTotals {
			to.count = maxTotals + 1
			continue
		}
		for e := from.head; e >= 0; e = child.entries[e].next {
			s.add(to, child.entries[e].value, child.entries[e].time, child.entries[e].count)
		}
	}
}

// gather adds the open intervals of n to the totals of n or its parent.
func (n *open) gather(s *totals) {
	s.bytes += n.payload
	if s.void = s.void || len(s.entries)+len(n.records) > maxEntries; s.void {
		return
	}
	for i := range n.columns {
		c := s.column(n.columns[i].quark)
		for k := n.columns[i].head; k >= 0; k = n.next[k] {
			iv := &n.records[k]
			c.more(1)
			s.add(c, iv.Value, iv.End-iv.Start, 1)
		}
	}
}

// appendTotals writes the part of a summary column that tells of one child.
func (s *totals) appendTotals(b []byte, c *totalColumn, limit int) []byte {
	start := len(b)
	if c.left() {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(c.count))
	for i := c.head; i >= 0; i = s.entries[i].next {
		b = appendValue(b, s.entries[i].value)
		b = binary.AppendUvarint(b, uint64(s.entries[i].time))
		b = binary.AppendUvarint(b, uint64(s.entries[i].count))
	}
	if len(b)-start > limit {
		return append(b[:start], 0)
	}
	return b
}
