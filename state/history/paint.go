package history

import (
	"encoding/binary"
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
		if v.leaf && !r.counting {
			v.hurry(g, r)
		}
	}
	return !v.bad
}

// hurry sums the intervals that follow in a leaf, while they lie inside the column of pixels
// where the last one ended, and are, as nearly all, written in at most eight bytes of
// which the last is the value. It stops before any other.
func (v *intervals) hurry(g *grid, r *row) {
	c := r.hint
	high := min(g.edges[c+1], g.hi, v.limit)
	if v.end <= max(g.edges[c], g.lo) {
		return
	}
	b, i, t := v.b[:cap(v.b)], v.i, v.end
	sums, used, briefs := &r.times[c], r.used[c], &r.values.briefs
	if used == 0 {
		*sums = lane{}
	}
	for i+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[i:])
		n := bits.TrailingZeros64(^x & 0x8080808080808080) // the top bit of the last byte of the length
		u := x >> (n + 1) & 0xff
		next := i + n>>3 + 2
		if n > 55 || u >= briefValues || next > len(v.b) {
			break
		}
		lane := briefs[u] - 1
		x &= 1<<n - 1
		x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
		x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
		x = x&0x000000000fffffff | x&0x0fffffff00000000>>4
		end := t + int64(x)
		if lane >= laneValues || end >= high || x == 0 {
			break
		}
		sums[lane] += int64(x)
		used |= 1 << lane
		i, t = next, end
	}
	v.i, v.end = i, t
	r.used[c] = used
}
