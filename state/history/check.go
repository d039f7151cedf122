package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"synchroscope/state/attribute"
)

// Check reads a finished tree in full and returns the first thing that is
// wrong: checksums, kinds and levels of blocks, the order and bounds of children, extents
// and columns, intervals outside their node, gaps or overlaps of an attribute's intervals, summaries that
// do not agree with what they summarize, blocks that belong to nothing, and bytes that belong to no block.
// Its memory follows the number of blocks and attributes.
func Check(f File) error {
	h, err := Open(f)
	if err != nil {
		return err
	}
	return h.check(context.Background())
}

func (h *History) check(ctx context.Context) error { return h.file.blame(h.compare(ctx)) }

func (h *History) compare(ctx context.Context) error {
	v := h.current.Load()
	record, err := readFinish(h.file.f)
	if err != nil {
		return err
	}
	c := newChecker(h.file, v.filePages, v.attributes)
	c.stored = make([]int64, v.attributes)
	for _, s := range []struct {
		block uint32
		kind  uint8
	}{{record.names, namesBlock}, {record.state, stateBlock}} {
		if err := c.chain(s.block, s.kind, 0, loss{}); err != nil {
			return err
		}
	}
	if v.top.start != v.start || v.top.end > v.end {
		return fmt.Errorf("history: the root covers %d to %d, the tree %d to %d", v.top.start, v.top.end, v.start, v.end)
	}
	if _, err := c.node(v.top, record.root); err != nil {
		return err
	}
	for number, seen := range c.seen {
		if !seen {
			return corruptAt(fmt.Sprintf("block %d", number), h.file.offset(uint32(number)), "belongs to no node and no stream")
		}
	}
	if c.intervals != v.intervals {
		return fmt.Errorf("history: %d intervals, the finish record says %d", c.intervals, v.intervals)
	}
	if err := c.margins(); err != nil {
		return err
	}
	return h.checkSequences(ctx, v, c.stored)
}

// margins checks what belongs to no record and no block: zeros between the records, and nothing behind the last block.
func (c *checker) margins() error {
	page := make([]byte, headerPage)
	if n, err := c.file.f.ReadAt(page, 0); n < len(page) {
		return readError("first page", 0, n, len(page), err)
	}
	for _, gap := range [][2]int{{recordSize, finishOffset}, {finishOffset + recordSize, headerPage}} {
		for i := gap[0]; i < gap[1]; i++ {
			if page[i] == 0 {
				continue
			}
			err := c.met(corruptAt("first page", int64(i), fmt.Sprintf("a byte of no record is %#02x instead of zero", page[i])), loss{})
			if err != nil {
				return err
			}
			break
		}
	}
	if c.short {
		return nil
	}
	end := c.file.offset(uint32(len(c.seen)))
	if n, err := c.file.f.ReadAt(page[:1], end); n > 0 || err != nil && !errors.Is(err, io.EOF) {
		return c.met(corruptAt("end", end, fmt.Sprintf("the file goes on behind the last of the %d pages of the tree", len(c.seen))), loss{})
	}
	return nil
}

