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
	taken, least, none := &r.times[from], int64(0), uint8(0)
	for i := range bits.Len8(used) { // without a branch for each, which none could foretell
		time := times[i]
		added[i] += time
		rest := taken[i] - time
		taken[i] = rest
		least |= rest // is below 0 if one is
		none |= uint8(uint64(rest-1)>>63) << i
	}
	r.used[from] &^= none & used
	return least >= 0
}

// before sums the times before x of a column of a leaf, and returns which values of the row those are. It
// returns false on damage.
func (k *block) before(column []byte, x int64, values *lanes, times *lane) (used uint8, ok bool) {
	v := k.intervals(column)
	v.end, v.begun = v.after(k.start, k.end), true
	for v.end < x {
		i, left, some := values.sum(v.b, v.i, uint64(x-v.end), times)
		v.i, v.end = i, x-int64(left)
		if used |= some; left == 0 || !v.more() {
			break
		}
		if length, _, at := values.next(v.b, v.i); at > 0 && length > left && length <= uint64(k.end)-uint64(v.end) {
			times[at.of()] += int64(left) // what is behind x is of no use
			used |= at.used()
			break
		}
		if !v.next() {
			break
		}
		at := values.of(v.value)
		if at == laneValues {
			return used, false // the sums would not be in lanes
		}
		times[at] += min(v.end, x) - v.start
		used |= 1 << at
	}
	return used, !v.bad
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
	end, front, i := start+span, d.i, len(column)
	if end <= x {
		return 0, true
	}
	left, all, gathered := uint64(end-x), uint64(span), lanePlace(0) // behind x, and behind start
	for left > 0 && all > 0 {
		length, next, at := uint64(0), 0, lanePlace(0)
		if i-8 >= front {
			length, next, at = values.last(word(column, i-8), i)
		}
		if at <= 0 {
			var value uint64
			var ok bool
			if length, value, next, ok = lastNumbers(column, front, i); !ok {
				return 0, false
			}
			if at, ok = values.encoded(value); !ok {
				return 0, false
			}
		}
		if length == 0 || length > all {
			return 0, false // the column is longer than the sums say
		}
		all -= length
		length = min(length, left) // what is before x is of no use
		times[at.of()] += int64(length)
		gathered |= at
		left -= length
		i = next
	}
	return gathered.used(), all > 0 || i == front
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
