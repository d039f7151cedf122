package history

import (
	"encoding/binary"
	"math"

	"synchroscope/state/attribute"
)

// columns goes through the columns of a block in order of quark. The
// directory has an entry for each run of columns only, so a seek is a binary
// search followed by steps, four at a time; a seek to a quark a little further on
// just steps. Bytes of a column are read when they are asked for.
type columns struct {
	k      *block
	index  int // of the next column
	quark  attribute.Quark
	at     int // of the current column in the payload
	length int
	pos    int // of the next column
	limit  int // of the run's columns
	heads  decoder
	first  attribute.Quark // of the run
	behind int             // first quark of the run behind, or more than any
	err    error

	windows *windows
}

// windows are what a cursor looks through, one for heads and one for columns.
type windows struct {
	heads, data window
	run, runs   int // of how many of the last block the first that was entered was
}

func (k *block) cursor() columns { return k.cursorIn(new(windows)) }

// cursorIn is cursor with windows that were used for other blocks before.
func (k *block) cursorIn(w *windows) columns {
	w.heads.from, w.heads.to, w.data.from, w.data.to = 0, 0, 0, 0
	return columns{k: k, quark: attribute.None, windows: w}
}

// entry returns the first quark of a run, and where its heads and columns begin.
// The entry behind the last has where they end.
func (c *columns) entry(run int) (q attribute.Quark, heads, data int) {
	if run == c.k.runs() {
		return 0, int(binary.LittleEndian.Uint32(c.k.directory[8:])), c.k.used
	}
	e := c.k.directory[run*directoryEntry:]
	return attribute.Quark(binary.LittleEndian.Uint32(e)), int(binary.LittleEndian.Uint32(e[4:])), int(binary.LittleEndian.Uint32(e[8:]))
}

// firstOf returns the first quark of a run.
func (c *columns) firstOf(run int) attribute.Quark {
	return attribute.Quark(binary.LittleEndian.Uint32(c.k.directory[run*directoryEntry:]))
}

// next moves to the next column. It returns false at the end and on damage,
// which sets err.
func (c *columns) next() bool {
	if c.err != nil || c.index >= c.k.columns {
		return false
	}
	if c.index&c.k.inRun != 0 {
		return c.step()
	}
	previous, pos, begun := c.quark, c.pos, c.index > 0
	if !c.enter(c.index>>c.k.runBits) || begun && c.pos != pos {
		return c.damaged()
	}
	if !c.step() || begun && c.quark <= previous {
		return c.damaged()
	}
	return true
}

// enter moves to the front of a run.
func (c *columns) enter(run int) bool {
	q, heads, data := c.entry(run)
	_, headsEnd, end := c.entry(run + 1)
	if heads > headsEnd || data > end || end > c.k.used || q < 0 {
		return false
	}
	b, err := c.k.span(&c.windows.heads, heads, headsEnd-heads)
	if err != nil {
		c.err = err
		return false
	}
	c.heads = decoder{b: b}
	c.first, c.pos, c.limit, c.index = q, data, end, run<<c.k.runBits
	c.behind = math.MaxInt
	if run+1 < c.k.runs() {
		c.behind = int(c.firstOf(run + 1))
	}
	return true
}

func (c *columns) step() bool {
	d := &c.heads
	var delta, length uint64
	if i := d.i; i+2 < len(d.b) && d.b[i] < 0x80 && d.b[i+1]&d.b[i+2] < 0x80 { // almost always
		long := d.b[i+1] >> 7
		delta, length = uint64(d.b[i]), uint64(d.b[i+1]&0x7f)|uint64(d.b[i+2])<<7*uint64(long)
		d.i += 2 + int(long)
	} else {
		delta, length = d.below(math.MaxInt32+1), d.uvarint()
	}
	q := int64(c.quark) + int64(delta)
	if c.index&c.k.inRun == 0 {
		q = int64(c.first)
	} else if delta == 0 {
		return c.damaged()
	}
	if d.bad || q > math.MaxInt32 || length > uint64(c.limit-c.pos) {
		return c.damaged()
	}
	c.quark = attribute.Quark(q)
	c.at, c.length = c.pos, int(length)
	c.pos += c.length
	c.index++
	return true
}

func (c *columns) damaged() bool {
	if c.err == nil {
		c.err = c.k.corrupt("its columns do not decode")
	}
	return false
}

// data returns the bytes of the current column, valid until the next call.
func (c *columns) data() ([]byte, error) { return c.k.span(&c.windows.data, c.at, c.length) }

// mostAhead bytes are read before it is known that they are needed.
const mostAhead = 128 << 10

