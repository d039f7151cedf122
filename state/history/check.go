package history

import (
	"context"
	"fmt"

	"synchroscope/state/attribute"
)

// Check reads a finished tree in full and returns the first thing that is
// wrong: checksums, kinds and levels of blocks, the order and bounds of children, extents
// and columns, intervals outside their node, gaps or overlaps of an attribute's intervals, summaries that
// do not agree with what they summarize, and blocks that belong to nothing.
// Its memory follows the number of blocks and attributes.
func Check(f File) error {
	h, err := Open(f)
	if err != nil {
		return err
	}
	return h.check(context.Background())
}

func (h *History) check(ctx context.Context) error {
	v := h.current.Load()
	record, err := readFinish(h.file.f)
	if err != nil {
		return err
	}
	c := checker{file: h.file, view: v, seen: make([]bool, v.filePages), stored: make([]int64, v.attributes)}
	for _, s := range []struct {
		block uint32
		kind  uint8
	}{{record.names, namesBlock}, {record.state, stateBlock}} {
		if err := c.chain(s.block, s.kind, 0); err != nil {
			return err
		}
	}
	if v.top.start != v.start || v.top.end > v.end {
		return fmt.Errorf("history: the root covers %d to %d, the tree %d to %d", v.top.start, v.top.end, v.start, v.end)
	}
	if err := c.node(v.top, record.root); err != nil {
		return err
	}
	for number, seen := range c.seen {
		if !seen {
			return &CorruptError{fmt.Sprintf("block %d", number), h.file.offset(uint32(number)), "belongs to no node and no stream"}
		}
	}
	if c.intervals != v.intervals {
		return fmt.Errorf("history: %d intervals, the finish record says %d", c.intervals, v.intervals)
	}
	return h.checkSequences(ctx, v, c.stored)
}

// checkSequences walks every attribute from birth to end. The walk visits each
// instant once; if it meets as many intervals as are stored, none overlap.
func (h *History) checkSequences(ctx context.Context, v *view, stored []int64) error {
	for q := range attribute.Quark(v.attributes) {
		o := at(v.pages, v.start, q)
		if !o.born() {
			o.birth, o.since = v.end, v.end
		}
		walked := int64(0)
		err := h.Range(ctx, []attribute.Quark{q}, o.birth, v.end, func(iv Interval) bool {
			if iv.Start < o.since {
				walked++
			}
			return true
		})
		if err != nil {
			return err
		}
		if walked != stored[q] {
			return fmt.Errorf("history: attribute %d (%s) has %d intervals from %d to %d, and %d in the blocks: some overlap",
				q, h.names.tree.Full(q), walked, o.birth, o.since, stored[q])
		}
	}
	return nil
}

// A checker goes through the nodes from the root.
type checker struct {
	file      *store
	view      *view
	seen      []bool // by page
	buf       []byte
	stored    []int64 // intervals per attribute
	intervals uint64
}

func (c *checker) mark(k *block) error {
	if int(k.number)+k.pages > len(c.seen) {
		return k.corrupt("is beyond the %d pages of the tree", len(c.seen))
	}
	for p := range k.pages {
		if c.seen[int(k.number)+p] {
			return k.corrupt("belongs to two nodes or streams")
		}
		c.seen[int(k.number)+p] = true
	}
	return nil
}

// whole reads all of a block, valid until the next.
func (c *checker) whole(k *block, err error) (*block, error) {
	if err != nil {
		return nil, err
	}
	return k.load(&c.buf)
}

func (c *checker) chain(number uint32, kind uint8, level int) error {
	for number != noBlock {
		k, err := c.whole(c.file.read(number))
		if err != nil {
			return err
		}
		if err := k.expect(kind, level); err != nil {
			return err
		}
		if err := c.mark(k); err != nil {
			return err
		}
		number = k.prev
	}
	return nil
}

func (c *checker) node(n *node, number uint32) error {
	if err := c.chain(number, indexBlock, n.level); err != nil {
		return err
	}
	for i := range n.extents {
		x := &n.extents[i]
		k, err := c.whole(c.file.extent(n, x))
		if err != nil {
			return err
		}
		if err := c.extent(k, x); err != nil {
			return err
		}
	}
	for i := range n.children {
		if n.level == 1 {
			k, err := c.whole(c.file.leaf(n.children[i]))
			if err != nil {
				return err
			}
			if _, err := c.block(k, nil); err != nil {
				return err
			}
			continue
		}
		m, err := c.file.inner(n.children[i], n.level-1)
		if err != nil {
			return err
		}
		if err := c.node(m, n.children[i].block); err != nil {
			return err
		}
	}
	return c.summaries(n)
}

func (c *checker) extent(k *block, x *extent) error {
	start, err := c.block(k, func(q attribute.Quark) bool { return q >= x.least && q <= x.greatest })
	if err == nil && start != x.start {
		err = k.corrupt("its first interval starts at %d, the index says %d", start, x.start)
	}
	return err
}

// block verifies the intervals of a block and returns their least start.
func (c *checker) block(k *block, expected func(attribute.Quark) bool) (least int64, err error) {
	if err := c.mark(k); err != nil {
		return 0, err
	}
	least = k.end
	count, column := 0, k.cursor()
	for column.next() {
		if int(column.quark) >= len(c.stored) || expected != nil && !expected(column.quark) {
			return 0, k.corrupt("holds attribute %d, which its index or the names stream does not know", column.quark)
		}
		data, err := column.data()
		if err != nil {
			return 0, err
		}
		v := k.intervals(data)
		for v.next() {
			least = min(least, v.start)
			count++
			c.stored[column.quark]++
		}
		if v.bad {
			return 0, k.corruptColumn(column.quark)
		}
	}
	if err := column.complete(); err != nil {
		return 0, err
	}
	if count != k.count {
		return 0, k.corrupt("holds %d intervals, its header says %d", count, k.count)
	}
	c.intervals += uint64(count)
	return least, nil
}
