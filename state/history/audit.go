package history

import (
	"fmt"

	"synchroscope/state/attribute"
)

// An audit recomputes the totals of a child from its intervals.
type audit struct {
	times map[attribute.Quark]map[Value]Total
}

func newAudit() *audit { return &audit{make(map[attribute.Quark]map[Value]Total)} }

func (a *audit) add(q attribute.Quark, v Value, time int64, count uint64) {
	if a.times[q] == nil {
		a.times[q] = make(map[Value]Total)
	}
	t := a.times[q][v]
	a.times[q][v] = Total{v, t.Time + time, t.Count + count}
}

// summaries verifies the summaries of n against its children, but for those that are broken. crossing says that extents of n are.
func (c *checker) summaries(n *node, broken []bool, crossing bool) error {
	for i := range n.groups {
		g := &n.groups[i]
		s := newClaims(g)
		whole := true
		for at := range g.blocks {
			if err := c.claims(n, g, g.blocks[at].block, s); err != nil {
				whole = false
				if err = c.met(err, lossOfSums(n, g, at)); err != nil {
					return err
				}
			}
		}
		if !whole {
			continue
		}
		l := lossOfSums(n, g, -1)
		if !crossing {
			if err := c.compareCrossings(n, s.crossed); err != nil {
				if err = c.met(err, l); err != nil {
					return err
				}
			}
		}
		for k := range s.children {
			if broken[g.first+k] {
				continue
			}
			if err := c.compare(n, g.first+k, s.children[k], s.many[k]); err != nil {
				if err = c.met(err, l); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// claims are what the summaries of a group say.
type claims struct {
	children []*audit
	crossed  map[attribute.Quark][]Interval // as joined sums have it
	many     []map[attribute.Quark]bool     // by child: too many values to say
}

func newClaims(g *group) *claims {
	s := &claims{make([]*audit, g.count), make(map[attribute.Quark][]Interval), make([]map[attribute.Quark]bool, g.count)}
	for k := range s.children {
		s.children[k], s.many[k] = newAudit(), make(map[attribute.Quark]bool)
	}
	return s
}

// claims adds what a summary block of a group says.
func (c *checker) claims(n *node, g *group, number uint32, s *claims) error {
	k, err := c.whole(c.file.block(number, summaryBlock, n.level))
	if err != nil {
		return err
	}
	if err := c.mark(k); err != nil {
		return err
	}
	column := k.cursor()
	for column.next() {
		data, err := column.data()
		if err != nil {
			return err
		}
		ok := summaryColumn(data, g, func(child int, v Value, time int64, count uint64, over bool) {
			if over {
				s.many[child-g.first][column.quark] = true
			} else {
				s.children[child-g.first].add(column.quark, v, time, count)
			}
		})
		if !ok {
			return k.corruptColumn(column.quark)
		}
		intervals, joined, ok := n.crossings(g, column.quark, data)
		if !ok {
			return k.corruptColumn(column.quark)
		}
		if joined {
			s.crossed[column.quark] = intervals
		}
	}
	return column.complete()
}

// crossings returns the intervals that cross from child to child as joined sums have them. It returns false on damage.
func (n *node) crossings(g *group, q attribute.Quark, data []byte) (intervals []Interval, joined, ok bool) {
	d := decoder{b: data}
	many := d.uvarint()
	if many <= laneValues {
		return nil, false, true
	}
	s, ok := sumColumn(&d, many, g)
	if !ok || !n.joins() || !s.within(n) {
		return nil, true, false
	}
	j := joiner{sumReader: &s, joint: &joint{node: n}, begin: n.start + s.origin, child: -1}
	for child := s.first; child < s.first+s.rows; child++ {
		if length, value := s.crossing(child); length > 0 {
			j.until(child)
			if value >= s.many || uint64(length) > uint64(n.end)-uint64(j.end) {
				return nil, true, false
			}
			intervals = append(intervals, Interval{q, j.end, j.end + length, s.values[value]})
			if at := n.children[child]; j.end >= at.start || j.end+length < at.start || j.end+length > at.end {
				return nil, true, false
			}
		}
	}
	return intervals, true, !j.failed
}

// compareCrossings compares what joined sums have of the extents of n with them.
func (c *checker) compareCrossings(n *node, claimed map[attribute.Quark][]Interval) error {
	if len(claimed) == 0 {
		return nil
	}
	for i := range n.extents {
		k, err := c.whole(c.file.extent(n, &n.extents[i]))
		if err != nil {
			return err
		}
		column := k.cursor()
		for column.next() {
			claim, ok := claimed[column.quark]
			if !ok {
				continue
			}
			data, err := column.data()
			if err != nil {
				return err
			}
			v := k.intervals(data)
			for v.next() {
				truth := Interval{column.quark, v.start, v.end, v.value}
				if len(claim) == 0 || claim[0] != truth {
					return k.corrupt("attribute %d is %v from %d to %d, which the summaries of its node do not say", truth.Quark, truth.Value, truth.Start, truth.End)
				}
				claim = claim[1:]
			}
			claimed[column.quark] = claim
		}
		if column.err != nil {
			return column.err
		}
	}
	for q, claim := range claimed {
		if len(claim) > 0 {
			return fmt.Errorf("history: the summaries of a node from %d to %d have attribute %d cross from child to child at %d, its extents have not", n.start, n.end, q, claim[0].End)
		}
	}
	return nil
}

// compare recomputes the totals of child i of n.
func (c *checker) compare(n *node, i int, claim *audit, many map[attribute.Quark]bool) error {
	truth := newAudit()
	if err := c.gather(n, i, truth); err != nil {
		return err
	}
	place := &block{file: c.file, number: n.children[i].block, offset: c.file.offset(n.children[i].block)}
	for q, times := range truth.times {
		if many[q] {
			continue
		}
		for v, want := range times {
			if got := claim.times[q][v]; got != want {
				return place.corrupt("attribute %d is %v %d times for %d ns, its summary says %d times for %d", q, v, want.Count, want.Time, got.Count, got.Time)
			}
		}
	}
	for q, times := range claim.times {
		for v := range times {
			if _, ok := truth.times[q][v]; !ok {
				return place.corrupt("its summary says that attribute %d is %v for some time, which it never is", q, v)
			}
		}
	}
	return nil
}

// wide verifies the wide totals of n's children, but for those that are broken. They tell of some attributes all there is of them.
func (c *checker) wide(n *node, broken []bool) error {
	for i := range n.wide {
		g := &n.wide[i]
		claim, whole := newAudit(), true
		for b := range g.blocks {
			if err := c.wideBlock(n, g, b, claim); err != nil {
				whole = false
				if err = c.met(err, lossOfSums(n, g, b)); err != nil {
					return err
				}
			}
		}
		if !whole || broken[g.first] {
			continue
		}
		if err := c.compareWide(n, g.first, claim); err != nil {
			if err = c.met(err, lossOfSums(n, g, -1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// wideBlock adds to claim what block b of the wide totals of a child of n says.
func (c *checker) wideBlock(n *node, g *group, b int, claim *audit) error {
	at := n.children[g.first]
	k, err := c.whole(c.file.block(g.blocks[b].block, wideBlock, n.level))
	if err != nil {
		return err
	}
	if k.start != at.start || k.end != at.end {
		return k.corrupt("covers %d to %d, its child %d to %d", k.start, k.end, at.start, at.end)
	}
	if err := c.mark(k); err != nil {
		return err
	}
	return claim.wide(k, at.end-at.start, g.blocks[b].least, g.behind(b))
}

// compareWide holds what wide totals say of child i of n against its intervals.
func (c *checker) compareWide(n *node, i int, claim *audit) error {
	truth := newAudit()
	if err := c.gather(n, i, truth); err != nil {
		return err
	}
	at := n.children[i]
	place := &block{file: c.file, number: at.block, offset: c.file.offset(at.block)}
	for q, times := range claim.times {
		if len(times) != len(truth.times[q]) {
			return place.corrupt("attribute %d has %d values, its wide totals say %d", q, len(truth.times[q]), len(times))
		}
		for v, got := range times {
			if want := truth.times[q][v]; got != want {
				return place.corrupt("attribute %d is %v %d times for %d ns, its wide totals say %d times for %d", q, v, want.Count, want.Time, got.Count, got.Time)
			}
		}
	}
	return nil
}

// wide adds a block of wide totals of a child so many ns long, the attributes of which are from least until before behind.
func (a *audit) wide(k *block, length int64, least, behind attribute.Quark) error {
	column, values := k.cursor(), 0
	for column.next() {
		if column.quark < least || column.quark >= behind {
			return k.corrupt("holds attribute %d, which its index does not know", column.quark)
		}
		data, err := column.data()
		if err != nil {
			return err
		}
		if !decodeWide(data, length, func(v Value, time int64, count uint64) {
			a.add(column.quark, v, time, count)
			values++
		}) {
			return k.corruptColumn(column.quark)
		}
	}
	if err := column.complete(); err != nil {
		return err
	}
	if values != k.count {
		return k.corrupt("holds %d values, its header says %d", values, k.count)
	}
	return nil
}

func (c *checker) gather(n *node, i int, a *audit) error {
	if n.level == 1 {
		k, err := c.whole(c.file.leaf(n.children[i]))
		if err != nil {
			return err
		}
		return a.block(k)
	}
	m, err := c.file.inner(n.children[i], n.level-1)
	if err != nil {
		return err
	}
	for x := range m.extents {
		k, err := c.whole(c.file.extent(m, &m.extents[x]))
		if err != nil {
			return err
		}
		if err := a.block(k); err != nil {
			return err
		}
	}
	for k := range m.children {
		if err := c.gather(m, k, a); err != nil {
			return err
		}
	}
	return nil
}

// block adds the intervals of a block that was verified before.
func (a *audit) block(k *block) error {
	column := k.cursor()
	for column.next() {
		data, err := column.data()
		if err != nil {
			return err
		}
		v := k.intervals(data)
		for v.next() {
			a.add(column.quark, v.value, v.end-v.start, 1)
		}
	}
	return column.err
}
