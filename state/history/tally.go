package history

import (
	"slices"

	"synchroscope/state/attribute"
)

// A large leaf, with some intervals of each of many attributes, is not worth a summary of its own, but a node of such
// leaves is. Its totals are gathered where the leaf has just been encoded: there all that an attribute has stands together, so that
// they are added up in a handful of places nearby, and one look at those of the node is enough for each value. Interval by
// interval, in order of time, it would be one for each, in memory far away.

// mostTallied attributes of a node have totals, if it is of large leaves. Those of more would take memory that the build of a tree has not: a node
// without totals has no summary and is visited.
const mostTallied = 1 << 14

// scattered values and more, most of them new, will be too many.
const scattered = 7

// large tells whether the totals of the block that n is about to write are gathered by tally.
func (n *open) large() bool { return len(n.records) > manyRecords || len(n.parts) > 0 }

// early tells whether the first node of a level is open. It gets no totals from many: a small tree, of which it is the root, would
// have no use for them, and in a large one its children are visited.
func (w *Writer) early(level int) bool {
	return len(w.open) == level || w.open[level].start == w.header.start
}

// tallyLeaf adds what is encoded of a large leaf, as the payload of k, to the totals of the node that it will be in.
func (w *Writer) tallyLeaf(n *open, k block, used int) error {
	if !n.large() || w.early(1) {
		return nil
	}
	return w.tally(n, k, used, &w.open[1].totals)
}

// tally adds the intervals of n, encoded as the payload of k, to totals.
func (w *Writer) tally(n *open, k block, used int, s *totals) error {
	s.bytes += n.payload
	if s.void = s.void || max(len(s.columns), len(n.columns)) > mostTallied; s.void {
		return nil
	}
	k.file, k.used, k.payload = w.file, used, w.payload()[:used]
	if err := k.direct(k.payload); err != nil {
		return err
	}
	column := k.cursor()
	for column.next() {
		data, err := column.data()
		if err != nil {
			return err
		}
		if v := k.intervals(data); !s.tally(column.quark, &v) {
			return k.corruptColumn(column.quark)
		}
	}
	return column.complete()
}

// tally adds all intervals of an attribute. It returns false on damage.
func (s *totals) tally(q attribute.Quark, v *intervals) bool {
	c := &s.columns[s.place(q)]
	if c.count > maxTotals {
		c.more(int32(len(v.b) / leastTotals)) // about
		return true
	}
	few, intervals := s.few[:0], int32(0)
	for v.next() {
		if intervals++; len(few) > maxTotals {
			continue
		}
		i := slices.IndexFunc(few, func(t Total) bool { return t.Value == v.value })
		if i < 0 {
			i = len(few)
			few = append(few, Total{Value: v.value})
		}
		few[i].Time += v.end - v.start
		few[i].Count++
	}
	s.few = few
	c.more(intervals)
	for i := range few {
		s.add(c, few[i].Value, few[i].Time, int32(few[i].Count))
	}
	if c.count >= scattered && c.left() {
		c.count = maxTotals + 1
	}
	if c.count > maxTotals {
		s.release(c)
	}
	return !v.bad
}
