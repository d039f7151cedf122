package history

import (
	"encoding/binary"
	"math/bits"
)

// half adds what a column of a leaf holds before column c of the row to the column before c, and takes it from c, to
// which all of the leaf was added. It returns false on damage, which is too where the two differ.
func (r *row) half(g *grid, k *block, data []byte, c int) bool {
	var times lane
	used, ok := k.before(data, g.edges[c], &r.values, &times)
	if !ok || used == 0 {
		return ok
	}
	to := r.open(c - 1)
	r.used[c-1] |= used
	if r.more[c] == covered { // to which nothing was added
		for i := range times {
			to[i] += times[i]
		}
		return true
	}
	if r.used[c]&used != used {
		return false
	}
	from := &r.times[c]
	for u := used; u != 0; u &= u - 1 {
		i := bits.TrailingZeros8(u) & (laneValues - 1)
		to[i] += times[i]
		from[i] -= times[i]
		if from[i] == 0 {
			r.used[c] &^= 1 << i
		}
		ok = ok && from[i] >= 0
	}
	return ok
}

// before sums the times before x of a column of a leaf, and returns which values of the row those are. It
// returns false on damage.
func (k *block) before(column []byte, x int64, values *lanes, times *lane) (used uint8, ok bool) {
	v := k.intervals(column)
	v.end, v.begun = v.after(k.start, k.end), true
	for v.end < x {
		if used |= v.sum(x, values, times); !v.more() || v.end >= x {
			break
		}
		if !v.next() {
			break
		}
		i := values.of(v.value)
		if i == laneValues {
			return used, false // the sums would not be in lanes
		}
		times[i] += min(v.end, x) - v.start
		used |= 1 << i
	}
	return used, !v.bad
}

// sum is before for the intervals of a leaf that follow, while numbers and values are of the sizes nearly all have. It
// stops before any other.
func (v *intervals) sum(x int64, values *lanes, times *lane) (used uint8) {
	b, i, t := v.b[:cap(v.b)], v.i, v.end
	for t < x && i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		n := bits.TrailingZeros64(^w & tops) // the top bit of the last byte of the length
		u := w >> (n + 1) & 0xff
		next := i + n>>3 + 2
		if n > 55 || u >= briefValues || next > len(v.b) {
			break
		}
		length := squeeze(w & (1<<n - 1))
		at := values.briefs[u] - 1
		if at >= laneValues || length == 0 || length > uint64(v.limit)-uint64(t) {
			break
		}
		if left := uint64(x - t); length > left {
			length = left // what is behind x is of no use
		}
		times[at] += int64(length)
		used |= 1 << at
		t += int64(length)
		i = next
	}
	v.i, v.end = i, t
	return used
}
