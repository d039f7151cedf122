package history

import (
	"errors"
	"fmt"

	"synchroscope/state/attribute"
)

// insert stores an interval in the lowest open node that begins at or before
// its start. A leaf without room is sealed and a new one begun at the present;
// an inner node without room gets an extent and stays open, so that a crowd of
// long intervals never costs a level (Montplaisir 2011, section 5.3.1).
func (w *Writer) insert(iv Interval) error {
	for {
		n := w.lowest(iv.Start)
		if n.add(iv) {
			w.newestEnd = iv.End
			w.intervals++
			return nil
		}
		var err error
		switch {
		case n.level > 0:
			err = w.extend(n)
		case n.dividesNow():
			err = w.divide(n)
		default:
			err = w.seal(n)
		}
		w.giveBack()
		if err != nil {
			w.err = err
			return err
		}
	}
}

// giveBack returns the buffer in which blocks were made, if there is one.
func (w *Writer) giveBack() {
	if w.buf != nil {
		returnBuffer(w.buf)
		w.buf = nil
	}
}

func (w *Writer) lowest(start int64) *open {
	for _, n := range w.open {
		if n.start <= start {
			return n
		}
	}
	return w.open[len(w.open)-1]
}

// extend writes the intervals an inner node holds as an extent.
func (w *Writer) extend(n *open) error {
	if len(n.records) == 0 {
		return nil
	}
	x := extent{start: n.records[0].Start, end: n.records[len(n.records)-1].End}
	for i := range n.records {
		x.start = min(x.start, n.records[i].Start)
	}
	x.least, x.greatest = n.places.bounds()
	k := block{kind: extentBlock, level: uint8(n.level), prev: noBlock, start: n.records[0].End, end: x.end, columns: len(n.columns), count: len(n.records)}
	used := n.encode(w.payload())
	if n.large() {
		if err := w.tally(n, k, used, &n.totals); err != nil {
			return err
		}
	} else {
		n.gather(&n.totals)
	}
	number, err := w.write(&k, used)
	if err != nil {
		return err
	}
	n.pending.cross(n)
	x.block = number
	n.extents = append(n.extents, x)
	n.clearRecords()
	return nil
}

// seal ends n, all below which is sealed already, at the end of the newest
// interval, hands it to its parent, and begins the next node of its level. A
// parent that thereby has all its children is sealed in turn.
func (w *Writer) seal(n *open) error {
	end := w.newestEnd
	number, err := w.writeNode(n, end)
	if err != nil {
		return err
	}
	if n.level+1 == len(w.open) {
		w.open = append(w.open, w.newOpen(n.level+1, w.header.start))
	}
	parent := w.open[n.level+1]
	least, greatest := n.bounds()
	parent.children = append(parent.children, child{number, n.start, end, least, greatest})
	if err := w.summarize(parent, n); err != nil {
		return err
	}
	n.restart(end)
	if err := w.writeNames(w.namesChunk()); err != nil {
		return err
	}
	if len(parent.children) == int(w.header.maxChildren) || parent.level == 1 && w.long(parent) {
		return w.seal(parent)
	}
	return nil
}

// writeNode writes what is left of n and returns the block it is known by.
func (w *Writer) writeNode(n *open, end int64) (uint32, error) {
	if len(n.parts) > 0 {
		return w.join(n, end)
	}
	if n.level == 0 {
		k := block{kind: leafBlock, prev: noBlock, start: n.start, end: end, columns: len(n.columns), count: len(n.records)}
		used := n.encode(w.payload())
		if err := w.tallyLeaf(n, k, used); err != nil {
			return 0, err
		}
		return w.write(&k, used)
	}
	if err := w.extend(n); err != nil {
		return 0, err
	}
	n.pending.join(n, end)
	if err := w.writeGroup(n); err != nil {
		return 0, err
	}
	return w.writeStream(block{kind: indexBlock, level: uint8(n.level), prev: noBlock, start: n.start, end: end}, n.appendIndex(nil))
}

