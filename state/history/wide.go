package history

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// The totals of an attribute with many values: which thread a CPU has, which function is called. Most values are small numbers that lie close
// together, so their totals stand in pages by number, found through a small table: what an interval adds to is then all that it needs of memory
// that is not near.

const (
	wideBits = 6
	widePage = 1 << wideBits // adjacent keys

	leastSlots = 64
	leastSift  = 256 // intervals

	wideValueShare = 3 // a value takes one place for so many intervals
)

// mostWide totals are held in memory. Tests have less.
var mostWide = 1 << 18

// wide is the totals of one attribute in a node.
type wide struct {
	cells     []cell // page by page
	slots     []slot // a power of two, at most half of them are taken
	values    int64
	intervals int64
	expected  int64 // intervals, about
	most      int   // cells
	failed    bool  // there is no room, a value has no key, or most intervals bring a new one
	crowded   bool  // there is no room
}

// A cell is the totals of a value.
type cell struct {
	time, count int64
}

// A slot of the table has the place of a page, by what its keys have in common.
type slot struct {
	number uint64
	page   int32 // and 1 more
}

// reset empties x for an attribute with about so many intervals.
func (x *wide) reset(expected int64, most int) {
	*x = wide{cells: x.cells[:0], slots: emptied(x.slots, leastSlots), expected: max(expected, 1), most: most}
}

// home is where a page is looked for first.
func (x *wide) home(number uint64) int {
	return int(number * 0x9e3779b97f4a7c15 >> (65 - bits.Len(uint(len(x.slots)))))
}

// cell returns the totals of a key, or nil if there is no room for it.
func (x *wide) cell(key uint64) *cell {
	number, last := key>>wideBits, len(x.slots)-1
	for i := x.home(number); ; i++ {
		s := &x.slots[i&last]
		if s.page == 0 {
			return x.page(key)
		}
		if s.number == number {
			return &x.cells[int(s.page-1)<<wideBits|int(key&(widePage-1))]
		}
	}
}

// page makes the page of a key.
func (x *wide) page(key uint64) *cell {
	n := len(x.cells)
	if n >= x.most {
		x.failed, x.crowded = true, true
		return nil
	}
	x.cells = slices.Grow(x.cells, widePage)[:n+widePage]
	clear(x.cells[n:])
	if pages := n >> wideBits; 2*pages >= len(x.slots) {
		old := slices.Clone(x.slots)
		x.slots = emptied(x.slots, 2*len(old))
		for _, s := range old {
			if s.page > 0 {
				x.insert(s)
			}
		}
	}
	x.insert(slot{key >> wideBits, int32(n>>wideBits) + 1})
	return &x.cells[n|int(key&(widePage-1))]
}

func (x *wide) insert(s slot) {
	last := len(x.slots) - 1
	i := x.home(s.number)
	for x.slots[i].page > 0 {
		i = (i + 1) & last
	}
	x.slots[i] = s
}

func (x *wide) put(c *cell, time, count int64) {
	if c.count == 0 {
		x.values++
	}
	c.time += time
	c.count += count
	x.intervals += count
}

// add adds to the totals of a value.
func (x *wide) add(v Value, time int64, count uint64) {
	key, ok := keyOf(v)
	if !ok || count > math.MaxInt64 {
		x.failed = true
	}
	if x.failed {
		return
	}
	if c := x.cell(key); c != nil {
		x.put(c, time, int64(count))
	}
}

// A keyed interval is how long a value was there, by its key.
type keyed struct {
	key    uint64
	length int64
}

// tally adds the intervals of a column, some dozens at a time: they are decoded first, one after the other, and then none waits for the memory that
// another one adds to. It returns false on damage.
func (x *wide) tally(v *intervals) bool {
	var some [64]keyed
	for !x.failed && v.more() {
		n := v.brief(some[:])
		if n == 0 {
			v.times()
			key, ok := keyOfCode(v.uvarint())
			if !ok || v.bad {
				x.failed = true
				return !v.bad
			}
			some[0], n = keyed{key, v.end - v.start}, 1
		}
		for _, k := range some[:n] {
			if c := x.cell(k.key); c != nil {
				x.put(c, k.length, 1)
			}
		}
	}
	x.sift()
	return true
}

