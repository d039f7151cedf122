package history

import "math"

// fewValues is how many values of one column of pixels are summed before they
// are looked up in the row.
const fewValues = 8

// A tally sums what lies inside one column of pixels, by the encoding of its value.
type tally struct {
	n    int
	sums [fewValues]struct {
		value uint64
		time  int64
		count uint64
	}
}

func (y *tally) add(u uint64, time int64, r *row, c int) {
	for i := range y.sums[:y.n] {
		if s := &y.sums[i]; s.value == u {
			s.time += time
			s.count++
			return
		}
	}
	if y.n == fewValues {
		y.flush(r, c)
	}
	s := &y.sums[y.n]
	s.value, s.time, s.count = u, time, 1
	y.n++
}

// flush adds the sums to column c of a row.
func (y *tally) flush(r *row, c int) {
	for i := range y.sums[:y.n] {
		s := &y.sums[i]
		var d decoder
		if v := d.rest(s.value); r.counting {
			r.total(v, s.time, s.count)
		} else {
			r.add(c, v, s.time)
		}
	}
	y.n = 0
}

// leafColumn paints a column of a leaf. Most of its intervals lie inside a column of
// pixels, between others that do: these cost a sum. It returns false on damage.
func (p *painter) leafColumn(k *block, data []byte, r *row) bool {
	g := &p.grid
	d := decoder{b: data}
	t := d.after(k.start, k.end)
	var sum tally
	c := r.hint
	low, high := max(g.edges[c], g.lo), min(g.edges[c+1], g.hi)
	for d.more() {
		end := d.after(t, k.end)
		u := d.uvarint()
		if end <= t {
			return false
		}
		if t > low && end < high && short(u) {
			sum.add(u, end-t, r, c)
			t = end
			continue
		}
		v := d.rest(u)
		if d.bad {
			return false
		}
		sum.flush(r, c)
		if r.span(g, t, end, v); end >= g.hi {
			return true
		}
		t, c = end, r.hint
		low, high = max(g.edges[c], g.lo), min(g.edges[c+1], g.hi)
	}
	sum.flush(r, c)
	return !d.bad
}

// short tells whether u is a whole value, with nothing behind it.
func short(u uint64) bool {
	switch u & 7 {
	case tagInt:
		return true
	case tagString:
		return u>>3 <= math.MaxUint32
	case tagBool:
		return u>>3 <= 1
	}
	return u == tagNull
}
