package history

import (
	"encoding/binary"
	"math"
	"sort"

	"synchroscope/state/attribute"
)

// A child is a sealed node below an inner one.
type child struct {
	block           uint32
	start, end      int64
	least, greatest attribute.Quark // it has no other attributes; all that there can be where the file does not say
}

// An extent is a block of intervals that belongs to an inner node.
type extent struct {
	block           uint32
	start, end      int64 // least start and greatest end of its intervals
	least, greatest attribute.Quark
	held            *block // a part of the open leaf, which is in no block of the file yet
}

// A group is a row of adjacent children whose total times stand in summary
// blocks, split by quark.
type group struct {
	first, count int // children
	blocks       []summaryRef
}

type summaryRef struct {
	block uint32
	least attribute.Quark
}

// A node is an inner node as readers see it. For a node of the open branch,
// records are its intervals that are in no block yet and below is the open
// node one level down; level 0 occurs only there.
type node struct {
	level    int
	start    int64
	end      int64
	children []child
	extents  []extent // of an open leaf, its parts
	groups   []group
	wide     []group // of one child each, in which attributes that are missing are not told of
	records  []Interval
	below    *node
}

// childAt returns the index of the sealed child that holds t, or -1.
func (n *node) childAt(t int64) int {
	i := sort.Search(len(n.children), func(i int) bool { return n.children[i].end > t })
	if i == len(n.children) || n.children[i].start > t {
		return -1
	}
	return i
}

// summary returns the group of child i, or nil.
func (n *node) summary(i int) *group {
	k := sort.Search(len(n.groups), func(k int) bool { return n.groups[k].first+n.groups[k].count > i })
	if k == len(n.groups) || n.groups[k].first > i {
		return nil
	}
	return &n.groups[k]
}

// widely returns the wide totals of child i, or nil.
func (n *node) widely(i int) *group {
	k := sort.Search(len(n.wide), func(k int) bool { return n.wide[k].first >= i })
	if k == len(n.wide) || n.wide[k].first > i {
		return nil
	}
	return &n.wide[k]
}

// behind is more than any attribute in block b of g.
func (g *group) behind(b int) attribute.Quark {
	if b+1 < len(g.blocks) {
		return g.blocks[b+1].least
	}
	return math.MaxInt32
}

// lines returns which of the lines, that ascend, may be in block b of g.
func (g *group) lines(b int, lines []line) (from, to int) {
	from = sort.Search(len(lines), func(i int) bool { return lines[i].quark >= g.blocks[b].least })
	if to = len(lines); b+1 < len(g.blocks) {
		to = sort.Search(len(lines), func(i int) bool { return lines[i].quark >= g.blocks[b+1].least })
	}
	return from, to
}

// joins tells whether the sums of n may include what crosses from child to child.
func (n *node) joins() bool {
	return n.level == 1 && n.below == nil && len(n.records) == 0 && len(n.groups) == 1 &&
		n.groups[0].count == len(n.children) && n.children[len(n.children)-1].end == n.end
}

// bytes is about what n takes in memory.
func (n *node) bytes() int {
	size := 160 + 32*len(n.children) + 32*len(n.extents) + 40*(len(n.groups)+len(n.wide))
	for i := range n.groups {
		size += 8 * len(n.groups[i].blocks)
	}
	for i := range n.wide {
		size += 8 * len(n.wide[i].blocks)
	}
	return size
}

// bounds are the least and the greatest attribute of all that is sealed, in n and below it, or
// of a leaf that is about to be.
func (n *open) bounds() (least, greatest attribute.Quark) {
	least = math.MaxInt32
	if n.level == 0 {
		if len(n.records) > 0 {
			least, greatest = n.places.bounds()
		}
		for i := range n.parts {
			least, greatest = min(least, n.parts[i].least), max(greatest, n.parts[i].greatest)
		}
		return least, greatest
	}
	for i := range n.children {
		least, greatest = min(least, n.children[i].least), max(greatest, n.children[i].greatest)
	}
	for i := range n.extents {
		least, greatest = min(least, n.extents[i].least), max(greatest, n.extents[i].greatest)
	}
	return least, greatest
}

// appendIndex writes what is sealed of n.
func (n *open) appendIndex(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(n.children)))
	previous := uint32(0)
	for i := range n.children {
		c := &n.children[i]
		b = binary.AppendUvarint(b, uint64(c.block-previous))
		b = binary.AppendUvarint(b, uint64(c.end-c.start))
		if n.head.bounded() {
			b = appendBounds(b, c.least, c.greatest)
		}
		previous = c.block
	}
	b = binary.AppendUvarint(b, uint64(len(n.extents)))
	previous = 0
	for i := range n.extents {
		x := &n.extents[i]
		b = binary.AppendUvarint(b, uint64(x.block-previous))
		b = binary.AppendUvarint(b, uint64(x.start-n.start))
		b = binary.AppendUvarint(b, uint64(x.end-x.start))
		b = appendBounds(b, x.least, x.greatest)
		previous = x.block
	}
	b = appendGroups(b, n.groups, false)
	if n.head.widens() {
		b = appendGroups(b, n.wide, true)
	}
	return b
}