// checkSequences walks every attribute from birth to end. The walk visits each
// instant once; if each interval begins where the one before ended and it meets as many as are stored, none overlap.
func (h *History) checkSequences(ctx context.Context, v *view, stored []int64) error {
	for q := range attribute.Quark(v.attributes) {
		o := at(v.pages, v.start, q)
		if !o.born() {
			o.birth, o.since = v.end, v.end
		}
		walked, until, early := int64(0), o.birth, false
		err := h.Range(ctx, []attribute.Quark{q}, o.birth, v.end, func(iv Interval) bool {
			if iv.Start < o.since {
				walked++
			}
			if early = iv.Start < until; early {
				return false
			}
			until = iv.End
			return true
		})
		if err != nil {
			return err
		}
		if early {
			return fmt.Errorf("history: attribute %d (%s) has an interval that begins before %d, up to where it has another or none: some overlap",
				q, h.names.tree.Full(q), until)
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
	file       *store
	seen       []bool // by page
	short      bool   // the file ends before the tree does
	buf        []byte
	attributes int
	stored     []int64 // intervals per attribute, nil if they need not be counted
	intervals  uint64

	// met is told of what is wrong, and what is lost by that. It returns the error where the checker is to stop; else it goes on behind it.
	met func(err error, l loss) error
}

// newChecker makes a checker that stops at the first thing that is wrong.
func newChecker(file *store, pages uint32, attributes int) checker {
	return checker{
		file: file, seen: make([]bool, pages), attributes: attributes,
		met: func(err error, _ loss) error { return err },
	}
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

// chain verifies the blocks of a stream from its last on; l is what is lost without one of them.
func (c *checker) chain(number uint32, kind uint8, level int, l loss) error {
	for number != noBlock {
		k, err := c.link(number, kind, level)
		if err != nil {
			return c.met(err, l)
		}
		number = k.prev
	}
	return nil
}

func (c *checker) link(number uint32, kind uint8, level int) (*block, error) {
	k, err := c.whole(c.file.read(number))
	if err == nil {
		err = k.expect(kind, level)
	}
	if err == nil {
		err = c.mark(k)
	}
	return k, err
}

// held is what a block or a node and all below it has.
type held struct {
	start           int64           // the least of an interval
	least, greatest attribute.Quark // with intervals
	broken          bool            // not all of it could be read
}

func (h *held) add(o held) {
	h.start, h.least, h.greatest = min(h.start, o.start), min(h.least, o.least), max(h.greatest, o.greatest)
	h.broken = h.broken || o.broken
}

var heldNothing = held{start: math.MaxInt64, least: math.MaxInt32}

func (c *checker) node(n *node, number uint32) (held, error) {
	all := heldNothing
	if err := c.chain(number, indexBlock, n.level, lossOfNode(n)); err != nil {
		return all, err
	}
	for i := range n.extents {
		x := &n.extents[i]
		has, err := c.extent(n, x)
		if err != nil {
			has.broken = true
			if err = c.met(err, loss{lostExtent, x.start, x.end, x.least, x.greatest}); err != nil {
				return all, err
			}
		}
		all.add(has)
	}
	crossing := all.broken
	broken := make([]bool, len(n.children))
	for i := range n.children {
		has, err := c.child(n, i)
		if err != nil {
			has.broken = true
			at := &n.children[i]
			if err = c.met(err, loss{lostNode, at.start, at.end, at.least, at.greatest}); err != nil {
				return all, err
			}
		}
		broken[i] = has.broken
		all.add(has)
	}
	if err := c.summaries(n, broken, crossing); err != nil {
		return all, err
	}
	return all, c.wide(n, broken)
}

// child verifies a child and what its parent says of its attributes.
func (c *checker) child(n *node, i int) (has held, err error) {
	at := &n.children[i]
	if n.level == 1 {
		var k *block
		if k, err = c.whole(c.file.leaf(*at)); err == nil {
			has, err = c.block(k, nil)
		}
	} else {
		var m *node
		if m, err = c.file.inner(*at, n.level-1); err == nil {
			has, err = c.node(m, at.block)
		}
	}
	if err == nil && !has.broken && c.file.head.bounded() && (has.least != at.least || has.greatest != at.greatest) {
		place := &block{file: c.file, number: at.block, offset: c.file.offset(at.block)}
		err = place.corrupt("has attributes %d to %d, its parent says %d to %d", has.least, has.greatest, at.least, at.greatest)
	}
	return has, err
}

func (c *checker) extent(n *node, x *extent) (held, error) {
	k, err := c.whole(c.file.extent(n, x))
	if err != nil {
		return heldNothing, err
	}
	has, err := c.block(k, func(q attribute.Quark) bool { return q >= x.least && q <= x.greatest })
	if err == nil && has.start != x.start {
		err = k.corrupt("its first interval starts at %d, the index says %d", has.start, x.start)
	}
	return has, err
}

// block verifies the intervals of a block.
func (c *checker) block(k *block, expected func(attribute.Quark) bool) (has held, err error) {
	has = heldNothing
	if err := c.mark(k); err != nil {
		return has, err
	}
	count, column := 0, k.cursor()
	for column.next() {
		if int(column.quark) >= c.attributes || expected != nil && !expected(column.quark) {
			return has, k.corrupt("holds attribute %d, which its index or the names stream does not know", column.quark)
		}
		data, err := column.data()
		if err != nil {
			return has, err
		}
		v := k.intervals(data)
		for v.next() {
			has.add(held{start: v.start, least: column.quark, greatest: column.quark})
			count++
			if c.stored != nil {
				c.stored[column.quark]++
			}
		}
		if v.bad {
			return has, k.corruptColumn(column.quark)
		}
	}
	if err := column.complete(); err != nil {
		return has, err
	}
	if count != k.count {
		return has, k.corrupt("holds %d intervals, its header says %d", count, k.count)
	}
	c.intervals += uint64(count)
	return has, nil
}
