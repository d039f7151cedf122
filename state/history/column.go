package history

import (
	"encoding/binary"
	"math"

	"synchroscope/state/attribute"
)

const (
	stride         = 16 // columns per entry of the directory
	directoryEntry = 8
)

// columns goes through the columns of a block in order of quark. The
// directory has an entry for every 16th column only, so a seek is a binary
// search followed by at most 15 steps; a seek to a quark a little further on
// just steps.
type columns struct {
	k     *block
	index int // of the next column
	quark attribute.Quark
	data  []byte // of the current column
	pos   int    // of the next column in the payload
	bad   bool
}

func (k *block) cursor() columns { return columns{k: k, quark: attribute.None} }

func (c *columns) entry(i int) (attribute.Quark, int) {
	e := c.k.payload[i*directoryEntry:]
	return attribute.Quark(binary.LittleEndian.Uint32(e)), int(binary.LittleEndian.Uint32(e[4:]))
}

// next moves to the next column. It returns false at the end and on damage,
// which sets bad.
func (c *columns) next() bool {
	if c.bad || c.index >= c.k.columns {
		return false
	}
	previous := max(c.quark, 0)
	first := c.index == 0
	if c.index%stride == 0 {
		q, off := c.entry(c.index / stride)
		if !first && off != c.pos {
			c.bad = true
			return false
		}
		c.pos = off
		return c.step(q, first, true, previous)
	}
	return c.step(0, first, false, previous)
}

func (c *columns) step(entry attribute.Quark, first, hasEntry bool, previous attribute.Quark) bool {
	if c.pos > len(c.k.payload) {
		c.bad = true
		return false
	}
	d := decoder{b: c.k.payload, i: c.pos}
	var delta, length uint64
	if i := c.pos; i+1 < len(d.b) && d.b[i]|d.b[i+1] < 0x80 { // almost always
		delta, length = uint64(d.b[i]), uint64(d.b[i+1])
		d.i += 2
	} else {
		delta, length = d.below(math.MaxInt32+1), d.uvarint()
	}
	c.data = d.bytes(length)
	c.pos = d.i
	q := int64(previous) + int64(delta)
	if d.bad || q > math.MaxInt32 || !first && delta == 0 || hasEntry && q != int64(entry) {
		c.bad = true
		return false
	}
	c.quark = attribute.Quark(q)
	c.index++
	return true
}

// seek moves to the column of q and tells whether there is one. Successive
// seeks on one cursor must ascend.
func (c *columns) seek(q attribute.Quark) bool {
	if c.bad || c.k.columns == 0 {
		return false
	}
	if c.index > 0 && c.quark >= q {
		return c.quark == q
	}
	// The last entry at or before q, unless it is the run the cursor is in already.
	lo, hi := c.index/stride, (c.k.columns+stride-1)/stride
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if m, _ := c.entry(mid); m <= q {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if run := lo - 1; run >= 0 && run*stride >= c.index {
		c.index = run * stride
		m, off := c.entry(run)
		if off > len(c.k.payload) {
			c.bad = true
			return false
		}
		d := decoder{b: c.k.payload, i: off}
		d.uvarint() // the difference to a column that was skipped
		c.data = d.bytes(d.uvarint())
		c.pos = d.i
		if d.bad || m < 0 {
			c.bad = true
			return false
		}
		c.quark = m
		c.index++
	}
	for c.index == 0 || c.quark < q {
		if !c.next() {
			return false
		}
	}
	return c.quark == q
}

// intervals decodes a column of intervals.
type intervals struct {
	decoder
	limit int64 // no interval ends later
	leaf  bool
	begun bool
	start int64
	end   int64
	value Value
}

func (k *block) intervals(column []byte) intervals {
	return intervals{decoder: decoder{b: column}, limit: k.end, leaf: k.kind == leafBlock, start: k.start, end: k.start}
}

// next moves to the next interval. It returns false at the end of the column
// and on damage, which sets bad.
func (v *intervals) next() bool {
	if !v.more() {
		return false
	}
	switch {
	case v.leaf && v.begun:
		v.start = v.end
		v.end = v.after(v.start, v.limit)
	case v.leaf || v.begun:
		v.start = v.after(v.end, v.limit)
		v.end = v.after(v.start, v.limit)
	default:
		v.end = v.after(v.end, v.limit)
		v.start = v.before(v.end)
	}
	v.begun = true
	v.value = v.decoder.value()
	if v.end <= v.start {
		v.bad = true
	}
	return !v.bad
}
