package history

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"synchroscope/state/attribute"
)

// Fifty attributes of thousands are in as many places of every leaf, and to go to each takes longer than to decode what is there. So a leaf of many
// attributes is large, and a column of it is about as long as what is read at once. In memory it is small: a part that is as large as other blocks are is
// encoded like a leaf, and columns of all parts are put together when the leaf is full. They need not be decoded for that, since an
// attribute's intervals are adjacent: of what follows in a later part only the number that a column begins with is left out.

// spareShare of a leaf may be empty: no part is begun for less.
const spareShare = 16

// dividesNow tells whether what n has in memory, a leaf that has no room for more, is to be a part of it.
func (n *open) dividesNow() bool {
	return n.divides() && n.large() && len(n.records) > 0 && n.room == n.most && n.inParts+n.size() < n.most-n.most/spareShare
}

// long tells whether a node of leaves has as much in it as one that has all children, none of which has parts. What is summed up is not
// farther apart where leaves are large. It has two, for the tree is to be no deeper than leaves without parts would make it.
func (w *Writer) long(n *open) bool {
	return len(n.children) > 1 && w.open[0].divides() && int64(w.pages-n.children[0].block)*int64(w.header.pageSize) > int64(w.header.maxChildren)*int64(mostOther)
}

// divide encodes what a leaf has in memory as a part of it.
func (w *Writer) divide(n *open) error {
	k := &block{
		file: w.file, number: noBlock, kind: leafBlock, prev: noBlock, start: n.start, end: n.records[len(n.records)-1].End,
		columns: len(n.columns), count: len(n.records),
	}
	k.used = n.encode(w.payload())
	if err := w.tallyLeaf(n, *k, k.used); err != nil {
		return err
	}
	k.payload = bytes.Clone(w.payload()[:k.used])
	if err := k.direct(k.payload); err != nil {
		return err
	}
	x := extent{block: noBlock, start: n.start, end: k.end, held: k}
	x.least, x.greatest = n.places.bounds()
	n.hold(x)
	n.clearRecords()
	return nil
}

// hold makes x a part of n. The first column of each run of a directory has no difference of quarks. Put together with those of other parts the runs begin at
// other columns, and the difference is written, so it is counted here.
func (n *open) hold(x extent) {
	n.parts = append(n.parts, x)
	n.inParts += x.held.used + x.held.runs()*(binary.MaxVarintLen32-1)
}

// A partsCursor goes through the columns of all parts of a leaf together.
type partsCursor struct {
	parts []columns
	quark attribute.Quark // at hand
}

func newPartsCursor(parts []extent) *partsCursor {
	c := &partsCursor{quark: attribute.None}
	for i := range parts {
		c.parts = append(c.parts, parts[i].held.cursor())
	}
	return c
}

// next moves to the next attribute. It returns false at the end and on damage.
func (c *partsCursor) next() bool {
	least := attribute.Quark(math.MaxInt32)
	for i := range c.parts {
		p := &c.parts[i]
		if p.quark == c.quark && !p.next() {
			p.quark = math.MaxInt32
		}
		least = min(least, p.quark)
	}
	c.quark = least
	return least < math.MaxInt32
}

// err says what is wrong at the end.
func (c *partsCursor) err() error {
	for i := range c.parts {
		if err := c.parts[i].complete(); err != nil {
			return err
		}
	}
	return nil
}

// each yields the pieces of the column at hand, first to last.
func (c *partsCursor) each(yield func(data []byte)) {
	begun := false
	for i := range c.parts {
		p := &c.parts[i]
		if p.quark != c.quark {
			continue
		}
		data := p.k.payload[p.at : p.at+p.length]
		if begun { // it goes on where the part before ended
			first := 0
			for data[first] >= 0x80 {
				first++
			}
			data = data[first+1:]
		}
		begun = true
		yield(data)
	}
}

// join writes a leaf that has parts, and returns its number.
func (w *Writer) join(n *open, end int64) (uint32, error) {
	if len(n.records) > 0 {
		if err := w.divide(n); err != nil {
			return 0, err
		}
	}
	size := int(w.header.pageSize)
	k := block{number: w.pages, kind: leafBlock, prev: noBlock, start: n.start, end: end}
	lengths, data := 0, 0 // of the columns
	each := func(use func(q attribute.Quark, length int)) {
		for c := newPartsCursor(n.parts); c.next(); {
			length := 0
			c.each(func(b []byte) { length += len(b) })
			use(c.quark, length)
		}
	}
	each(func(_ attribute.Quark, length int) {
		k.columns++
		lengths += uvarintLen(uint64(length))
		data += length
	})
	for i := range n.parts {
		k.count += n.parts[i].held.count
	}

	// What stands before the columns is made at once. It is written last, with the checksums of all pages, the number of which is not known before.
	h := beginHeads(make([]byte, 0, mostDirectory(k.columns, w.header.directory())+5*k.columns+lengths), k.columns, w.header.directory())
	each(func(q attribute.Quark, length int) { h.add(q, length) })
	before := h.end()
	k.used = len(before) + data
	if k.used > w.header.room() {
		return 0, fmt.Errorf("history: block %d would have %d bytes, of %d that there is room for", k.number, k.used, w.header.room())
	}
	k.pages = pagesFor(k.used, size)
	if uint64(w.pages)+uint64(k.pages) >= noBlock {
		return 0, errTooLarge
	}
	out := leafOut{w: w, k: &k, front: make([]byte, blockHeader+4*(k.pages-1), blockHeader+4*(k.pages-1)+len(before)+size)}
	out.front = append(out.front, before...)
	c := newPartsCursor(n.parts)
	for c.next() {
		c.each(out.write)
	}
	if err := c.err(); err != nil {
		return 0, err
	}
	if err := out.end(); err != nil {
		return 0, fmt.Errorf("history: write block %d: %w", k.number, err)
	}
	w.pages += uint32(k.pages)
	w.file.pages.Store(w.pages)
	return k.number, nil
}