// summarize adds what n holds to the totals of its parent, and remembers the
// totals of n, the parent's newest child, for a summary if that is worth its bytes. Wide totals are written at once.
func (w *Writer) summarize(parent, n *open) error {
	if n.level == 0 {
		parent.leaves++
		_, err := w.remember(parent, n)
		return err
	}
	parent.leaves += n.leaves
	summarized, err := w.remember(parent, n)
	if err != nil {
		return err
	}
	return w.widely(parent, n, summarized)
}

// remember is summarize for all but wide totals. It tells whether there will be a summary of n.
func (w *Writer) remember(parent, n *open) (summarized bool, err error) {
	if n.level == 0 && n.large() {
		parent.totals.void = parent.totals.void || w.early(parent.level)
		return false, w.writeGroup(parent)
	}
	if n.level == 0 {
		if len(n.columns)*leastTotals > n.payload/summaryShare {
			n.gather(&parent.totals)
			return false, w.writeGroup(parent)
		}
		n.gather(&n.totals)
	}
	if len(n.totals.entries) > manyRecords && w.early(parent.level) {
		parent.totals.void = true
	}
	parent.totals.merge(&n.totals)
	if !n.totals.worth() {
		return false, w.writeGroup(parent)
	}
	i := len(parent.children) - 1
	if !parent.pending.add(i, &n.totals, w.room) {
		if err := w.writeGroup(parent); err != nil {
			return false, err
		}
		if !parent.pending.add(i, &n.totals, w.room) {
			return false, nil
		}
	}
	if parent.pending.full(w.room) {
		return true, w.writeGroup(parent)
	}
	return true, nil
}

// writeGroup writes the summaries n has gathered of its children.
func (w *Writer) writeGroup(n *open) error {
	p := &n.pending
	if p.count == 0 {
		return nil
	}
	g := group{first: p.first, count: p.count}
	children := n.children[p.first : p.first+p.count]
	err := p.write(w.payload(), w.room, w.header.directory(), func(used, columns, pieces int, least attribute.Quark) error {
		k := block{kind: summaryBlock, level: uint8(n.level), prev: noBlock, start: children[0].start, end: children[len(children)-1].end, columns: columns, count: pieces}
		number, err := w.write(&k, used)
		g.blocks = append(g.blocks, summaryRef{number, least})
		return err
	})
	n.groups = append(n.groups, g)
	p.reset()
	return err
}

var errTooLarge = errors.New("history: the tree has all the blocks a file can have")

// payload is where the payload of the next block is made, empty.
func (w *Writer) payload() []byte {
	if w.buf == nil {
		w.buf = lendBuffer((w.header.otherPages() + 1) * int(w.header.pageSize))
	}
	at := blockHeader + 4*(w.header.otherPages()-1)
	return w.buf[at:at]
}

// write completes the block whose payload is in w.buf and appends it to the file.
func (w *Writer) write(k *block, used int) (uint32, error) {
	size := int(w.header.pageSize)
	used = w.pack(k, w.payload()[:used])
	k.number, k.used, k.pages = w.pages, used, pagesFor(used, size)
	if uint64(w.pages)+uint64(k.pages) >= noBlock {
		return 0, errTooLarge
	}
	table := 4 * (k.pages - 1)
	b := w.buf[4*(w.header.otherPages()-1)-table:][:k.pages*size]
	k.seal(b, size)
	if _, err := w.file.f.WriteAt(b, w.file.offset(k.number)); err != nil {
		return 0, fmt.Errorf("history: write block %d: %w", k.number, err)
	}
	w.pages += uint32(k.pages)
	w.file.pages.Store(w.pages)
	return k.number, nil
}

// writeStream writes a whole stream in blocks like k and returns the last.
func (w *Writer) writeStream(k block, stream []byte) (uint32, error) {
	for {
		part := stream[:min(len(stream), w.room)]
		number, err := w.write(&k, len(append(w.payload(), part...)))
		if err != nil {
			return 0, err
		}
		if stream = stream[len(part):]; len(stream) == 0 {
			return number, nil
		}
		k.prev = number
	}
}

