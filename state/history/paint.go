package history

import (
	"math"
	"math/bits"
)

// column paints a column of a leaf or an extent. It returns false on damage.
func (p *painter) column(k *block, data []byte, r *row) bool {
	g := &p.grid
	v := k.intervals(data)
	if v.leaf && r.done(g, k.start, k.end) {
		return true
	}
	if r.wide != nil { // all of the block is wanted
		return r.wide.tally(&v)
	}
	if v.leaf && !r.counting {
		v.end, v.begun = v.after(v.start, v.limit), true
		if !v.more() {
			return false
		}
		v.hurry(g, r)
	}
	for v.next() {
		if r.span(g, v.start, v.end, v.value); v.end >= g.hi {
			break
		}
		if !r.counting && v.more() {
			v.hurry(g, r)
		}
	}
	return !v.bad
}

// farColumns are not gone through one by one to where the next interval begins.
const farColumns = 4

// hurry paints the intervals that follow, while their numbers are, as nearly all, of at most eight bytes with the value in one
// that the row has a lane for. It stops before any other. The quickest are those that end in the column of pixels where the last one
// ended or the next.
func (v *intervals) hurry(g *grid, r *row) {
	c, t := r.hint, v.end
	limit := min(g.hi, v.limit)
	if t < max(g.edges[c], g.lo) || t >= limit || v.limit > math.MaxInt64-1<<58 { // two numbers of 56 bits above the limit are still times
		return
	}
	for far := min(c+farColumns, len(r.used)-1); c < far && g.edges[c+1] <= t; {
		c++
	}
	if g.edges[c+1] <= t || c > 0 && g.edges[c-1] == t { // or an empty column shows t
		return
	}
	if r.hint = c; v.leaf {
		v.hurryLeaf(g, r, limit)
	} else {
		v.hurryExtent(g, r, limit)
	}
}

// hurryLeaf is hurry in a leaf, where each interval begins at the end of the one before.
func (v *intervals) hurryLeaf(g *grid, r *row, limit int64) {
	c, i := r.hint, v.i
	high := min(g.edges[c+1], limit)
	left := uint64(high - v.end) // of the column of pixels
	for {
		var used uint8
		times := r.open(c)
		i, left, used = r.values.sum(v.b, i, left, times)
		r.used[c] |= used
		length, next, at := r.values.next(v.b, i)
		to := high + int64(length-left)
		if at <= 0 || length <= left || to >= limit {
			break
		}
		i = next
		if c+2 >= len(g.edges) || to >= g.edges[c+2] {
			r.hint = c
			r.span(g, high-int64(left), to, r.values.values[at.of()])
			c = r.hint
			high = min(g.edges[c+1], limit)
			left = uint64(high - to)
			continue
		}
		if left > 0 {
			times[at.of()] += int64(left)
			r.used[c] |= at.used()
			length -= left
		}
		c++
		high = min(g.edges[c+1], limit)
		left = uint64(high - to)
		r.open(c)[at.of()] += int64(length)
		r.used[c] |= at.used()
	}
	v.i, v.end = i, high-int64(left)
	r.hint = c
}

// hurryExtent is hurry in an extent, where there are gaps.
func (v *intervals) hurryExtent(g *grid, r *row, limit int64) {
	b, i, c, briefs := v.b, v.i, r.hint, &r.values.briefs
	high := min(g.edges[c+1], limit)
	left := uint64(high - v.end) // of the column of pixels
	times, used := r.open(c), lanePlace(0)
	for i+8 <= cap(b) {
		x := word(b, i)
		end := ^x & tops // the top bits of last bytes, the first of which is that of the gap
		if end == 0 {
			break
		}
		gap, second := squeeze(x&^end&(end-1)), end&(end-1)
		after := bits.TrailingZeros64(end) + 1
		value := i
		if second != 0 { // the length is in the same word, nearly always
			value += bits.TrailingZeros64(second)>>3 + 1
			x = (x &^ second & (second - 1)) >> (after & 63)
		} else {
			value += after >> 3
			if value+8 > cap(b) {
				break
			}
			x = word(b, value)
			if second = ^x & tops; second == 0 {
				break
			}
			value += bits.TrailingZeros64(second)>>3 + 1
			x = x &^ second & (second - 1)
		}
		if uint(value) >= uint(len(b)) {
			break
		}
		at, length := briefs[b[value]], uint64(0)
		if x < 1<<31 {
			length = uint64(squeezeFour(uint32(x)))
		} else {
			length = squeeze(x)
		}
		if at <= 0 || length == 0 {
			break
		}
		if gap+length > left {
			to := high + int64(gap+length-left)
			if to >= limit {
				break
			}
			i = value + 1
			if c+2 >= len(g.edges) || to >= g.edges[c+2] {
				r.used[c] |= used.used()
				r.hint = c
				r.span(g, to-int64(length), to, r.values.values[at.of()])
				c, used = r.hint, 0
				times = r.open(c)
				high = min(g.edges[c+1], limit)
				left = uint64(high - to)
				continue
			}
			if gap < left {
				times[at.of()] += int64(left - gap)
				used |= at
				length -= left - gap
			}
			r.used[c] |= used.used()
			c, used = c+1, 0
			times = r.open(c)
			high = min(g.edges[c+1], limit)
			left, gap = uint64(high-to)+length, 0
		}
		times[at.of()] += int64(length)
		used |= at
		left -= gap + length
		i = value + 1
	}
	v.i, v.end = i, high-int64(left)
	r.used[c] |= used.used()
	r.hint = c
}
