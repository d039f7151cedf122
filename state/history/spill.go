package history

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// A spill is the time of a value in a column of pixels, of one that has no lane.
type spill struct {
	value Value
	time  int64
	next  int32 // the one before in the same column and 1 more
}

// fewSpills of a column are gone through one by one. More have a table.
const fewSpills = 12

// A spillTable says where the values of a column are among the spills of its row: it is a part of the row's slots, a power of two, of which
// at most half are taken. It has the least size that holds what is in it, and where it grows, the room it had is left.
type spillTable struct {
	at, size, taken int
}

// spillHash is another number in each process, so that nobody can make a trace of values that come to lie in one place. No answer depends on it.
var spillHash = maphash.String(maphash.MakeSeed(), "") | 1

// spill adds time ns of v, which has no lane, to column c.
func (r *row) spill(c int, v Value, time int64) {
	if r.wish.some && !r.alone(c, v) && !slices.Contains(r.wish.of, v) {
		v = others
	}
	newest := r.more[c]
	if len(r.tables) > 0 && r.tables[c].size > 0 {
		slot := r.slotOf(&r.tables[c], v)
		if i := r.slots[slot]; i > 0 {
			r.spills[i-1].time += time
			return
		}
		r.spills = append(r.spills, spill{v, time, newest})
		r.more[c] = int32(len(r.spills))
		r.slots[slot] = r.more[c]
		if t := &r.tables[c]; t.taken+1 > t.size/2 {
			r.makeTable(c, 2*t.size)
		} else {
			t.taken++
		}
		return
	}
	many := 0
	for i := newest; i > 0; i = r.spills[i-1].next {
		if p := &r.spills[i-1]; p.value == v {
			p.time += time
			return
		}
		many++
	}
	r.spills = append(r.spills, spill{v, time, newest})
	r.more[c] = int32(len(r.spills))
	if many == fewSpills {
		r.makeTable(c, 1<<bits.Len(4*fewSpills))
	}
}

// makeTable makes a table of a size for all that is in column c.
func (r *row) makeTable(c, size int) {
	if len(r.tables) == 0 {
		r.tables = emptied(r.tables, len(r.used))
	}
	t := &r.tables[c]
	*t = spillTable{at: len(r.slots), size: size}
	r.slots = append(r.slots, make([]int32, size)...)
	for i := r.more[c]; i > 0; i = r.spills[i-1].next {
		r.slots[r.slotOf(t, r.spills[i-1].value)] = i
		t.taken++
	}
}

// slotOf returns the slot of a value in a table, an empty one where it is not in there.
func (r *row) slotOf(t *spillTable, v Value) int {
	slots, last := r.slots[t.at:t.at+t.size], t.size-1
	i := int(((v.bits ^ uint64(v.kind)<<60) * spillHash) >> (65 - bits.Len(uint(t.size))))
	for ; slots[i] > 0 && r.spills[slots[i]-1].value != v; i = (i + 1) & last {
	}
	return t.at + i
}