// namesChunk is how much of the names stream waits before it is written.
func (w *Writer) namesChunk() int { return min(w.room, 32<<10) }

// writeNames writes what is new of the names stream, in blocks, but for what is less than least bytes.
func (w *Writer) writeNames(least int) error {
	n := w.names
	for {
		all := n.collect(w.room)
		if n.length+uint64(len(n.rest)) > uint64(mostNames) || n.attributes > mostNamed || n.strings > mostNamed {
			return errTooManyNames
		}
		if n.err != nil {
			return n.err
		}
		if !all {
			if err := w.writeRest(w.room); err != nil {
				return err
			}
			continue
		}
		return w.writeRest(least)
	}
}

// Full tells that there is room for few names and texts more: so many that what an event or two add has it. Who goes on adding them comes
// to an error that ends the tree; what changes of the attributes that there are needs no room.
func (w *Writer) Full() bool {
	n := w.names
	if n.tree.Len()-n.attributes+n.dictionary.Len()-n.strings > 1<<10 && w.err == nil { // else nobody knows how long they are
		w.err = w.writeNames(w.namesChunk())
		w.giveBack()
	}
	spare := min(max(mostNamed/64, 1<<10), mostNamed/2)
	return n.tree.Len() > mostNamed-spare || n.dictionary.Len() > mostNamed-spare || n.length+uint64(len(n.rest)) > uint64(mostNames-mostNames/16)
}

// writeRest writes blocks of the names stream while at least so many bytes of it wait.
func (w *Writer) writeRest(least int) error {
	n := w.names
	written := 0
	for len(n.rest)-written >= least && len(n.rest) > written {
		part := n.rest[written:min(len(n.rest), written+w.room)]
		number, err := w.write(&block{kind: namesBlock, prev: n.block}, len(append(w.payload(), part...)))
		if err != nil {
			return err
		}
		n.block = number
		n.length += uint64(len(part))
		written += len(part)
	}
	n.rest = n.rest[:copy(n.rest, n.rest[written:])]
	return nil
}

// finish writes the open branch, the names, the ongoing values and the finish record.
func (w *Writer) finish(end int64) error {
	if leaf := w.open[0]; len(leaf.records) > 0 || len(leaf.parts) > 0 {
		if err := w.seal(leaf); err != nil {
			return err
		}
	}
	root, err := w.sealBranch()
	if err != nil {
		return err
	}
	if err := w.writeNames(1); err != nil {
		return err
	}
	record := finish{
		root: root, end: end,
		names: w.names.block, namesLength: w.names.length,
		attributes: uint32(w.names.attributes), strings: uint32(w.names.strings),
		intervals: w.intervals,
	}
	if record.state, record.stateLength, err = w.writeState(); err != nil {
		return err
	}
	record.pages = w.pages
	if err := w.file.f.Sync(); err != nil {
		return fmt.Errorf("history: sync: %w", err)
	}
	if _, err := w.file.f.WriteAt(record.encode(), finishOffset); err != nil {
		return fmt.Errorf("history: write the finish record: %w", err)
	}
	if err := w.file.f.Sync(); err != nil {
		return fmt.Errorf("history: sync: %w", err)
	}
	return w.publishFinished(&record)
}

// sealBranch seals what is open above the leaves, from below, and returns the root.
func (w *Writer) sealBranch() (uint32, error) {
	if len(w.open) == 1 {
		w.open = append(w.open, w.newOpen(1, w.header.start))
	}
	// Sealing may make a parent full, seal it too and put a new top on the branch.
	for level := 1; level < len(w.open)-1; level++ {
		if n := w.open[level]; len(n.children) > 0 || len(n.extents) > 0 || len(n.records) > 0 {
			if err := w.seal(n); err != nil {
				return 0, err
			}
		}
	}
	return w.writeNode(w.open[len(w.open)-1], w.newestEnd)
}