// appendGroups writes groups, all of which may be known to have one child.
func appendGroups(b []byte, groups []group, single bool) []byte {
	b = binary.AppendUvarint(b, uint64(len(groups)))
	next := 0
	for i := range groups {
		g := &groups[i]
		b = binary.AppendUvarint(b, uint64(g.first-next))
		if !single {
			b = binary.AppendUvarint(b, uint64(g.count))
		}
		b = binary.AppendUvarint(b, uint64(len(g.blocks)))
		least := attribute.Quark(0)
		for _, s := range g.blocks {
			b = binary.AppendUvarint(b, uint64(s.block))
			b = binary.AppendUvarint(b, uint64(s.least-least))
			least = s.least
		}
		next = g.first + g.count
	}
	return b
}

func appendBounds(b []byte, least, greatest attribute.Quark) []byte {
	b = binary.AppendUvarint(b, uint64(least))
	return binary.AppendUvarint(b, uint64(greatest-least))
}

func (d *decoder) bounds() (least, greatest attribute.Quark) {
	least = attribute.Quark(d.below(math.MaxInt32 + 1))
	return least, least + attribute.Quark(d.below(uint64(math.MaxInt32-least)+1))
}

// decodeIndex takes an index off d for n, whose level and bounds are set. It
// returns "" or what is wrong. limit is the number of the block that holds the
// index: all it names must stand before.
func (n *node) decodeIndex(d *decoder, limit uint32, head *header) string {
	count := d.uvarint()
	if count > uint64(head.maxChildren) || count > uint64(len(d.b)) {
		return "too many children"
	}
	n.children = make([]child, count)
	block, at := uint64(0), n.start
	for i := range n.children {
		c := &n.children[i]
		delta := d.below(math.MaxUint32)
		block += delta
		c.start, c.end = at, d.after(at, n.end)
		c.greatest = math.MaxInt32
		if head.bounded() {
			c.least, c.greatest = d.bounds()
		}
		if d.bad || block >= uint64(limit) || i > 0 && delta == 0 || c.end == c.start {
			return "a child is out of order or out of bounds"
		}
		c.block, at = uint32(block), c.end
	}
	count = d.uvarint()
	if count > uint64(len(d.b)) {
		return "too many extents"
	}
	n.extents = make([]extent, count)
	block = 0
	for i := range n.extents {
		x := &n.extents[i]
		delta := d.below(math.MaxUint32)
		block += delta
		x.start = d.after(n.start, n.end)
		x.end = d.after(x.start, n.end)
		x.least, x.greatest = d.bounds()
		if d.bad || block >= uint64(limit) || i > 0 && (delta == 0 || x.end < n.extents[i-1].end) {
			return "an extent is out of order or out of bounds"
		}
		x.block = uint32(block)
	}
	var wrong string
	if n.groups, wrong = n.decodeGroups(d, limit, false); wrong == "" && head.widens() {
		n.wide, wrong = n.decodeGroups(d, limit, true)
	}
	if wrong == "" && len(n.wide) > 0 && n.level < 2 {
		wrong = "leaves have wide totals"
	}
	return wrong
}

// decodeGroups takes groups off d, all of which may be known to have one child.
func (n *node) decodeGroups(d *decoder, limit uint32, single bool) (groups []group, wrong string) {
	count := d.uvarint()
	if count > uint64(len(n.children)) {
		return nil, "more summary groups than children"
	}
	groups = make([]group, count)
	next := uint64(0)
	for i := range groups {
		g := &groups[i]
		first, size := next+d.below(uint64(len(n.children))), uint64(1)
		if !single {
			size = d.below(uint64(len(n.children)) + 1)
		}
		blocks := d.uvarint()
		next = first + size
		if d.bad || size == 0 || next > uint64(len(n.children)) || blocks > uint64(len(d.b)-d.i) {
			return nil, "a summary group is out of bounds"
		}
		g.first, g.count = int(first), int(size)
		g.blocks = make([]summaryRef, blocks)
		least := uint64(0)
		for k := range g.blocks {
			number := d.below(uint64(limit))
			delta := d.below(math.MaxInt32 + 1)
			least += delta
			if d.bad || least > math.MaxInt32 || k > 0 && delta == 0 {
				return nil, "the summary blocks of a group are out of order"
			}
			g.blocks[k] = summaryRef{uint32(number), attribute.Quark(least)}
		}
	}
	if d.bad {
		return nil, "the index ends early"
	}
	return groups, ""
}
