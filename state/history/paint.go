package history

import (
	"math"
	"math/bits"
)

// column paints a column of a leaf or an extent. It returns false on damage.
func (p *painter) column(k *block, data []byte, r *row) bool {
	g := &p.grid
	v := k.intervals(data)
	for v.next() {
		if r.span(g, v.start, v.end, v.value); v.end >= g.hi {
			break
		}
		if !r.counting {
			v.hurry(g, r)
		}
	}
	return !v.bad
}

// hurry paints the intervals that follow, while they end in the column of pixels where the last one ended or the next,
// and their numbers are, as nearly all, of at most eight bytes with the value in one. It stops before any other.
func (v *intervals) hurry(g *grid, r *row) {
	c := r.hint
	if v.end <= max(g.edges[c], g.lo) || v.limit > math.MaxInt64-1<<50 { // two numbers of 49 bits above the limit are still times
		return
	}
	limit := min(g.hi, v.limit)
	high := min(g.edges[c+1], limit)
	b, i, t := v.b[:cap(v.b)], v.i, v.end
	times, used, briefs := r.open(c), r.used[c], &r.values.briefs
	for i+8 <= len(b) {
		x := word(b, i)
		at, start := i, t
		if !v.leaf {
			n := bits.TrailingZeros64(^x & tops)
			if at += n>>3 + 1; n > 55 || at+8 > len(b) {
				break
			}
			start += int64(squeeze(x & (1<<n - 1)))
			x = word(b, at)
		}
		n := bits.TrailingZeros64(^x & tops) // the top bit of the last byte of the length
		u := x >> (n + 1) & 0xff
		next := at + n>>3 + 2
		if n > 55 || u >= briefValues || next > len(v.b) {
			break
		}
		lane := briefs[u] - 1
		x = squeeze(x & (1<<n - 1))
		end := start + int64(x)
		if lane >= laneValues || x == 0 {
			break
		}
		if end > high {
			if end >= limit || c+2 >= len(g.edges) || end >= g.edges[c+2] || start >= g.edges[c+2] {
				break
			}
			if start < high {
				times[lane] += high - start
				used |= 1 << lane
				start = high
			}
			r.used[c] = used
			c++
			high = min(g.edges[c+1], limit)
			times, used = r.open(c), r.used[c]
		}
		times[lane] += end - start
		used |= 1 << lane
		i, t = next, end
	}
	v.i, v.end = i, t
	r.used[c] = used
	r.hint = c
}