// brief decodes the next intervals of a leaf, as long as their numbers are of at most eight bytes, do not stand at the end of what is in memory, and
// the values have keys. It returns how many.
func (v *intervals) brief(some []keyed) (n int) {
	if !v.leaf || !v.begun {
		return 0
	}
	b, i, end := v.b, v.i, v.end
	for ; n < len(some) && i+16 <= len(b); n++ {
		x := word(b, i)
		k := bits.TrailingZeros64(^x & tops)
		length := squeeze(x & (1<<(k&63) - 1))
		at := i + k>>3 + 1
		x = word(b, at)
		m := bits.TrailingZeros64(^x & tops)
		u := squeeze(x & (1<<(m&63) - 1))
		if (k|m) >= 64 || length-1 >= uint64(v.limit)-uint64(end) {
			break
		}
		key := tagInt<<keyBits | u>>4
		if u&15 != tagInt {
			var ok bool
			if key, ok = keyOfCode(u); !ok {
				break
			}
		}
		end += int64(length)
		i = at + m>>3 + 1
		some[n] = keyed{key, int64(length)}
	}
	v.i, v.end = i, end
	return n
}

// sift gives up an attribute most of whose intervals bring a new value. Where all values are equally frequent, and a third as many as
// all intervals, three in a hundred are not new in the first fiftieth, a half in the first half, and two thirds in all. One with half as
// many that are not new goes on.
func (x *wide) sift() {
	again := float64(x.intervals - x.values)
	x.failed = x.failed || x.intervals >= leastSift && again*2*float64(x.expected) < float64(x.intervals)*float64(min(x.intervals, x.expected))
}

// worth tells whether to write the totals saves more than it costs.
func (x *wide) worth() bool {
	return !x.failed && x.values > 0 && x.values <= x.intervals/wideValueShare
}

// appendTo writes a column, in order of key.
func (x *wide) appendTo(b []byte) []byte {
	slots := slices.DeleteFunc(slices.Clone(x.slots), func(s slot) bool { return s.page == 0 })
	slices.SortFunc(slots, func(a, b slot) int { return cmp.Compare(a.number, b.number) })
	before := uint64(0)
	for _, s := range slots {
		for i, c := range x.cells[int(s.page-1)<<wideBits:][:widePage] {
			if c.count == 0 {
				continue
			}
			key := s.number<<wideBits | uint64(i)
			b = binary.AppendUvarint(b, key-before)
			b = binary.AppendUvarint(b, uint64(c.time))
			b = binary.AppendUvarint(b, uint64(c.count))
			before = key
		}
	}
	return b
}

// decodeWide decodes a column of wide totals of a child that is so many ns long. It returns false on damage.
func decodeWide(data []byte, length int64, use func(v Value, time int64, count uint64)) bool {
	d := decoder{b: data}
	for key, first := uint64(0), true; d.more(); first = false {
		delta := d.uvarint()
		time := d.below(uint64(length) + 1)
		count := d.below(time + 1)
		if d.bad || delta > math.MaxUint64-key || delta == 0 && !first || count == 0 {
			return false
		}
		key += delta
		v, ok := valueOf(key)
		if !ok {
			return false
		}
		length -= int64(time)
		use(v, int64(time), count)
	}
	return !d.bad
}

// The key of a value is its sort and its number: a null, a boolean, a string, and an integer that is not negative stand by their encoding, so that adjacent
// ids are adjacent, and a negative one apart.
const (
	keyBits  = 60
	keyMinus = 6
)

// keyOf returns the key of a value, if that is encoded without 8 bytes as they are.
func keyOf(v Value) (key uint64, ok bool) {
	switch v.kind {
	case KindNull:
		return 0, true
	case KindInt:
		n := int64(v.bits)
		if n >= 0 {
			return tagInt<<keyBits | uint64(n), n < 1<<(keyBits-1)
		}
		return keyMinus<<keyBits | uint64(^n), ^n < 1<<(keyBits-1)
	case KindBool:
		return tagBool<<keyBits | v.bits, true
	case KindString:
		return tagString<<keyBits | v.bits, true
	}
	return 0, false
}

// keyOfCode is keyOf for a value that begins with u.
func keyOfCode(u uint64) (key uint64, ok bool) {
	tag, number := u&7, u>>3
	switch tag {
	case tagInt:
		if number&1 > 0 {
			tag = keyMinus
		}
		number >>= 1
	case tagFloat, tagWide:
		return 0, false
	}
	return tag<<keyBits | number, true
}

// valueOf returns the value of a key, if there is one.
func valueOf(key uint64) (v Value, ok bool) {
	tag, number := key>>keyBits, key&(1<<keyBits-1)
	switch tag {
	case tagNull:
		return Value{}, number == 0
	case tagInt:
		return Int(int64(number)), number < 1<<(keyBits-1)
	case keyMinus:
		return Int(^int64(number)), number < 1<<(keyBits-1)
	case tagBool:
		return Value{KindBool, number}, number <= 1
	case tagString:
		return Value{KindString, number}, number <= math.MaxUint32
	}
	return Value{}, false
}
