package history

import (
	"encoding/binary"

	"synchroscope/state/attribute"
	"synchroscope/state/scratch"
)

// One in so many children must be visited for an attribute, and two more, and there are sums of it still.
const fewLeft = 8

// leastSpace of a block is left beside a column of joined sums: for its head and the directory.
const leastSpace = 64

// mostPieces are kept in memory until they are used again.
const mostPieces = 1 << 14

// leastPending bytes of summaries are gathered before they are written.
const leastPending = 64 << 10

// mostPiece is at least as many bytes as what is gathered of one column of one child.
const mostPiece = 2*binary.MaxVarintLen32 + maxTotals*(1+3*binary.MaxVarintLen64)

// pending gathers the summaries of adjacent children of an open node until
// there is enough for a group. They arrive child by child and are written
// attribute by attribute.
type pending struct {
	shelf        *scratch.Shelf
	first, count int // children
	places       sparse
	columns      []pendingColumn
	pieces       []piece
	text         []byte
	shown        int // bytes of text that are not for sums alone

	crossings []crossing // in order of end, of the node's extents
	parted    bool       // crossings are not all there
	start     int64      // of the node
}

type pendingColumn struct {
	quark      attribute.Quark
	head, tail int32
	last       int32 // newest child
	length     int32 // of the column encoded
	left       int32 // children that must be visited, as far as they are counted
	crossing   int32
}

// A piece is what one column says of one child.
type piece struct {
	from, to int32 // of pending.text
	next     int32
	sums     int32 // until where it has, behind that, what it leaves to a visit, for sums
}

// full tells whether there is no room for another child.
func (p *pending) full(space int) bool { return p.shown > max(space, leastPending) }

func (p *pending) reset() {
	for i := range p.columns {
		p.places.remove(p.columns[i].quark)
	}
	if len(p.pieces) > mostPieces {
		scratch.Return(p.shelf, p.columns)
		scratch.Return(p.shelf, p.pieces)
		scratch.Return(p.shelf, p.text)
		p.columns, p.pieces, p.text = nil, nil, nil
	}
	p.columns, p.pieces, p.text = p.columns[:0], p.pieces[:0], p.text[:0]
	p.first, p.count, p.shown = 0, 0, 0
	p.crossings, p.parted = p.crossings[:0], p.parted || len(p.crossings) > 0
}

// add takes the totals of a child for a block payload of space bytes. It
// returns false, and takes nothing, if they are too large in proportion or the
// group must be written first.
func (p *pending) add(child int, s *totals, space int) bool {
	if p.count == 0 {
		p.first = child
	}
	text, pieces, fits, grown := len(p.text), len(p.pieces), true, 0
	for i := range s.columns {
		if cap(p.text)-len(p.text) < mostPiece {
			p.text = scratch.Larger(p.shelf, p.text, mostPiece)
		}
		from := len(p.text)
		last, few := p.first, true
		if at := p.places.at(s.columns[i].quark); at >= 0 {
			c := &p.columns[at]
			last, few = int(c.last), int(c.left) <= 2+p.count/fewLeft
			fits = fits && int(c.length) < space/2
		}
		p.text = binary.AppendUvarint(p.text, uint64(child-last))
		p.text = s.appendTotals(p.text, &s.columns[i], space/4)
		to := len(p.text)
		if few {
			p.text = s.appendFew(p.text, &s.columns[i])
		}
		p.pieces = scratch.Push(p.shelf, p.pieces, piece{int32(from), int32(to), -1, int32(len(p.text))})
		grown += to - from
	}
	if !fits || grown > s.bytes/summaryShare || p.count > 0 && p.shown+grown > max(space, leastPending) {
		p.text, p.pieces = p.text[:text], p.pieces[:pieces]
		return false
	}
	for i := range s.columns {
		p.link(s.columns[i].quark, int32(pieces+i), child)
	}
	p.count++
	p.shown += grown
	return true
}

func (p *pending) link(q attribute.Quark, at int32, child int) {
	length := p.pieces[at].to - p.pieces[at].from
	left := int32(0)
	if p.pieces[at].sums > p.pieces[at].to {
		left = 1
	}
	i := p.places.at(q)
	if i < 0 {
		p.places.set(q, len(p.columns))
		p.columns = scratch.Push(p.shelf, p.columns, pendingColumn{quark: q, head: at, tail: at, last: int32(child), length: length, left: left, crossing: -1})
		return
	}
	c := &p.columns[i]
	c.left += left
	p.pieces[c.tail].next = at
	c.tail, c.last = at, int32(child)
	c.length += length
}

// write gives the group's columns to blocks of the payload size space, calling
// emit for each with its least quark and the number of columns and pieces.
func (p *pending) write(buf []byte, space, directory int, emit func(used, columns, pieces int, least attribute.Quark) error) error {
	f := filler{buf: buf, space: space, directory: directory, emit: emit}
	var sums, joined sums
	var text []byte
	var failed error
	p.places.ascending(func(i int32) {
		if failed != nil {
			return
		}
		c := &p.columns[i]
		text = p.appendColumn(text[:0], c, &sums, &joined, space)
		pieces := 0
		for k := c.head; k >= 0; k = p.pieces[k].next {
			pieces++
		}
		failed = f.add(c.quark, text, pieces)
	})
	if failed != nil {
		return failed
	}
	return f.flush()
}

// appendColumn writes what is known of an attribute in the children of the group: as sums from the
// first child on, with what crosses from child to child if that is known, or child by child.
func (p *pending) appendColumn(b []byte, c *pendingColumn, s, joined *sums, space int) []byte {
	if s.gather(p, c) {
		if n := s.bytes(); n <= int(c.length+c.length/4) {
			if joined.join(s, p, c) && joined.bytes() <= space-leastSpace {
				return joined.appendTo(b)
			}
			return s.appendTo(b)
		}
	}
	b = append(b, 0)
	for k := c.head; k >= 0; k = p.pieces[k].next {
		b = append(b, p.text[p.pieces[k].from:p.pieces[k].to]...)
	}
	return b
}