// seek moves to the column of q and tells whether there is one. Successive
// seeks on one cursor must ascend.
func (c *columns) seek(q attribute.Quark) bool {
	if c.err != nil || c.k.columns == 0 {
		return false
	}
	if c.index > 0 && c.quark >= q {
		return c.quark == q
	}
	if !c.near(q) && !c.jump(q) {
		return false
	}
	if c.skip(q) {
		return true
	}
	for c.index == 0 || c.quark < q {
		if c.index > 0 && c.index&c.k.inRun == 0 {
			return false // q would be in the run that ends here
		}
		if !c.next() {
			return false
		}
	}
	return c.quark == q
}

// near tells whether q, which is further on, is in the run at hand if it is anywhere.
func (c *columns) near(q attribute.Quark) bool {
	return c.index&c.k.inRun != 0 && int(q) < c.behind
}

// jump moves to the first column of the run that holds q, if a run further on does. It returns
// false on damage.
func (c *columns) jump(q attribute.Quark) bool {
	// The last entry at or before q, unless it is the run the cursor is in already; often the next.
	lo, hi := (c.index+c.k.inRun)>>c.k.runBits, c.k.runs()
	if c.index > 0 && lo+1 < hi && c.firstOf(lo+1) > q {
		hi = lo + 1
	}
	first := c.index == 0
	if w := c.windows; first && w.runs > 0 {
		lo, hi = c.around(q, int(uint64(w.run)*uint64(hi)/uint64(w.runs)), hi)
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.firstOf(mid) <= q {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if first {
		c.windows.run, c.windows.runs = lo, c.k.runs()+1
	}
	if run := lo - 1; run >= 0 && run<<c.k.runBits >= c.index {
		if !c.enter(run) || !c.step() {
			return c.damaged()
		}
	}
	return true
}

// around returns bounds of where the first run behind q is, of so many, near a guess: adjacent blocks have much the same attributes, so
// few entries of a directory need be looked at that was not looked at of late.
func (c *columns) around(q attribute.Quark, guess, runs int) (lo, hi int) {
	lo, hi = 0, runs
	for step := 1; ; step *= 2 {
		if guess < lo || guess >= hi {
			return lo, hi
		}
		if c.firstOf(guess) <= q {
			lo = guess + 1
			guess += step
		} else {
			hi = guess
			guess -= step
		}
	}
}

// skip steps towards the column of q, as far as the heads in the run are of two bytes, four at
// a time, or of three. It tells whether it has come to it.
func (c *columns) skip(q attribute.Quark) (found bool) {
	if c.index&c.k.inRun == 0 {
		return false
	}
	b, i, end := c.heads.b, c.heads.i, min((c.index|c.k.inRun)+1, c.k.columns)
	left, pos, limit, index := int(q)-int(c.quark), c.pos, c.limit, c.index
	const each = 0x0001_0001_0001_0001
	for ; index+4 <= end && i+8 <= len(b); i, index = i+8, index+4 {
		x := word(b, i)
		deltas, lengths := x&(0xff*each), x>>8&(0xff*each)
		if x&0x8080808080808080 != 0 || (deltas-each)&(each<<15) != 0 { // a longer one, or a delta of 0
			break
		}
		ahead, further := int(deltas*each>>48), int(lengths*each>>48)
		if ahead >= left || further > limit-pos {
			break
		}
		left -= ahead
		pos += further
	}
	for ; index < end && i+4 <= len(b); index++ {
		x := binary.LittleEndian.Uint32(b[i : i+4 : i+4]) // as word does
		long := int(x >> 15 & 1)                          // a length of two bytes
		delta := int(x & 0xff)
		length := int(x>>8&0x7f | x>>16&0xff<<7&-uint32(long))
		if uint(delta-1) >= 0x7f || length >= 0x80<<7 || delta > left || length > limit-pos {
			break
		}
		i += 2 + long
		if left -= delta; left == 0 {
			c.at, c.length = pos, length
			pos += length
			index++
			found = true
			break
		}
		pos += length
	}
	c.heads.i, c.quark, c.pos, c.index = i, q-attribute.Quark(left), pos, index
	return found
}

// complete says what is wrong after a walk: err, or columns that are missing.
func (c *columns) complete() error {
	if c.err == nil && (c.index != c.k.columns || c.k.columns > 0 && c.pos != c.k.used) {
		c.damaged()
	}
	return c.err
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
	v.times()
	v.value = v.decoder.value()
	return !v.bad
}

// times decodes the bounds of the next interval.
func (v *intervals) times() {
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
	if v.end <= v.start {
		v.bad = true
	}
}

// until moves to the first interval that ends after t. It decodes no values on
// the way.
func (v *intervals) until(t int64) bool {
	for v.more() {
		v.times()
		if v.bad {
			return false
		}
		if v.end > t {
			v.value = v.decoder.value()
			return !v.bad
		}
		v.skipValue()
	}
	return false
}
