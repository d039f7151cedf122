package history

import "math/bits"

// earlier adds what a column of a leaf holds before column c of the row to the column before c, and takes it from c, to
// which all of the leaf was added. It returns false on damage, which is too where the two differ.
func (r *row) earlier(g *grid, k *block, data []byte, c int) bool {
	var times lane
	used, ok := k.before(data, g.edges[c], &r.values, &times)
	return ok && r.move(c, c-1, used, &times)
}

// later adds what a column of a leaf holds from the front of column c of the row on to c, and takes it from the column before, to
// which all of the leaf was added, whose intervals are span ns long. It returns false on damage, which is too where the two differ.
func (r *row) later(g *grid, k *block, data []byte, c int, span int64) bool {
	var times lane
	used, ok := k.behind(data, g.edges[c], span, &r.values, &times)
	return ok && r.move(c-1, c, used, &times)
}

// move adds times of some values to a column, and takes them from another unless nothing was added to that. It
// returns false where they are more than those.
func (r *row) move(from, to int, used uint8, times *lane) bool {
	if used == 0 {
		return true
	}
	if r.more[to] == covered {
		return false
	}
	added := r.open(to)
	r.used[to] |= used
	if r.more[from] == covered {
		for i := range times {
			added[i] += times[i]
		}
		return true
	}
	if r.used[from]&used != used {
		return false
	}
	ok, taken := true, &r.times[from]
	for u := used; u != 0; u &= u - 1 {
		i := bits.TrailingZeros8(u) & (laneValues - 1)
		added[i] += times[i]
		taken[i] -= times[i]
		if taken[i] == 0 {
			r.used[from] &^= 1 << i
		}
		ok = ok && taken[i] >= 0
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
		w := word(b, i)
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

// behind sums the times from x on of a column of a leaf whose intervals are span ns long, and returns which values of the
// row those are. It goes from the back, where numbers are told apart by their last bytes: only values of a fixed
// length would hinder that, and there are none in sums. It returns false on damage.
func (k *block) behind(column []byte, x, span int64, values *lanes, times *lane) (used uint8, ok bool) {
	d := decoder{b: column}
	start := d.after(k.start, k.end)
	if d.bad || span <= 0 || uint64(span) > uint64(k.end)-uint64(start) {
		return 0, false
	}
	t, front, i := start+span, d.i, len(column)
	for t > x && t > start {
		length, u, next, ok := uint64(0), uint64(0), 0, false
		if i-8 >= front {
			length, u, next, ok = lastTwo(word(column, i-8), i)
		}
		if !ok {
			if length, u, next, ok = lastNumbers(column, front, i); !ok {
				return used, false
			}
		}
		at := laneValues
		if u < briefValues && values.briefs[u] > 0 {
			at = int(values.briefs[u]) - 1
		} else {
			rest := decoder{} // of which there is nothing
			v := rest.rest(u)
			if rest.bad {
				return used, false
			}
			at = values.of(v)
		}
		if at >= laneValues || length == 0 || length > uint64(t-start) {
			return used, false // the sums would not be in lanes, or the column is longer than they say
		}
		if left := uint64(t - x); length > left {
			length = left // what is before x is of no use
		}
		times[at&(laneValues-1)] += int64(length)
		used |= 1 << at
		t -= int64(length)
		i = next
	}
	return used, t > start || i == front
}

// lastTwo takes the two numbers that end at i, of which w are the last eight bytes, if the second is of one byte and the first
// begins behind the first of the eight.
func lastTwo(w uint64, i int) (first, second uint64, next int, ok bool) {
	before := ^w & (tops >> 16) // the last bytes of numbers before the two
	if w>>63 != 0 || w>>55&1 != 0 || before == 0 {
		return 0, 0, 0, false
	}
	n := bits.Len64(before) // bits before the first number
	first = squeeze(w << 8 >> 8 >> n)
	return first, w >> 56, i - 8 + n>>3, true
}

// lastNumbers takes the two numbers that end at i, the first of which does not begin before front.
func lastNumbers(b []byte, front, i int) (first, second uint64, next int, ok bool) {
	begin := func(end int) int {
		for end--; end > front && b[end-1] >= 0x80; end-- {
		}
		return end
	}
	if i-2 < front || b[i-1] >= 0x80 {
		return 0, 0, 0, false
	}
	at := begin(i)
	if at-1 < front || b[at-1] >= 0x80 {
		return 0, 0, 0, false
	}
	next = begin(at)
	d := decoder{b: b[next:i:i]}
	first, second = d.uvarint(), d.uvarint()
	return first, second, next, !d.bad && !d.more()
}
