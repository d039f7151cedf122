package history

import (
	"encoding/binary"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// An open node is a node of the rightmost branch: still growing, held in
// memory. Its intervals not yet in blocks stand in records, in order of end,
// and how long each column will be is known, so that writing a block is one walk in
// that order, which puts each where its column has come to. A walk column by column would wait for
// memory at each interval. Readers see prefixes of records, children, extents and groups, all
// of which only ever grow until the node is sealed; the rest is the writer's.
type open struct {
	level      int
	start      int64
	room       int  // of its next block, in bytes of payload
	most       int  // room to begin with
	part       int  // bytes of payload of a part of it
	due        bool // there is no room for more records in memory
	head       *header
	attributes *attribute.Tree
	spares     *spares
	records    []Interval
	parts      []extent // of a leaf, encoded
	inParts    int      // bytes of payload in these
	children   []child
	extents    []extent
	groups     []group
	wide       []group // of one child each
	leaves     int64   // all below
	shown      bool    // a reader may hold records

	holders []int32 // per record: its column
	columns []openColumn
	places  sparse // of the columns
	payload int    // encoded bytes of all columns without their heads
	longs   int    // bytes of column lengths beyond one each

	totals  totals // of the whole subtree so far, for the parent
	pending pending
}

// An openColumn is small, since those of a crowd are more than a near cache holds.
type openColumn struct {
	quark attribute.Quark
	at    int32 // encoded bytes; once a block is written, where its next interval goes, and then where its totals are
	end   int64 // of the last interval
}

// A block is large so that an attribute that changes seldom has some intervals
// in it, together. One whose columns are long already is closed once it has
// leastBytes, at the end of a page: a look at an instant then costs less.
const (
	longColumn = 24 // intervals, on average
	leastBytes = 64 << 10
)

// mostRecords are held in memory for one block: 10 MiB of them, or for a part of a leaf, or among many attributes, a quarter.
func (n *open) mostRecords() int {
	if n.divides() || n.attributes.Len() > manyAttributes {
		return 1 << 16
	}
	return 1 << 18
}

func (w *Writer) newOpen(level int, start int64) *open {
	n := &open{level: level, start: start, head: &w.header, attributes: w.names.tree, spares: &w.present.spares, most: w.room, part: w.room}
	n.totals.shelf, n.pending.shelf = w.shelf, w.shelf
	if level == 0 && w.header.divides() {
		n.most = w.header.room()
	}
	n.room = n.most
	return n
}

// manyAttributes have one interval or two each in any block, and what they are takes much memory already.
const manyAttributes = 1 << 18

// divides tells whether n is a leaf that may have parts.
func (n *open) divides() bool { return n.most > n.part && n.attributes.Len() <= manyAttributes }

// size is an upper bound of the payload so far.
func (n *open) size() int {
	return n.sizeWith(0, len(n.columns), n.places.below(), 0)
}

// narrow closes n, or its part, if it has many records, and at the end of its page if its columns are long. A large leaf that may have parts has no
// summary, so that all of it is looked through for whatever it is read for: then it had better be long.
func (n *open) narrow() {
	if len(n.records) >= n.mostRecords() {
		n.due = true
		return
	}
	if len(n.records) < longColumn*len(n.columns) || n.divides() && n.large() {
		return
	}
	if size := n.size(); size >= leastBytes {
		pages := pagesFor(size, int(n.head.pageSize))
		n.room = min(n.room, roomIn(pages, int(n.head.pageSize)))
	}
}

// add takes an interval if the block it would go to has room.
func (n *open) add(iv Interval) bool {
	if len(n.records)%256 == 255 && n.room == n.most {
		n.narrow()
	}
	size := uvarintLen(uint64(iv.End-iv.Start)) + valueLen(iv.Value)
	i := n.places.at(iv.Quark)
	if i < 0 {
		size += uvarintLen(uint64(n.first(&iv)))
		if !n.fits(size, len(n.columns)+1, max(int(iv.Quark)+1, n.places.below()), lengthExtra(size)) {
			return false
		}
		i = int32(len(n.columns))
		n.places.set(iv.Quark, len(n.columns))
		n.columns = scratch.Push(n.spares.shelf, n.columns, openColumn{iv.Quark, int32(size), iv.End})
		n.longs += lengthExtra(size)
	} else {
		c := &n.columns[i]
		if n.level > 0 {
			size += uvarintLen(uint64(iv.Start - c.end))
		}
		extra := lengthExtra(int(c.at)+size) - lengthExtra(int(c.at))
		if !n.fits(size, len(n.columns), n.places.below(), extra) {
			return false
		}
		c.at += int32(size)
		c.end = iv.End
		n.longs += extra
	}
	n.payload += size
	if len(n.records) == cap(n.records) {
		n.records, n.shown = n.spares.larger(n.records, n.shown), false
	}
	n.records = append(n.records, iv)
	n.holders = scratch.Push(n.spares.shelf, n.holders, i)
	return true
}

// first is the number a column begins with: the distance of its first interval
// from the start of a leaf, or of its end from the first end in an extent,
// whose starts may lie far back while its ends are close together.
func (n *open) first(iv *Interval) int64 {
	switch {
	case n.level == 0:
		return iv.Start - n.start
	case len(n.records) == 0:
		return 0
	}
	return iv.End - n.records[0].End
}

// lengthExtra is the number of bytes beyond one of a column's length field.
func lengthExtra(length int) int { return uvarintLen(uint64(length)) - 1 }

// fits tells whether size bytes more, in columns altogether, fit.
func (n *open) fits(size, columns, m, extra int) bool {
	all := n.sizeWith(size, columns, m, extra)
	return !n.due && all <= n.part && n.inParts+all <= n.room
}

// sizeWith is at least the payload with size bytes more, in columns altogether.
// The differences of k ascending quarks below m take at most k bytes and one
// more for each 2^7, 2^14, ... that goes into m: a difference that needs a
// second byte uses up 128 quarks.
func (n *open) sizeWith(size, columns, m, extra int) int {
	deltas := columns + min(m>>7, columns) + min(m>>14, columns) + min(m>>21, columns) + min(m>>28, columns)
	return mostDirectory(columns, n.head.directory()) + deltas + columns + n.longs + extra + n.payload + size
}

// encode appends the columns to b, behind whose capacity nothing is touched, and returns the bytes of the payload.
func (n *open) encode(b []byte) int {
	h := beginHeads(b, len(n.columns), n.head.directory())
	n.places.ascending(func(column int32) {
		c := &n.columns[column]
		length := int(c.at)
		c.at = int32(h.data)
		h.add(c.quark, length)
	})
	p := h.end()[len(h.b):]
	p = p[:h.data+8] // shortInterval writes as many at once
	clear(p)
	begun := int32(0) // columns, which are in order of their first interval
	for i := range n.records {
		iv, c := &n.records[i], &n.columns[n.holders[i]]
		if n.holders[i] == begun {
			begun++
			c.put(p, uint64(n.first(iv)))
		} else if n.level > 0 {
			c.put(p, uint64(iv.Start-c.end))
		}
		c.end = iv.End
		if bytes, size := shortInterval(uint64(iv.End-iv.Start), iv.Value); size > 0 {
			to := p[c.at:][:8]
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(to)|bytes)
			c.at += int32(size)
			continue
		}
		c.put(p, uint64(iv.End-iv.Start))
		c.at = int32(len(appendValue(p[:c.at], iv.Value)))
	}
	return len(h.b) + h.data
}

// put writes a number of the column's next interval into p.
func (c *openColumn) put(p []byte, u uint64) {
	c.at = int32(len(binary.AppendUvarint(p[:c.at], u)))
}

// clearRecords empties the columns once they are in a block.
func (n *open) clearRecords() {
	for i := range n.columns {
		n.places.remove(n.columns[i].quark)
	}
	n.columns = n.columns[:0]
	n.holders = n.holders[:0]
	n.payload, n.longs = 0, 0
	n.room, n.due = n.most, false
	if n.shown {
		n.records = n.spares.emptied(n.records)
		n.shown = false
	} else {
		n.records = n.records[:0]
	}
}

// restart makes n the next node of its level, from start on.
func (n *open) restart(start int64) {
	n.clearRecords()
	n.start = start
	n.parts, n.inParts = nil, 0
	n.children, n.extents, n.groups, n.wide, n.leaves = nil, nil, nil, nil, 0
	n.totals.reset()
	n.pending.reset()
	n.pending.parted = false
}
